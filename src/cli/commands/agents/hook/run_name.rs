//! The state of a session: the run that its steps belong to, and the lessons that its agent has seen.
//!
//! A session outlives its turns, a run does not: each time the agent rests the run ends and learns, and the next step
//! begins another. An agent reads a lesson once, and a lesson refuses one action. Each session has a small file.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::commands::agents::learn::record::SessionPart;
use crate::spool::private;
use hindlore_config::{Links, data_folder, read_regular_file};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_primitives::identity::{content_name, parse_name};
use hindlore_primitives::ids::LessonId;
use hindlore_trace::HookEvent;

const FOLDER: &str = "hooks";
/// Maximum size of the file of a session in bytes.
const BYTES_MAX: u64 = 1 << 15;
/// Lessons, and bullets, that are remembered as shown; the last ones.
const SHOWN_MAX: usize = 256;
/// Notices that wait; the last ones.
const NOTICES_MAX: usize = 4;
/// Sessions without an end are forgotten after this time.
const FORGET_AFTER: Duration = Duration::from_secs(30 * 24 * 3600);
/// Most files looked at for that, each time a session begins.
const LOOKED_AT: usize = 1_000;

/// The runs of one session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SessionRuns {
    session: String,
    file: Option<PathBuf>,
    state: State,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct State {
    /// Runs of the session that have ended.
    ended: u32,
    /// Whether the present one has a step.
    is_open: bool,
    /// The lessons that the agent has seen.
    #[serde(default)]
    shown: Vec<LessonId>,
    /// The bullets that the agent has seen.
    #[serde(default)]
    noted: Vec<BulletId>,
    /// The lessons that have refused an action.
    #[serde(default)]
    refused: Vec<LessonId>,
    /// Prompts of the session.
    #[serde(default)]
    turns: u32,
    /// Whether the last call failed, or was refused by the person or a policy.
    #[serde(default)]
    last_call: LastCall,
    /// Notices for the person that wait for the end of the turn.
    #[serde(default)]
    notices: Vec<String>,
}

/// The result of the last call, as far as a correction may answer it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LastCall {
    /// It worked, or there was none.
    #[default]
    Worked,
    /// It failed.
    Failed,
    /// The person or a policy refused it.
    Refused,
}

impl SessionRuns {
    /// Those of an event's session.
    pub(super) fn of_event(event: &HookEvent) -> Self {
        Self::of(event.session.as_deref().unwrap_or("agent"))
    }

    /// Those of a session, as far as they are known.
    fn of(session: &str) -> Self {
        let name = content_name("session-", session.as_bytes());
        let file = data_folder().map(|folder| folder.join(FOLDER).join(format!("{name}.json")));
        let state = file.as_ref().map(|file| read(file)).unwrap_or_default();
        Self {
            session: parse_name("run", session).unwrap_or(name),
            file,
            state,
        }
    }

    /// The run that is open, or the one that begins now.
    pub(super) fn current(&self) -> String {
        self.part().run()
    }

    /// The part of the session that is open, or begins now.
    fn part(&self) -> SessionPart {
        SessionPart {
            session: self.session.clone(),
            number: self.state.ended.saturating_add(1),
        }
    }

    /// The lessons that the agent has seen in this session.
    pub(super) fn shown(&self) -> &[LessonId] {
        &self.state.shown
    }

    /// The lessons that have refused an action in this session.
    pub(super) fn refused(&self) -> &[LessonId] {
        &self.state.refused
    }

    /// Notes lessons that are shown now.
    pub(super) fn show(&mut self, lessons: impl IntoIterator<Item = LessonId>) {
        self.add(lessons, |state| &mut state.shown);
    }

    /// The bullets that the agent has seen in this session.
    pub(super) fn noted(&self) -> &[BulletId] {
        &self.state.noted
    }

    /// Forgets the bullets that the agent has seen: a session begins, or its context was compacted.
    pub(super) fn forget_noted(&mut self) {
        if !self.state.noted.is_empty() {
            self.change(|state| state.noted.clear());
        }
    }

    /// Notes bullets that are shown now.
    pub(super) fn note(&mut self, bullets: impl IntoIterator<Item = BulletId>) {
        self.add(bullets, |state| &mut state.noted);
    }

    /// Adds ids to a list that keeps the last ones; without a new one the file stays as it is.
    fn add<T: PartialEq>(
        &mut self,
        ids: impl IntoIterator<Item = T>,
        list: fn(&mut State) -> &mut Vec<T>,
    ) {
        let known = list(&mut self.state);
        let mut new: Vec<T> = ids.into_iter().collect();
        new.retain(|id| !known.contains(id));
        if new.is_empty() {
            return;
        }
        self.change(|state| {
            let list = list(state);
            for id in new {
                if !list.contains(&id) {
                    list.push(id);
                }
            }
            let surplus = list.len().saturating_sub(SHOWN_MAX);
            list.drain(..surplus);
        });
    }

