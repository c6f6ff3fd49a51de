//! Worlds: where actions meet a tool that answers for itself, in any domain.
//!
//! A world carries the plan of its task and names the next intent; its form is up to the agent. Four interpreters make
//! worlds from definitions: command languages over tables, machines on a grid, interfaces over HTTP, programs at a
//! shell. None of them knows a tool by name.

pub mod grid;
pub mod http;
pub mod shell;
pub mod table;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::error::{LabError, LabResult};
use super::feedback::{Feedback, Intent, Verdict};
use super::tool::{PlanStep, Setting, Task};

/// A task in progress.
pub trait World {
    /// The next intent of the plan; `None` when all of it is carried out.
    fn next(&self) -> Option<Intent>;
    /// The visible state, in one line.
    fn state(&self) -> String;
    /// Carries out an action and returns its feedback.
    fn act(&mut self, action: &str) -> Feedback;
    /// The state of the task.
    fn verdict(&self) -> Verdict;
}

/// The interpreter of a tool, with the definitions that it needs.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A command language over tables.
    Table(Arc<table::Language>),
    /// A machine that moves on a grid.
    Grid(Arc<grid::Machine>),
    /// An interface over HTTP.
    Http(Arc<http::Api>),
    /// Programs at a shell.
    Shell(Arc<shell::Shell>),
}

impl Kind {
    /// Reads the part of `tool.json` for its kind.
    pub fn parse(name: &str, tool: &Value, data: &BTreeMap<String, String>) -> LabResult<Self> {
        match name {
            "command-language" => Ok(Self::Table(Arc::new(table::Language::parse(tool)?))),
            "grid-world" => Ok(Self::Grid(Arc::new(grid::Machine::parse(tool, data)?))),
            "http-api" => Ok(Self::Http(Arc::new(http::Api::parse(tool, data)?))),
            "shell" => Ok(Self::Shell(Arc::new(shell::Shell::parse(tool)?))),
            _ => Err(LabError::definition(
                "tool.json",
                format!(
                    "the kind `{name}` is none of command-language, grid-world, http-api, shell"
                ),
            )),
        }
    }

    /// Whether a hook around it knows the steps of the plan.
    pub fn tells_plan(&self) -> bool {
        !matches!(self, Self::Shell(_))
    }

    /// The errors that need a message.
    pub fn error_kinds(&self) -> &'static [&'static str] {
        match self {
            Self::Table(_) => table::ERRORS,
            Self::Grid(_) | Self::Shell(_) => &[],
            Self::Http(_) => http::ERRORS,
        }
    }

    /// The intents that a step of a plan can turn into.
    pub fn intents(&self, step: &PlanStep) -> Vec<String> {
        match self {
            Self::Table(_) | Self::Http(_) | Self::Shell(_) => vec![step.intent.clone()],
            Self::Grid(machine) => machine.intents(step),
        }
    }

    /// Checks that the expected result of a task is possible.
    pub fn check(&self, task: &Task, data: &BTreeMap<String, String>) -> LabResult<()> {
        match self {
            Self::Table(language) => language.check(task, data),
            Self::Grid(machine) => machine.check(task),
            Self::Http(api) => api.check(task),
            Self::Shell(shell) => shell.check(task),
        }
    }

    /// The actions of an expert of the tool.
    pub fn reference(&self, task: &Task) -> LabResult<Vec<String>> {
        match self {
            Self::Table(language) => task.plan.iter().map(|step| language.line(step)).collect(),
            Self::Grid(machine) => machine.reference(task),
            Self::Http(api) => task.plan.iter().map(|step| api.request(step)).collect(),
            Self::Shell(shell) => task.plan.iter().map(|step| shell.line(step)).collect(),
        }
    }

    /// A fresh world.
    pub fn world(&self, setting: Setting) -> Box<dyn World> {
        match self {
            Self::Table(language) => Box::new(table::TableWorld::new(language.clone(), setting)),
            Self::Grid(machine) => Box::new(grid::GridWorld::new(machine.clone(), setting)),
            Self::Http(api) => Box::new(http::HttpWorld::new(api.clone(), setting)),
            Self::Shell(shell) => Box::new(shell::ShellWorld::new(shell.clone(), setting)),
        }
    }
}
