//! Tools that nothing was tuned on: a command language with its messages, habits, tables and tasks, from
//! a seed.
//!
//! Words are drawn from lists or made up, the order of arguments, the signs between them, quoting, ends of lines and
//! texts of errors are drawn too. The habits hold the right form among others, with a weight that is drawn like any
//! other; the expected result of a task is computed by running its reference.

mod tables;
mod words;

use serde_json::{Map, Value, json};

use super::chance::Chance;
use super::error::LabResult;
use super::tool::{Files, Tool};
use super::world::table::Language;
use words::{FORMS, MESSAGES, OPERATORS, SIGNS, VERBS};

/// Makes a tool.
pub fn tool(seed: u64) -> LabResult<Tool> {
    Tool::from_files(&files(seed)?)
}

/// Makes the files of a tool.
pub fn files(seed: u64) -> LabResult<Files> {
    let mut chance = Chance::of(seed, "tool");
    let mut made = Making {
        chance: &mut chance,
        choices: Map::new(),
        forms: Map::new(),
        commands: Map::new(),
    };
    let language = made.language();
    let name = format!("{}tool", made.word().to_lowercase());
    let habits = json!({
        "forms": made.forms, "choices": made.choices,
        "wrap": {"path": "quote", "value": "quote"},
        "lists": {
            "aggregates": {"item": "aggregate", "separator": "comma"},
            "columns": {"separator": "comma"}, "group": {"separator": "comma"},
        },
    });
    let commands: Vec<&str> = made.commands.values().filter_map(Value::as_str).collect();
    let docs = format!(
        "{name} takes one command on each line: {}.",
        commands.join("; ")
    );
    let definition = json!({
        "name": name, "kind": "command-language", "domain": "generated", "docs": docs, "language": language,
    });
    let messages = messages(made.chance);
    let (data, mut tasks) = tables::drawn(made.chance);
    let read = Language::parse(&definition)?;
    for task in &mut tasks {
        tables::note_answer(task, &read, &data)?;
    }
    let mut files = Files::new();
    for (name, json) in [
        ("tool.json", definition),
        ("messages.json", messages),
        ("habits.json", habits),
        ("tasks.json", json!({"tasks": tasks})),
    ] {
        files.insert(name.to_owned(), format!("{json:#}\n"));
    }
    files.extend(
        data.into_iter()
            .map(|(name, text)| (format!("data/{name}"), text)),
    );
    Ok(files)
}

struct Making<'a> {
    chance: &'a mut Chance,
    choices: Map<String, Value>,
    forms: Map<String, Value>,
    commands: Map<String, Value>,
}

