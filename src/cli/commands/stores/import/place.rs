//! Places in imported files, as messages name them: `FILE:LINE`, which editors and terminals open.

use std::path::Path;

use hindlore_api::problem::Problem;

/// Puts the file, and the line in it, before a problem that does not name them.
pub(in crate::commands::stores) fn at_its_place(path: &Path, problem: Problem) -> Problem {
    let file = shown_name(path);
    if problem.message.contains(&file) {
        return problem;
    }
    let place = match problem.line {
        Some(line) => format!("{file}:{line}"),
        None => file,
    };
    let message = format!("{place}: {}", problem.message);
    Problem { message, ..problem }
}

/// The name of a file in messages, as it was typed.
pub(in crate::commands::stores) fn shown_name(path: &Path) -> String {
    match path.to_str() {
        Some("-") => "stdin".to_owned(),
        _ => path.display().to_string(),
    }
}
