//! Parts that belong to one task alone: files that the run itself wrote, and commands whose text continues beyond their
//! line.

use std::collections::BTreeSet;

use super::step_action::StepAction;
use hindlore_errors::action::Action;
use hindlore_errors::shell::words;

/// Programs that write the file named after a redirection's sign, or as an argument.
const WRITERS: [&str; 2] = ["tee", "touch"];

/// The names of the files that the actions before `number` wrote.
pub(super) fn written_before(actions: &[StepAction<'_>], number: u32) -> BTreeSet<String> {
    let earlier = actions.iter().filter(|one| one.step.number < number);
    earlier.flat_map(|one| written(&one.action)).collect()
}

/// True if a form is of this run alone: it names a file that the run wrote, brings a text of its own, or continues.
pub(super) fn is_of_one_run(form: &str, files: &BTreeSet<String>) -> bool {
    names_one(form, files) || form.contains("<<") || goes_on(form)
}

fn names_one(form: &str, files: &BTreeSet<String>) -> bool {
    let mut parts = form.split(|c: char| c.is_whitespace() || "'\"`=<>|;()".contains(c));
    parts.any(|word| files.contains(base(word)))
}

/// True if a form ends within quotation marks: the rest of it was on further lines.
fn goes_on(form: &str) -> bool {
    let mut open = None;
    let mut is_escaped = false;
    for c in form.chars() {
        match (open, c) {
            _ if is_escaped => is_escaped = false,
            (None | Some('"'), '\\') => is_escaped = true,
            (None, '"' | '\'') => open = Some(c),
            (Some(mark), c) if mark == c => open = None,
            _ => {}
        }
    }
    // An apostrophe within a word opens nothing.
    open == Some('"')
        || (open == Some('\'')
            && form.matches('\'').count() == 1
            && form.trim_end().ends_with('\''))
}

fn written(action: &Action) -> Vec<String> {
    let Action::Command(line) = action else {
        return Vec::new();
    };
    let mut files = Vec::new();
    let mut is_target = false;
    for word in line.split_whitespace() {
        let (signs, rest) = word.split_at(word.len() - word.trim_start_matches('>').len());
        let names_it = is_target || (!signs.is_empty() && !rest.is_empty());
        if names_it && !rest.starts_with(['&', '-']) {
            files.push(base(rest).to_owned());
        }
        is_target = !signs.is_empty() && rest.is_empty();
    }
    let all = words(line);
    if all.first().is_some_and(|program| WRITERS.contains(program)) {
        files.extend(
            all.iter()
                .skip(1)
                .filter(|word| !word.starts_with('-'))
                .map(|word| base(word).to_owned()),
        );
    }
    // `create NAME` is how an editor for agents makes a file.
    if let [verb, name] = all[..]
        && verb == "create"
    {
        files.push(base(name).to_owned());
    }
    files.retain(|name| name.len() > 1 && name != "null");
    files
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_what_wrote_them() {
        for (line, file) in [
            ("cat > repro.py << 'EOF'", Some("repro.py")),
            ("echo x >>/tmp/a/notes.txt", Some("notes.txt")),
            ("make 2>&1 | tee build.log", None),
            ("tee out.txt", Some("out.txt")),
            ("create test_it.py", Some("test_it.py")),
            ("python x.py > /dev/null", None),
            ("cat README.md", None),
        ] {
            let found = written(&Action::Command(line.to_owned()));
            assert_eq!(found.first().map(String::as_str), file, "{line}");
        }
    }

    #[test]
    fn a_form_goes_on_if_its_quotation_is_open() {
        assert!(goes_on("python -c \"") && goes_on("bash -c '"));
        for whole in [
            "python -c \"print('a')\"",
            "git commit -m 'it'",
            "echo don't",
            "say \"a \\\" b\"",
        ] {
            assert!(!goes_on(whole), "{whole}");
        }
    }
}