    /// Notes a lesson that refuses an action now.
    pub(super) fn refuse(&mut self, lesson: LessonId) {
        self.change(|state| state.refused.push(lesson));
    }

    /// The name of the session.
    pub(super) fn session(&self) -> &str {
        &self.session
    }

    /// Counts a prompt; returns its number, and the result of the call before it.
    pub(super) fn take_turn(&mut self) -> (u32, LastCall) {
        self.change(|state| {
            state.turns = state.turns.saturating_add(1);
            (state.turns, std::mem::take(&mut state.last_call))
        })
    }

    /// Notes the result of a call.
    pub(super) fn note_call(&mut self, last_call: LastCall) {
        if self.state.last_call != last_call {
            self.change(|state| state.last_call = last_call);
        }
    }

    /// Keeps a notice until the agent rests: before that, a runtime shows the person none.
    pub(super) fn put_notice(&mut self, notice: String) {
        self.change(|state| {
            state.notices.push(notice);
            let surplus = state.notices.len().saturating_sub(NOTICES_MAX);
            state.notices.drain(..surplus);
        });
    }

    /// Takes the notices that wait.
    pub(super) fn take_notices(&mut self) -> Vec<String> {
        if self.state.notices.is_empty() {
            return Vec::new();
        }
        self.change(|state| std::mem::take(&mut state.notices))
    }

    /// Notes a step in the present run; gives the part of the session that it belongs to.
    pub(super) fn touch(&mut self) -> SessionPart {
        self.change(|state| state.is_open = true);
        self.part()
    }

    /// Ends the present run; absent if it has no step.
    pub(super) fn end(&mut self) -> Option<String> {
        let ended = self.part();
        let is_ended = self.change(|state| {
            let ends = std::mem::take(&mut state.is_open);
            state.ended = state.ended.saturating_add(u32::from(ends));
            ends
        });
        // Another process may have ended runs since this one read the state.
        let number = self.state.ended;
        is_ended.then(|| SessionPart { number, ..ended }.run())
    }

    /// The session has ended; its name may come again, so the count stays until it is old.
    pub(super) fn forget_old() {
        let Some(folder) = data_folder().map(|folder| folder.join(FOLDER)) else {
            return;
        };
        let Ok(files) = fs::read_dir(folder) else {
            return;
        };
        for file in files.flatten().take(LOOKED_AT) {
            let written = file.metadata().and_then(|about| about.modified());
            let age = written
                .ok()
                .and_then(|at| SystemTime::now().duration_since(at).ok());
            if age.is_some_and(|age| age > FORGET_AFTER) {
                let _ = fs::remove_file(file.path());
            }
        }
    }

    /// Changes the state as it is now: the hooks of concurrent calls run at the same time. Without the file the session
    /// continues in the same run, which is no reason to stop an agent.
    fn change<T>(&mut self, change: impl FnOnce(&mut State) -> T) -> T {
        let lock = self.file.as_ref().and_then(|file| locked(file));
        if lock.is_some() {
            self.state = self
                .file
                .as_ref()
                .map(|file| read(file))
                .unwrap_or_default();
        }
        let before = self.state.clone();
        let result = change(&mut self.state);
        if self.state != before {
            self.keep();
        }
        result
    }

    fn keep(&self) {
        let Some(file) = &self.file else {
            return;
        };
        let Ok(bytes) = serde_json::to_vec(&self.state) else {
            return;
        };
        let draft = file.with_extension(format!("{}.draft", std::process::id()));
        let written = private()
            .open(&draft)
            .is_ok_and(|mut open| std::io::Write::write_all(&mut open, &bytes).is_ok());
        if !(written && fs::rename(&draft, file).is_ok()) {
            let _ = fs::remove_file(&draft);
        }
    }
}

/// The state in a file; an empty one where none can be read.
fn read(file: &Path) -> State {
    let bytes = read_regular_file(file, BYTES_MAX, Links::Refuse).ok();
    let state = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    state.unwrap_or_default()
}

/// The lock of a state, on a file of its own, since the state is replaced by each change. It is released when the file is
/// closed, also by a process that dies.
fn locked(file: &Path) -> Option<File> {
    fs::create_dir_all(file.parent()?).ok()?;
    // Not a new file each time: concurrent processes must meet at one.
    let lock = private()
        .create_new(false)
        .create(true)
        .open(file.with_extension("lock"))
        .ok()?;
    lock.lock().ok()?;
    Some(lock)
}
