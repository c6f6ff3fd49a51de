//! Calls that could not be written to the store: they wait next to it, one small file each.
//!
//! A call writes its file before it goes to the store and removes it afterwards, so that neither a locked store nor a
//! signal loses it. Each file's id makes it count once, for any number of readers.
//! Folder and files are private to the user, and bounded.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::place;
use hindlore_config::{Links, Settings, data_folder, read_regular_file};
use hindlore_primitives::identity::hex;

/// Maximum waiting calls.
const WAITING_MAX: usize = 500;
/// Maximum file size in bytes.
const BYTES_MAX: u64 = 1 << 20;
/// Age from which an unreadable file counts as broken, not as being written.
const BROKEN_AFTER: Duration = Duration::from_secs(60);
/// Attempts to create the folder while others remove it.
const TRIES: usize = 5;
/// Suffix to the name of a store.
const FOLDER: &str = "-waiting";
const ENDING: &str = "json";

/// The waiting calls of one store.
pub(crate) struct Spool {
    folder: PathBuf,
}

/// Owner of a waiting call, part of every file.
#[derive(Deserialize)]
struct Whose {
    tenant: String,
    learner: String,
}

/// A waiting call.
pub(crate) struct Waiting<T> {
    /// Its file.
    pub(crate) file: PathBuf,
    /// Its contents.
    pub(crate) said: T,
}

impl Spool {
    /// The spool of the configured store; absent if there is no place for one.
    pub(crate) fn from_settings(settings: &Settings) -> Option<Self> {
        let store = settings
            .text("store")
            .map(str::trim)
            .filter(|store| !store.is_empty())?;
        let folder = if place::is_server(store).ok()? {
            // A server has no folder on this machine, so the name is derived from its address.
            let name = hex(&Sha256::digest(store));
            data_folder()?.join(format!("server-{}{FOLDER}", &name[..16]))
        } else {
            PathBuf::from(format!("{store}{FOLDER}"))
        };
        Some(Self { folder })
    }

    /// Writes a call to a file; returns its path.
    ///
    /// # Errors
    ///
    /// Those of the file system; `StorageFull` if too many calls wait.
    pub(crate) fn put(&self, id: &str, said: &impl Serialize) -> io::Result<PathBuf> {
        if self.files().len() >= WAITING_MAX {
            let full = format!("{WAITING_MAX} calls wait already");
            return Err(io::Error::new(io::ErrorKind::StorageFull, full));
        }
        for _ in 1..TRIES {
            match self.write(id, said) {
                // Another call removed the last file, and the folder with it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                written => return written,
            }
        }
        self.write(id, said)
    }

    fn write(&self, id: &str, said: &impl Serialize) -> io::Result<PathBuf> {
        self.make()?;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let millis = since.unwrap_or_default().as_millis();
        let file = self.folder.join(format!("{millis:015}-{id}.{ENDING}"));
        let draft = file.with_extension("draft");
        let written = private().open(&draft).and_then(|mut draft| {
            let bytes = serde_json::to_vec(said)?;
            if bytes.len() as u64 > BYTES_MAX {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            draft.write_all(&bytes)
        });
        match written.and_then(|()| fs::rename(&draft, &file)) {
            Ok(()) => Ok(file),
            Err(error) => {
                let _ = fs::remove_file(&draft);
                Err(error)
            }
        }
    }

    /// Reads the calls that waited for at least `age`, oldest first. Removes an unreadable file once it is
    /// too old to be in progress; the second list names those.
    pub(crate) fn waiting<T: DeserializeOwned>(
        &self,
        age: Duration,
    ) -> (Vec<Waiting<T>>, Vec<PathBuf>) {
        let (mut waiting, mut broken) = (Vec::new(), Vec::new());
        for file in self.files() {
            let old = age_of(&file);
            if old < age {
                continue;
            }
            match read(&file) {
                Ok(said) => waiting.push(Waiting { file, said }),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) if old >= BROKEN_AFTER => {
                    remove(&file);
                    broken.push(file);
                }
                Err(_) => {}
            }
        }
        (waiting, broken)
    }

