//! Rows of adding: one text with its near-duplicate check, and the search for near duplicates alone.

use std::time::Instant;

use serde_json::json;

use crate::error::EvalError;
use crate::report::{Goal, Ratio, Report, Row};
use crate::samples::Samples;
use hindlore_domain::memory::policy::Policy;
use hindlore_text::similar::{Bound, SimilarityIndex};
use hindlore_text::words::Tokens;

use super::fill::{Filled, failed, single};
use super::scan::SetScan;
use super::texts::Texts;
use super::{MemoryOptions, Pace};

/// Size at which adding is compared.
const SIZE: usize = 10_000;
const ALL_PAIRS_GOAL: f64 = 10_000.0;
const INDEX_GOAL: f64 = 50.0;
/// Sizes at which all pairs are compared in Python unless everything is wanted.
const SAMPLED: [usize; 2] = [1000, 2000];

/// The rows of single adds at one size.
pub(super) async fn rows(
    filled: &Filled,
    options: &MemoryOptions,
    report: &mut Report,
) -> Result<(), EvalError> {
    let size = filled.texts.len();
    let mut source = Texts::new(99);
    let mut seconds = Vec::new();
    let pace = Pace::of(size, options.quick);
    let begin = Instant::now();
    while pace.goes_on(seconds.len(), begin) {
        let text = source.text();
        let delta = single(&text, &format!("add-{}", seconds.len()), &mut source)?;
        let started = Instant::now();
        filled
            .engine
            .apply_delta(&filled.key, delta)
            .await
            .map_err(failed)?;
        seconds.push(started.elapsed().as_secs_f64());
    }
    let ours = Samples::new(seconds);
    let row = Row::measured("add one, near-duplicate check", ours.p50(), "s").of_size(size as u64);
    if size != SIZE {
        report.push(row);
        return Ok(());
    }
    let row = match all_pairs(filled, options) {
        Ok((theirs, note)) => row
            .beside("python-original, all pairs", theirs, Ratio::TheirsToOurs)
            .with_note(note),
        Err(why) => row.beside_absent("python-original, all pairs", why),
    };
    report.push(row.with_goal(Goal::RatioAtLeast(ALL_PAIRS_GOAL)));
    index_alone(filled, report);
    Ok(())
}

/// Seconds of one delta of the original in Python at the full size, and how they were found.
fn all_pairs(filled: &Filled, options: &MemoryOptions) -> Result<(f64, String), String> {
    let mut peer = options.peers.start("python-original", &[])?;
    let mut at = |size: usize| {
        let texts = &filled.texts[..size];
        let answer =
            peer.ask(&json!({"do": "delta", "texts": texts, "add": "A text that is new."}))?;
        let seconds = answer.get("seconds").and_then(serde_json::Value::as_f64);
        seconds.ok_or_else(|| "the answer has no `seconds`".to_owned())
    };
    if options.full {
        return Ok((at(SIZE)?, "measured in full".to_owned()));
    }
    let [small, large] = SAMPLED;
    let (first, second) = (at(small)?, at(large)?);
    let power = libm::log2(second / first) / libm::log2(large as f64 / small as f64);
    let factor = SIZE as f64 / large as f64;
    let note = format!(
        "theirs is {second:.2} s at {large} times {factor}², since all pairs are compared ({first:.2} s at \
         {small}: measured power {power:.2}); --full measures it"
    );
    Ok((second * factor * factor, note))
}

/// Search, insert and remove of one set among many, compared with the scan over all sets.
fn index_alone(filled: &Filled, report: &mut Report) {
    let mut index = SimilarityIndex::new();
    let sets: Vec<Vec<String>> = filled
        .texts
        .iter()
        .map(|text| Tokens::Standard.set(text))
        .collect();
    for (slot, set) in (0..).zip(&sets) {
        index.insert(slot, set);
    }
    let threshold = Policy::default().dedup_threshold;
    let mut scan = SetScan::new(&filled.texts);
    let mut source = Texts::new(98);
    let (mut found, mut inserted, mut scanned) = (Vec::new(), Vec::new(), Vec::new());
    let mut agree = true;
    for round in 0..300 {
        // Every fifth probe is a known text, so that there is something to find.
        let text = match round % 5 {
            0 => filled.texts[round * 7 % filled.texts.len()].clone(),
            _ => source.text(),
        };
        let (words, set) = (Tokens::Standard.set(&text), scan.set(&text));
        let slot = filled.texts.len() as u32;
        let started = Instant::now();
        let similar = index.find(&words, Bound::AtLeast(threshold)).len();
        found.push(started.elapsed().as_secs_f64());
        let started = Instant::now();
        index.insert(slot, &words);
        inserted.push(started.elapsed().as_secs_f64());
        index.remove(slot, &words);
        let started = Instant::now();
        let close = scan.similar(&set, threshold);
        scanned.push(started.elapsed().as_secs_f64());
        agree &= close == similar;
    }
    let (found, scanned) = (Samples::new(found), Samples::new(scanned));
    let note = if agree {
        "equal finds; words are counted beforehand on both sides"
    } else {
        "THE FINDS DIFFER"
    };
    report.push(
        Row::measured("near duplicates, index alone", found.p50(), "s")
            .of_size(filled.texts.len() as u64)
            .beside("tuned scan, one thread", scanned.p50(), Ratio::TheirsToOurs)
            .with_note(note)
            .with_goal(Goal::RatioAtLeast(INDEX_GOAL)),
    );
    report.push(
        Row::measured(
            "near duplicates, index insert",
            Samples::new(inserted).p50(),
            "s",
        )
        .of_size(filled.texts.len() as u64),
    );
}
