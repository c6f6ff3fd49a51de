//! An action, read from the forms in which adapters report it.
//!
//! Two actions have the same *intent* when they are the same tool with the same argument names, or the same program and
//! sub-command: then the second is another try at the task of the first.

use serde_json::{Map, Value};

use super::shell;

/// Programs whose first plain word is a sub-command.
#[rustfmt::skip]
const PROGRAMS_WITH_SUBCOMMANDS: &[&str] = &[
    "apt", "apt-get", "aws", "az", "brew", "bundle", "cargo", "conda", "composer", "dnf", "docker",
    "docker-compose", "dotnet", "gcloud", "gem", "gh", "git", "glab", "go", "gradle", "helm", "hg",
    "ip", "journalctl", "kubectl", "make", "hindlore", "mvn", "npm", "npx", "openssl", "pacman",
    "pip", "pip3", "pnpm", "podman", "poetry", "rails", "rustup", "service", "svn", "systemctl",
    "terraform", "uv", "yarn", "yum", "zypper",
];

/// Keys under which a tool call names its tool.
const TOOL_KEYS: &[&str] = &["tool", "name", "function", "tool_name", "action", "method"];
/// Keys under which a tool call keeps its arguments.
const ARGUMENT_KEYS: &[&str] = &[
    "arguments",
    "args",
    "kwargs",
    "input",
    "parameters",
    "params",
];
/// Keys under which a record keeps a command line.
const COMMAND_KEYS: &[&str] = &["command", "cmd", "argv", "code", "line"];

/// Values of one call that are read.
const LEAVES_MAX: usize = 256;
/// Levels of nesting that are read; deeper values stay JSON.
const DEPTH_MAX: usize = 8;

/// An action in one form.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// A tool with its arguments.
    Tool {
        /// Its name.
        name: String,
        /// By name; a list has its places as names.
        arguments: Map<String, Value>,
    },
    /// A command line.
    Command(String),
    /// Data of no known form.
    Other(Value),
    /// Nothing was reported.
    None,
}

/// The intent of an action, without its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Intent {
    /// A tool and the sorted names of its arguments.
    Tool {
        /// Its name.
        name: String,
        /// Sorted.
        arguments: Vec<String>,
    },
    /// A program and its sub-command.
    Command {
        /// The name of the program without its folder.
        program: String,
        /// The sub-command of programs that have some.
        subcommand: Option<String>,
    },
    /// The step of a plan, where the adapter names it.
    PlanStep(String),
}

impl Action {
    /// Reads an action; never fails, since anything at all is data of some form.
    pub fn read(value: &Value) -> Self {
        match value {
            Value::Null => Self::None,
            Value::String(text) if text.trim().is_empty() => Self::None,
            Value::String(text) => Self::Command(text.trim().to_owned()),
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_string) => {
                let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                Self::Command(words.join(" "))
            }
            Value::Object(map) => Self::of_record(map),
            other => Self::Other(other.clone()),
        }
    }

    fn of_record(map: &Map<String, Value>) -> Self {
        if let Some(Value::Object(call)) = map.get("function") {
            return Self::of_record(call);
        }
        let text = |keys: &[&str]| {
            keys.iter()
                .find_map(|key| map.get(*key).and_then(Value::as_str))
        };
        if let Some(name) = text(TOOL_KEYS).filter(|name| !name.trim().is_empty()) {
            let given = ARGUMENT_KEYS.iter().find_map(|key| map.get(*key));
            let arguments = given.map_or_else(|| other_fields(map), arguments_of);
            return Self::Tool {
                name: name.trim().to_owned(),
                arguments,
            };
        }
        let command = COMMAND_KEYS.iter().find_map(|key| map.get(*key));
        match command.map(Self::read) {
            Some(Self::Command(line)) => Self::Command(line),
            _ => Self::Other(Value::Object(map.clone())),
        }
    }

    /// Its intent; absent for data of no known form.
    pub fn intent(&self) -> Option<Intent> {
        match self {
            Self::Tool { name, arguments } => {
                let mut arguments: Vec<String> = arguments.keys().cloned().collect();
                arguments.sort_unstable();
                Some(Intent::Tool {
                    name: name.clone(),
                    arguments,
                })
            }
            Self::Command(line) => command_intent(line),
            Self::Other(_) | Self::None => None,
        }
    }

    /// The name of the tool or the program.
    pub fn tool(&self) -> Option<String> {
        match self.intent()? {
            Intent::Tool { name, .. } | Intent::PlanStep(name) => Some(name),
            Intent::Command { program, .. } => Some(program),
        }
    }

    /// The action with its lines apart, since only one of them may be to blame.
    pub fn text_in_lines(&self) -> String {
        match self {
            Self::Command(lines) => lines.clone(),
            other => other.text(),
        }
    }

    /// The action on one line, as a rule quotes it.
    pub fn text(&self) -> String {
        match self {
            Self::Tool { name, arguments } => {
                let written: Vec<String> = leaves(arguments)
                    .into_iter()
                    .map(|leaf| format!("{}={}", leaf.path, leaf.value))
                    .collect();
                format!("{name}({})", written.join(", "))
            }
            Self::Command(line) => line.split_whitespace().collect::<Vec<_>>().join(" "),
            Self::Other(value) => value.to_string(),
            Self::None => String::new(),
        }
    }
}

