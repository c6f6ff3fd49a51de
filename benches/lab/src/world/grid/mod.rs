//! Machines on a grid: no exit codes and no error texts, only movements and their absence.
//!
//! A wrong word makes nothing happen, a wrong gait sticks, slips or runs too far, a wall stops. The position of the
//! machine shows the effect: constraint and progress are the only signals.

mod machine;
mod route;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::World;
use crate::feedback::{Feedback, Intent, Verdict};
use crate::tool::{PlanStep, Setting};
pub use machine::Machine;
use machine::{Effect, Order};
use route::{Cell, Direction, Map as Grid};

/// A task of a machine.
#[derive(Debug)]
pub(super) struct GridWorld {
    machine: Arc<Machine>,
    setting: Setting,
    grid: Grid,
    at: Cell,
    carried: BTreeSet<String>,
    opened: BTreeSet<String>,
    done: usize,
    way: usize,
}

impl GridWorld {
    /// A machine at its start.
    pub(super) fn new(machine: Arc<Machine>, setting: Setting) -> Self {
        let grid = machine.grid(&setting.task);
        let at = grid.start();
        let mut world = Self {
            machine,
            setting,
            grid,
            at,
            carried: BTreeSet::new(),
            opened: BTreeSet::new(),
            done: 0,
            way: 1,
        };
        world.way = world.whole_way();
        world.settle();
        world
    }

    /// The right action now; `None` when nothing is left or nothing leads there.
    pub(super) fn right_action(&self) -> Option<String> {
        let intent = self.next()?;
        let text = |name: &str| {
            intent
                .data
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        match intent.name.as_str() {
            "go" => {
                let terrain = self.machine.terrain_named(text("terrain"))?;
                let gait = terrain.gaits.first()?;
                let heading = self.machine.word_of(Direction::named(text("direction"))?)?;
                Some(self.machine.form(
                    "go",
                    &[
                        ("terrain", text("terrain")),
                        ("direction", heading),
                        ("gait", gait),
                    ],
                ))
            }
            name => Some(
                self.machine
                    .form(name, &[("thing", text("thing")), ("tool", text("tool"))]),
            ),
        }
    }

    fn step(&self) -> Option<&PlanStep> {
        self.setting.task.plan.get(self.done)
    }

    fn target(&self) -> Option<Cell> {
        let mark = self.step()?.data.get("mark")?.as_str()?.chars().next()?;
        self.grid.find(mark)
    }

    fn is_open(&self, cell: Cell) -> bool {
        match self.machine.thing_at(self.grid.sign(cell)) {
            Some(thing) if thing.blocks => self.opened.contains(&thing.name),
            _ => !self.machine.is_wall(self.grid.sign(cell)),
        }
    }

    fn distance(&self, target: Cell) -> Option<usize> {
        self.grid
            .distance(self.at, target, &|cell| self.is_open(cell))
    }

    /// All cells of the way from mark to mark, doors taken as open.
    fn whole_way(&self) -> usize {
        let mut from = self.at;
        let mut cells = 0;
        for step in &self.setting.task.plan {
            let mark = step
                .data
                .get("mark")
                .and_then(Value::as_str)
                .and_then(|mark| mark.chars().next());
            if let Some(to) = mark.and_then(|mark| self.grid.find(mark)) {
                let is_free = |cell: Cell| !self.machine.is_wall(self.grid.sign(cell));
                cells += self.grid.distance(from, to, &is_free).unwrap_or(0);
                from = to;
            }
        }
        cells.max(1)
    }

    /// Passes over plan steps that are reached.
    fn settle(&mut self) {
        while self.step().is_some_and(|step| step.intent == "reach")
            && self.target() == Some(self.at)
        {
            self.done += 1;
        }
    }

    fn go(&mut self, direction: Direction, terrain: &str, gait: &str) -> Feedback {
        let ahead = self.grid.neighbour(self.at, direction);
        let Some(cell) = ahead.filter(|cell| self.is_open(*cell)) else {
            return Feedback::broken("collision", 0.0);
        };
        let ground = self.machine.terrain_at(self.grid.sign(cell));
        if ground.name != terrain {
            return Feedback::broken("state_stall", 0.0);
        }
        if ground.gaits.iter().any(|right| right == gait) {
            return self.moved_to(cell, None);
        }
        let free = |cell: Option<Cell>| cell.filter(|cell| self.is_open(*cell));
        match ground.otherwise {
            Effect::Stall => Feedback::broken("state_stall", 0.0),
            Effect::Slip => match free(self.grid.neighbour(self.at, direction.back())) {
                Some(behind) => self.moved_to(behind, Some("goal_distance_increase")),
                None => Feedback::broken("collision", 0.0),
            },
            Effect::Overshoot => match free(self.grid.neighbour(cell, direction)) {
                Some(beyond) => self.moved_to(beyond, Some("constraint_failed")),
                None => Feedback::broken("collision", 0.0),
            },
        }
    }

    fn moved_to(&mut self, cell: Cell, broken: Option<&str>) -> Feedback {
        let distance = |world: &Self| world.target().and_then(|target| world.distance(target));
        let before = distance(self);
        self.at = cell;
        let gained = match (before, distance(self)) {
            (Some(before), Some(after)) => before as f64 - after as f64,
            _ => 0.0,
        };
        let progress = gained / self.way as f64;
        self.settle();
        match broken {
            Some(reason) => Feedback::broken(reason, progress),
            None => Feedback::done(progress, self.state()),
        }
    }

    /// Opens or takes the thing that the plan names, with the right tool and within reach.
    fn handle(&mut self, order: &Order) -> Feedback {
        let Order::Handle { name, thing, tool } = order else {
            return Feedback::broken("no_progress", 0.0);
        };
        let Some(definition) = self.machine.thing_named(thing) else {
            return Feedback::broken("no_progress", 0.0);
        };
        let is_near = self
            .grid
            .find(definition.sign)
            .is_some_and(|cell| self.grid.touches(self.at, cell));
        let has_tool = definition.tool.as_ref().is_none_or(|needed| needed == tool);
        if definition.intent != *name || !is_near || !has_tool {
            return Feedback::broken("state_stall", 0.0);
        }
        let set = if definition.blocks {
            &mut self.opened
        } else {
            &mut self.carried
        };
        set.insert(thing.clone());
        let is_wanted = self.step().is_some_and(|step| {
            step.intent == *name && step.data.get("thing").and_then(Value::as_str) == Some(thing)
        });
        self.done += usize::from(is_wanted);
        self.settle();
        Feedback::done(0.0, self.state())
    }
}

impl World for GridWorld {
    fn next(&self) -> Option<Intent> {
        let step = self.step()?;
        if step.intent != "reach" {
            let mut data = step.data.clone();
            let tool = step
                .data
                .get("thing")
                .and_then(Value::as_str)
                .and_then(|thing| self.machine.thing_named(thing));
            if let Some(tool) = tool.and_then(|thing| thing.tool.clone()) {
                data.insert("tool".to_owned(), Value::from(tool));
            }
            return Some(Intent {
                name: step.intent.clone(),
                data,
            });
        }
        let direction = self
            .grid
            .first_step(self.at, self.target()?, &|cell| self.is_open(cell))?;
        let ahead = self.grid.neighbour(self.at, direction)?;
        let terrain = &self.machine.terrain_at(self.grid.sign(ahead)).name;
        let data = Map::from_iter([
            ("direction".to_owned(), Value::from(direction.name())),
            ("terrain".to_owned(), Value::from(terrain.as_str())),
        ]);
        Some(Intent {
            name: "go".to_owned(),
            data,
        })
    }

