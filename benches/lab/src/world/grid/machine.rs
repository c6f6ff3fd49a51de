//! The definition of a machine: the words that it takes, the grounds that it moves on, the things it handles.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::GridWorld;
use super::route::{Direction, Map as Grid};
use crate::error::{LabError, LabResult};
use crate::tokens::tokens;
use crate::tool::{Level, Messages, PlanStep, Setting, Task};
use crate::world::World;

/// Actions that a reference may need for each step of a plan.
const WAY_MAX: usize = 1000;

/// The effect of a wrong gait on a ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Stall,
    Slip,
    Overshoot,
}

/// A ground.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Terrain {
    pub(super) sign: char,
    pub(super) name: String,
    pub(super) gaits: Vec<String>,
    pub(super) otherwise: Effect,
}

/// Something to open or to take.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Thing {
    pub(super) sign: char,
    pub(super) name: String,
    pub(super) intent: String,
    pub(super) tool: Option<String>,
    pub(super) blocks: bool,
}

/// The meaning of an action to the machine.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order {
    Go {
        direction: Direction,
        terrain: String,
        gait: String,
    },
    Handle {
        name: String,
        thing: String,
        tool: String,
    },
}

/// A machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    forms: BTreeMap<String, String>,
    directions: BTreeMap<Direction, String>,
    terrains: Vec<Terrain>,
    things: Vec<Thing>,
    orders: BTreeMap<String, Order>,
    maps: BTreeMap<String, Grid>,
}

impl Machine {
    /// Reads the key `machine` of `tool.json`; its first ground is that of cells with a mark.
    pub(crate) fn parse(tool: &Value, data: &BTreeMap<String, String>) -> LabResult<Self> {
        let machine = tool
            .get("machine")
            .ok_or_else(|| wrong("`machine` is missing"))?;
        let list = |key: &str| {
            machine
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default()
        };
        let texts = |key: &str| -> BTreeMap<String, String> {
            let map = machine
                .get(key)
                .and_then(Value::as_object)
                .into_iter()
                .flatten();
            map.filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned())))
                .collect()
        };
        let words = texts("directions");
        let directions = Direction::ALL
            .into_iter()
            .filter_map(|direction| Some((direction, words.get(direction.name())?.clone())));
        let mut made = Self {
            forms: texts("forms"),
            directions: directions.collect(),
            terrains: list("terrains")
                .iter()
                .map(terrain)
                .collect::<LabResult<_>>()?,
            things: list("things").iter().map(thing).collect::<LabResult<_>>()?,
            orders: BTreeMap::new(),
            maps: data
                .iter()
                .map(|(name, text)| (name.clone(), Grid::read(text)))
                .collect(),
        };
        if made.terrains.is_empty() || made.directions.len() < 4 || !made.forms.contains_key("go") {
            return Err(wrong(
                "a machine needs terrains, four directions and a form for `go`",
            ));
        }
        made.orders = made.all_orders();
        Ok(made)
    }

    /// Writes an order in the machine's form.
    pub(super) fn form(&self, intent: &str, values: &[(&str, &str)]) -> String {
        let mut text = self.forms.get(intent).cloned().unwrap_or_default();
        for (name, value) in values {
            text = text.replace(&format!("<{name}>"), value);
        }
        text
    }

    /// The meaning of an action, if any.
    pub(super) fn order(&self, action: &str) -> Option<Order> {
        self.orders.get(&key(action)).cloned()
    }

    fn all_orders(&self) -> BTreeMap<String, Order> {
        let mut orders = BTreeMap::new();
        let gaits: BTreeSet<&String> = self
            .terrains
            .iter()
            .flat_map(|terrain| &terrain.gaits)
            .collect();
        for (direction, word) in &self.directions {
            for terrain in &self.terrains {
                for gait in &gaits {
                    let values = [
                        ("terrain", terrain.name.as_str()),
                        ("direction", word),
                        ("gait", gait),
                    ];
                    let order = Order::Go {
                        direction: *direction,
                        terrain: terrain.name.clone(),
                        gait: (*gait).clone(),
                    };
                    orders.insert(key(&self.form("go", &values)), order);
                }
            }
        }
        let tools: BTreeSet<&str> = self
            .things
            .iter()
            .filter_map(|thing| thing.tool.as_deref())
            .chain([""])
            .collect();
        for thing in &self.things {
            for tool in &tools {
                let said = self.form(&thing.intent, &[("thing", &thing.name), ("tool", tool)]);
                let (name, thing, tool) =
                    (thing.intent.clone(), thing.name.clone(), (*tool).to_owned());
                orders.insert(key(&said), Order::Handle { name, thing, tool });
            }
        }
        orders
    }

    pub(super) fn word_of(&self, direction: Direction) -> Option<&str> {
        self.directions.get(&direction).map(String::as_str)
    }

    pub(super) fn is_wall(&self, sign: char) -> bool {
        sign == '#'
    }

    pub(super) fn thing_at(&self, sign: char) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.sign == sign)
    }

    pub(super) fn thing_named(&self, name: &str) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.name == name)
    }

    pub(super) fn terrain_named(&self, name: &str) -> Option<&Terrain> {
        self.terrains.iter().find(|terrain| terrain.name == name)
    }

    /// The ground below a sign; marks and things are on the first ground.
    pub(super) fn terrain_at(&self, sign: char) -> &Terrain {
        self.terrains
            .iter()
            .find(|terrain| terrain.sign == sign)
            .unwrap_or(&self.terrains[0])
    }

    /// The map that a task names.
    pub(super) fn grid(&self, task: &Task) -> Grid {
        let name = task
            .given
            .get("map")
            .and_then(Value::as_str)
            .unwrap_or_default();
        self.maps.get(name).cloned().unwrap_or_default()
    }

    /// The intents that a step of a plan can turn into.
    pub(crate) fn intents(&self, step: &PlanStep) -> Vec<String> {
        match step.intent.as_str() {
            "reach" => vec!["go".to_owned()],
            other => vec![other.to_owned()],
        }
    }

    /// The commands of an expert of the machine.
    pub(crate) fn reference(&self, task: &Task) -> LabResult<Vec<String>> {
        let setting = Setting {
            messages: Messages::default().into(),
            level: Level::Cryptic,
            data: BTreeMap::new().into(),
            task: task.clone(),
            seed: 0,
        };
        let mut world = GridWorld::new(self.clone().into(), setting);
        let mut program = Vec::new();
        while let Some(action) = world.right_action().filter(|_| program.len() < WAY_MAX) {
            let feedback = world.act(&action);
            if feedback.is_failure() {
                return Err(unreachable(
                    task,
                    &format!("`{action}` ends with {}", feedback.text()),
                ));
            }
            program.push(action);
        }
        if world.verdict().passed {
            Ok(program)
        } else {
            Err(unreachable(task, "no way leads to the goal"))
        }
    }

    /// Checks that a task can be done.
    pub(crate) fn check(&self, task: &Task) -> LabResult<()> {
        self.reference(task).map(|_| ())
    }
}

