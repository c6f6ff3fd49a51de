//! The walk: from an error over fingerprints and tags to lessons, at most two hops, rare tags first.
//!
//! Work is counted in rows read and is bounded for every shape of the graph. A tag that many fingerprints have is weak
//! evidence, so it is read last, and gets a share of the rows that shrinks with its inverse document frequency; one
//! that nearly all have is not read at all.

use std::collections::BTreeMap;
use std::fmt;

use super::query::LessonQuery;
use super::view::{GraphView, TagCount};
use crate::lesson::lesson_policy::WalkLimits;
use hindlore_errors::fingerprint::Level;
use hindlore_errors::tag::UNCATEGORIZED;
use hindlore_primitives::ids::{FingerprintId, LessonId};

/// A tag below this weight is a hub: no way leads through it.
const HUB_WEIGHT: f64 = 0.05;

/// How a lesson was reached.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Path {
    /// The fingerprint of the error triggers it.
    Exact {
        /// Which.
        fingerprint: FingerprintId,
        /// On which level.
        level: Level,
    },
    /// Its text matches the question.
    Text,
    /// A fingerprint with a common tag triggers it.
    Sibling {
        /// The common tag.
        tag: String,
        /// Which.
        fingerprint: FingerprintId,
    },
    /// It has a tag of the error.
    Tag {
        /// Which.
        tag: String,
    },
    /// It applies to the same task, domain or tool.
    Place,
    /// The action that is asked about has its wrong form.
    WrongForm,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact { fingerprint, level } => {
                write!(f, "error → {fingerprint} ({level}) → lesson")
            }
            Self::Text => f.write_str("words → lesson"),
            Self::Sibling { tag, fingerprint } => {
                write!(f, "error → tag {tag} → {fingerprint} → lesson")
            }
            Self::Tag { tag } => write!(f, "error → tag {tag} → lesson"),
            Self::Place => f.write_str("task, domain or tool → lesson"),
            Self::WrongForm => f.write_str("action → wrong form → lesson"),
        }
    }
}

/// A lesson that was reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    /// Which.
    pub lesson: LessonId,
    /// The best way, first by kind, then by the rarest tag.
    pub path: Path,
    /// Weight of the tag on the way; 1 for an exact hit.
    pub weight: f64,
    /// Normalised text of the sibling on the way.
    pub sibling: Option<String>,
}

/// The result of a walk.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Walked {
    /// Lessons by id.
    pub reached: BTreeMap<LessonId, Reached>,
    /// Every way that was found, with its weight, in the order of the walk.
    pub ways: Vec<(LessonId, Path, f64)>,
    /// Tags that were considered, the rarest first, with their weights.
    pub tags: Vec<(String, f64)>,
    /// Rows that were read.
    pub rows: usize,
    /// The limit on rows ended the walk.
    pub cut: bool,
}

impl Walked {
    /// The lessons that were reached by their words alone.
    pub fn by_text(&self) -> impl Iterator<Item = LessonId> {
        let by_text = |reached: &&Reached| reached.path == Path::Text;
        self.reached
            .values()
            .filter(by_text)
            .map(|reached| reached.lesson)
    }

    /// Adds lessons that are about the words of the question.
    pub fn reach_by_text(&mut self, lessons: &[LessonId]) {
        for lesson in lessons {
            self.put(Reached {
                lesson: *lesson,
                path: Path::Text,
                weight: 1.0,
                sibling: None,
            });
        }
    }
}

