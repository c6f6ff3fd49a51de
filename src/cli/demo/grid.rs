//! A small table language, checked line by line: just enough of a tool to fail with real messages.

/// Functions that aggregate values.
const FUNCTIONS: [&str; 5] = ["sum", "count", "avg", "min", "max"];

/// Checks a line; the error is the tool's message.
pub(super) fn check(number: usize, line: &str) -> Result<(), String> {
    let wrong = |what: String| Err(format!("ERROR at line {number}: {what}"));
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    match command {
        "LOAD" if rest.starts_with('"') && rest.ends_with('"') && rest.len() > 2 => Ok(()),
        "LOAD" => wrong("LOAD needs a file name in quotes".to_owned()),
        "TALLY" => match function(rest) {
            Some(name) if FUNCTIONS.contains(&name) => Ok(()),
            Some(name) => wrong(format!(
                "unknown function {name}, use {}",
                name.to_lowercase()
            )),
            None => wrong("TALLY needs group -> name=function(column)".to_owned()),
        },
        "RANK" => match rest.split_whitespace().collect::<Vec<_>>().as_slice() {
            [_, "asc" | "desc"] => Ok(()),
            [_, direction] => wrong(format!("unknown direction {direction}, use asc or desc")),
            _ => wrong("RANK needs a column and a direction".to_owned()),
        },
        "SHOW" => Ok(()),
        other => wrong(format!("unknown command {other}")),
    }
}

/// The function of `group -> name=function(column)`.
fn function(rest: &str) -> Option<&str> {
    let (_, call) = rest.split_once(" -> ")?.1.split_once('=')?;
    let (name, column) = call.split_once('(')?;
    column.ends_with(')').then_some(name)
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for line in [
            "LOAD \"a.csv\"",
            "TALLY region -> n=sum(total)",
            "RANK n desc",
            "SHOW 5",
        ] {
            assert_eq!(check(1, line), Ok(()), "{line}");
        }
        for (line, word) in [
            ("LOAD a.csv", "quotes"),
            ("TALLY region -> n=SUM(total)", "unknown function SUM"),
            ("TALLY region n", "TALLY needs"),
            ("RANK n descending", "unknown direction descending"),
            ("RANK", "RANK needs"),
            ("SELECT *", "unknown command SELECT"),
        ] {
            let said = check(7, line).unwrap_err();
            assert!(said.contains("line 7") && said.contains(word), "{said}");
        }
    }
}