    fn state(&self) -> String {
        let mut state = format!("at row {} column {}", self.at.row, self.at.column);
        if let Some(intent) = self.next().filter(|intent| intent.name == "go") {
            let text = |name: &str| {
                intent
                    .data
                    .get(name)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            };
            state.push_str(&format!(
                ", ahead {} {}",
                text("direction"),
                text("terrain")
            ));
        }
        for (word, things) in [("carrying", &self.carried), ("opened", &self.opened)] {
            for thing in things {
                state.push_str(&format!(", {word} {thing}"));
            }
        }
        state
    }

    fn act(&mut self, action: &str) -> Feedback {
        match self.machine.order(action) {
            None => Feedback::broken("no_progress", 0.0),
            Some(Order::Go {
                direction,
                terrain,
                gait,
            }) => self.go(direction, &terrain, &gait),
            Some(order) => self.handle(&order),
        }
    }

    fn verdict(&self) -> Verdict {
        let plan = self.setting.task.plan.len();
        let expected = &self.setting.task.expected;
        let at = expected
            .get("at")
            .and_then(Value::as_str)
            .and_then(|mark| mark.chars().next());
        let is_there = at.is_none_or(|mark| self.grid.find(mark) == Some(self.at));
        Verdict {
            passed: self.done == plan && is_there,
            score: self.done as f64 / plan.max(1) as f64,
        }
    }
}
