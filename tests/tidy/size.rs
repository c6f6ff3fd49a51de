//! Sizes: code that does not fit on a few screens is two things, and gets two names.

use crate::item::functions;
use crate::source::Source;

const SOURCE_LINES_MAX: usize = 400;
const TEST_FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;
const PARAMETERS_MAX: usize = 5;

/// Reports files, functions and parameter lists that are too long.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    sources.iter().flat_map(of_source).collect()
}

fn of_source(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let lines = source.text.lines().count();
    let lines_max = if source.is_product() {
        SOURCE_LINES_MAX
    } else {
        TEST_FILE_LINES_MAX
    };
    if lines > lines_max {
        found.push(source.complaint(
            1,
            &format!("{lines} lines, {lines_max} are allowed; split it by what it is about"),
        ));
    }
    for function in functions(source) {
        let name = &function.name;
        if function.lines > FUNCTION_LINES_MAX {
            let message = format!(
                "`{name}` has {} lines, {FUNCTION_LINES_MAX} are allowed",
                function.lines
            );
            found.push(source.complaint(function.line, &message));
        }
        if function.parameters.len() > PARAMETERS_MAX {
            let count = function.parameters.len();
            let message = format!(
                "`{name}` takes {count} parameters, {PARAMETERS_MAX} are allowed; group what belongs together"
            );
            found.push(source.complaint(function.line, &message));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        complaints(&[Source::new(path, text)]).len()
    }

    #[test]
    fn a_long_file_is_reported() {
        assert_eq!(count("src/a.rs", &"//\n".repeat(400)), 0);
        assert_eq!(count("src/a.rs", &"//\n".repeat(401)), 1);
        assert_eq!(count("tests/a.rs", &"//\n".repeat(600)), 0);
        assert_eq!(count("tests/a.rs", &"//\n".repeat(601)), 1);
    }

    #[test]
    fn a_long_function_is_reported() {
        let function = |lines: usize| format!("fn a() {{\n{}}}", "x;\n".repeat(lines - 2));
        assert_eq!(count("src/a.rs", &function(70)), 0);
        assert_eq!(count("src/a.rs", &function(71)), 1);
    }

    #[test]
    fn a_long_parameter_list_is_reported() {
        assert_eq!(
            count("src/a.rs", "fn a(&self, a: A, b: B, c: C, d: D) {}"),
            0
        );
        assert_eq!(
            count("src/a.rs", "fn a(&self, a: A, b: B, c: C, d: D, e: E) {}"),
            1
        );
    }
}
