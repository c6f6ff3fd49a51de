//! The audit log of a server: lines in a file that one process at a time writes to, only ever longer.
//!
//! A file that has grown to `PART_BYTES` is renamed to `FILE.1`, `FILE.2` and so on, and the chain of hashes continues
//! in a new one. At the start only the last line is read; `doctor audit` reads them all. The beginning of a change is
//! on the disk before the change begins. Refused requests are counted: the first of a holder, a code and a minute has a
//! line, and the others together have one when the minute is over, so that refused clients cannot fill the disk.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use super::audit_files::{last_line, opened, part, parts};
use hindlore::clock::{SystemClock, WallClock};
use hindlore_api::audit::{Auditor, Deed};
use hindlore_api::problem::Problem;
use hindlore_api::verb::Effect;
use hindlore_domain::sharing::audit_chain::AuditChain;

/// Size at which a file is put aside.
const PART_BYTES: u64 = 64 << 20;
/// Kinds of refusals that are counted at once; above, all are written.
const COUNTED_MAX: usize = 1_000;

/// An audit log that is written to.
pub(super) struct AuditLog {
    place: PathBuf,
    part_bytes: u64,
    state: Mutex<State>,
    /// The number of the last entry that is on the disk. Held while the disk works, so that all entries which were written
    /// meanwhile are there after one more wait.
    synced: Mutex<u64>,
}

struct State {
    file: File,
    length: u64,
    chain: AuditChain,
    /// The minute, and the refusals after the first one.
    refused: HashMap<Refusal, (u64, u64)>,
}

/// The key of a count.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Refusal {
    holder: Option<String>,
    verb: &'static str,
    code: &'static str,
}

impl AuditLog {
    /// Continues a log, or begins one.
    ///
    /// # Errors
    /// `audit_unwritable` if the file cannot be used, or another process writes to it; `audit_damaged` if its last line is
    /// no sound one.
    pub(super) fn open(place: &Path) -> Result<Self, Problem> {
        Self::open_with(place, PART_BYTES)
    }

    fn open_with(place: &Path, part_bytes: u64) -> Result<Self, Problem> {
        let unusable = |error: io::Error| unwritable(place, &error);
        let file = opened(place).map_err(unusable)?;
        let (mut last, length) = last_line(&file).map_err(unusable)?;
        // A crash may have left half a line.
        file.set_len(length).map_err(unusable)?;
        if last.is_none()
            && let Some(number) = parts(place).map_err(unusable)?.last()
        {
            let before = File::open(part(place, *number)).map_err(unusable)?;
            (last, _) = last_line(&before).map_err(unusable)?;
        }
        let chain = last.map_or(Ok(AuditChain::default()), |line| AuditChain::ending(&line));
        let chain = chain.map_err(|why| damaged(place, &why))?;
        let synced = chain.number;
        Ok(Self {
            place: place.to_owned(),
            part_bytes,
            state: Mutex::new(State {
                file,
                length,
                chain,
                refused: HashMap::new(),
            }),
            synced: Mutex::new(synced),
        })
    }

    /// Adds a line; returns its number.
    fn add(&self, state: &mut State, fields: Value) -> Result<u64, Problem> {
        let fields: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
        let mut next = state.chain.clone();
        let line = next.line(fields) + "\n";
        let written = self.make_room(state, line.len() as u64).and_then(|()| {
            let written = state.file.write_all(line.as_bytes());
            if written.is_err() {
                // Half a line would break all lines after it.
                let _ = state.file.set_len(state.length);
            }
            written
        });
        written.map_err(|error| unwritable(&self.place, &error))?;
        state.length += line.len() as u64;
        state.chain = next;
        Ok(state.chain.number)
    }

    /// Puts the file aside if it is full.
    fn make_room(&self, state: &mut State, more: u64) -> io::Result<()> {
        if state.length == 0 || state.length + more <= self.part_bytes {
            return Ok(());
        }
        state.file.sync_all()?;
        let number = parts(&self.place)?.last().map_or(1, |last| last + 1);
        fs::rename(&self.place, part(&self.place, number))?;
        state.file = opened(&self.place)?;
        state.length = 0;
        Ok(())
    }

    /// Waits until an entry is on the disk.
    fn sync(&self, number: u64) -> Result<(), Problem> {
        let mut synced = locked(&self.synced);
        if *synced >= number {
            return Ok(());
        }
        let (file, last) = {
            let state = locked(&self.state);
            (state.file.try_clone(), state.chain.number)
        };
        let done = file.and_then(|file| file.sync_data());
        done.map_err(|error| unwritable(&self.place, &error))?;
        *synced = last;
        Ok(())
    }

    fn note_refused(&self, refusal: Refusal, minute: u64) -> Result<(), Problem> {
        let mut state = locked(&self.state);
        self.write_counts(&mut state, minute)?;
        if let Some((_, count)) = state.refused.get_mut(&refusal) {
            *count += 1;
            return Ok(());
        }
        self.add(&mut state, refusal.counted(1))?;
        state.refused.insert(refusal, (minute, 0));
        Ok(())
    }

