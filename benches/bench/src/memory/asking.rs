//! Rows of retrieval: through the engine, the ranking alone, plain Python, and the scan that is the limit.

use std::time::Instant;

use serde_json::{Value, json};

use crate::error::EvalError;
use crate::peer::Peer;
use crate::report::{Goal, Ratio, Report, Row};
use crate::samples::Samples;
use hindlore::{MemoryView, RetrieveRequest, Retrieved};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation, PolicyChange};
use hindlore_domain::memory::policy::{Profile, Weights};
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::rank;
use hindlore_primitives::timestamp::Timestamp;

use super::fill::{Filled, failed};
use super::scan::Scan;
use super::{MemoryOptions, Pace};

/// Blocks that ours and theirs take turns in.
const BLOCKS: usize = 3;
const TOP_K: usize = 10;
/// Questions that the engine and the scan take in turns: each works on its own data in the caches.
const TURN: usize = 20;
/// Questions asked before those that are timed against the scan: a memory in use has met most words. The first of them
/// are timed apart.
const BEFORE: std::ops::Range<usize> = 200..400;
const FIRST: usize = 20;
/// Size up to which the engine is compared with the scan, with goals.
const SCAN_SIZE: usize = 1_000_000;
/// How many times faster than plain Python: size, through the engine, the core alone.
const PYTHON_GOALS: [(usize, f64, f64); 3] = [
    (100, 20.0, 50.0),
    (1000, 150.0, 200.0),
    (10_000, 700.0, 700.0),
];
/// Sums in another order differ by less.
const SCORES_APART: f64 = 1e-9;
const TAIL_MAX: f64 = 5.0;
/// Weights under which habit decides and words hardly count.
const HABIT: Weights = Weights {
    relevance: 0.2,
    strength: 0.7,
    memory_type: 0.1,
};

/// Writes the rows of one size.
pub(super) async fn rows(
    filled: &Filled,
    options: &MemoryOptions,
    report: &mut Report,
) -> Result<(), EvalError> {
    let size = filled.texts.len();
    let pace = Pace::of(size, options.quick);
    let view = filled.engine.view(&filled.key).await.map_err(failed)?;
    let view = view.ok_or_else(|| failed("it has gone"))?;
    let core = core_of(&view);
    for profile in [Profile::Original, Profile::Engine] {
        let goal = PYTHON_GOALS.iter().find(|goal| goal.0 == size);
        let has_peer = profile == Profile::Original && size <= 10_000;
        let mut peer = if has_peer {
            python(options, &view)
        } else {
            Err(String::new())
        };
        let (mut ours, mut alone, mut theirs) =
            (Samples::default(), Samples::default(), Samples::default());
        for block in 0..BLOCKS {
            ours = ours.and(through_engine(filled, profile, &pace, block).await?);
            alone = alone.and(core_alone(filled, &core, profile, &pace, block));
            if let Ok(running) = &mut peer {
                match ask_python(running, filled, block) {
                    Ok(samples) => theirs = theirs.and(samples),
                    Err(why) => peer = Err(why),
                }
            }
        }
        let named = |what: &str, samples: &Samples| {
            Row::measured(format!("{what} {profile}"), samples.p50(), "s").of_size(size as u64)
        };
        for (what, samples, limit) in [
            ("top10", &ours, goal.map(|goal| goal.1)),
            ("top10 core alone", &alone, goal.map(|goal| goal.2)),
        ] {
            let mut row = named(what, samples);
            row = match &peer {
                Ok(_) => row.beside("python-original", theirs.p50(), Ratio::TheirsToOurs),
                Err(why) if has_peer => row.beside_absent("python-original", why),
                Err(_) => row,
            };
            report.push(match limit.filter(|_| has_peer) {
                Some(limit) => row.with_goal(Goal::RatioAtLeast(limit)),
                None => row,
            });
        }
        report.push(
            Row::measured(
                format!("top10 {profile}, p99 of p50"),
                ours.p99() / ours.p50(),
                "",
            )
            .of_size(size as u64)
            .with_goal(Goal::AtMost(TAIL_MAX)),
        );
    }
    drop((core, view));
    beside_scan(filled, report).await
}

/// The engine's answers in one block.
async fn through_engine(
    filled: &Filled,
    profile: Profile,
    pace: &Pace,
    block: usize,
) -> Result<Samples, EvalError> {
    let mut seconds = Vec::new();
    let begin = Instant::now();
    while pace.goes_on(seconds.len(), begin) {
        let mut query = Query::new(filled.question(block * 100 + seconds.len()));
        query.profile = Some(profile);
        let (taken, _) = ask(filled, query).await?;
        // The first of a block warms up caches that another program has filled.
        if !seconds.is_empty() || block > 0 {
            seconds.push(taken);
        } else {
            seconds.push(f64::NAN);
        }
    }
    Ok(Samples::new(seconds))
}

/// A copy of the memory without its engine, to time the ranking alone.
fn core_of(view: &MemoryView) -> Memory {
    let mut memory = Memory::new(view.key.clone(), view.policy.clone());
    view.bullets.iter().for_each(|bullet| memory.put(bullet));
    view.links
        .iter()
        .for_each(|link| memory.put_link(link.clone()));
    memory.stand_at(view.clock, view.revision, 0, view.policy.clone());
    memory
}

fn core_alone(
    filled: &Filled,
    core: &Memory,
    profile: Profile,
    pace: &Pace,
    block: usize,
) -> Samples {
    let mut seconds = Vec::new();
    let begin = Instant::now();
    while pace.goes_on(seconds.len(), begin) {
        let mut query = Query::new(filled.question(block * 100 + seconds.len()));
        query.profile = Some(profile);
        let started = Instant::now();
        let ranking = rank(core, &query, Timestamp::from_millis(0));
        seconds.push(started.elapsed().as_secs_f64());
        std::hint::black_box(ranking);
    }
    Samples::new(seconds)
}

