//! Orders of steps in one trajectory: reads before a change, tests after it.
//!
//! That it was done so once shows no more than that; many trajectories may show that it matters.

use super::role::{self, Role};
use super::step_action::StepAction;
use super::{Insight, quoted};
use crate::playbook::Category;

/// Minimum reads or searches before the first change for a sentence in the plural.
const SEVERAL: usize = 3;

/// An order: the earlier step, the later step, and its wording.
struct Order {
    first: Role,
    then: Role,
    said: fn(&str, &str) -> String,
}

const ORDERS: &[Order] = &[
    Order {
        first: Role::List,
        then: Role::Read,
        said: |first, then| format!("Listed with {first} before reading with {then}."),
    },
    Order {
        first: Role::Search,
        then: Role::Read,
        said: |first, then| format!("Searched with {first} before reading with {then}."),
    },
    Order {
        first: Role::Read,
        then: Role::Write,
        said: |first, then| format!("Read with {first} before changing with {then}."),
    },
    Order {
        first: Role::Write,
        then: Role::Test,
        said: |first, then| format!("Tested with {then} after changing with {first}."),
    },
    Order {
        first: Role::Install,
        then: Role::Test,
        said: |first, then| format!("Installed with {first} before testing with {then}."),
    },
    Order {
        first: Role::Status,
        then: Role::Record,
        said: |first, then| format!("Looked at {first} before {then}."),
    },
];

/// The orders that the actions show; only steps that worked count.
pub(super) fn insights(actions: &[StepAction<'_>]) -> Vec<Insight> {
    let roles: Vec<Role> = actions.iter().map(role::of).collect();
    let worked = |at: usize, role: Role| roles[at] == role && !actions[at].failed();
    let mut found = Vec::new();
    for order in ORDERS {
        let first = (0..actions.len()).find(|at| worked(*at, order.first));
        let then =
            first.and_then(|first| (first + 1..actions.len()).find(|at| worked(*at, order.then)));
        if let (Some(first), Some(then)) = (first, then) {
            let names = [first, then].map(|at| quoted(&actions[at].name));
            found.push(Insight {
                category: Category::Neutral,
                pattern: (order.said)(&names[0], &names[1]),
                context: String::new(),
                steps: vec![actions[first].step.number, actions[then].step.number],
            });
        }
    }
    found.extend(several(actions, &roles));
    found
}

/// Several looks before the first change, or several looks and no change at all.
fn several(actions: &[StepAction<'_>], roles: &[Role]) -> Option<Insight> {
    let change = roles.iter().position(|role| *role == Role::Write);
    let looks: Vec<u32> = (0..change.unwrap_or(actions.len()))
        .filter(|at| matches!(roles[*at], Role::Read | Role::Search) && !actions[*at].failed())
        .map(|at| actions[at].step.number)
        .collect();
    let pattern = match change {
        Some(_) => "Looked at several places before the first change.",
        None => "Looked at several places and changed nothing.",
    };
    (looks.len() >= SEVERAL).then(|| Insight {
        category: Category::Neutral,
        pattern: pattern.to_owned(),
        context: String::new(),
        steps: looks,
    })
}