/// A value without the quotes of JSON around a text.
pub fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// One value of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The names that lead to it, as in `passengers[].name`: places in a list stay out, since a rule about
    /// one element is a rule about all.
    pub path: String,
    /// The value on one line, as people write it.
    pub value: String,
}

/// The values of a call in their order, nested ones by path; at most `LEAVES_MAX`.
pub fn leaves(arguments: &Map<String, Value>) -> Vec<Leaf> {
    let mut found = Vec::new();
    for (key, value) in arguments {
        collect_leaves(key.clone(), value, DEPTH_MAX, &mut found);
    }
    found
}

fn collect_leaves(path: String, value: &Value, depth: usize, found: &mut Vec<Leaf>) {
    if found.len() >= LEAVES_MAX {
        return;
    }
    match value {
        Value::Object(fields) if depth > 0 && !fields.is_empty() => {
            for (key, field) in fields {
                collect_leaves(format!("{path}.{key}"), field, depth - 1, found);
            }
        }
        Value::Array(items) if depth > 0 && items.iter().any(Value::is_object) => {
            for item in items {
                collect_leaves(format!("{path}[]"), item, depth - 1, found);
            }
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            found.push(Leaf {
                path,
                value: format!("[{}]", items.join(", ")),
            });
        }
        other => found.push(Leaf {
            path,
            value: plain(other),
        }),
    }
}

fn other_fields(map: &Map<String, Value>) -> Map<String, Value> {
    let is_field = |key: &str| !TOOL_KEYS.contains(&key) && !matches!(key, "id" | "type");
    map.iter()
        .filter(|(key, _)| is_field(key))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

fn arguments_of(value: &Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map.clone(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| (format!("{at:02}"), item.clone()))
            .collect(),
        // Chat protocols send the arguments as a text that holds JSON.
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(map)) => map,
            _ => Map::from_iter([("text".to_owned(), value.clone())]),
        },
        Value::Null => Map::new(),
        other => Map::from_iter([("value".to_owned(), other.clone())]),
    }
}

fn command_intent(line: &str) -> Option<Intent> {
    let segments = line.split(['\n', ';']).flat_map(|part| part.split("&&"));
    let words = |segment| -> Vec<String> {
        let words = shell::words(segment).into_iter();
        words.map(str::to_owned).collect()
    };
    // Changing the folder is how to get to the command, not the command.
    let mut commands = segments
        .map(words)
        .filter(|words| !words.is_empty())
        .peekable();
    let first = commands.peek()?.clone();
    let command = commands.find(|words| words[0] != "cd").unwrap_or(first);
    let program = command[0]
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_owned();
    let has_some = has_subcommands(&program);
    let subcommand = command[1..]
        .iter()
        .find(|word| !word.starts_with('-'))
        .filter(|_| has_some);
    Some(Intent::Command {
        program,
        subcommand: subcommand.cloned(),
    })
}

/// Returns true if the first plain word after a program is a sub-command.
pub fn has_subcommands(program: &str) -> bool {
    PROGRAMS_WITH_SUBCOMMANDS.contains(&program)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_nested_argument_is_named_by_its_path() {
        let call = json!({"name": "book", "arguments": {
            "paid": [{"amount": 255, "card": "gift_4"}, {"amount": 50.5, "card": "two words"}],
            "to": {"city": "Oslo", "zip": [1, 2]},
            "user": "mia li",
        }});
        let text = "book(paid[].amount=255, paid[].card=gift_4, paid[].amount=50.5, paid[].card=two words, \
                    to.city=Oslo, to.zip=[1, 2], user=mia li)";
        assert_eq!(Action::read(&call).text(), text);
    }
}