    /// Writes the refusals of the minutes that are over.
    fn write_counts(&self, state: &mut State, minute: u64) -> Result<(), Problem> {
        let is_full = state.refused.len() >= COUNTED_MAX;
        let over = state
            .refused
            .iter()
            .filter(|(_, (began, _))| is_full || *began != minute);
        let over: Vec<_> = over
            .map(|(kind, (_, count))| (kind.clone(), *count))
            .collect();
        for (kind, count) in over {
            if count > 0 {
                self.add(state, kind.counted(count))?;
            }
            state.refused.remove(&kind);
        }
        Ok(())
    }
}

impl Auditor for AuditLog {
    fn note(&self, deed: &Deed, outcome: Option<&str>) -> Result<(), Problem> {
        let effect = match deed.effect {
            Effect::Reads => "reads",
            Effect::Writes => "writes",
            Effect::Destroys => "destroys",
        };
        let fields = json!({
            "at": SystemClock.now().to_string(),
            "request": deed.request,
            "holder": deed.holder,
            "caller": deed.caller,
            "verb": deed.verb,
            "effect": effect,
            "tenant": deed.key.tenant(),
            "learner": deed.key.learner(),
            "scope": deed.key.scope(),
            "outcome": outcome.unwrap_or("begun"),
        });
        let number = {
            let mut state = locked(&self.state);
            self.write_counts(&mut state, minute())?;
            self.add(&mut state, fields)?
        };
        match outcome {
            None => self.sync(number),
            Some(_) => Ok(()),
        }
    }

    fn refused(
        &self,
        holder: Option<&str>,
        verb: &'static str,
        code: &'static str,
    ) -> Result<(), Problem> {
        let holder = holder.map(str::to_owned);
        self.note_refused(Refusal { holder, verb, code }, minute())
    }

    fn flush(&self) -> Result<(), Problem> {
        let number = {
            let mut state = locked(&self.state);
            self.write_counts(&mut state, u64::MAX)?;
            state.chain.number
        };
        self.sync(number)
    }
}

impl Refusal {
    fn counted(&self, count: u64) -> Value {
        json!({
            "at": SystemClock.now().to_string(),
            "holder": self.holder,
            "verb": self.verb,
            "outcome": self.code,
            "count": count,
        })
    }
}

/// The minute of the clock.
fn minute() -> u64 {
    SystemClock.now().millis().unsigned_abs() / 60_000
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unwritable(place: &Path, error: &io::Error) -> Problem {
    let message = format!(
        "the audit log {} cannot be written: {error}",
        place.display()
    );
    Problem::new("audit_unwritable", message)
        .with_hint("nothing was done; make room for it, or give another file with --audit")
}

fn damaged(place: &Path, why: &str) -> Problem {
    let message = format!(
        "the audit log {} is not sound: its last entry: {why}",
        place.display()
    );
    Problem::new("audit_damaged", message)
        .with_hint("keep it as evidence, and begin another file; no request was served")
}

#[cfg(test)]
mod tests {
    use std::env::temp_dir;

    use super::*;
    use hindlore::clock::random_hex;

    /// All lines of a log, its parts first.
    fn lines(place: &Path) -> Vec<String> {
        let mut text = String::new();
        for number in parts(place).unwrap() {
            text += &fs::read_to_string(part(place, number)).unwrap();
        }
        text += &fs::read_to_string(place).unwrap();
        let mut chain = AuditChain::default();
        text.lines().for_each(|line| chain.follow(line).unwrap());
        text.lines().map(str::to_owned).collect()
    }

    fn refusal(holder: Option<&str>) -> Refusal {
        Refusal {
            holder: holder.map(str::to_owned),
            verb: "",
            code: "unauthenticated",
        }
    }

    fn folder() -> PathBuf {
        let folder = temp_dir().join(format!("audit-{}", random_hex(8).unwrap()));
        fs::create_dir(&folder).unwrap();
        folder
    }

    #[test]
    fn a_flood_of_refusals_has_two_lines_a_minute_and_none_is_lost() {
        let folder = folder();
        let place = folder.join("audit.jsonl");
        let log = AuditLog::open(&place).unwrap();
        for minute in 1..=2 {
            for _ in 0..10_000 {
                log.note_refused(refusal(None), minute).unwrap();
                log.note_refused(refusal(Some("key:ci")), minute).unwrap();
            }
        }
        log.flush().unwrap();
        let found = lines(&place);
        assert_eq!(found.len(), 8, "{found:?}");
        let count = |line: &String| {
            let entry: Value = serde_json::from_str(line).unwrap();
            entry["entry"]["count"].as_u64().unwrap()
        };
        assert_eq!(found.iter().map(count).sum::<u64>(), 40_000);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_chain_goes_on_over_parts_restarts_and_half_a_line() {
        let folder = folder();
        let place = folder.join("audit.jsonl");
        for start in 0..4 {
            let log = AuditLog::open_with(&place, 2_000).unwrap();
            for minute in 0..10 {
                log.note_refused(refusal(None), start * 10 + minute)
                    .unwrap();
            }
            drop(log);
            let mut file = fs::OpenOptions::new().append(true).open(&place).unwrap();
            file.write_all(b"{\"hash\":\"half").unwrap();
        }
        drop(AuditLog::open_with(&place, 2_000).unwrap());
        assert_eq!(lines(&place).len(), 40);
        let parts = parts(&place).unwrap();
        assert!(parts.len() > 2, "{parts:?}");
        for number in parts {
            assert!(fs::metadata(part(&place, number)).unwrap().len() <= 2_000);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