/// Starts the same formula in plain Python with the same bullets.
fn python(options: &MemoryOptions, view: &MemoryView) -> Result<Peer, String> {
    let mut peer = options.peers.start("python-original", &[])?;
    let bullets: Vec<Value> = view
        .bullets
        .iter()
        .filter(|bullet| bullet.is_active())
        .map(|bullet| {
            json!({"content": bullet.content.as_str(), "type": bullet.memory_type.word(),
                "strength": bullet.strength, "access_index": bullet.access_index,
                "helpful": bullet.counts.helpful, "harmful": bullet.counts.harmful})
        })
        .collect();
    peer.ask(&json!({"do": "load", "bullets": bullets, "clock": view.clock}))?;
    Ok(peer)
}

fn ask_python(peer: &mut Peer, filled: &Filled, block: usize) -> Result<Samples, String> {
    let count = if filled.texts.len() > 1000 { 5 } else { 40 };
    let questions: Vec<&str> = (0..count)
        .map(|at| filled.question(block * 100 + at))
        .collect();
    let answer = peer.ask(&json!({"do": "query", "queries": questions, "top_k": TOP_K}))?;
    super::peers::seconds(&answer)
}

/// Compares the engine profile with the scan, for ordinary words and where strength dominates.
async fn beside_scan(filled: &Filled, report: &mut Report) -> Result<(), EvalError> {
    let shipped = filled.engine.options().policy.clone();
    let habit = json!({"floor": 0.0, "weights": HABIT});
    let back = json!({"floor": shipped.floor, "weights": shipped.weights});
    for (name, fields, limit) in [
        ("ordinary words", None, 35.0),
        ("strength dominates", Some(habit), 200.0),
    ] {
        if let Some(fields) = fields {
            set_policy(filled, name, fields).await?;
        }
        let first = ask_before(filled).await?;
        let (ours, theirs) = both_ways(filled).await?;
        report.push(
            Row::measured(
                format!("top10 engine, {name}, first {FIRST} questions"),
                first.p50(),
                "s",
            )
            .of_size(filled.texts.len() as u64)
            .with_note("right after the weights were set"),
        );
        let row = Row::measured(format!("top10 engine, {name}"), ours.p50(), "s")
            .of_size(filled.texts.len() as u64)
            .beside("tuned scan, one thread", theirs.p50(), Ratio::TheirsToOurs)
            .with_note(format!(
                "ours through the engine, explained, after {} other questions; the scan finds the same scores",
                BEFORE.len()
            ));
        report.push(if filled.texts.len() >= SCAN_SIZE {
            row.with_goal(Goal::RatioAtLeast(limit))
        } else {
            row
        });
    }
    set_policy(filled, "as shipped", back).await
}

async fn set_policy(filled: &Filled, name: &str, fields: Value) -> Result<(), EvalError> {
    let fields = fields.as_object().cloned().unwrap_or_default();
    let id = DeltaId::parse(&format!("policy: {name}")).map_err(failed)?;
    let delta = Delta::new(id, vec![Operation::Policy(PolicyChange { fields })]);
    let applied = filled.engine.apply_delta(&filled.key, delta).await;
    applied.map(|_| ()).map_err(failed)
}

/// Asks other questions than those that will be timed; times the first.
async fn ask_before(filled: &Filled) -> Result<Samples, EvalError> {
    let mut seconds = Vec::new();
    for number in BEFORE {
        seconds.push(ask(filled, Query::new(filled.question(number))).await?.0);
    }
    seconds.truncate(FIRST);
    Ok(Samples::new(seconds))
}

/// Peeks; gives the seconds that it took.
async fn ask(filled: &Filled, query: Query) -> Result<(f64, Retrieved), EvalError> {
    let request = RetrieveRequest::peek(query);
    let started = Instant::now();
    let answer = filled.engine.retrieve(&filled.key, request).await;
    let seconds = started.elapsed().as_secs_f64();
    Ok((seconds, answer.map_err(failed)?))
}

/// Times the engine and the scan in turns, and checks that they find the same scores.
async fn both_ways(filled: &Filled) -> Result<(Samples, Samples), EvalError> {
    let scan = {
        let view = filled.engine.view(&filled.key).await.map_err(failed)?;
        let view = view.ok_or_else(|| failed("it has gone"))?;
        let weights = view.policy.weights_for(Profile::Engine);
        let active = view.bullets.into_iter().filter(Bullet::is_active);
        let active: Vec<Bullet> = active.collect();
        Scan::new(&active, view.clock, &view.policy, weights)
    };
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let pace = Pace::of(filled.texts.len(), false);
    let begin = Instant::now();
    while pace.goes_on(ours.len(), begin) {
        let asked = ours.len()..ours.len() + TURN;
        let questions: Vec<&str> = asked.map(|number| filled.question(number)).collect();
        let mut found = Vec::new();
        for question in &questions {
            let (seconds, answer) = ask(filled, Query::new(*question)).await?;
            ours.push(seconds);
            let hits = answer.ranking.hits.iter();
            found.push(hits.map(|hit| hit.score).collect::<Vec<f64>>());
        }
        for (question, scores) in questions.into_iter().zip(found) {
            let started = Instant::now();
            let scanned = scan.best(question, TOP_K);
            theirs.push(started.elapsed().as_secs_f64());
            let far = |(ours, theirs): (&f64, &f64)| (ours - theirs).abs() > SCORES_APART;
            if scores.len() != scanned.len() || scores.iter().zip(&scanned).any(far) {
                return Err(failed("the scan finds other scores"));
            }
        }
    }
    Ok((Samples::new(ours), Samples::new(theirs)))
}
