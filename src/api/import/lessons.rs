//! Reads the JSON Lines of the original program: lessons (`lesson_store_v2` and older rows), and error
//! events.
//!
//! Its fingerprints differ from ours. If the events of a fingerprint are in the file, its lessons get the
//! fingerprints these events have here. A trigger that is a text is read as an error. Otherwise the old identity is kept as a fingerprint that no error
//! raises any more, and the lesson is still found by tag, text, and place.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Map, Value};

use super::BadLine;
use super::moment::moment;
use crate::json::{HALVES_REPLACED, Unique, reason, replace_halves, strip_bom};
use hindlore::lessons::{ImportedLesson, StepDetail, StepInput};
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::lesson::{Counts, Place, Reach, Status};
use hindlore_domain::lesson::rule::{RULE_MAX_CHARS, Rule};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter, classic_fingerprint};
use hindlore_primitives::identity::derived_hash;
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;

/// The name of this format.
pub const CLASSIC_LESSONS: &str = "classic-lessons";

/// Contents of a file.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct ClassicLessons {
    /// Lessons in file order, with their line numbers.
    pub lessons: Vec<(u64, ImportedLesson)>,
    /// Error events in file order, as steps of runs `session-N`.
    pub steps: Vec<StepInput>,
    /// Unreadable lines.
    pub bad: Vec<BadLine>,
    /// Notes on replaced input.
    pub notes: Vec<String>,
}

/// Reads a file of lessons, events, or both; `now` dates records without a time.
pub fn read_classic_lessons(text: &str, now: Timestamp) -> ClassicLessons {
    let mut read = ClassicLessons::default();
    let mut rows: Vec<(u64, Map<String, Value>)> = Vec::new();
    let mut prints = Prints::default();
    let mut taken = Taken::default();
    let whole = replace_halves(strip_bom(text));
    if let Cow::Owned(_) = whole {
        read.notes.push(HALVES_REPLACED.to_owned());
    }
    for (line, text) in (1..).zip(whole.lines()) {
        if text.trim().is_empty() {
            continue;
        }
        let bad = |reason: String| BadLine { line, reason };
        let value = serde_json::from_str(text).map(|Unique(value)| value);
        match value {
            Ok(Value::Object(row)) if is_lesson(&row) => rows.push((line, row)),
            Ok(Value::Object(row)) if is_event(&row) => {
                prints.learn(&row);
                let mut step = step_of(&row, read.steps.len(), now);
                taken.place(&mut step);
                read.steps.push(step);
            }
            Ok(_) => read
                .bad
                .push(bad("it is neither a lesson nor an error event".to_owned())),
            Err(error) => read.bad.push(bad(reason(&error))),
        }
    }
    for (line, row) in rows {
        match lesson_of(&row, &prints) {
            Ok(lesson) => read.lessons.push((line, lesson)),
            Err(reason) => read.bad.push(BadLine { line, reason }),
        }
    }
    read.bad.sort_by_key(|bad| bad.line);
    read
}

fn is_lesson(row: &Map<String, Value>) -> bool {
    row.contains_key("rule_text") || row.contains_key("lesson")
}

fn is_event(row: &Map<String, Value>) -> bool {
    row.contains_key("error") && (row.contains_key("channel") || row.contains_key("fingerprint"))
}

/// The fingerprints here of the errors of an old fingerprint.
#[derive(Default)]
struct Prints {
    ours: BTreeMap<String, BTreeSet<FingerprintId>>,
    fingerprinter: Fingerprinter,
}

impl Prints {
    fn learn(&mut self, row: &Map<String, Value>) {
        let evidence = evidence_of(row);
        let ours = self.fingerprinter.of(&evidence).ids();
        let old = classic_fingerprint(&evidence.error, &evidence.state, &evidence.action);
        let named = row.get("fingerprint").and_then(Value::as_str);
        for name in named.into_iter().chain([old.as_str()]) {
            self.ours.entry(name.to_owned()).or_default().extend(&ours);
        }
    }

    fn fingerprints_of(&self, old: &str) -> Vec<FingerprintId> {
        if let Some(ours) = self.ours.get(old) {
            return ours.iter().copied().collect();
        }
        let digits = old.strip_prefix("ef_");
        // A file may name our fingerprints, too.
        let ours = digits.map_or_else(|| old.to_owned(), |digits| format!("fp_{digits}"));
        if let Ok(same) = ours.parse() {
            return vec![same];
        }
        if old.contains(char::is_whitespace) {
            let evidence = Evidence {
                error: old.into(),
                ..Evidence::default()
            };
            return Fingerprinter::default().of(&evidence).ids();
        }
        let hash = derived_hash(&["trigger", old]);
        vec![FingerprintId(std::array::from_fn(|at| hash[at]))]
    }
}

fn evidence_of(row: &Map<String, Value>) -> Evidence {
    let part = |name: &str| row.get(name).cloned().unwrap_or_default();
    Evidence {
        error: part("error"),
        state: part("state"),
        action: part("action"),
        ..Evidence::default()
    }
}

fn text<'r>(row: &'r Map<String, Value>, name: &str) -> Option<&'r str> {
    row.get(name)?
        .as_str()
        .map(str::trim)
        .filter(|text| !text.is_empty())
}

