//! How wide a rule is: the failing part decides, and nothing else of the line stays in it.
//!
//! A program that is not there is absent for every sub-command, an unknown option is unknown with any arguments, a
//! missing script and a missing folder are missing for each line that names them. A failure whose part is unknown gives
//! no wide rule, since a rule may not be wider than the words that stayed the same in its cure.

use super::phrases::{
    ABSENT_FILE, FOLDER_ABSENT, NO_SUCH_PROGRAM, NOT_HERE, PROGRAM_ABSENT, UNKNOWN_OPTION, says,
};
use super::related::offers_another_way;
use super::resemblance::{handed_on, is_moved, runs_another_script, script_at};
use super::step_view::StepView;
use crate::lesson::learning::pattern::naming_words;

/// The two sides of a rule.
pub(super) type Sides = (String, String);

/// The sides of a rule as wide as the failing part of a command; absent where that part is unknown.
pub(super) fn wide(failed: &StepView, worked: &StepView) -> Option<Sides> {
    let message = &failed.failure.as_ref()?.message;
    if let Some(sides) = handed_on(failed, worked) {
        return Some(sides);
    }
    let words = Words {
        wrong: &failed.words,
        right: words_of(worked),
    };
    let is_absent = says(&PROGRAM_ABSENT, message);
    // A line with a setting in front is compared more closely.
    if !is_absent && words_of(failed) != failed.words {
        return None;
    }
    let is_replaced = failed.program() != worked.program();
    if is_absent && is_replaced && failed.is_told(failed.program()) {
        return words.of_program();
    }
    if runs_another_script(failed, worked) {
        return words.of_script(worked);
    }
    let place = words.only_place()?;
    let (wrong, right) = (&words.wrong[place], words.right.get(place)?);
    let is_option = wrong.starts_with('-');
    if is_option && says(&UNKNOWN_OPTION, message) && failed.is_told(option_name(wrong)) {
        return words.of_option(place);
    }
    let is_verb = place > 0 && place < words.naming();
    if (is_verb && failed.is_told(wrong) && says(&NO_SUCH_PROGRAM, message))
        || (place == 0 && failed.is_told(right) && offers_another_way(failed))
    {
        return words.up_to(place.max(1));
    }
    is_moved(failed, worked)
        .then(|| words.of_option(place))
        .flatten()
}

/// The folders of two lines of which the first failed because its folder does not exist, and the second is the same in
/// another folder; relative ones, since an absolute one belongs to a machine.
pub(super) fn folders(failed: &StepView, worked: &StepView) -> Option<Sides> {
    let (wrong, rest) = folder_of(failed.raw.as_str())?;
    let (right, other_rest) = folder_of(&worked.raw)?;
    let last = |folder: &str| {
        folder
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .map(str::to_owned)
    };
    let is_same_work = !rest.is_empty() && rest == other_rest;
    let is_near = last(wrong) == last(right);
    let is_relative = |folder: &str| !folder.starts_with(['/', '~', '$', '-']);
    let fits = wrong != right && (is_same_work || is_near);
    (fits && is_relative(wrong) && is_relative(right))
        .then(|| (format!("cd {wrong} …"), format!("cd {right} …")))
}

/// The change of folder in front of a line that works there and did not work here.
pub(super) fn folder_in_front(failed: &StepView, worked: &StepView) -> Option<String> {
    let message = &failed.failure.as_ref()?.message;
    let (folder, rest) = folder_of(&worked.raw)?;
    let is_there = says(&ABSENT_FILE, message) || says(&NOT_HERE, message);
    let is_relative = !folder.starts_with(['/', '~', '$', '-', '.']);
    (is_there && is_relative && rest == failed.raw.trim()).then(|| format!("cd {folder}"))
}

/// Returns true if the change of folder in front of a line failed, and not the command after it.
pub(super) fn lacks_its_folder(failed: &StepView) -> bool {
    let failure = failed.failure.as_ref();
    folder_of(&failed.raw).is_some_and(|(folder, _)| {
        failure.is_some_and(|failure| {
            says(&FOLDER_ABSENT, &failure.message) && failure.message.contains(folder)
        })
    })
}

/// The folder to which a line goes first, and the rest of the line.
fn folder_of(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim().strip_prefix("cd ")?;
    let (folder, rest) = match rest.find(['&', ';']) {
        Some(at) => (
            &rest[..at],
            rest[at..].trim_start_matches(['&', ';']).trim(),
        ),
        None => (rest, ""),
    };
    let folder = folder.trim();
    (!folder.is_empty() && !folder.contains(char::is_whitespace)).then_some((folder, rest))
}

/// The words of two commands.
struct Words<'a> {
    wrong: &'a [String],
    right: Vec<String>,
}

impl Words<'_> {
    /// The words at the beginning that name the action.
    fn naming(&self) -> usize {
        let program = self.wrong.first().map_or("", String::as_str);
        naming_words(program, self.wrong.get(1).map(String::as_str))
    }

    /// Nothing but the program and its replacement stays.
    fn of_program(&self) -> Option<Sides> {
        let (program, arguments) = self.wrong.split_first()?;
        let front = self.right.strip_suffix(arguments)?;
        (!front.is_empty()).then(|| (format!("{program} …"), format!("{} …", front.join(" "))))
    }

    /// The runner and the two scripts stay.
    fn of_script(&self, worked: &StepView) -> Option<Sides> {
        let (a, b) = (script_at(self.wrong)?, script_at(&worked.words)?);
        let end = self.right.len().checked_sub(worked.words.len())? + b;
        let right = self.right.get(..=end)?;
        Some((
            format!("{} …", self.wrong.get(..=a)?.join(" ")),
            format!("{} …", right.join(" ")),
        ))
    }

    /// The words up to a place stay.
    fn up_to(&self, place: usize) -> Option<Sides> {
        let end = (place + 1).max(self.naming()).min(self.wrong.len());
        Some((
            format!("{} …", self.wrong.get(..end)?.join(" ")),
            format!("{} …", self.right.get(..end)?.join(" ")),
        ))
    }

    /// The program with its sub-command, and the word at a place, stay.
    fn of_option(&self, place: usize) -> Option<Sides> {
        let head = self.naming().min(place);
        let side = |words: &[String]| -> Option<String> {
            let named = option_name(words.get(place)?);
            Some(format!("{} … {named} …", words.get(..head)?.join(" ")))
        };
        Some((side(self.wrong)?, side(&self.right)?))
    }

    /// The only place at which the two differ.
    fn only_place(&self) -> Option<usize> {
        if self.wrong.len() != self.right.len() {
            return None;
        }
        let differs = |at: &usize| {
            let (a, b) = (&self.wrong[*at], &self.right[*at]);
            a != b
        };
        let mut places = (0..self.wrong.len()).filter(differs);
        let place = places.next()?;
        let values = |word: &str| word.split_once('=').map(|(_, value)| value.to_owned());
        let is_one = places.next().is_none();
        let has_equal_value = values(&self.wrong[place]) == values(&self.right[place]);
        (is_one && has_equal_value).then_some(place)
    }
}

/// An option without its value.
fn option_name(word: &str) -> &str {
    match word.split_once('=') {
        Some((name, _)) if word.starts_with('-') => name,
        _ => word,
    }
}

/// The words of a command with the settings in front of it.
fn words_of(step: &StepView) -> Vec<String> {
    let line = step.text.lines().next().unwrap_or_default();
    let bare = line
        .split_whitespace()
        .map(|word| word.trim_matches(['"', '\'']));
    bare.filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
