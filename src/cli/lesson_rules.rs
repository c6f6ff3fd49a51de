//! Rules of lessons from a settings file: numbers, tags, and opposites, all of it data.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::input;
use hindlore::lessons::LessonRules;
use hindlore_api::problem::Problem;
use hindlore_config::Settings;
use hindlore_domain::lesson::conflict::ConflictRules;
use hindlore_domain::lesson::learning::quality::QualityRules;
use hindlore_domain::lesson::lesson_policy::LessonPolicy;
use hindlore_errors::tag::TagRules;

/// Maximum idle time in minutes: a week.
const IDLE_MAX_MINUTES: u32 = 7 * 24 * 60;

/// The file; missing parts keep their defaults.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct LessonFile {
    /// Weights, limits and gates.
    numbers: LessonPolicy,
    /// Tags in addition to the shipped ones.
    tags: TagRules,
    /// Replaces the default quality rules.
    quality: QualityRules,
    /// Pairs of opposite words, in addition to the defaults.
    opposites: Vec<(String, String)>,
    /// Selects control runs.
    control_seed: u64,
    /// Minutes without a report after which a run is ended.
    idle_minutes: u32,
}

impl Default for LessonFile {
    fn default() -> Self {
        Self {
            numbers: LessonPolicy::default(),
            tags: TagRules {
                aliases: Vec::new(),
                rules: Vec::new(),
            },
            quality: QualityRules::standard(),
            opposites: Vec::new(),
            control_seed: 0,
            idle_minutes: 30,
        }
    }
}

/// The rules in force, as the text of a file that [`read`] reads.
///
/// # Errors
/// Those of [`read`].
pub(crate) fn written(settings: &Settings) -> Result<String, Problem> {
    let rules = read(settings)?;
    let mut file = match settings.text("lesson_rules") {
        None => LessonFile::default(),
        Some(path) => file_at(path)?.1,
    };
    file.numbers = rules.numbers;
    serde_json::to_string_pretty(&file).map_err(|error| {
        Problem::new(
            "internal_error",
            format!("the rules have no JSON form: {error}"),
        )
    })
}

fn file_at(path: &str) -> Result<(Vec<u8>, LessonFile), Problem> {
    let bytes = input::file(Path::new(path))?;
    let file = serde_json::from_slice(&bytes)
        .map_err(|error| invalid(path, &format!("cannot be read: {error}")))?;
    Ok((bytes, file))
}

/// Reads the rules; the defaults if the settings name no file.
pub(crate) fn read(settings: &Settings) -> Result<LessonRules, Problem> {
    let Some(path) = settings.text("lesson_rules") else {
        return with_share(LessonRules::default(), settings);
    };
    let (bytes, file) = file_at(path)?;
    if let Some((name, said)) = file.numbers.problem() {
        let line = line_of(&bytes, name).map(|line| format!(", line {line}"));
        let line = line.unwrap_or_default();
        return Err(invalid(
            path,
            &format!("cannot be used: `{name}`{line} {said}"),
        ));
    }
    if !(1..=IDLE_MAX_MINUTES).contains(&file.idle_minutes) {
        return Err(invalid(
            path,
            "has `idle_minutes` that are not from 1 to 10080",
        ));
    }
    let rules = LessonRules {
        numbers: file.numbers,
        tags: TagRules::standard().extended(file.tags),
        quality: file.quality,
        conflicts: ConflictRules::new(&file.opposites),
        control_seed: file.control_seed,
        idle_ms: file.idle_minutes * 60_000,
        ..LessonRules::default()
    };
    with_share(rules, settings)
}

/// The rules with the control share of the settings, where these give one.
fn with_share(mut rules: LessonRules, settings: &Settings) -> Result<LessonRules, Problem> {
    let given = settings
        .number("control_rate")
        .filter(|_| settings.is_given("control_rate"));
    if let Some(share) = given {
        rules.numbers.control_rate = share;
    }
    match rules.numbers.problem() {
        None => Ok(rules),
        Some((name, said)) => Err(Problem::new("invalid_config", format!("`{name}` {said}"))),
    }
}

/// Line of a name in the file, from 1; absent unless it occurs exactly once.
fn line_of(bytes: &[u8], name: &str) -> Option<usize> {
    let text = String::from_utf8_lossy(bytes);
    let quoted = format!("\"{name}\"");
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| line.contains(&quoted));
    let (line, _) = lines.next()?;
    lines.next().is_none().then_some(line)
}

fn invalid(path: &str, what: &str) -> Problem {
    Problem::new("invalid_lesson_rules", format!("the file `{path}` {what}"))
        .with_hint("the file is JSON; leave the setting out to use the shipped rules")
}
