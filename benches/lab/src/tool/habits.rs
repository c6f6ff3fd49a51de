//! Habits: the plausible forms, most of them learned elsewhere and wrong here.
//!
//! A form is a text with places; a place is filled with data of the plan or with one of several alternatives. Every
//! alternative has a weight, the strength of the habit. The right one is among them and is not marked: nothing here
//! identifies it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::error::{LabError, LabResult};

/// Depth of lists inside lists.
const DEPTH_MAX: usize = 4;

/// One form of an intent.
#[derive(Clone, PartialEq, Debug)]
pub struct Alternative {
    /// The text, for a form with places in braces.
    pub text: String,
    /// How strong the habit is, above 0.
    pub weight: f64,
}

/// Alternatives for a place.
#[derive(Clone, PartialEq, Debug)]
enum Choice {
    /// Any data.
    Plain(Vec<Alternative>),
    /// By the value that the plan has for this place.
    ByValue(BTreeMap<String, Vec<Alternative>>),
}

/// The form of a list.
#[derive(Clone, PartialEq, Debug)]
struct ListHabit {
    item: Option<String>,
    separator: String,
}

/// All habits for one tool.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Habits {
    forms: BTreeMap<String, Vec<Alternative>>,
    choices: BTreeMap<String, Choice>,
    wrap: BTreeMap<String, String>,
    lists: BTreeMap<String, ListHabit>,
}

/// Chooses among alternatives; asked once for each name in one text.
pub(super) type Chooser<'a> = &'a mut dyn FnMut(&str, &[Alternative]) -> usize;

impl Habits {
    /// Reads `habits.json`.
    pub fn parse(json: &Value) -> LabResult<Self> {
        let mut habits = Self::default();
        for (name, forms) in object(json, "forms")? {
            habits
                .forms
                .insert(name.clone(), alternatives(name, forms)?);
        }
        for (name, choice) in object(json, "choices")? {
            let parts = choice
                .as_object()
                .ok_or_else(|| wrong(name, "is no object"))?;
            let is_by_value = parts.values().any(Value::is_object);
            let choice = if is_by_value {
                let each = parts
                    .iter()
                    .map(|(value, some)| Ok((value.clone(), alternatives(name, some)?)));
                Choice::ByValue(each.collect::<LabResult<_>>()?)
            } else {
                Choice::Plain(alternatives(name, choice)?)
            };
            habits.choices.insert(name.clone(), choice);
        }
        for (name, quote) in object(json, "wrap")? {
            let quote = quote
                .as_str()
                .ok_or_else(|| wrong(name, "names no choice"))?;
            habits.wrap.insert(name.clone(), quote.to_owned());
        }
        for (name, list) in object(json, "lists")? {
            let text = |key: &str| list.get(key).and_then(Value::as_str).map(str::to_owned);
            let separator = text("separator").ok_or_else(|| wrong(name, "has no separator"))?;
            habits.lists.insert(
                name.clone(),
                ListHabit {
                    item: text("item"),
                    separator,
                },
            );
        }
        Ok(habits)
    }

    /// Returns true if anything is known about an intent.
    pub fn knows(&self, intent: &str) -> bool {
        self.forms.contains_key(intent)
    }

    /// Writes an intent: the form and every place as `choose` decides. `None` for an unknown intent, or when a place
    /// has neither data nor alternatives.
    pub fn say(
        &self,
        intent: &str,
        data: &Map<String, Value>,
        choose: Chooser<'_>,
    ) -> Option<String> {
        Saying {
            habits: self,
            choose,
            made: BTreeMap::new(),
        }
        .form(intent, data, 0)
    }
}

struct Saying<'a, 'c> {
    habits: &'a Habits,
    choose: Chooser<'c>,
    made: BTreeMap<String, usize>,
}

impl Saying<'_, '_> {
    fn form(&mut self, intent: &str, data: &Map<String, Value>, depth: usize) -> Option<String> {
        if depth > DEPTH_MAX {
            return None;
        }
        let forms = self.habits.forms.get(intent)?;
        let form = self.chosen(&format!("form of {intent}"), forms)?;
        let mut said = String::new();
        let mut rest = form.as_str();
        while let Some(open) = rest.find(['{', '}']) {
            said.push_str(&rest[..open]);
            let brace = &rest[open..=open];
            rest = &rest[open + 1..];
            // A doubled brace is a brace.
            if let Some(after) = rest.strip_prefix(brace) {
                said.push_str(brace);
                rest = after;
                continue;
            }
            let close = rest.find('}')?;
            said.push_str(&self.place(&rest[..close], data, depth)?);
            rest = &rest[close + 1..];
        }
        said.push_str(rest);
        Some(said.trim().to_owned())
    }

    /// The choice that was made before under this name, or a new one.
    fn chosen(&mut self, name: &str, among: &[Alternative]) -> Option<String> {
        let made = match self.made.get(name) {
            Some(made) => *made,
            None => {
                let made = (self.choose)(name, among);
                self.made.insert(name.to_owned(), made);
                made
            }
        };
        among.get(made).map(|alternative| alternative.text.clone())
    }

