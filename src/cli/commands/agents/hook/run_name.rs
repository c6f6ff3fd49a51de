//! The run that a session's steps belong to. A session outlives its turns, a run does not: each time the agent rests the
//! run ends and learns, and the next step begins another. Which one is open is kept in a small file for each session.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::spool::private;
use hindlore_config::{Links, data_folder, read_regular_file};
use hindlore_primitives::identity::{content_name, parse_name};
use hindlore_trace::HookEvent;

const FOLDER: &str = "hooks";
/// Maximum size of the file of a session in bytes.
const BYTES_MAX: u64 = 1 << 10;
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct State {
    /// Runs of the session that have ended.
    ended: u32,
    /// Whether the present one has a step.
    is_open: bool,
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
        let read = file
            .as_ref()
            .and_then(|file| read_regular_file(file, BYTES_MAX, Links::Refuse).ok());
        let state = read
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self {
            session: parse_name("run", session).unwrap_or(name),
            file,
            state,
        }
    }

    /// The run that is open, or the one that begins now.
    pub(super) fn current(&self) -> String {
        match self.state.ended {
            0 => self.session.clone(),
            ended => format!("{}-{}", self.session, ended + 1),
        }
    }

    /// The open run, if it has a step.
    pub(super) fn open(&self) -> Option<String> {
        self.state.is_open.then(|| self.current())
    }

    /// Notes a step in the present run.
    pub(super) fn touch(&mut self) {
        if !self.state.is_open {
            self.state.is_open = true;
            self.keep();
        }
    }

    /// The present run has ended.
    pub(super) fn end(&mut self) {
        self.state = State {
            ended: self.state.ended.saturating_add(1),
            is_open: false,
        };
        self.keep();
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

    /// Without the file the session continues in the same run, which is no reason to stop an agent.
    fn keep(&self) {
        let Some(file) = &self.file else {
            return;
        };
        let Ok(bytes) = serde_json::to_vec(&self.state) else {
            return;
        };
        let draft = file.with_extension(format!("{}.draft", std::process::id()));
        let folder_is_there = file
            .parent()
            .is_some_and(|folder| fs::create_dir_all(folder).is_ok());
        let written = folder_is_there
            && private()
                .open(&draft)
                .is_ok_and(|mut open| std::io::Write::write_all(&mut open, &bytes).is_ok());
        if !(written && fs::rename(&draft, file).is_ok()) {
            let _ = fs::remove_file(&draft);
        }
    }
}
