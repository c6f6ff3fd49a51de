//! Checks a request against the schema of its verb before anything reads it.
//!
//! So the documented bounds are the enforced ones, on every surface. All faults are listed at once, in the
//! sender's terms: the place, the value found, the values allowed, and for an unknown field the name probably
//! meant. Only keywords used in our own schemas are supported; a test of the catalogue fails on any other, so
//! no bound can be documented and not enforced.

use std::fmt::Write;

use serde_json::{Map, Value};

use super::nearest::{quoted, suggestion};
use super::patterns::{NOT_BLANK, TEXT};
use hindlore_primitives::timestamp::Timestamp;

/// Faults that are listed; a request of a million unknown fields would make an answer larger than itself.
const FAULTS_MAX: usize = 20;
/// Largest range of whole numbers that a 64-bit float holds exactly.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// The format of a time, the only one that is enforced.
const TIME: &str = "date-time";

/// Names of fields in the original programs.
const ALIASES: &[(&str, &str)] = &[("evidence_count", "evidence")];

/// Lists all mismatches between a value and a schema. Rewrites whole numbers with a zero fraction, as Python
/// sends them, to integers, and other names of fields to their own.
pub(crate) fn faults(schema: &Value, value: &mut Value) -> Vec<String> {
    faults_at("", schema, value)
}

/// As `faults`, for the value at a place.
pub(crate) fn faults_at(path: &str, schema: &Value, value: &mut Value) -> Vec<String> {
    let mut check = Check {
        path: path.to_owned(),
        faults: Vec::new(),
    };
    check.value(schema, value);
    check.faults
}

/// The faults so far, and the present place in the document.
struct Check {
    path: String,
    faults: Vec<String>,
}

