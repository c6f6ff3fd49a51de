//! Relevance: how well a text matches a query, by words alone.
//!
//! A bullet's own relevance is the classic Jaccard similarity, or its share of an ideal BM25 score, compressed below 1.
//! `score.rs` adds the contribution of linked neighbours.

use hindlore_topk::{
    Analyzer, InvertedIndex, LabelIndex, Need, QueryWord, Question, Sentence, Telling, TextQuery,
};

use crate::memory::content::vectors::PASSAGE_WORDS;
use hindlore_text::layout::sentences::sentences;
use hindlore_text::words::Tokens;
use hindlore_text::words::search_words::{
    Asked, KnownTerms, asked_of, for_each_token, terms_of_token,
};

/// Above this, relevance is compressed: it approaches 1 without reaching it.
const BEND: f64 = 0.8;
/// Weight of a sentence between others. Agents put the task first or last, and how to go about it in between.
const INNER_SENTENCE: f64 = 0.5;

/// The terms of an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vocabulary {
    /// Stems and identifier parts, with repeats: the engine profile.
    SearchTerms,
    /// Lower-cased words split on white space, as sets: the classic profiles.
    ClassicWords,
}

impl Analyzer for Vocabulary {
    fn for_each_token(&self, text: &str, visit: impl FnMut(&str)) {
        match self {
            Self::SearchTerms => for_each_token(text, visit),
            Self::ClassicWords => Tokens::Classic.for_each_token(text, visit),
        }
    }

    fn terms(&self, token: &str) -> Vec<String> {
        match self {
            Self::SearchTerms => terms_of_token(token),
            Self::ClassicWords => Tokens::Classic.terms(token),
        }
    }

    fn counts_repeats(&self) -> bool {
        *self == Self::SearchTerms
    }

    fn passage_tokens(&self) -> Option<usize> {
        (*self == Self::SearchTerms).then_some(PASSAGE_WORDS)
    }
}

/// The terms of an index, as the reading of a query asks for them.
struct Terms<'i>(&'i InvertedIndex<Vocabulary>);

impl KnownTerms for Terms<'_> {
    fn knows(&self, term: &str) -> bool {
        self.0.knows(term)
    }

    fn containing(&self, c: char) -> Vec<String> {
        self.0.terms_where(|term| term.contains(c))
    }
}

/// Looks up the search words of a query: of the whole, and of each sentence if it has several; and the times that it
/// names, from the asker's day.
pub(crate) fn engine_query<'i>(
    index: &'i InvertedIndex<Vocabulary>,
    text: &str,
    today: i64,
    days: impl FnOnce() -> &'i LabelIndex,
) -> TextQuery<'i> {
    let whole = asked_of(text, today, &Terms(index));
    let mut question = Question {
        whole: part(&whole, 1.0),
        ..Question::default()
    };
    let sentences = sentences(text);
    let last = sentences.len().saturating_sub(1);
    if last > 0 {
        let weighted = sentences.iter().enumerate().map(|(at, sentence)| {
            let is_inner = at > 0 && at < last;
            let weight = if is_inner { INNER_SENTENCE } else { 1.0 };
            part(&asked_of(sentence, today, &Terms(index)), weight)
        });
        question.sentences = weighted.collect();
    }
    let names_time = whole.iter().any(|one| holds_label(&one.need));
    let labels = names_time.then(days);
    question.words = words(whole);
    TextQuery::bm25(index, labels, &question)
}

/// Returns the words that an answer may show. A common word counts for little where the question has others.
fn words(asked: Vec<Asked>) -> Vec<QueryWord> {
    let is_alone = asked.iter().filter(|one| !one.is_light).count() < 2;
    let words = asked.into_iter().flat_map(|asked| {
        let telling = match (asked.is_light, asked.is_common) {
            (true, _) => Telling::Nothing,
            (false, true) if !is_alone => Telling::Little,
            (false, _) => Telling::Enough,
        };
        asked.words.into_iter().map(move |word| QueryWord {
            word: word.word,
            need: word.need,
            telling,
        })
    });
    words.collect()
}

fn holds_label(need: &Need) -> bool {
    match need {
        Need::Any { .. } => false,
        Need::Label { .. } => true,
        Need::Best(needs) | Need::Sum(needs) | Need::All(needs) => needs.iter().any(holds_label),
    }
}

/// Returns the needs of words. Function words help, but find nothing alone, unless there are no others.
fn part(asked: &[Asked], weight: f64) -> Sentence {
    let of = |is_light: bool| -> Vec<Need> {
        let asked = asked.iter().filter(|one| one.is_light == is_light);
        asked.map(|one| one.need.clone()).collect()
    };
    let (needs, helpers) = (of(false), of(true));
    let (needs, helpers) = if needs.is_empty() {
        (helpers, needs)
    } else {
        (needs, helpers)
    };
    Sentence {
        needs,
        helpers,
        weight,
    }
}

/// Looks up the classic words of a query.
pub(crate) fn classic_query<'i>(index: &'i InvertedIndex<Vocabulary>, text: &str) -> TextQuery<'i> {
    TextQuery::jaccard(index, Tokens::Classic.set(text))
}

/// Maps a share of the ideal score, 0 or more, to 0..1: the identity up to [`BEND`], then a hyperbola with the
/// same slope at the seam. It is strictly rising, so it never changes the order of two texts.
pub(crate) fn bend(share: f64) -> f64 {
    if share <= BEND {
        return share;
    }
    1.0 - (1.0 - BEND) * (1.0 - BEND) / (share + 1.0 - 2.0 * BEND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bending_rises_and_stays_below_one() {
        let mut last = -1.0;
        for step in 0..4_000 {
            let share = f64::from(step) / 1_000.0;
            let bent = bend(share);
            assert!(bent > last && bent < 1.0 && bent <= share, "{share}");
            last = bent;
        }
    }
}