    fn place(&mut self, name: &str, data: &Map<String, Value>, depth: usize) -> Option<String> {
        let (name, is_optional) = match name.strip_suffix('?') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let value = data.get(name);
        match self.habits.choices.get(name) {
            Some(Choice::Plain(some)) => return self.chosen(name, some),
            Some(Choice::ByValue(by_value)) => {
                let value = value.and_then(Value::as_str)?;
                if let Some(some) = by_value.get(value) {
                    return self.chosen(&format!("{name} {value}"), some);
                }
            }
            None => {}
        }
        match value {
            None => is_optional.then(String::new),
            Some(Value::Array(items)) => self.list(name, items, depth),
            Some(value) => self.scalar(name, value),
        }
    }

    fn list(&mut self, name: &str, items: &[Value], depth: usize) -> Option<String> {
        let habit = self.habits.lists.get(name)?;
        let Choice::Plain(separators) = self.habits.choices.get(&habit.separator)? else {
            return None;
        };
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            parts.push(match (item, &habit.item) {
                (Value::Object(data), Some(form)) => self.form(form, data, depth + 1)?,
                (item, _) => self.scalar(name, item)?,
            });
        }
        let separator = self.chosen(&habit.separator, separators)?;
        Some(parts.join(&separator))
    }

    fn scalar(&mut self, name: &str, value: &Value) -> Option<String> {
        let text = match value {
            Value::String(text) => text,
            Value::Number(number) => return Some(number.to_string()),
            _ => return None,
        };
        let Some(wrap) = self.habits.wrap.get(name) else {
            return Some(text.clone());
        };
        let Choice::Plain(some) = self.habits.choices.get(wrap)? else {
            return None;
        };
        let quote = self.chosen(wrap, some)?;
        Some(format!("{quote}{text}{quote}"))
    }
}

fn object<'a>(
    json: &'a Value,
    key: &str,
) -> LabResult<impl Iterator<Item = (&'a String, &'a Value)>> {
    match json.get(key) {
        Some(part) if !part.is_object() => Err(wrong(key, "is no object")),
        part => Ok(part.and_then(Value::as_object).into_iter().flatten()),
    }
}

fn alternatives(name: &str, json: &Value) -> LabResult<Vec<Alternative>> {
    let parts = json.as_object().filter(|parts| !parts.is_empty());
    let parts = parts.ok_or_else(|| wrong(name, "is no object with alternatives"))?;
    let each = parts.iter().map(|(text, weight)| {
        let weight = weight
            .as_f64()
            .filter(|weight| *weight > 0.0 && weight.is_finite());
        let weight =
            weight.ok_or_else(|| wrong(name, format!("`{text}` has no weight above 0")))?;
        Ok(Alternative {
            text: text.clone(),
            weight,
        })
    });
    each.collect()
}

fn wrong(name: &str, what: impl std::fmt::Display) -> LabError {
    LabError::definition("habits.json", format!("`{name}` {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn habits() -> Habits {
        Habits::parse(&json!({
            "forms": {
                "keep": {"{verb} {column} {op} {value}": 1},
                "sum": {"{{{items}}} {limit?}": 1},
                "item": {"{name}={func}({of})": 1},
            },
            "choices": {
                "verb": {"KEEP": 1, "WHERE": 2},
                "op": {"eq": {"=": 1, "eq": 1}, "gt": {">": 1}},
                "func": {"sum": {"SUM": 1}},
                "quote": {"\"": 1}, "comma": {", ": 1},
            },
            "wrap": {"value": "quote"},
            "lists": {"items": {"item": "item", "separator": "comma"}},
        }))
        .unwrap()
    }

    fn say(intent: &str, data: Value) -> Option<String> {
        let mut first = |_: &str, _: &[Alternative]| 0;
        habits().say(intent, data.as_object().unwrap(), &mut first)
    }

    #[test]
    fn places_are_filled_with_data_and_alternatives() {
        let data = json!({"column": "region", "op": "eq", "value": "North"});
        assert_eq!(
            say("keep", data).as_deref(),
            Some("KEEP region = \"North\"")
        );
        let data = json!({"column": "n", "op": "gt", "value": 4});
        assert_eq!(say("keep", data).as_deref(), Some("KEEP n > 4"));
        let data = json!({"items": [{"name": "t", "func": "sum", "of": "x"}, {"name": "u", "func": "sum", "of": "y"}]});
        assert_eq!(say("sum", data).as_deref(), Some("{t=SUM(x), u=SUM(y)}"));
    }

    #[test]
    fn what_cannot_be_said_is_nothing() {
        assert_eq!(say("keep", json!({"column": "a"})), None);
        assert_eq!(say("unknown", json!({})), None);
    }

    #[test]
    fn a_choice_is_made_once_in_a_text() {
        let mut asked = Vec::new();
        let data = json!({"items": [{"name": "t", "func": "sum", "of": "x"}, {"name": "u", "func": "sum", "of": "y"}]});
        let mut ask = |name: &str, _: &[Alternative]| {
            asked.push(name.to_owned());
            0
        };
        habits().say("sum", data.as_object().unwrap(), &mut ask);
        assert_eq!(asked, ["form of sum", "form of item", "func sum", "comma"]);
    }

    #[test]
    fn definitions_that_mean_nothing_are_refused() {
        for json in [
            json!({"forms": 3}),
            json!({"forms": {"a": {}}}),
            json!({"choices": {"a": {"b": 0}}}),
        ] {
            assert!(Habits::parse(&json).is_err(), "{json}");
        }
    }
}
