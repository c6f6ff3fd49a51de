//! `hindlore-bench retrieval`: whether the texts that answer a question are found, on public sets with known
//! answers.
//!
//! Each dialogue or scenario becomes one memory. All profiles, plain word overlap and plain BM25 answer the same
//! questions in one run; a mean has its bootstrap interval over questions. The data are never part of this project:
//! their folder is an argument, and folders of the same form run as well.

mod abstention;
mod beam;
mod bfcl;
mod choices;
mod collection;
mod libraries;
mod locomo;
mod measures;
mod memories;
mod plain;
mod rule_files;
#[cfg(feature = "peers")]
mod tantivy;

use std::path::{Path, PathBuf};

pub use collection::{Collection, DataSet, Question};
pub use measures::Measures;
pub use memories::MemoryOf;
pub use plain::{Bm25, Jaccard};

use super::Progress;
use super::error::EvalError;
use super::interval::Estimate;
use super::peer::Peers;
use super::report::{Goal, Ratio, Report, Row};
use abstention::Abstention;
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::policy::{Policy, Profile};

/// Sets that are looked for, in the folder itself and one below.
const SETS: &[(Finder, Reader)] = &[(locomo::is_in, locomo::read), (bfcl::is_in, bfcl::read)];

type Finder = fn(&Path) -> bool;
type Reader = fn(&Path) -> Result<DataSet, EvalError>;
/// A figure of a ranking's measures.
type Figure = fn(&Measures) -> f64;

const FIGURES: [(&str, Figure); 5] = [
    ("recall@5", |of| of.recall_5),
    ("one of 3", |of| of.found_3),
    ("recall@10", |of| of.recall_10),
    ("nDCG@10", |of| of.ndcg_10),
    ("P@1", |of| of.precision_1),
];
const PROFILES: [Profile; 3] = [Profile::Original, Profile::ClBench, Profile::Engine];
/// The engine profile where an agent's words count as much as a person's.
const EVEN: &str = "engine, speakers alike";
/// The goal of a method: set, figure, method, limit.
const GOALS: [(&str, &str, &str, f64); 12] = [
    ("locomo", "recall@5", "engine", 0.61),
    ("bfcl", "P@1", "engine", 0.78),
    ("beam-100K", "recall@5", EVEN, 0.38),
    ("beam-500K", "recall@5", EVEN, 0.30),
    ("beam-100K", "recall@5", "engine", 0.50),
    ("beam-500K", "recall@5", "engine", 0.48),
    ("beam-100K", "P@1", "engine", 0.42),
    ("beam-500K", "P@1", "engine", 0.35),
    ("rules", "one of 3", "engine", 0.75),
    ("rules behind 25 words", "one of 3", "engine", 0.75),
    ("rules behind 70 words", "one of 3", "engine", 0.75),
    ("rules behind 150 words", "one of 3", "engine", 0.75),
];
/// Methods that rank by BM25 alone; the best of them on a figure is the one to compare with.
const PLAIN: [&str; 4] = ["bm25", "bm25s", "bm25s, k1 0.8, b 0.4", "tantivy"];
/// How far the engine profile may fall below plain BM25, as the lower end of an interval.
const BEHIND_MAX: f64 = 0.01;

/// The options of a run in addition to the profiles.
#[derive(Clone, Debug, Default)]
pub struct RetrievalOptions {
    /// A copy of the repository of BEAM.
    pub beam: Option<PathBuf>,
    /// Also varies the choices made by measurement, for the pictures; takes some minutes.
    pub choices: bool,
    /// Other search libraries that answer the same questions, if they are to be asked.
    pub peers: Option<Peers>,
}

/// The rankings of one method for every question of a set.
#[derive(Debug)]
struct Method {
    name: &'static str,
    measures: Vec<Measures>,
}

/// Measures retrieval on the sets under a folder.
pub fn retrieval(
    folder: &Path,
    options: RetrievalOptions,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let mut report = Report::new("retrieval");
    let mut sets = read_sets(folder)?;
    sets.extend(rule_files::read()?);
    if let Some(folder) = &options.beam {
        sets.extend(beam::read(folder)?);
    }
    let mut by_set = Vec::new();
    for set in &sets {
        progress(&format!("{}: {} questions", set.name, set.questions()));
        let mut memories = memories_of(set)?;
        let mut methods = ask(set, &memories);
        let libraries = options
            .peers
            .iter()
            .flat_map(|peers| libraries::ask(set, peers));
        for (name, answer) in libraries {
            match answer {
                Ok(method) => methods.push(method),
                Err(why) => {
                    let row = Row::missing(format!("{} {name}", set.name), "share", &why);
                    report.push(row.beside_absent(name, why));
                }
            }
        }
        rows(set, &methods, &mut report);
        if matches!(set.name, "locomo" | "bfcl") {
            progress(&format!("{}: questions without an answer", set.name));
            Abstention::of(set, &mut memories).report(set, Policy::default().floor, &mut report);
        }
        by_set.push(memories);
    }
    if options.choices {
        for (set, memories) in sets.iter().zip(&mut by_set) {
            progress(&format!("{}: what was chosen by measurement", set.name));
            choices::report(set, memories, &mut report);
        }
    }
    Ok(report)
}

