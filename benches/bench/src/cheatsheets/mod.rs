//! `hindlore-bench cheatsheets`: the rest of the entries ever written, when a model rewrites its notes at every step,
//! and when the same notes grow and are refined.
//!
//! A run is a row of cheatsheets, each rewritten from the one before it. The engine is given the entries of the same
//! sheets, one delta a step, and drops nothing by itself. Both are compared with all entries that ever occurred in a
//! sheet, with one measure. Growing notes cost room, so the report lists sizes, too.

mod sheet;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

pub use sheet::{Entry, entries};

use super::Progress;
use super::curve::Curve;
use super::data;
use super::error::EvalError;
use super::interval::Estimate;
use super::learner::Learner;
use super::report::{Goal, Ratio, Report, Row};
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::NewBullet;
use hindlore_domain::memory::policy::Policy;

/// An entry is kept where a text holds this share of its words.
const KEPT: f64 = 0.9;
/// Points of a curve; each compares all entries with all.
const CURVE_POINTS: usize = 10;
const FORM: &str = "each line is {\"run\", \"step\", \"cheatsheet\"}, with entries in <memory_item> \
                    (github.com/suzgunmirac/dynamic-cheatsheet)";

/// A sheet of a run.
#[derive(Debug, Deserialize)]
struct Line {
    run: String,
    step: u64,
    cheatsheet: String,
}

/// The sheets of one run, in order.
pub struct Run {
    /// Its name.
    pub name: String,
    /// The entries of each sheet.
    pub sheets: Vec<Vec<Entry>>,
}

/// Measures the runs under a folder.
pub fn cheatsheets(folder: &Path, progress: Progress<'_>) -> Result<Report, EvalError> {
    let runs = read_runs(folder)?;
    let mut report = Report::new("cheatsheets");
    for run in &runs {
        progress(&format!("{}: {} sheets", run.name, run.sheets.len()));
        measure(run, &mut report)?;
    }
    Ok(report)
}

/// Reads every file of the known form in a folder or in the folders in it, or a single file.
pub fn read_runs(folder: &Path) -> Result<Vec<Run>, EvalError> {
    let mut runs: BTreeMap<String, BTreeMap<u64, Vec<Entry>>> = BTreeMap::new();
    for file in data::files(folder)? {
        let is_known = data::first_of_file(&file)?
            .is_some_and(|first| first.contains_key("run") && first.contains_key("cheatsheet"));
        if !is_known {
            continue;
        }
        for line in data::of_file::<Line>(&file)? {
            let sheets = runs.entry(line.run).or_default();
            sheets.insert(line.step, entries(&line.cheatsheet));
        }
    }
    let runs: Vec<Run> = runs
        .into_iter()
        .map(|(name, sheets)| Run {
            name,
            sheets: sheets.into_values().collect(),
        })
        .filter(|run| run.sheets.iter().any(|sheet| !sheet.is_empty()))
        .collect();
    if runs.is_empty() {
        let message = format!("`{}` holds no cheatsheets with entries", folder.display());
        Err(EvalError::new(message, FORM))
    } else {
        Ok(runs)
    }
}

/// The contents of one method at a moment.
struct Held {
    entries: Vec<Entry>,
}

fn measure(run: &Run, report: &mut Report) -> Result<(), EvalError> {
    let mut learner = Learner::new(&run.name)?;
    let mut ever: Vec<Entry> = Vec::new();
    let mut rewritten: Vec<Entry> = Vec::new();
    let title = "Entries ever written that are still there";
    let name = run.name.replace('/', "-").to_lowercase();
    let mut curve = Curve::new(&format!("kept-{name}"), title, "step", "share kept");
    let stride = run.sheets.len().div_ceil(CURVE_POINTS).max(1);
    for (step, sheet) in run.sheets.iter().enumerate() {
        let is_new = |entry: &&Entry| !ever.iter().any(|known| known.text == entry.text);
        let new: Vec<Entry> = sheet.iter().filter(is_new).cloned().collect();
        ever.extend(new);
        learner.learn(sheet.iter().map(bullet).collect())?;
        rewritten.clone_from(sheet);
        if step % stride == 0 || step + 1 == run.sheets.len() {
            let share = |held: &Held| mean_of(&held.kept(&ever));
            curve.add("rewriting", step as f64, share(&Held::of(&rewritten)));
            curve.add("grow and refine", step as f64, share(&Held::by(&learner)));
        }
    }
    report.curves.push(curve);
    let (ours, theirs) = (Held::by(&learner), Held::of(&rewritten));
    rows(&run.name, &ever, (&ours, &theirs), report);
    let name = format!("{} entries lost a step, rewriting", run.name);
    report.push(Row::measured(name, lost_a_step(&run.sheets), "entries"));
    Ok(())
}

