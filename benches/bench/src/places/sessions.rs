//! Row 8: `learn` of long sessions of a coding agent. The memory that it takes does not grow with the session, and a
//! megabyte of a long one costs as much as a megabyte of a short one.

use super::child::{self, Memory, Spent};
use super::user::remove_store;
use super::{Run, failed, session, within_limit};
use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};

const PEAK_MAX_MB: f64 = 150.0;
/// How many times the CPU of a megabyte of the shortest session one of another may take.
const GROWTH_MAX: f64 = 1.2;
/// From this many megabytes on one round has to do.
const ONE_ROUND_FROM: u64 = 500;

/// A session and the calls that learned from it.
struct Learned {
    megabytes: u64,
    spent: Vec<Spent>,
}

/// Measures each size in turns.
pub(super) fn rows(run: &Run<'_>, report: &mut Report) -> Result<(), EvalError> {
    let sizes = match (run.plan.megabytes.as_slice(), run.plan.quick) {
        ([], true) => vec![1, 2],
        ([], false) => vec![10, 100],
        (given, _) => given.to_vec(),
    };
    let mut all: Vec<Learned> = Vec::new();
    for megabytes in sizes {
        run.say(&format!("row 8: a session of {megabytes} MB is written"));
        let path = run.user.home.join(format!("session-{megabytes}.jsonl"));
        session::write(&path, megabytes * 1_000_000).map_err(failed)?;
        let spent = Vec::new();
        all.push(Learned { megabytes, spent });
    }
    for round in 0..run.often(3, 1) {
        for learned in &mut all {
            let megabytes = learned.megabytes;
            if round > 0 && megabytes >= ONE_ROUND_FROM {
                continue;
            }
            run.say(&format!(
                "row 8: learning from {megabytes} MB, round {}",
                round + 1
            ));
            let path = run.user.home.join(format!("session-{megabytes}.jsonl"));
            let store = run.user.home.join("learned.db");
            remove_store(&store);
            let mut learn = run
                .user
                .command(&store, &["learn", &path.to_string_lossy()]);
            learned
                .spent
                .push(child::run(&mut learn, Memory::Watched, &[])?);
        }
    }
    let each =
        |learned: &Learned| Spent::median(&learned.spent, |it| it.cpu) / learned.megabytes as f64;
    for (at, learned) in all.iter().enumerate() {
        let peak = Spent::median(&learned.spent, |it| it.peak);
        let name = format!("8 peak memory of `learn`, {} MB", learned.megabytes);
        report.push(within_limit(Row::measured(name, peak, "MB"), PEAK_MAX_MB));
        if at > 0 {
            let name = format!("8 CPU of `learn`, a megabyte of {}", learned.megabytes);
            let peer = format!("a megabyte of {}", all[0].megabytes);
            let row = Row::measured(name, each(learned), "s");
            let row = row.beside(peer, each(&all[0]), Ratio::OursToTheirs);
            report.push(row.with_goal(Goal::RatioAtMost(GROWTH_MAX)));
        }
    }
    Ok(())
}
