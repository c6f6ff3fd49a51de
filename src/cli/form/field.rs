//! One field of a request on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use serde_json::{Number, Value};

use super::{Typed, help};

/// A field as defined by schema and form.
pub(super) struct Field<'s> {
    pub(super) name: &'s str,
    pub(super) schema: &'s Value,
    pub(super) typed: Option<Typed>,
    pub(super) is_required: bool,
}

/// Type of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Flag,
    /// Negative numbers only if allowed.
    Whole {
        negative: bool,
    },
    Number,
    Text,
    /// Words with their help.
    Choice(Vec<(String, String)>),
    List(Box<Kind>),
}

impl Field<'_> {
    /// True if it is typed by position.
    pub(super) fn is_positional(&self) -> bool {
        use Typed::{File, FileOrStdin, Texts, Word, Words};
        matches!(
            self.typed,
            Some(Word(_) | Words(_) | Texts(..) | File(..) | FileOrStdin(..))
        )
    }

    /// The clap argument; none if the field is not typed.
    pub(super) fn argument(&self) -> Option<Arg> {
        let kind = self.kind()?;
        let (short, long) = help(self.schema);
        let mut argument = Arg::new(self.name.to_owned()).help(short);
        if let Some(long) = long {
            argument = argument.long_help(long);
        }
        argument = match self.typed {
            Some(
                Typed::Word(name)
                | Typed::Words(name)
                | Typed::Texts(name, _)
                | Typed::File(name, _)
                | Typed::FileOrStdin(name, _),
            ) => argument.value_name(name).required(self.is_required),
            Some(Typed::Named(name) | Typed::Unless(name, _)) => argument.long(name),
            Some(Typed::Also(alias)) => argument.long(self.kebab()).visible_alias(alias),
            _ => argument.long(self.kebab()).required(self.is_required),
        };
        argument = match self.typed {
            Some(Typed::Words(_)) => return Some(argument.num_args(1..).action(ArgAction::Append)),
            Some(Typed::Texts(_, help)) => {
                let argument = argument.help(help).num_args(1..);
                return Some(argument.action(ArgAction::Append));
            }
            Some(Typed::Unless(_, help)) => {
                return Some(argument.help(help).action(ArgAction::SetTrue));
            }
            Some(Typed::Many(name)) => {
                let argument = argument.value_name(name).num_args(1..);
                return Some(argument.action(ArgAction::Append));
            }
            Some(Typed::File(_, help)) => return Some(argument.help(help).required(true)),
            Some(Typed::FileOrStdin(_, help)) => {
                let argument = argument.help(help).required(false);
                return Some(argument.default_value("-"));
            }
            Some(Typed::Told(help) | Typed::Text(help)) => argument.help(help),
            Some(Typed::Json(help)) => {
                let argument = argument.help(help).value_name("JSON").required(false);
                return Some(argument.value_parser(ValueParser::new(json_text)));
            }
            Some(Typed::Bare(value)) => {
                let argument = argument.num_args(0..=1).require_equals(true);
                argument.default_missing_value(value)
            }
            _ => argument,
        };
        Some(self.with_kind(argument, &kind))
    }

    /// The option by whose name a text may be typed instead of its place, as readers of the schema do.
    pub(super) fn by_name(&self) -> Option<Arg> {
        let is_text = matches!(self.typed, Some(Typed::Words(_))) && !self.is_required;
        let name = is_text.then(|| self.kebab())?;
        let argument = Arg::new(self.option_id()).long(name).hide(true);
        Some(argument.conflicts_with(self.name.to_owned()))
    }

    fn option_id(&self) -> String {
        format!("--{}", self.name)
    }

    fn with_kind(&self, argument: Arg, kind: &Kind) -> Arg {
        let is_option = !self.is_positional();
        let argument = match self.default_text() {
            Some(default) => argument.default_value(default),
            None => argument,
        };
        match kind {
            Kind::Flag => argument.action(ArgAction::SetTrue),
            Kind::List(item) => self.with_kind(argument, item).action(ArgAction::Append),
            kind if is_option => argument
                .value_name(kind.value_name(self.option_name()))
                .value_parser(kind.parser()),
            kind => argument.value_parser(kind.parser()),
        }
    }

    /// The typed value; none if omitted.
    pub(super) fn value(&self, matches: &ArgMatches) -> Option<Value> {
        let kind = self.kind()?;
        if matches!(self.typed, Some(Typed::Words(_))) && !self.is_required {
            let named = matches.get_one::<String>(&self.option_id());
            if let Some(named) = named {
                return Some(named.as_str().into());
            }
        }
        matches.value_source(self.name)?;
        match (self.typed, &kind) {
            (Some(Typed::Words(_)), _) => {
                let words: Vec<&str> = texts(matches, self.name).collect();
                Some(words.join(" ").into())
            }
            (Some(Typed::Json(_)), _) => {
                let typed = texts(matches, self.name).next()?;
                serde_json::from_str(typed).ok()
            }
            (Some(Typed::Texts(..)), _) => Some(texts(matches, self.name).collect()),
            (Some(Typed::Unless(..)), _) => {
                matches.get_flag(self.name).then_some(Value::Bool(false))
            }
            (_, Kind::Flag) => matches.get_flag(self.name).then_some(Value::Bool(true)),
            (_, Kind::List(item)) => {
                let typed = item.all(matches, self.name);
                (!typed.is_empty()).then_some(Value::Array(typed))
            }
            (_, kind) => kind.all(matches, self.name).pop(),
        }
    }

    /// Name of its option before conversion to kebab case.
    fn option_name(&self) -> &str {
        match self.typed {
            Some(Typed::Named(name)) => name,
            _ => self.name,
        }
    }

    /// Name of its option.
    fn kebab(&self) -> String {
        self.name.replace('_', "-")
    }

    fn default_text(&self) -> Option<String> {
        match self.schema.get("default")? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) if self.is_worth_telling(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// A default of zero goes without saying.
    fn is_worth_telling(&self, number: &Number) -> bool {
        number.as_f64() != Some(0.0)
    }

    fn kind(&self) -> Option<Kind> {
        if self.typed == Some(Typed::Hidden) {
            return None;
        }
        if matches!(
            self.typed,
            Some(
                Typed::File(..)
                    | Typed::FileOrStdin(..)
                    | Typed::Words(_)
                    | Typed::Texts(..)
                    | Typed::Json(_)
                    | Typed::Text(_)
            )
        ) {
            return Some(Kind::Text);
        }
        kind_of(self.schema)
    }
}

