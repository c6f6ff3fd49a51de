//! Engines that stay loaded between commands, each as long as its file is the one that it was opened on.
//!
//! Between commands the log is written back into the file, so that copying the file copies the memory although a
//! process still has it open. A file that was replaced, or written over between calls, gets a new engine.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hindlore::Engine;
use hindlore_api::problem::Problem;
use hindlore_config::Settings;
use hindlore_embedded::EmbeddedStore;

/// Maximum engines; the one unused for longest makes room.
const ENGINES_MAX: usize = 4;
/// Settings that a request brings along, and that no engine depends on.
const OF_REQUESTS: [&str; 6] = [
    "store",
    "tenant",
    "learner",
    "scope",
    "as",
    "busy_timeout_ms",
];

/// Loaded engines, the one used last at the end.
#[derive(Default)]
pub(crate) struct Warm {
    engines: Mutex<Vec<Kept>>,
}

/// An opened file.
pub(crate) struct Opened {
    pub(crate) engine: Engine,
    pub(crate) store: Arc<EmbeddedStore>,
}

struct Kept {
    place: String,
    settings: String,
    opened: Opened,
    file: FileId,
    /// The state in which the last command left the file; absent while one works on it.
    left: Option<Stamp>,
}

/// Which file it is.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileId {
    device: u64,
    inode: u64,
}

/// When it was written last, and its size.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    seconds: i64,
    nanos: i64,
    size: u64,
}

impl Warm {
    /// The engine over a file, opened if there is none that is still right.
    pub(crate) fn engine(
        &self,
        place: &str,
        settings: &Settings,
        open: impl FnOnce() -> Result<Opened, Problem>,
    ) -> Result<Engine, Problem> {
        let settings = of_engines(settings);
        let now = look(place);
        let mut engines = self.lock();
        let gone: Vec<Kept> = engines
            .extract_if(.., |kept| kept.place == place && !kept.is_right(now))
            .collect();
        let at = engines
            .iter()
            .position(|kept| kept.place == place && kept.settings == settings);
        let kept = match at {
            Some(at) => engines.remove(at),
            None => {
                let opened = open()?;
                let (file, _) = look(place).ok_or_else(|| crate::place::missing(place))?;
                Kept {
                    place: place.to_owned(),
                    settings,
                    opened,
                    file,
                    left: None,
                }
            }
        };
        let engine = kept.opened.engine.clone();
        engines.push(Kept { left: None, ..kept });
        let crowded = engines.len().saturating_sub(ENGINES_MAX);
        let crowded: Vec<Kept> = engines.drain(..crowded).collect();
        drop(engines);
        close(gone.into_iter().chain(crowded).collect());
        Ok(engine)
    }

    /// Leaves the files as they are to be found: all in the file, nothing in its log. A file on which a call works by the
    /// end of it is not at rest.
    pub(super) async fn rest(&self, is_alone: impl Fn() -> bool) {
        let stores: Vec<(String, Arc<EmbeddedStore>)> = {
            let engines = self.lock();
            let used = engines.iter().filter(|kept| kept.left.is_none());
            used.map(|kept| (kept.place.clone(), kept.opened.store.clone()))
                .collect()
        };
        for (place, store) in stores {
            // Another process reads the log: its contents are safe there, too.
            let _ = store.write_back().await;
            let stamp = look(&place).map(|(_, stamp)| stamp);
            let mut engines = self.lock();
            if is_alone() {
                let same = engines.iter_mut().filter(|kept| kept.place == place);
                same.for_each(|kept| kept.left = stamp);
            }
        }
    }

    /// True if every file that was worked on is gone.
    pub(super) fn is_abandoned(&self) -> bool {
        let engines = self.lock();
        let is_gone = |kept: &Kept| look(&kept.place).is_none_or(|(file, _)| file != kept.file);
        !engines.is_empty() && engines.iter().all(is_gone)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.engines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn is_right(&self, now: Option<(FileId, Stamp)>) -> bool {
        now.is_some_and(|(file, stamp)| {
            file == self.file && self.left.is_none_or(|left| left == stamp)
        })
    }
}

/// Closing waits for the threads of the connections, so it happens on one of its own.
fn close(engines: Vec<Kept>) {
    if !engines.is_empty() {
        std::thread::spawn(move || drop(engines));
    }
}

fn look(place: &str) -> Option<(FileId, Stamp)> {
    let about: Metadata = fs::metadata(Path::new(place)).ok()?;
    let file = FileId {
        device: about.dev(),
        inode: about.ino(),
    };
    let stamp = Stamp {
        seconds: about.mtime(),
        nanos: about.mtime_nsec(),
        size: about.size(),
    };
    Some((file, stamp))
}

/// The settings that an engine depends on, with the time of the files that they name.
fn of_engines(settings: &Settings) -> String {
    let mut text = String::new();
    for (name, setting) in settings.shown() {
        if OF_REQUESTS.contains(&name) {
            continue;
        }
        text.push_str(&format!("{name}={}", setting.value));
        let file = setting
            .value
            .as_str()
            .filter(|path| Path::new(path).is_absolute());
        if let Some(about) = file.and_then(|path| fs::metadata(path).ok()) {
            text.push_str(&format!(" {}.{}", about.mtime(), about.mtime_nsec()));
        }
        text.push('\n');
    }
    text
}
