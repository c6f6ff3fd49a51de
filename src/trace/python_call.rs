//! Programs of one call: an agent that acts in Python writes `print(apis.notes.show_note(id=3))` where another names a
//! tool and its arguments.

use serde_json::{Map, Value};

use crate::step::Action;

/// The call that a program consists of, as the call of a tool; absent for any other program.
///
/// Comments, a `print` around the call and a variable for its result count for nothing. An argument without a name is
/// named by its place, from 1; a value that is no literal is its text.
pub(crate) fn of_program(program: &str) -> Option<Action> {
    let is_code = |line: &&str| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with('#')
    };
    let lines: Vec<&str> = program.lines().filter(is_code).collect();
    let program = lines.join("\n");
    let mut call = without_variable(program.trim());
    if let Some(("print", inner)) = split(call) {
        call = inner.trim();
    }
    let (name, arguments) = split(call)?;
    // A function of the language itself is no tool.
    if !name.contains('.') {
        return None;
    }
    let mut named = Map::new();
    for (place, argument) in (1_usize..).zip(parts(arguments)?) {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) if is_name(name.trim()) && !value.starts_with('=') => {
                (name.trim().to_owned(), value)
            }
            _ => (place.to_string(), argument),
        };
        named.insert(name, value_of(value.trim()));
    }
    Some(Action::Call {
        name: name.to_owned(),
        arguments: Value::Object(named),
    })
}

fn without_variable(statement: &str) -> &str {
    match statement.split_once('=') {
        Some((name, value)) if is_name(name.trim()) && !value.starts_with('=') => value.trim(),
        _ => statement,
    }
}

/// Splits a call into its name and the text between its brackets; absent where anything is around it.
fn split(call: &str) -> Option<(&str, &str)> {
    let (name, rest) = call.split_once('(')?;
    let is_dotted = name.split('.').all(is_name);
    let arguments = rest.strip_suffix(')')?;
    (is_dotted && parts(arguments).is_some()).then_some((name, arguments))
}

fn is_name(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_alphabetic() || c == '_') && text.chars().all(is_word)
}

/// The arguments between the commas; absent where quotes or brackets are not closed.
fn parts(arguments: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    let (mut open, mut quote, mut is_escaped) = (Vec::new(), None, false);
    for (at, c) in arguments.char_indices() {
        if let Some(end) = quote {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                c if c == end => quote = None,
                _ => {}
            }
            continue;
        }
        match c {
            '\'' | '"' => quote = Some(c),
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                open.pop()?;
            }
            ',' if open.is_empty() => {
                parts.push(&arguments[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&arguments[start..]);
    let is_closed = open.is_empty() && quote.is_none();
    let parts = parts.into_iter().map(str::trim);
    is_closed.then(|| parts.filter(|part| !part.is_empty()).collect())
}

fn value_of(text: &str) -> Value {
    match text {
        "True" => return Value::Bool(true),
        "False" => return Value::Bool(false),
        "None" => return Value::Null,
        _ => {}
    }
    let of_quotes = ['\'', '"'].into_iter().find_map(|quote| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        let is_plain = !inner.contains([quote, '\\', '\n']);
        is_plain.then(|| Value::from(inner))
    });
    let of_json = || serde_json::from_str(text).ok();
    of_quotes
        .or_else(of_json)
        .unwrap_or_else(|| Value::from(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_program_of_one_call_is_the_call_of_a_tool() {
        for (program, name, arguments) in [
            (
                "print(apis.notes.show_note(id=3))",
                "apis.notes.show_note",
                json!({"id": 3}),
            ),
            (
                "# Log in first.\nlogin = apis.mail.login(\n    username='a, b', password=secret[0],\n)\n",
                "apis.mail.login",
                json!({"username": "a, b", "password": "secret[0]"}),
            ),
            (
                "tools.find(\"x=1\", [1, 2], deep=True, after=None)",
                "tools.find",
                json!({"1": "x=1", "2": [1, 2], "deep": true, "after": null}),
            ),
            ("apis.clock.now()", "apis.clock.now", json!({})),
        ] {
            let name = name.to_owned();
            assert_eq!(
                of_program(program),
                Some(Action::Call { name, arguments }),
                "{program}"
            );
        }
    }

    #[test]
    fn any_other_program_stays_a_program() {
        for program in [
            "",
            "print(total)",
            "len(apis.notes.all())",
            "apis.notes.all()[0]",
            "a.b(1); c.d(2)",
            "for note in apis.notes.all():\n    print(note)",
            "x = apis.a.b()\nprint(x)",
            "apis.a.b('open)",
            "apis.a.b(1) == apis.a.b(2)",
            "print(apis.a.b(1), apis.a.b(2))",
        ] {
            assert_eq!(of_program(program), None, "{program}");
        }
    }
}