fn unreachable(task: &Task, why: &str) -> LabError {
    LabError::definition(
        "tasks.json",
        format!("`{}` cannot be done: {why}", task.name),
    )
}

/// An action without its blanks' lengths.
fn key(action: &str) -> String {
    let pieces = tokens(action);
    pieces
        .iter()
        .map(|token| token.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn terrain(json: &Value) -> LabResult<Terrain> {
    let gaits = json
        .get("gaits")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let gaits: Vec<String> = gaits
        .filter_map(|gait| Some(gait.as_str()?.to_owned()))
        .collect();
    let otherwise = match json.get("otherwise").and_then(Value::as_str) {
        Some("slip") => Effect::Slip,
        Some("overshoot") => Effect::Overshoot,
        _ => Effect::Stall,
    };
    match (sign(json), name(json), gaits.is_empty()) {
        (Some(sign), Some(name), false) => Ok(Terrain {
            sign,
            name,
            gaits,
            otherwise,
        }),
        _ => Err(wrong(format!(
            "`{json}` is no terrain with sign, name and gaits"
        ))),
    }
}

fn thing(json: &Value) -> LabResult<Thing> {
    let text = |key: &str| json.get(key).and_then(Value::as_str).map(str::to_owned);
    match (sign(json), name(json), text("intent")) {
        (Some(sign), Some(name), Some(intent)) => Ok(Thing {
            sign,
            name,
            intent,
            tool: text("tool"),
            blocks: json.get("blocks").and_then(Value::as_bool).unwrap_or(false),
        }),
        _ => Err(wrong(format!(
            "`{json}` is no thing with sign, name and intent"
        ))),
    }
}

fn sign(json: &Value) -> Option<char> {
    json.get("sign")?.as_str()?.chars().next()
}

fn name(json: &Value) -> Option<String> {
    Some(json.get("name")?.as_str()?.to_owned())
}

fn wrong(what: impl std::fmt::Display) -> LabError {
    LabError::definition("tool.json", what)
}