impl Making<'_> {
    /// A word that is in no list.
    fn word(&mut self) -> String {
        const STARTS: &[&str] = &[
            "B", "D", "F", "G", "K", "L", "M", "N", "P", "R", "S", "T", "V", "Z", "BR", "TR",
        ];
        const VOWELS: &[&str] = &["A", "E", "I", "O", "U"];
        const ENDS: &[&str] = &["", "N", "R", "L", "X", "SH", "P"];
        let mut word = String::new();
        for _ in 0..2 {
            for part in [STARTS, VOWELS, ENDS] {
                word.push_str(self.chance.one(part).copied().unwrap_or_default());
            }
        }
        word
    }

    /// The word that an operation begins with: none of those before it has the same.
    fn verb(&mut self, among: &[&str]) -> String {
        loop {
            let verb = if self.chance.share() < 0.4 {
                self.word()
            } else {
                self.chance.one(among).map_or_else(String::new, |verb| {
                    format!("{verb}{}", ["", "S", "UP"][self.chance.below(3)])
                })
            };
            let mut taken = self.commands.values().filter_map(Value::as_str);
            if !taken.any(|command| command.split(' ').next() == Some(&verb)) {
                return verb;
            }
        }
    }

    /// Keeps the right alternative among wrong ones, all with drawn weights, and gives the right one.
    fn alternatives(&mut self, right: &str, wrong: &[&str]) -> Value {
        let mut all = Map::new();
        for text in wrong.iter().copied().chain([right]) {
            all.insert(text.to_owned(), json!(1 + self.chance.below(3)));
        }
        Value::Object(all)
    }

    fn others<'t>(&mut self, among: &[&'t str], right: &str, count: usize) -> Vec<&'t str> {
        let mut others: Vec<&str> = among
            .iter()
            .copied()
            .filter(|text| *text != right)
            .collect();
        self.chance.shuffle(&mut others);
        others.truncate(count);
        others
    }

    fn sign(&mut self, place: &str, among: &[&str]) -> String {
        let right = self.chance.one(among).copied().unwrap_or("=").to_owned();
        let wrong = self.others(among, &right, 2);
        let alternatives = self.alternatives(&right, &wrong);
        self.choices.insert(place.to_owned(), alternatives);
        right
    }

    fn language(&mut self) -> Value {
        let arrow = self.sign("arrow", SIGNS);
        let set = self.sign("set", &["=", ":=", "<-", "IS"]);
        let assign = self.sign("assign", &["=", ":=", "@"]);
        let on = self.sign("join_on", &["ON", "BY", "USING", "VIA", "OVER"]);
        let quote = self.sign("quote", &["\"", "'"]);
        let comma = self.sign("comma", &[", ", "; "]);
        let end = self
            .chance
            .one(&["", "", ".", "!"])
            .copied()
            .unwrap_or_default();
        for (operation, verbs) in VERBS {
            let right = self.verb(verbs);
            let wrong = self.others(verbs, &right, 2);
            let alternatives = self.alternatives(&right, &wrong);
            self.choices
                .insert(format!("{operation}_verb"), alternatives);
            self.form(operation, &right, &[&arrow, &set, &on], end);
        }
        let aggregate = self.aggregate(&assign);
        let functions = self.functions();
        let operators = self.meanings("operator", OPERATORS);
        let directions = self.meanings(
            "direction",
            &[
                ("asc", &["ASC", "asc", "up", "rising", "+"]),
                ("desc", &["DESC", "desc", "down", "falling", "-"]),
            ],
        );
        json!({
            "commands": self.commands, "aggregate": aggregate, "separator": comma.trim(), "terminator": end,
            "quote": quote, "must_quote_values": self.chance.share() < 0.5,
            "operators": operators, "functions": functions, "directions": directions,
        })
    }

    /// Draws the order of an operation's arguments; other orders are the wrong forms.
    fn form(&mut self, operation: &str, verb: &str, signs: &[&String; 3], end: &str) {
        let Some((_, orders)) = FORMS.iter().find(|(name, _)| *name == operation) else {
            return;
        };
        let right = self.chance.one(orders).copied().unwrap_or_default();
        let [arrow, set, on] = signs;
        let command = right
            .replace("{arrow}", arrow)
            .replace("{set}", set)
            .replace("{join_on}", on);
        let command = command
            .replace("{path}", "<path>")
            .replace("{count?}", "<count?>");
        let mut pattern = format!("{verb} {command}");
        for place in [
            "column",
            "operator",
            "value",
            "group",
            "aggregates",
            "direction",
            "columns",
            "name",
            "expression",
        ] {
            pattern = pattern.replace(&format!("{{{place}}}"), &format!("<{place}>"));
        }
        self.commands
            .insert(operation.to_owned(), Value::from(pattern.trim_end()));
        let said = |order: &str| format!("{{{operation}_verb}} {order}{end}");
        let wrong: Vec<String> = self
            .others(orders, right, 1)
            .into_iter()
            .map(said)
            .collect();
        let mut wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
        let bare = format!("{{{operation}_verb}} {right}");
        if !end.is_empty() {
            wrong.push(&bare);
        }
        let alternatives = self.alternatives(&said(right), &wrong);
        self.forms.insert(operation.to_owned(), alternatives);
    }

    fn aggregate(&mut self, assign: &str) -> String {
        const ORDERS: &[&str] = &[
            "{alias}{assign}{function}({column})",
            "{function}({column}) {assign} {alias}",
            "{alias} {assign} {function} {column}",
        ];
        let right = self.chance.one(ORDERS).copied().unwrap_or_default();
        let wrong = self.others(ORDERS, right, 1);
        let alternatives = self.alternatives(right, &wrong);
        self.forms.insert("aggregate".to_owned(), alternatives);
        let mut pattern = right.replace("{assign}", assign);
        for place in ["alias", "function", "column"] {
            pattern = pattern.replace(&format!("{{{place}}}"), &format!("<{place}>"));
        }
        pattern
    }

    fn functions(&mut self) -> Value {
        let is_upper = self.chance.share() < 0.5;
        let (mut words, mut by_value) = (Map::new(), Map::new());
        for meaning in ["sum", "count", "avg", "min", "max"] {
            let (upper, lower) = (meaning.to_uppercase(), meaning.to_owned());
            let (right, wrong) = if is_upper {
                (upper, lower)
            } else {
                (lower, upper)
            };
            let alternatives = self.alternatives(&right, &[&wrong]);
            by_value.insert(meaning.to_owned(), alternatives);
            words.insert(meaning.to_owned(), Value::from(right));
        }
        self.choices
            .insert("function".to_owned(), Value::Object(by_value));
        Value::Object(words)
    }

    fn meanings(&mut self, place: &str, among: &[(&str, &[&str])]) -> Value {
        let column = self.chance.below(
            among
                .iter()
                .map(|(_, words)| words.len())
                .min()
                .unwrap_or(1),
        );
        let (mut words, mut by_value) = (Map::new(), Map::new());
        for (meaning, all) in among {
            let right = all[column];
            let wrong = self.others(all, right, 2);
            let alternatives = self.alternatives(right, &wrong);
            by_value.insert((*meaning).to_owned(), alternatives);
            words.insert((*meaning).to_owned(), Value::from(right));
        }
        self.choices
            .insert(place.to_owned(), Value::Object(by_value));
        Value::Object(words)
    }
}

fn messages(chance: &mut Chance) -> Value {
    let prefix = chance
        .one(&[
            "line {line}: {message}",
            "{message} (line {line})",
            "?? {message} @{line}",
        ])
        .copied()
        .unwrap_or("{message}");
    let offset = chance.below(80) + 10;
    let letter = chance
        .one(&["X", "Q-", "err ", "0x"])
        .copied()
        .unwrap_or("E");
    let mut levels = Map::new();
    for (at, level) in ["helpful", "semi-helpful", "cryptic"]
        .into_iter()
        .enumerate()
    {
        let mut texts = Map::from_iter([("error".to_owned(), Value::from(prefix))]);
        for (number, (kind, helpful, plain)) in MESSAGES.iter().enumerate() {
            let text = match at {
                0 => chance.one(helpful).copied().unwrap_or_default().to_owned(),
                1 => chance.one(plain).copied().unwrap_or_default().to_owned(),
                // A code for each family of errors, as such tools have it.
                _ => format!("{letter}{}", offset + number / 2),
            };
            texts.insert((*kind).to_owned(), Value::from(text));
        }
        levels.insert(level.to_owned(), Value::Object(texts));
    }
    Value::Object(levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_tool_is_whole_and_made_again_from_its_seed() {
        // The last one draws the same word for two of its operations.
        for seed in (0..40).chain([6_113_144_383_632_472_974]) {
            let made = tool(seed).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert!(made.tasks.len() >= 4);
            assert_eq!(files(seed), files(seed));
        }
        assert_ne!(files(1), files(2));
    }
}
