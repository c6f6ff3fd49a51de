//! Explains a bullet's score, in words and as a sum.

use super::page::{Page, Tone};
use hindlore::{Retrieved, RetrievedBullet};
use hindlore_domain::memory::content::vectors::COSINE_WEIGHT;
use hindlore_domain::memory::policy::Weights;

/// The terms of a score, such as `0.92 x 0.81 relevance + ... = 0.824`.
pub(crate) fn sum(found: &RetrievedBullet, weights: Weights) -> String {
    let parts = found.hit.parts;
    let bonus = if parts.bonus > 0.0 {
        format!(" + {:.2} bonus", parts.bonus)
    } else {
        String::new()
    };
    format!(
        "{} x {} + {} x {:.3} strength + {} x {:.1} type{bonus} = {:.3}",
        weights.relevance,
        relevance(parts.relevance, parts.cosine),
        weights.strength,
        parts.strength,
        weights.memory_type,
        parts.memory_type,
        found.hit.score
    )
}

/// The relevance of words and meaning.
pub(crate) fn relevance(by_words: f64, cosine: Option<f64>) -> String {
    match cosine {
        Some(cosine) => {
            format!("({by_words:.3} relevance + {COSINE_WEIGHT} x {cosine:.3} cosine)")
        }
        None => format!("{by_words:.3} relevance"),
    }
}

/// Votes, common words, and decay of a bullet, in one sentence.
pub(crate) fn reasons(found: &RetrievedBullet) -> String {
    let (counts, hit) = (found.bullet.counts, &found.hit);
    let words = if hit.matched.is_empty() {
        "no word in common".to_owned()
    } else {
        format!("words in common: {}", hit.matched.join(", "))
    };
    let neighbours = if hit.from_neighbours > 0.0 {
        format!("; {:.3} of it from linked neighbours", hit.from_neighbours)
    } else {
        String::new()
    };
    format!(
        "{words}{neighbours}; votes +{}/-{}; {}, last touched {} ago",
        counts.helpful,
        counts.harmful,
        found.bullet.memory_type,
        ticks(hit.decay_ticks)
    )
}

/// A number of ticks in words.
pub(crate) fn ticks(count: u64) -> String {
    match count {
        1 => "1 tick".to_owned(),
        count => format!("{count} ticks"),
    }
}

/// Shows an answer: every returned bullet with its sum, then the near misses.
pub(crate) fn answer(page: &mut Page, retrieved: &Retrieved) {
    for (rank, found) in (1..).zip(&retrieved.bullets) {
        let mark = format!("{rank}. ");
        page.hanging(Tone::Heading, &mark, found.bullet.content.as_str());
        page.prose(Tone::Plain, 3, &sum(found, retrieved.ranking.weights));
        page.prose(Tone::Faint, 3, &reasons(found));
    }
    if !retrieved.near_misses.is_empty() {
        page.gap();
        page.line(Tone::Heading, "Nearly returned");
    }
    for (miss, bullet) in &retrieved.near_misses {
        let mark = format!("   {:.3}  ", miss.score);
        let short = page.beginning(bullet.content.as_str(), mark.len());
        page.hanging(Tone::Plain, &mark, &short);
        page.prose(Tone::Faint, 10, &format!("left out: {}", miss.reason));
    }
}