/// Reads every known set in a folder or in the folders in it.
pub fn read_sets(folder: &Path) -> Result<Vec<DataSet>, EvalError> {
    let mut places = vec![folder.to_path_buf()];
    let inside = std::fs::read_dir(folder).map_err(|error| {
        let message = format!("`{}` cannot be read: {error}", folder.display());
        EvalError::new(message, "name a folder with --data")
    })?;
    let mut below: Vec<PathBuf> = inside
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    below.sort();
    places.append(&mut below);
    let mut sets = Vec::new();
    for place in &places {
        for (is_in, read) in SETS {
            if is_in(place) {
                sets.push(read(place)?);
            }
        }
    }
    if sets.iter().all(|set| set.questions() == 0) {
        let message = format!("`{}` holds no questions of a known set", folder.display());
        return Err(EvalError::new(
            message,
            "LoCoMo is locomo.jsonl.gz (github.com/snap-research/locomo); BFCL memory is \
             conversations.jsonl.gz and questions.jsonl.gz (github.com/ShishirPatil/gorilla)",
        ));
    }
    sets.retain(|set| set.questions() > 0);
    Ok(sets)
}

/// One memory for each collection of a set.
pub fn memories_of(set: &DataSet) -> Result<Vec<MemoryOf>, EvalError> {
    set.collections.iter().map(MemoryOf::new).collect()
}

fn ask(set: &DataSet, memories: &[MemoryOf]) -> Vec<Method> {
    let mut methods: Vec<Method> = PROFILES
        .iter()
        .map(|profile| Method {
            name: profile.word(),
            measures: ask_profile(set, memories, *profile),
        })
        .collect();
    methods.extend(ask_with_sources(set, memories));
    let (mut overlap, mut bm25) = (Vec::new(), Vec::new());
    for collection in &set.collections {
        let (by_overlap, by_bm25) = (Jaccard::new(collection), Bm25::new(collection));
        for question in &collection.questions {
            let (text, evidence) = (&question.text, &question.evidence);
            overlap.push(Measures::of(&by_overlap.ranking(text), evidence));
            bm25.push(Measures::of(&by_bm25.ranking(text), evidence));
        }
    }
    for (name, measures) in [("jaccard", overlap), ("bm25", bm25)] {
        methods.push(Method { name, measures });
    }
    methods
}

/// The engine profile where speakers count alike, for a set that has an agent's words.
fn ask_with_sources(set: &DataSet, memories: &[MemoryOf]) -> Option<Method> {
    let mut sources = set.collections.iter().flat_map(|one| &one.sources);
    if !sources.any(|source| *source == Source::Agent) {
        return None;
    }
    let measures = ask_each(set, memories, |memory, question| {
        memory.ranking_of_any_speaker(question)
    });
    Some(Method {
        name: EVEN,
        measures,
    })
}

/// The measures of one profile for every question of a set.
fn ask_profile(set: &DataSet, memories: &[MemoryOf], profile: Profile) -> Vec<Measures> {
    ask_each(set, memories, |memory, question| {
        memory.ranking(question, profile)
    })
}

fn ask_each(
    set: &DataSet,
    memories: &[MemoryOf],
    rank: impl Fn(&MemoryOf, &str) -> Vec<Vec<usize>>,
) -> Vec<Measures> {
    let collections = set.collections.iter().zip(memories);
    let of = |(collection, memory): (&Collection, &MemoryOf)| -> Vec<Measures> {
        let questions = collection.questions.iter();
        let measures = questions.map(|one| Measures::of(&rank(memory, &one.text), &one.evidence));
        measures.collect()
    };
    collections.flat_map(of).collect()
}

fn rows(set: &DataSet, methods: &[Method], report: &mut Report) {
    for (figure, read) in FIGURES {
        let values = |method: &Method| method.measures.iter().map(read).collect::<Vec<f64>>();
        let mean = |method: &Method| Estimate::of(&values(method)).mean;
        let plain = methods.iter().filter(|method| PLAIN.contains(&method.name));
        let plain = plain.max_by(|a, b| mean(a).total_cmp(&mean(b)));
        for method in methods {
            let estimate = Estimate::of(&values(method));
            let name = format!("{} {figure} {}", set.name, method.name);
            let mut row = Row::measured(name, estimate.mean, "share")
                .of_size(set.questions() as u64)
                .within(estimate.low, estimate.high);
            let goal = GOALS
                .iter()
                .find(|goal| (goal.0, goal.1, goal.2) == (set.name, figure, method.name));
            if let Some((_, _, _, limit)) = goal {
                row = row.with_goal(Goal::AtLeast(*limit));
            }
            if method.name != Profile::Engine.word() {
                report.push(row);
                continue;
            }
            if let Some(plain) = plain {
                row = row.beside(plain.name, mean(plain), Ratio::OursToTheirs);
            }
            if set.left_out > 0 {
                let left_out = set.left_out;
                row = row.with_note(format!(
                    "{left_out} questions name no text and are left out"
                ));
            }
            report.push(row);
            if let Some(plain) = plain {
                let name = format!("{} {figure} engine - {}", set.name, plain.name);
                let [more, lower] = gain(name, &values(method), &values(plain));
                report.push(more);
                // The figures that judge a set.
                if figure == "recall@5" {
                    report.push(lower);
                }
            }
        }
    }
}

/// The gain of the engine over the best plain ranking, question by question, and the lower end of its interval.
fn gain(name: String, ours: &[f64], plain: &[f64]) -> [Row; 2] {
    let pairs = ours.iter().zip(plain);
    let more: Vec<f64> = pairs.map(|(ours, plain)| ours - plain).collect();
    let estimate = Estimate::of(&more);
    let lower = Row::measured(format!("{name}, lower end"), estimate.low, "share");
    let row = Row::measured(name, estimate.mean, "share")
        .of_size(more.len() as u64)
        .within(estimate.low, estimate.high)
        .with_note("paired by question");
    [row, lower.with_goal(Goal::AtLeast(-BEHIND_MAX))]
}