fn texts(row: &Map<String, Value>, name: &str) -> Vec<String> {
    let list = row.get(name).and_then(Value::as_array);
    let texts = list.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

fn time(row: &Map<String, Value>, name: &str) -> Option<Timestamp> {
    moment(row.get(name)?)
}

fn place_of(row: &Map<String, Value>) -> Place {
    let part = |name: &str| text(row, name).map(str::to_owned);
    Place {
        task: part("task_id").or_else(|| part("task")),
        domain: part("domain"),
        tool: part("tool"),
    }
}

/// Step numbers taken in each run. The original's files may use one number several times.
#[derive(Default)]
struct Taken(HashMap<(String, u32), Value>);

impl Taken {
    /// Renumbers a step if another action has its number.
    fn place(&mut self, step: &mut StepInput) {
        let report = &mut step.report;
        loop {
            let place = (report.run.clone(), report.step);
            match self.0.get(&place) {
                Some(action) if *action != report.evidence.action => report.step += 1,
                Some(_) => return,
                None => {
                    self.0.insert(place, report.evidence.action.clone());
                    return;
                }
            }
        }
    }
}

fn step_of(row: &Map<String, Value>, before: usize, now: Timestamp) -> StepInput {
    let empty = Map::new();
    let under = |name: &str| row.get(name).and_then(Value::as_object).unwrap_or(&empty);
    let (metadata, state) = (under("metadata"), under("state"));
    let number = |name: &str| {
        let value = metadata.get(name).or_else(|| row.get(name));
        value.and_then(Value::as_u64)
    };
    let session = number("session_id").unwrap_or_default();
    let step = number("step").and_then(|step| u32::try_from(step).ok());
    let fallback = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
    let channel = text(row, "channel").unwrap_or("hard_failure");
    let feedback = Feedback {
        hard_failure: !matches!(
            channel,
            "constraint_failure" | "progress_signal" | "efficiency_signal"
        ),
        failed_constraints: match channel {
            "constraint_failure" => vec!["constraint".to_owned()],
            _ => Vec::new(),
        },
        no_progress: channel == "progress_signal",
        wasteful: channel == "efficiency_signal",
        ..Feedback::default()
    };
    StepInput {
        report: StepReport {
            run: format!("session-{session}"),
            step: step.filter(|step| *step > 0).unwrap_or(fallback),
            allowed_steps: None,
            evidence: evidence_of(row),
            feedback,
            exit_code: None,
            unsafe_action: false,
            place: place_of(state),
            tags: texts(row, "tags"),
            at: time(row, "timestamp")
                .or_else(|| time(row, "created_at"))
                .unwrap_or(now),
        },
        plan_step: None,
        followed: Vec::new(),
        detail: StepDetail::default(),
        scope: None,
    }
}

fn lesson_of(row: &Map<String, Value>, prints: &Prints) -> Result<ImportedLesson, String> {
    let said = text(row, "rule_text").or_else(|| text(row, "lesson"));
    let said: String = said
        .ok_or("it says nothing")?
        .chars()
        .take(RULE_MAX_CHARS)
        .collect();
    let rule = Rule::parse(&said).map_err(|error| error.to_string())?;
    let is_v2 = text(row, "memory_schema").is_some() || row.contains_key("rule_text");
    let number = |name: &str| {
        row.get(name)
            .and_then(Value::as_f64)
            .filter(|n| n.is_finite())
    };
    let count = |name: &str| row.get(name).and_then(Value::as_u64).unwrap_or_default();
    // Older rows have a score, which is no evidence that the lesson helps.
    let reliability = if is_v2 {
        number("reliability").unwrap_or(0.5)
    } else {
        (0.35 + 0.55 * number("eval_score").unwrap_or_default()).clamp(0.05, 0.95)
    };
    let status = match text(row, "status") {
        Some(word) => Status::from_word(word).ok_or_else(|| format!("`{word}` is no status"))?,
        None => Status::Candidate,
    };
    let named = texts(row, "trigger_fingerprints");
    // Several old names may map to the same fingerprint; count it once.
    let named: BTreeSet<&str> = named.iter().map(|old| old.trim()).collect();
    let triggers: BTreeSet<FingerprintId> = named
        .into_iter()
        .flat_map(|old| prints.fingerprints_of(old))
        .collect();
    let sessions = row.get("source_session_ids").and_then(Value::as_array);
    let sessions = sessions.into_iter().flatten().filter_map(Value::as_u64);
    let mut source_runs: Vec<String> = sessions.map(|id| format!("session-{id}")).collect();
    if source_runs.is_empty() && count("session_id") > 0 {
        source_runs.push(format!("session-{}", count("session_id")));
    }
    let place = place_of(row);
    let utilities = row.get("utility_history").and_then(Value::as_array);
    let reach = match text(row, "scope_hint").and_then(Reach::from_word) {
        Some(reach) => reach,
        None if place.domain.is_some() => Reach::Domain,
        None => Reach::Global,
    };
    Ok(ImportedLesson {
        rule,
        triggers: triggers.into_iter().collect(),
        tags: texts(row, "tags"),
        reach,
        place,
        status,
        reliability: reliability.clamp(0.0, 1.0),
        counts: Counts {
            retrieved: count("retrieval_count"),
            helpful: count("helpful_count"),
            harmful: count("harmful_count"),
        },
        impact: utilities
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
            .sum(),
        source_runs,
        created_at: time(row, "created_at").or_else(|| time(row, "timestamp")),
        evidence_at: time(row, "updated_at").or_else(|| time(row, "timestamp")),
    })
}