    /// Removes a learner's waiting calls; returns how many.
    pub(crate) fn forget(&self, tenant: &str, learner: &str) -> usize {
        let mut forgotten = 0;
        for file in self.files() {
            let is_theirs = |whose: Whose| whose.tenant == tenant && whose.learner == learner;
            if read(&file).is_ok_and(is_theirs) {
                remove(&file);
                forgotten += 1;
            }
        }
        forgotten
    }

    fn files(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut files: Vec<PathBuf> = files
            .filter(|file| file.extension().is_some_and(|ending| ending == ENDING))
            .take(WAITING_MAX)
            .collect();
        files.sort_unstable();
        files
    }

    fn make(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.folder) {
            Ok(found) if found.is_dir() => return Ok(()),
            // The user put a link there and decides where it leads.
            Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(_) => {}
        }
        let mut folder = DirBuilder::new();
        folder.recursive(self.folder.parent().is_none_or(|parent| !parent.exists()));
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        match folder.create(&self.folder) {
            // Another call was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }
}

/// Removes a call after it was taken in, and the folder with the last one.
pub(crate) fn remove(file: &Path) {
    // Another call may have removed it; a folder that is not empty stays.
    let _ = fs::remove_file(file);
    if let Some(folder) = file.parent() {
        let _ = fs::remove_dir(folder);
    }
}

/// Options to create a file that only its user may read.
pub(crate) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn age_of(file: &Path) -> Duration {
    let written = fs::metadata(file).and_then(|about| about.modified());
    let age = written.ok().and_then(|then| then.elapsed().ok());
    age.unwrap_or_default()
}

/// Reads a waiting call.
///
/// # Errors
///
/// Those of the file system; `InvalidData` for a file that holds none.
pub(crate) fn read<T: DeserializeOwned>(file: &Path) -> io::Result<T> {
    let bytes = read_regular_file(file, BYTES_MAX, Links::Refuse)?;
    Ok(serde_json::from_slice(&bytes)?)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn spool() -> (tempfile::TempDir, Spool) {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool {
            folder: folder.path().join("memory.db-waiting"),
        };
        (folder, spool)
    }

    fn call(learner: &str, n: usize) -> Value {
        json!({"tenant": "t", "learner": learner, "n": n})
    }

    #[test]
    fn what_waits_is_read_oldest_first_and_only_that_of_a_learner_is_forgotten() {
        let (_folder, spool) = spool();
        for n in 0..5 {
            let learner = ["a", "b"][n % 2];
            spool.put(&format!("call_{n}"), &call(learner, n)).unwrap();
        }
        let (waiting, broken) = spool.waiting::<Value>(Duration::ZERO);
        let numbers: Vec<_> = waiting.iter().map(|one| one.said["n"].as_u64()).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4].map(Some));
        assert!(broken.is_empty() && spool.waiting::<Value>(BROKEN_AFTER).0.is_empty());
        assert_eq!(spool.forget("t", "a"), 3);
        let (waiting, _) = spool.waiting::<Value>(Duration::ZERO);
        waiting.iter().for_each(|one| remove(&one.file));
        assert!(waiting.len() == 2 && !spool.folder.exists());
    }

    #[test]
    fn what_waits_is_bounded() {
        let (_folder, spool) = spool();
        for n in 0..WAITING_MAX {
            spool.put(&format!("call_{n}"), &call("a", n)).unwrap();
        }
        let full = spool.put("call_more", &call("a", 0)).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    }

    #[cfg(unix)]
    #[test]
    fn what_waits_is_the_users_alone_and_follows_no_link() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (folder, spool) = spool();
        let file = spool.put("call_1", &call("a", 1)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(&spool.folder)), (0o600, 0o700));
        remove(&file);
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, &spool.folder).unwrap();
        assert!(spool.put("call_2", &call("a", 2)).is_err());
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    }
}