impl Held {
    fn of(entries: &[Entry]) -> Self {
        let entries = entries.to_vec();
        Self { entries }
    }

    fn by(learner: &Learner) -> Self {
        let entry = |bullet: Bullet| Entry::new(bullet.content.as_str());
        Self {
            entries: learner.active().map(entry).collect(),
        }
    }

    /// For each entry the share of its words that the text nearest to it holds.
    fn words_kept(&self, ever: &[Entry]) -> Vec<f64> {
        let best = |entry: &Entry| {
            let shares = self.entries.iter().map(|held| entry.held_by(held));
            shares.fold(0.0, f64::max)
        };
        ever.iter().map(best).collect()
    }

    fn kept(&self, ever: &[Entry]) -> Vec<f64> {
        let words = self.words_kept(ever);
        words
            .into_iter()
            .map(|share| f64::from(u8::from(share >= KEPT)))
            .collect()
    }

    fn chars(&self) -> f64 {
        let chars = self.entries.iter().map(|entry| entry.text.chars().count());
        chars.sum::<usize>() as f64
    }

    /// Pairs that the refine pass would call near-duplicates by their words alone, guard or not.
    fn near_duplicates(&self) -> f64 {
        let threshold = Policy::default().dedup_threshold;
        let mut pairs = 0_u32;
        for (at, a) in self.entries.iter().enumerate() {
            let near = self.entries[..at]
                .iter()
                .filter(|b| a.similarity(b) > threshold);
            pairs += near.count() as u32;
        }
        f64::from(pairs)
    }
}

fn rows(run: &str, ever: &[Entry], held: (&Held, &Held), report: &mut Report) {
    let (ours, theirs) = held;
    let size = ever.len() as u64;
    let kept = Estimate::of(&ours.kept(ever));
    report.push(
        Row::measured(
            format!("{run} entries kept, grow and refine"),
            kept.mean,
            "share",
        )
        .of_size(size)
        .within(kept.low, kept.high)
        .beside(
            "rewriting",
            mean_of(&theirs.kept(ever)),
            Ratio::OursToTheirs,
        )
        .with_note(format!(
            "of all entries that ever stood in a sheet; kept: one text holds {KEPT} of the words"
        ))
        .with_goal(Goal::RatioAtLeast(1.0)),
    );
    let words = Estimate::of(&ours.words_kept(ever));
    let beside = mean_of(&theirs.words_kept(ever));
    report.push(
        Row::measured(
            format!("{run} words kept, grow and refine"),
            words.mean,
            "share",
        )
        .of_size(size)
        .within(words.low, words.high)
        .beside("rewriting", beside, Ratio::OursToTheirs),
    );
    for (name, ours, theirs, unit) in [
        (
            "entries",
            ours.entries.len() as f64,
            theirs.entries.len() as f64,
            "entries",
        ),
        ("size", ours.chars(), theirs.chars(), "chars"),
        (
            "near-duplicates",
            ours.near_duplicates(),
            theirs.near_duplicates(),
            "pairs",
        ),
    ] {
        let name = format!("{run} {name} at the end, grow and refine");
        let row = Row::measured(name, ours, unit).of_size(size);
        report.push(row.beside("rewriting", theirs, Ratio::OursToTheirs));
    }
}

/// How many entries a step of rewriting loses on average.
fn lost_a_step(sheets: &[Vec<Entry>]) -> f64 {
    let lost = sheets.windows(2).map(|pair| {
        let kept: f64 = Held::of(&pair[1]).kept(&pair[0]).iter().sum();
        pair[0].len() as f64 - kept
    });
    lost.sum::<f64>() / (sheets.len().saturating_sub(1).max(1)) as f64
}

fn bullet(entry: &Entry) -> NewBullet {
    NewBullet {
        content: entry.text.clone(),
        ..NewBullet::default()
    }
}

/// The mean; of nothing nothing is lost.
fn mean_of(values: &[f64]) -> f64 {
    if values.is_empty() {
        1.0
    } else {
        super::interval::mean(values)
    }
}
