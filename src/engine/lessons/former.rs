//! Lessons that were learned under the first normaliser stay tied to their errors.
//!
//! Look-ups ask for the fingerprint that an error had then as well, and the end of a run writes the one that it
//! has now beside it. So no migration reads all rows: a lesson moves when its error comes again, and one whose
//! error never comes loses nothing. A step whose parts were cut when they were kept has no former fingerprint.

use serde_json::Value;

use crate::domain::lesson::event::ErrorEvent;
use crate::domain::lesson::fingerprint::{Evidence, Fingerprints, former_ids};
use crate::domain::lesson::ids::FingerprintId;
use crate::domain::lesson::lesson::Lesson;
use crate::store::lessons::reading::{Neighbourhood, Start};

/// A fingerprint that an error had, and the one that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Renamed {
    /// Under the first rules.
    pub(super) before: FingerprintId,
    /// Under those of today.
    pub(super) now: FingerprintId,
}

/// The former fingerprints of some errors, each beside the present one of its level.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Former {
    renamed: Vec<Renamed>,
}

impl Former {
    /// The former fingerprints of a step that failed.
    pub(super) fn of(evidence: &Evidence, now: &Fingerprints) -> Self {
        let (fine, coarse) = former_ids(evidence);
        let mut renamed = vec![Renamed {
            before: fine,
            now: now.fine.id,
        }];
        if coarse != fine {
            renamed.push(Renamed {
                before: coarse,
                now: now.coarse.id,
            });
        }
        Self { renamed }
    }

    /// Those of errors as they were kept.
    pub(super) fn of_events(events: &[ErrorEvent]) -> Self {
        let each = events
            .iter()
            .flat_map(|event| Self::of(&evidence_of(event), &event.fingerprints).renamed);
        Self {
            renamed: each.collect(),
        }
    }

    /// The former ids.
    pub(super) fn ids(&self) -> impl Iterator<Item = FingerprintId> {
        self.renamed.iter().map(|one| one.before)
    }

    /// Each former id with the present one.
    pub(super) fn renamed(&self) -> &[Renamed] {
        &self.renamed
    }

    /// Gives a lesson the present fingerprint beside each former one that triggers it.
    pub(super) fn tie(&self, lesson: &mut Lesson) {
        for one in &self.renamed {
            if lesson.triggers.binary_search(&one.before).is_err() {
                continue;
            }
            if let Err(at) = lesson.triggers.binary_search(&one.now) {
                lesson.triggers.insert(at, one.now);
            }
        }
    }

    /// Lists lessons that former fingerprints trigger under the present ones of a neighbourhood.
    pub(super) fn join(&self, around: &mut Neighbourhood, lessons: &[Lesson]) {
        for one in &self.renamed {
            let triggered = lessons
                .iter()
                .filter(|lesson| lesson.triggers.binary_search(&one.before).is_ok());
            for lesson in triggered {
                let known = around.starts.iter_mut().find(|start| start.id == one.now);
                let start = match known {
                    Some(start) => start,
                    None => {
                        around.starts.push(Start {
                            id: one.now,
                            tags: Vec::new(),
                            lessons: Vec::new(),
                        });
                        let last = around.starts.len() - 1;
                        &mut around.starts[last]
                    }
                };
                if !start.lessons.contains(&lesson.id) {
                    start.lessons.push(lesson.id);
                }
            }
        }
    }
}

/// What was known about a step, from what was kept of it.
fn evidence_of(event: &ErrorEvent) -> Evidence {
    Evidence {
        error: Value::from(event.error.as_str()),
        state: read(&event.state),
        action: read(&event.action),
        state_after: read(&event.state_after),
        reason: event.reason.clone(),
    }
}

/// A part as it was reported: data were kept as their JSON.
fn read(part: &str) -> Value {
    match part.as_bytes().first() {
        None => Value::Null,
        Some(b'{' | b'[') => serde_json::from_str(part).unwrap_or_else(|_| Value::from(part)),
        Some(_) => Value::from(part),
    }
}
