//! A tool: a folder of definitions, from which one of the interpreters makes a world to act in.
//!
//! ```text
//! tool.json      name, kind, domain, docs, and what the interpreter of that kind needs
//! messages.json  what is said about errors, on three levels
//! habits.json    plausible ways to say each intent, right and wrong ones unmarked
//! tasks.json     tasks: what is wanted, the plan as intents with data, what must come out
//! data/          tables, maps, records
//! ```
//!
//! Nothing outside of the folder knows the tool: an unseen folder runs the same way.

mod built_in;
mod folder;
mod habits;
mod messages;
mod setting;
mod task;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::error::{LabError, LabResult};
use super::world::{Kind, World};
pub use folder::Files;
pub use habits::{Alternative, Habits};
pub use messages::{Level, Messages};
pub use setting::Setting;
pub use task::{PlanStep, Task};

/// A tool with its tasks.
#[derive(Clone, Debug)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The domain that it belongs to.
    pub domain: String,
    /// Its documentation, for runs that may read it.
    pub docs: String,
    /// The plausible forms.
    pub habits: Habits,
    /// Its tasks.
    pub tasks: Vec<Task>,
    kind: Kind,
    messages: Arc<Messages>,
    data: Arc<BTreeMap<String, String>>,
}

impl Tool {
    /// Reads a folder.
    pub fn read(folder: &Path) -> LabResult<Self> {
        Self::from_files(&folder::read(folder)?)
    }

    /// The tools that come with the program, by domain in the order in which they are learned.
    pub fn built_in() -> LabResult<Vec<Self>> {
        built_in::ALL
            .iter()
            .map(|files| Self::from_files(&built_in::files(files)))
            .collect()
    }

    /// Makes a tool from the texts of its files, by their names inside the folder.
    pub fn from_files(files: &Files) -> LabResult<Self> {
        let tool = folder::json(files, "tool.json")?;
        let text = |key: &str| {
            let text = tool
                .get(key)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty());
            text.ok_or_else(|| LabError::definition("tool.json", format!("`{key}` is missing")))
        };
        let data: BTreeMap<String, String> = files
            .iter()
            .filter_map(|(name, text)| Some((name.strip_prefix("data/")?.to_owned(), text.clone())))
            .collect();
        let kind = Kind::parse(text("kind")?, &tool, &data)?;
        let messages = Messages::parse(&folder::json(files, "messages.json")?, kind.error_kinds())?;
        let made = Self {
            name: text("name")?.to_owned(),
            domain: text("domain")?.to_owned(),
            docs: text("docs")?.to_owned(),
            habits: Habits::parse(&folder::json(files, "habits.json")?)?,
            tasks: Task::parse_all(&folder::json(files, "tasks.json")?)?,
            kind,
            messages: Arc::new(messages),
            data: Arc::new(data),
        };
        made.checked()
    }

    /// A fresh world with the task before it; `seed` decides its chance.
    pub fn world(&self, task: &Task, level: Level, seed: u64) -> Box<dyn World> {
        let setting = Setting {
            messages: self.messages.clone(),
            level,
            data: self.data.clone(),
            task: task.clone(),
            seed,
        };
        self.kind.world(setting)
    }

    /// Whether a hook that watches runs with it knows the steps of the plan; around a shell it sees bare commands.
    pub fn tells_plan(&self) -> bool {
        self.kind.tells_plan()
    }

    /// The task's own reference: the input of an expert of the tool.
    pub fn reference(&self, task: &Task) -> LabResult<Vec<String>> {
        if task.program.is_empty() {
            self.kind.reference(task)
        } else {
            Ok(task.program.clone())
        }
    }

    fn checked(self) -> LabResult<Self> {
        for task in &self.tasks {
            for step in &task.plan {
                let known = self
                    .kind
                    .intents(step)
                    .into_iter()
                    .all(|name| self.habits.knows(&name));
                if !known {
                    let what = format!("nothing is said about the intent `{}`", step.intent);
                    return Err(LabError::definition("habits.json", what));
                }
            }
            self.kind.check(task, &self.data)?;
        }
        Ok(self)
    }
}
