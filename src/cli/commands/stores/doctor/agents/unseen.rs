//! Bullets that a door does not see: a note that a person writes down and no agent reads is lost without a word.
//!
//! A memory is unseen where one door reads it and another does not, and where it belongs to no repository and no door reads
//! it. Memories of other repositories and learners are apart on purpose, so that they are only counted.

use std::path::Path;

use serde::Serialize;

use super::doors::Door;
use crate::output::words::plural;
use crate::output::{Page, Tone};
use crate::session::Session;
use crate::{place, shell};
use hindlore_api::problem::Problem;
use hindlore_domain::memory::key::{DEFAULT_NAME, MemoryKey, SHARED_SCOPE};

/// Maximum findings shown to people; JSON has all.
const SHOWN_MAX: usize = 12;
/// The scope of a repository whose name is none has this before a hash.
const HASHED: &str = "folder-";

/// The doors and their differences.
#[derive(Debug, Default, Serialize)]
pub(super) struct Sight {
    /// The command line first.
    doors: Vec<Door>,
    /// Memories that a door does not see.
    unseen: Vec<Unseen>,
    /// Memories of other repositories and learners.
    others: Vec<Other>,
    /// Stores that cannot be looked into, and why.
    problems: Vec<String>,
}

/// A memory that a door does not see.
#[derive(Debug, Serialize)]
struct Unseen {
    store: String,
    memory: String,
    /// Active bullets in it, without those of the program.
    bullets: usize,
    /// The doors that read it.
    read_by: Vec<String>,
    /// The doors that do not.
    unread_by: Vec<String>,
    /// The remedy.
    mend: String,
}

/// A memory that is apart on purpose.
#[derive(Debug, Serialize)]
struct Other {
    store: String,
    memory: String,
}

/// Looks into the store of each door.
pub(super) async fn look(session: &Session, doors: Vec<Door>) -> Sight {
    let mut sight = Sight {
        doors,
        ..Sight::default()
    };
    let mut seen: Vec<(String, String)> = Vec::new();
    for at in 0..sight.doors.len() {
        let door = &sight.doors[at];
        let (place, tenant) = (door.place(), door.tenant().to_owned());
        let is_known = |(other, of): &(String, String)| door.is_at(other) && *of == tenant;
        if seen.iter().any(is_known) {
            continue;
        }
        if let Err(problem) = sight.look_into(session, at).await {
            let problem = format!("{}: {}", sight.doors[at].store, problem.message);
            sight.problems.push(problem);
        }
        seen.push((place, tenant));
    }
    sight
}

impl Sight {
    /// Looks into the store and tenant of one door.
    async fn look_into(&mut self, session: &Session, at: usize) -> Result<(), Problem> {
        let (place, store) = (self.doors[at].place(), self.doors[at].store.clone());
        if place::is_missing(&place)? {
            return Ok(());
        }
        let engine = session.engine_at(&place)?;
        let tenant = self.doors[at].tenant().to_owned();
        for summary in engine.memories(&tenant, None).await? {
            let key = summary.key;
            let (readers, others): (Vec<&Door>, Vec<&Door>) =
                self.doors.iter().partition(|door| door.reads(&place, &key));
            if others.is_empty() || summary.active == 0 {
                continue;
            }
            let mend = match (readers.first(), others.first()) {
                (Some(reader), Some(other)) => Some(other.mend(reader)),
                _ => self.way_to(&place, &key),
            };
            let Some(mend) = mend else {
                let memory = key.to_string();
                self.others.push(Other {
                    store: store.clone(),
                    memory,
                });
                continue;
            };
            let names = |doors: &[&Door]| doors.iter().map(|door| door.name()).collect();
            let (read_by, unread_by) = (names(&readers), names(&others));
            let view = engine.view(&key).await?;
            let bullets = view.iter().flat_map(|view| &view.bullets);
            let bullets = bullets.filter(|one| one.is_active() && !one.is_seed());
            let unseen = Unseen {
                store: store.clone(),
                memory: key.to_string(),
                bullets: bullets.count(),
                read_by,
                unread_by,
                mend,
            };
            self.unseen.extend((unseen.bullets > 0).then_some(unseen));
        }
        Ok(())
    }

    /// The way to a memory that no door reads; absent if it is apart on purpose.
    fn way_to(&self, place: &str, key: &MemoryKey) -> Option<String> {
        let mut doors = self.doors.iter();
        let door = doors.find(|door| door.is_at(place) && door.is_of(key))?;
        let scope = shell::quoted(key.scope());
        if [SHARED_SCOPE, DEFAULT_NAME].contains(&key.scope()) {
            return Some(if door.is_kept_from_everywhere() {
                "`hindlore config set recall_everywhere true` recalls it everywhere".to_owned()
            } else {
                format!("`--scope {scope}` reads it")
            });
        }
        let is_apart = is_of_a_repository(key.scope());
        (!is_apart).then(|| {
            let here = shell::quoted(door.scope());
            format!(
                "`hindlore export --scope {scope} FILE`, `hindlore import --scope {here} FILE` and \
                 `hindlore memory clear --scope {scope}` move it here"
            )
        })
    }

    /// Writes the doors, the findings and the count of the rest.
    pub(super) fn write(&self, page: &mut Page) {
        let mut readings: Vec<(String, Vec<String>)> = Vec::new();
        for door in &self.doors {
            let said = door.said();
            match readings.iter_mut().find(|(reading, _)| *reading == said) {
                Some((_, names)) => names.push(door.name()),
                None => readings.push((said, vec![door.name()])),
            }
        }
        for (reading, names) in readings {
            page.line(Tone::Heading, format_args!("read by {}", names.join(", ")));
            page.line(Tone::Plain, format_args!("  {reading}"));
        }
        for unseen in self.unseen.iter().take(SHOWN_MAX) {
            page.line(Tone::Bad, unseen.said());
        }
        let more = self.unseen.len().saturating_sub(SHOWN_MAX);
        if more > 0 {
            page.line(Tone::Bad, format_args!("{more} more are in `--json`"));
        }
        for problem in &self.problems {
            page.line(Tone::Bad, format_args!("not looked into: {problem}"));
        }
        if self.unseen.is_empty() && self.problems.is_empty() {
            page.line(Tone::Good, "every door sees the same bullets");
        }
        if !self.others.is_empty() {
            let count = plural(self.others.len(), "memory");
            let said = format!("{count} of other repositories or learners: apart on purpose");
            page.line(Tone::Faint, said);
        }
    }
}

impl Unseen {
    fn said(&self) -> String {
        let count = plural(self.bullets, "bullet");
        let (memory, mend) = (&self.memory, &self.mend);
        if self.read_by.is_empty() {
            return format!("unseen: {count} of {memory}, which no door reads here; {mend}");
        }
        let (others, readers) = (self.unread_by.join(", "), self.read_by.join(", "));
        format!("unseen by {others}: {count} of {memory}, read by {readers}; {mend}")
    }
}

/// Whether a scope is named after a repository: an address, or a folder that is still there.
fn is_of_a_repository(scope: &str) -> bool {
    let path = Path::new(scope);
    if path.is_absolute() {
        return path.exists();
    }
    scope.contains('/') || scope.starts_with(HASHED)
}
