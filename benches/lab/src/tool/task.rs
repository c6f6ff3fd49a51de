//! A task: the goal, the plan as intents with their data, and the expected result.

use serde_json::{Map, Value};

use crate::error::{LabError, LabResult};

/// Steps of one plan.
const STEPS_MAX: usize = 100;
/// Tasks of one tool.
const TASKS_MAX: usize = 100;

/// One step of a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanStep {
    /// The intent.
    pub intent: String,
    /// Its data.
    pub data: Map<String, Value>,
}

/// A task.
#[derive(Clone, PartialEq, Debug)]
pub struct Task {
    /// Its name, unique in the tool.
    pub name: String,
    /// The goal, in words.
    pub wanted: String,
    /// How to go about it.
    pub plan: Vec<PlanStep>,
    /// The actions of an expert, when the folder has them.
    pub program: Vec<String>,
    /// The expected result, in the form of the tool's kind.
    pub expected: Value,
    /// Further data that the kind needs for the task.
    pub given: Value,
}

impl Task {
    /// Reads `tasks.json`.
    pub fn parse_all(json: &Value) -> LabResult<Vec<Self>> {
        let tasks = json.get("tasks").and_then(Value::as_array);
        let tasks = tasks.filter(|tasks| (1..=TASKS_MAX).contains(&tasks.len()));
        let tasks = tasks.ok_or_else(|| wrong("it has no list `tasks` of 1 to 100"))?;
        tasks.iter().map(Self::parse).collect()
    }

    fn parse(json: &Value) -> LabResult<Self> {
        let text = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").ok_or_else(|| wrong("a task has no `name`"))?;
        let plan = json.get("plan").and_then(Value::as_array);
        let plan = plan.filter(|plan| (1..=STEPS_MAX).contains(&plan.len()));
        let plan = plan.ok_or_else(|| wrong(format!("`{name}` has no plan of 1 to 100 steps")))?;
        let program = json.get("program").and_then(Value::as_array);
        let lines = program.into_iter().flatten();
        Ok(Self {
            wanted: text("wanted").unwrap_or_else(|| name.clone()),
            plan: plan
                .iter()
                .map(|step| PlanStep::parse(&name, step))
                .collect::<LabResult<_>>()?,
            program: lines
                .filter_map(|line| Some(line.as_str()?.to_owned()))
                .collect(),
            expected: json.get("expected").cloned().unwrap_or(Value::Null),
            given: json.get("given").cloned().unwrap_or(Value::Null),
            name,
        })
    }
}

impl PlanStep {
    fn parse(task: &str, json: &Value) -> LabResult<Self> {
        let mut data = json.as_object().cloned().unwrap_or_default();
        match data.remove("intent") {
            Some(Value::String(intent)) => Ok(Self { intent, data }),
            _ => Err(wrong(format!("a step of `{task}` has no `intent`"))),
        }
    }
}

fn wrong(what: impl std::fmt::Display) -> LabError {
    LabError::definition("tasks.json", what)
}