impl Check {
    fn value(&mut self, schema: &Value, value: &mut Value) {
        // `true` and `{}` admit anything.
        let Some(schema) = schema.as_object() else {
            return;
        };
        if let Some(words) = words_of(schema) {
            return self.word(&words, value);
        }
        if let Some(choices) = schema.get("anyOf").or(schema.get("oneOf")) {
            return self.one_of(choices.as_array().map_or(&[], Vec::as_slice), value);
        }
        let types = types_of(schema);
        make_whole(&types, value);
        if !types.is_empty() && !types.iter().any(|one| is_of(one, value)) {
            return self.fault(&format!(
                "must be {}, not {}",
                wanted(&types),
                described(value)
            ));
        }
        match value {
            Value::Object(object) => self.object(schema, object),
            Value::Array(list) => self.list(schema, list),
            Value::String(text) => self.text(schema, text),
            Value::Number(_) => self.number(schema, value),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn word(&mut self, words: &[&Value], value: &Value) {
        if words.contains(&value) {
            return;
        }
        let names: Vec<&str> = words.iter().filter_map(|word| word.as_str()).collect();
        match value.as_str() {
            Some(given) => self.fault(&format!(
                "is {}, which is not one of {}",
                quoted(given),
                names.join(", ")
            )),
            None => self.fault(&format!(
                "must be one of {}, not {}",
                names.join(", "),
                described(value)
            )),
        }
    }

    /// Checks a value against alternatives; if none matches, reports the faults of the only one it can mean.
    fn one_of(&mut self, choices: &[Value], value: &mut Value) {
        let mut closest: Option<Vec<String>> = None;
        for choice in choices {
            let mut tried = value.clone();
            let mut check = Self {
                path: self.path.clone(),
                faults: Vec::new(),
            };
            check.value(choice, &mut tried);
            if check.faults.is_empty() {
                *value = tried;
                return;
            }
            let is_null = choice.get("type").and_then(Value::as_str) == Some("null");
            let is_likelier = closest
                .as_ref()
                .is_none_or(|known| check.faults.len() < known.len());
            if !is_null && is_likelier {
                closest = Some(check.faults);
            }
        }
        self.faults.extend(closest.unwrap_or_default());
    }

    fn object(&mut self, schema: &Map<String, Value>, object: &mut Map<String, Value>) {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.unwrap_or(&none);
        let others = schema.get("additionalProperties");
        if others == Some(&Value::Bool(false)) {
            rename(properties, object);
        }
        for (name, value) in object.iter_mut() {
            match (properties.get(name), others) {
                (Some(property), _) => self.below(name, |check| check.value(property, value)),
                (None, Some(Value::Bool(false))) if self.faults.len() >= FAULTS_MAX => break,
                (None, Some(Value::Bool(false))) => {
                    let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                    let said = suggestion(name, &known);
                    let name = quoted(name);
                    self.below("", |check| {
                        check
                            .faults
                            .push(format!("{name} is not a field{}; {said}", check.home()));
                    });
                }
                (None, Some(other)) => self.below(name, |check| check.value(other, value)),
                (None, None) => {}
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        for name in required.filter(|name| !object.contains_key(*name)) {
            self.below(name, |check| check.fault("is missing"));
        }
    }

    fn list(&mut self, schema: &Map<String, Value>, list: &mut [Value]) {
        let count = list.len() as u64;
        if let Some(fault) = beyond(schema, "minItems", "maxItems", count) {
            self.fault(&format!("has {count} entries; {fault}"));
        }
        let Some(items) = schema.get("items") else {
            return;
        };
        for (place, item) in list.iter_mut().enumerate() {
            if self.faults.len() >= FAULTS_MAX {
                break;
            }
            let length = self.path.len();
            let _ = write!(self.path, "[{place}]");
            self.value(items, item);
            self.path.truncate(length);
        }
    }

    fn text(&mut self, schema: &Map<String, Value>, text: &str) {
        let count = text.chars().count() as u64;
        match beyond(schema, "minLength", "maxLength", count) {
            Some(_) if text.is_empty() => self.fault("is empty"),
            Some(fault) => self.fault(&format!("has {count} characters; {fault}")),
            None => {}
        }
        let is = |keyword: &str, word: &str| schema.get(keyword).is_some_and(|it| it == word);
        let is_worded = is("pattern", NOT_BLANK) || is("pattern", TEXT);
        if is_worded && text.trim().is_empty() {
            self.fault("is empty");
        }
        if is("format", TIME) && Timestamp::parse(text).is_none() {
            let found = quoted(text);
            self.fault(&format!(
                "is the text {found}; it must be a time like 2026-01-31T12:00:00.000Z"
            ));
        }
    }

    fn number(&mut self, schema: &Map<String, Value>, value: &Value) {
        let bound = |name: &str| schema.get(name).filter(|bound| bound.is_number());
        let (least, most) = (bound("minimum"), bound("maximum"));
        let is_within = least.is_none_or(|least| compare(value, least).is_ge())
            && most.is_none_or(|most| compare(value, most).is_le());
        if is_within {
            return;
        }
        let is_low = least.is_some_and(|least| compare(value, least).is_lt());
        // Such a bound is one of the machine, and tells nothing to who is below the other.
        let is_huge = |most: &Value| most.as_u64().is_some_and(|most| most >= u32::MAX.into());
        let allowed = match (least, most.filter(|most| !(is_low && is_huge(most)))) {
            (Some(least), Some(most)) => format!("lie in {least}..={most}"),
            (Some(least), None) => format!("be {least} or more"),
            (None, most) => format!("be {} or less", most.unwrap_or(&Value::Null)),
        };
        self.fault(&format!("is {value}; it must {allowed}"));
    }

    fn below(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        if !self.path.is_empty() && !name.is_empty() {
            self.path.push('.');
        }
        self.path.push_str(name);
        work(self);
        self.path.truncate(length);
    }

    fn fault(&mut self, fault: &str) {
        let place = match self.path.as_str() {
            "" => "the request".to_owned(),
            path => format!("`{path}`"),
        };
        self.faults.push(format!("{place} {fault}"));
    }

    /// The enclosing object, for a message.
    fn home(&self) -> String {
        match self.path.as_str() {
            "" => " here".to_owned(),
            path => format!(" of `{path}`"),
        }
    }
}

/// Puts the name of a field in place of another name for it; a field given under both names stays unknown.
fn rename(properties: &Map<String, Value>, object: &mut Map<String, Value>) {
    let other = |name: &String| {
        let own = field_name(properties, name).filter(|own| !object.contains_key(own))?;
        Some((name.clone(), own))
    };
    let renamed: Vec<(String, String)> = object.keys().filter_map(other).collect();
    for (name, own) in renamed {
        if let Some(value) = object.remove(&name) {
            object.insert(own, value);
        }
    }
}

/// The field that another name means: one of the original programs, or the name in camel case.
pub fn field_name(properties: &Map<String, Value>, name: &str) -> Option<String> {
    if properties.contains_key(name) {
        return None;
    }
    let alias = ALIASES.iter().find(|(other, _)| *other == name);
    let own = alias.map_or_else(|| snake_case(name), |(_, own)| (*own).to_owned());
    properties.contains_key(&own).then_some(own)
}

fn snake_case(name: &str) -> String {
    let mut own = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !own.is_empty() {
            own.push('_');
        }
        own.push(letter.to_ascii_lowercase());
    }
    own
}

/// A value for a message: its type, and the value itself if short.
pub fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the text {}", quoted(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Values listed by a schema, as `enum` or as alternatives with one `const` each.
pub fn words_of(schema: &Map<String, Value>) -> Option<Vec<&Value>> {
    if let Some(Value::Array(words)) = schema.get("enum") {
        return Some(words.iter().collect());
    }
    if let Some(word) = schema.get("const") {
        return Some(vec![word]);
    }
    let choices = schema.get("oneOf").and_then(Value::as_array)?;
    choices.iter().map(|choice| choice.get("const")).collect()
}

/// The types that a schema allows; none if it allows all.
pub fn types_of(schema: &Map<String, Value>) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => value.is_object(),
    }
}

/// Types in words.
fn wanted(types: &[&str]) -> String {
    let words = types
        .iter()
        .filter(|name| **name != "null")
        .map(|name| match *name {
            "boolean" => "true or false",
            "integer" => "a whole number",
            "number" => "a number",
            "string" => "a text",
            "array" => "a list",
            "null" => "null",
            _ => "an object",
        });
    words.collect::<Vec<_>>().join(" or ")
}

/// Rewrites 5.0 to 5 if an integer is required: JSON Schema and Python treat them as equal.
fn make_whole(types: &[&str], value: &mut Value) {
    if !types.contains(&"integer") || !value.is_f64() {
        return;
    }
    let whole = value
        .as_f64()
        .filter(|it| it.fract() == 0.0 && it.abs() < WHOLE_MAX);
    if let Some(whole) = whole {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "it is whole and small enough"
        )]
        let whole = whole as i64;
        *value = whole.into();
    }
}

/// Compares numbers, exactly if both are integers.
fn compare(value: &Value, bound: &Value) -> std::cmp::Ordering {
    let whole = |number: &Value| {
        let small = number.as_i64().map(i128::from);
        small.or_else(|| number.as_u64().map(i128::from))
    };
    match (whole(value), whole(bound)) {
        (Some(value), Some(bound)) => value.cmp(&bound),
        _ => {
            let (value, bound) = (value.as_f64(), bound.as_f64());
            value
                .unwrap_or_default()
                .total_cmp(&bound.unwrap_or_default())
        }
    }
}

/// Checks a count against two bounds, given by their keywords; returns the violated one.
fn beyond(schema: &Map<String, Value>, lower: &str, upper: &str, count: u64) -> Option<String> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    if let Some(least) = bound(lower).filter(|least| count < *least) {
        return Some(format!("it must have {least} or more"));
    }
    let most = bound(upper).filter(|most| count > *most)?;
    Some(format!("the limit is {most}"))
}

#[cfg(test)]
pub(crate) mod tests;
