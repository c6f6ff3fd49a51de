//! The changes of an install, so that an uninstall gives back every byte.
//!
//! In the data folder, under `installed/`, each changed file has a record (`NAME.json`: its path, the folders made for
//! it, and a digest of the written text) and a copy of its former state (`NAME.1.before`). A second install keeps the
//! first copy.
//! The record is saved before the file changes: after a crash in between, the digest does not match, and an uninstall takes
//! out our part instead of restoring.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::edit::Original;
use super::files::{missing_folders, remove, write_whole};
use hindlore_config::data_folder;

/// The records of all installs of this person.
#[derive(Debug)]
pub(crate) struct Records {
    folder: PathBuf,
}

/// The changes of an install in one file.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub(crate) struct Record {
    /// The file, with all links followed.
    file: PathBuf,
    /// Folders that installs made for it and for this record, the outermost first.
    folders: Vec<PathBuf>,
    /// The name of the copy; absent where there was no file.
    copy: Option<String>,
    /// Whether the copy has our part in it already.
    copy_has_ours: bool,
    /// Digest of the text that the last install wrote; absent once the file was changed between two installs.
    written: Option<String>,
}

/// A file that an install is about to change.
pub(crate) struct Change<'a> {
    /// The file, with all links followed.
    pub(crate) file: &'a Path,
    /// Its present text; absent if there is none.
    pub(crate) before: Option<&'a str>,
    /// Whether our part is in it already.
    pub(crate) has_ours: bool,
    /// Its new text.
    pub(crate) now: &'a str,
}

impl Records {
    /// Those in the data folder of this person.
    ///
    /// # Errors
    /// A data folder that is not known.
    pub(crate) fn of_this_person() -> io::Result<Self> {
        let folder = data_folder()
            .ok_or_else(|| io::Error::other("the data folder is not known: HOME is empty"))?;
        Ok(Self {
            folder: folder.join("installed"),
        })
    }

    /// The record of a file.
    ///
    /// # Errors
    /// Those of the file system; a record that cannot be read.
    pub(crate) fn find(&self, file: &Path) -> io::Result<Option<Record>> {
        match fs::read(self.place(file)) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The state of a file before the first install; unknown if the copy is gone.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn original(&self, record: &Record) -> io::Result<Original> {
        let Some(copy) = &record.copy else {
            return Ok(Original::Absent);
        };
        match fs::read_to_string(self.folder.join(copy)) {
            Ok(text) => Ok(Original::Text(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Original::Unknown),
            Err(error) => Err(error),
        }
    }

    /// Records a change before it is made. Returns the copy, if one was made now.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn add(&self, change: &Change<'_>) -> io::Result<Option<PathBuf>> {
        let known = self.find(change.file)?;
        let mut folders = missing_folders(change.file);
        folders.extend(missing_folders(&self.place(change.file)));
        if let Some(mut record) = known.clone().filter(|_| change.has_ours) {
            let was_left_alone = change.before.is_some_and(|text| record.wrote(text));
            record.written = was_left_alone.then(|| digest(change.now));
            record.folders.extend(folders);
            return self.save(&record).map(|()| None);
        }
        // A file with a record but without our part was restored by hand: its present text counts as its original.
        folders.splice(0..0, known.into_iter().flat_map(|record| record.folders));
        self.make_folder()?;
        let copy = change.before.map(|_| self.free_copy_name(change.file));
        let place = copy.as_ref().map(|name| self.folder.join(name));
        if let (Some(place), Some(before)) = (&place, change.before) {
            write_whole(place, before, change.file)?;
        }
        self.save(&Record {
            file: change.file.to_owned(),
            folders,
            copy,
            copy_has_ours: change.has_ours,
            written: Some(digest(change.now)),
        })?;
        Ok(place)
    }

    /// Forgets files, removes their copies, and the folders that installs made as far as they are empty.
    ///
    /// # Errors
    /// Those of the file system.
    pub(crate) fn forget(&self, gone: &[Record]) -> io::Result<()> {
        for record in gone {
            for place in self.copies(&record.file)? {
                remove(&place)?;
            }
            remove(&self.place(&record.file))?;
        }
        let mut folders: Vec<&PathBuf> = gone.iter().flat_map(|record| &record.folders).collect();
        folders.sort_unstable();
        folders.dedup();
        let in_use = folders
            .into_iter()
            .rev()
            .filter(|folder| fs::remove_dir(folder).is_err() && folder.exists());
        let in_use: Vec<PathBuf> = in_use.cloned().collect();
        self.hand_on(&in_use)
    }

    /// Hands folders that are still in use to the records of other files in them, so that the last uninstall removes them.
    fn hand_on(&self, in_use: &[PathBuf]) -> io::Result<()> {
        for entry in entries(&self.folder)? {
            if entry
                .extension()
                .is_none_or(|extension| extension != "json")
            {
                continue;
            }
            let Ok(mut record) = serde_json::from_slice::<Record>(&fs::read(&entry)?) else {
                continue;
            };
            let concerns = |folder: &&PathBuf| {
                record.file.starts_with(folder) || self.folder.starts_with(folder)
            };
            let more: Vec<_> = in_use.iter().filter(concerns).cloned().collect();
            if !more.is_empty() {
                record.folders.extend(more);
                self.save(&record)?;
            }
        }
        Ok(())
    }

    fn save(&self, record: &Record) -> io::Result<()> {
        self.make_folder()?;
        let text = serde_json::to_string_pretty(record)?;
        let place = self.place(&record.file);
        write_whole(&place, &text, &place)
    }

    /// Makes the folder, open to this person only: settings may hold keys.
    fn make_folder(&self) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        if let Some(above) = self.folder.parent() {
            builder.create(above)?;
        }
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder)
    }

    fn free_copy_name(&self, file: &Path) -> String {
        let name = name_of(file);
        let mut names = (1_u32..).map(|number| format!("{name}.{number}.before"));
        let free = names.find(|name| !self.folder.join(name).exists());
        free.unwrap_or(name)
    }

    fn copies(&self, file: &Path) -> io::Result<Vec<PathBuf>> {
        let name = format!("{}.", name_of(file));
        let is_copy = |place: &PathBuf| {
            let own = place.file_name().and_then(|own| own.to_str());
            own.is_some_and(|own| own.starts_with(&name) && own.ends_with(".before"))
        };
        Ok(entries(&self.folder)?.into_iter().filter(is_copy).collect())
    }

    fn place(&self, file: &Path) -> PathBuf {
        self.folder.join(format!("{}.json", name_of(file)))
    }
}

impl Record {
    /// Whether a text is the one that the last install wrote.
    pub(crate) fn wrote(&self, text: &str) -> bool {
        self.written.as_ref() == Some(&digest(text))
    }

    /// Whether the copy has our part in it, from an install that left no record here.
    pub(crate) fn copy_has_ours(&self) -> bool {
        self.copy_has_ours
    }
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The name of a file's record.
fn name_of(file: &Path) -> String {
    let mut name = digest(&file.to_string_lossy());
    name.truncate(16);
    name
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
