//! Command languages over tables: one interpreter for all of them, driven by definitions.
//!
//! The effects of commands are fixed (load, filter, exclude, group, sort, select, derive, join, show); their form
//! (words, order, signs, quoting, case) is data. A line is read strictly from left to right, and the first piece that
//! does not fit is the error, as in any interpreter.

mod cells;
mod expression;
mod language;
mod read;
mod run;

use std::sync::Arc;

use serde_json::Value;

use super::World;
use crate::feedback::{Feedback, Intent, Verdict};
use crate::tool::Setting;
pub use language::Language;
use run::Session;

/// Every way in which a line can be wrong, `error` being the frame of the text.
pub(super) const ERRORS: &[&str] = &[
    "error",
    "unknown_command",
    "expected",
    "missing",
    "extra",
    "unquoted",
    "wrong_quote",
    "unknown_operator",
    "unknown_function",
    "function_case",
    "unknown_direction",
    "unknown_column",
    "not_a_number",
    "no_table",
    "file_not_found",
    "bad_expression",
    "division_by_zero",
    "bad_count",
    "terminator",
];

/// The fault of a line: a kind of [`ERRORS`] and the values for the places of its message.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fault {
    kind: &'static str,
    values: Vec<(&'static str, String)>,
}

impl Fault {
    fn new(kind: &'static str, values: &[(&'static str, &str)]) -> Self {
        let values = values
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()));
        Self {
            kind,
            values: values.collect(),
        }
    }
}

/// A task of a command language.
#[derive(Debug)]
pub(super) struct TableWorld {
    language: Arc<Language>,
    setting: Setting,
    session: Session,
}

impl TableWorld {
    /// An empty session.
    pub(super) fn new(language: Arc<Language>, setting: Setting) -> Self {
        Self {
            language,
            setting,
            session: Session::default(),
        }
    }

    fn message(&self, line: usize, fault: &Fault) -> String {
        self.setting
            .said(fault.kind, &fault.values, ("line", &line.to_string()))
    }
}

impl World for TableWorld {
    fn next(&self) -> Option<Intent> {
        let step = self.setting.task.plan.get(self.session.lines())?;
        Some(Intent {
            name: step.intent.clone(),
            data: step.data.clone(),
        })
    }

    fn state(&self) -> String {
        self.session.state()
    }

    /// The line follows all that were accepted; the program stops at the first error, with exit code 1, so that the
    /// accepted lines keep their effect.
    fn act(&mut self, action: &str) -> Feedback {
        let mut session = self.session.clone();
        match session.line(&self.language, &self.setting.data, action) {
            Err(fault) => Feedback::refused(self.message(self.session.lines() + 1, &fault)),
            Ok(printed) => {
                self.session = session;
                Feedback::done(1.0 / self.setting.task.plan.len() as f64, printed)
            }
        }
    }

    fn verdict(&self) -> Verdict {
        let wanted = language::lines(&self.setting.task.expected);
        let printed = self.session.printed();
        let equal = wanted
            .iter()
            .zip(printed)
            .filter(|(want, got)| want == got)
            .count();
        let is_done = self.next().is_none();
        Verdict {
            passed: is_done && wanted.len() == printed.len() && equal == wanted.len(),
            score: equal as f64 / wanted.len().max(printed.len()).max(1) as f64,
        }
    }
}

/// The text of a scalar in a plan.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