impl Kind {
    fn value_name(&self, field: &str) -> String {
        match self {
            Self::Whole { .. } => "N".to_owned(),
            Self::Number => "X".to_owned(),
            _ => {
                let last = field.rsplit(['_', '-']).next().unwrap_or(field);
                last.to_uppercase()
            }
        }
    }

    fn parser(&self) -> ValueParser {
        match self {
            Self::Whole { negative: false } => ValueParser::new(natural),
            Self::Whole { negative: true } => value_parser!(i64).into(),
            Self::Number => value_parser!(f64).into(),
            Self::Choice(words) => {
                let values = words.iter().map(|(word, help)| {
                    let value = PossibleValue::new(word.clone());
                    if help.is_empty() {
                        value
                    } else {
                        value.help(help.clone())
                    }
                });
                PossibleValuesParser::new(values).into()
            }
            Self::Flag | Self::Text | Self::List(_) => ValueParser::string(),
        }
    }

    /// All values of an argument as JSON. A number JSON does not have, such as `nan`, becomes null, which
    /// every check for a number refuses.
    fn all(&self, matches: &ArgMatches, name: &str) -> Vec<Value> {
        match self {
            Self::Whole { negative: false } => {
                copied::<u64>(matches, name).map(Value::from).collect()
            }
            Self::Whole { negative: true } => {
                copied::<i64>(matches, name).map(Value::from).collect()
            }
            Self::Number => copied::<f64>(matches, name).map(Value::from).collect(),
            _ => texts(matches, name).map(Value::from).collect(),
        }
    }
}

fn copied<'m, T: Copy + Send + Sync + 'static>(
    matches: &'m ArgMatches,
    name: &str,
) -> impl Iterator<Item = T> + use<'m, T> {
    matches.get_many::<T>(name).into_iter().flatten().copied()
}

fn texts<'m>(matches: &'m ArgMatches, name: &str) -> impl Iterator<Item = &'m str> + use<'m> {
    let texts = matches.get_many::<String>(name);
    texts.into_iter().flatten().map(String::as_str)
}

/// Checks that a text is JSON.
fn json_text(text: &str) -> Result<String, String> {
    let parsed: Result<Value, _> = serde_json::from_str(text);
    let parsed = parsed.map(|_| text.to_owned());
    parsed.map_err(|error| format!("it is not JSON ({error}); quote it for the shell"))
}

/// Parses a whole number from 0; the request's own check enforces a higher minimum.
fn natural(text: &str) -> Result<u64, String> {
    let typed = text.parse::<i128>();
    let number = typed.map_err(|_| "it is not a whole number".to_owned())?;
    u64::try_from(number).map_err(|_| format!("{text} is not a whole number from 0"))
}

/// The type a schema admits; none if it cannot be typed.
fn kind_of(schema: &Value) -> Option<Kind> {
    if let Some(words) = choices(schema) {
        return Some(Kind::Choice(words));
    }
    if let Some(Value::Array(several)) = schema.get("anyOf") {
        // An optional value: this type, or null.
        return several.iter().find_map(kind_of);
    }
    let name = match schema.get("type")? {
        Value::Array(several) => several.iter().find(|one| *one != "null")?.as_str()?,
        one => one.as_str()?,
    };
    match name {
        "boolean" => Some(Kind::Flag),
        "integer" => {
            let least = schema.get("minimum").and_then(Value::as_i64);
            let negative = least.is_none_or(|least| least < 0);
            Some(Kind::Whole { negative })
        }
        "number" => Some(Kind::Number),
        "string" => Some(Kind::Text),
        "array" => Some(Kind::List(Box::new(kind_of(schema.get("items")?)?))),
        _ => None,
    }
}

/// The words a schema lists, with their descriptions.
fn choices(schema: &Value) -> Option<Vec<(String, String)>> {
    let word = |value: &Value, about: Option<&Value>| {
        let about = about.and_then(Value::as_str).unwrap_or_default();
        let about = about.trim_end_matches('.').to_owned();
        Some((value.as_str()?.to_owned(), about))
    };
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words = words.iter().filter(|one| !one.is_null());
        return words.map(|one| word(one, None)).collect();
    }
    let Some(Value::Array(choices)) = schema.get("oneOf") else {
        return None;
    };
    let choices = choices.iter();
    choices
        .map(|one| word(one.get("const")?, one.get("description")))
        .collect()
}