/// Walks the neighbourhood of a question.
pub fn walk(view: &mut impl GraphView, query: &LessonQuery, limits: &WalkLimits) -> Walked {
    let mut walked = Walked::default();
    let starts = query.starts();
    let starts = &starts[..starts.len().min(limits.starts)];
    for (id, level) in starts {
        let lessons =
            view.lessons_of_fingerprint(*id, walked.room(limits, limits.lessons_per_start));
        walked.rows += lessons.len();
        for lesson in lessons {
            let path = Path::Exact {
                fingerprint: *id,
                level: *level,
            };
            walked.put(Reached {
                lesson,
                path,
                weight: 1.0,
                sibling: None,
            });
        }
    }
    let total = view.fingerprint_count();
    for (tag, weight) in followed_tags(view, query, starts, limits, total) {
        follow(view, &mut walked, (&tag, weight), limits);
        walked.tags.push((tag, weight));
    }
    let near = view.lessons_of_place(&query.place, walked.room(limits, limits.lessons_per_place));
    walked.rows += near.len();
    for lesson in near {
        walked.put(Reached {
            lesson,
            path: Path::Place,
            weight: 0.0,
            sibling: None,
        });
    }
    walked.cut = walked.rows >= limits.rows;
    walked
}

/// The tags of the question and of its fingerprints, the rarest first.
fn followed_tags(
    view: &mut impl GraphView,
    query: &LessonQuery,
    starts: &[(FingerprintId, Level)],
    limits: &WalkLimits,
    total: u64,
) -> Vec<(String, f64)> {
    let mut counts: Vec<TagCount> = view.tag_counts(&query.tags);
    for (id, _) in starts {
        counts.extend(view.tags_of_fingerprint(*id));
    }
    counts.retain(|row| row.tag != UNCATEGORIZED);
    counts.sort_by(|a, b| {
        a.fingerprints
            .cmp(&b.fingerprints)
            .then_with(|| a.tag.cmp(&b.tag))
    });
    counts.dedup_by(|a, b| a.tag == b.tag);
    let weighted = counts
        .into_iter()
        .map(|row| (row.tag, tag_weight(row.fingerprints, total)));
    weighted
        .filter(|(_, weight)| *weight >= HUB_WEIGHT)
        .take(limits.tags)
        .collect()
}

/// Inverse document frequency of a tag, 0..=1: 1 for one fingerprint, towards 0 when all have it.
pub fn tag_weight(fingerprints: u64, total: u64) -> f64 {
    let (n, all) = (fingerprints.max(1) as f64, total.max(1) as f64);
    if all <= 1.0 {
        return 1.0;
    }
    // A handful of fingerprints is too few to call a tag common.
    let small = 8.0;
    (libm::log((all + small) / n.min(all)) / libm::log(all + small)).clamp(0.0, 1.0)
}

fn follow(view: &mut impl GraphView, walked: &mut Walked, tag: (&str, f64), limits: &WalkLimits) {
    let (tag, weight) = tag;
    let share = |limit: usize| libm::ceil(limit as f64 * weight) as usize;
    let siblings = view.siblings_of_tag(tag, walked.room(limits, share(limits.siblings_per_tag)));
    walked.rows += siblings.len();
    for sibling in siblings {
        let lessons = view
            .lessons_of_fingerprint(sibling.id, walked.room(limits, limits.lessons_per_sibling));
        walked.rows += lessons.len();
        for lesson in lessons {
            let path = Path::Sibling {
                tag: tag.to_owned(),
                fingerprint: sibling.id,
            };
            walked.put(Reached {
                lesson,
                path,
                weight,
                sibling: Some(sibling.normalised.clone()),
            });
        }
    }
    let lessons = view.lessons_of_tag(tag, walked.room(limits, share(limits.lessons_per_tag)));
    walked.rows += lessons.len();
    for lesson in lessons {
        walked.put(Reached {
            lesson,
            path: Path::Tag {
                tag: tag.to_owned(),
            },
            weight,
            sibling: None,
        });
    }
}

impl Walked {
    /// The rest of the work for a read of `wanted` rows.
    fn room(&self, limits: &WalkLimits, wanted: usize) -> usize {
        wanted.min(limits.rows.saturating_sub(self.rows))
    }

    /// Keeps the first way to a lesson: exact ones come first, then rare tags, then siblings before
    /// bare tags.
    fn put(&mut self, reached: Reached) {
        self.ways
            .push((reached.lesson, reached.path.clone(), reached.weight));
        self.reached.entry(reached.lesson).or_insert(reached);
    }
}
