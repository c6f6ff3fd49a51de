//! The decision: whether a turn of a person corrects the agent, and in which words.

use super::language::{HENCEFORTH, LANGUAGES, Language, PLACE};
use super::pattern::{COMMA, any_matches, longest, matches};
use super::prose::lines;
use super::sentence::{Word, words};
use hindlore_text::layout::sentences::sentences;

/// The longest correction, in characters.
pub const CORRECTION_MAX_CHARS: usize = 300;
/// The most sentences of a correction.
const SENTENCES_MAX: usize = 2;
/// The most sentences of a turn: a longer one is a task that a correction cannot be cut out of.
const TURN_SENTENCES_MAX: usize = 8;
/// The most words of a sentence.
const WORDS_MAX: usize = 40;

/// What came before a turn of a person.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum TurnContext {
    /// Nothing that the turn could correct, as far as is known.
    #[default]
    Ordinary,
    /// The agent's last call failed.
    AfterFailure,
    /// The person or a policy refused the agent's last call.
    AfterRefusal,
}

/// The strength of the reasons to read a sentence as a correction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Ground {
    /// None: only a practice counts.
    Nothing,
    /// A failure or a refusal: an order counts too.
    Failure,
    /// A contradiction, a place or a lasting phrase: a statement counts too.
    Contradiction,
}

/// Returns the correction in a turn, in the person's words: at most two sentences, without the contradiction and the
/// politeness in front of them.
pub fn correction(turn: &str, context: TurnContext) -> Option<String> {
    let lines = lines(turn)?;
    let sentences: Vec<&str> = lines.iter().flat_map(|line| sentences(line)).collect();
    if sentences.len() > TURN_SENTENCES_MAX {
        return None;
    }
    let found = LANGUAGES
        .iter()
        .map(|language| corrections(language, &sentences, context))
        .find(|found| !found.is_empty())?;
    let text = joined(&found);
    let text = text.trim_end_matches(['.', '!', ',', ';', ' ']).to_owned();
    (text.chars().count() <= CORRECTION_MAX_CHARS).then_some(text)
}

/// The sentences, each but the last with an end mark.
fn joined(found: &[&str]) -> String {
    let ended = found.iter().map(|sentence| sentence.trim_end_matches('.'));
    ended.collect::<Vec<_>>().join(". ")
}

fn corrections<'t>(
    language: &Language,
    sentences: &[&'t str],
    context: TurnContext,
) -> Vec<&'t str> {
    let mut ground = match context {
        TurnContext::Ordinary => Ground::Nothing,
        TurnContext::AfterFailure | TurnContext::AfterRefusal => Ground::Failure,
    };
    let mut found = Vec::new();
    let mut is_introduced = false;
    for sentence in sentences {
        let words = words(language, sentence);
        let front = Front::of(language, &words);
        if front.contradicts {
            ground = Ground::Contradiction;
        }
        // A text after a colon may be a quotation, unless a contradiction or a politeness introduces it.
        let is_quoted = std::mem::replace(&mut is_introduced, sentence.ends_with(':'))
            && front.length < words.len();
        if front.length == words.len() {
            is_introduced = false;
        } else if !is_quoted && let Some(text) = stated(language, sentence, &words, ground) {
            found.push(text);
        }
    }
    found.truncate(SENTENCES_MAX);
    found
}

/// The part of a sentence that states a practice or gives an order.
fn stated<'t>(
    language: &Language,
    sentence: &'t str,
    words: &[Word],
    ground: Ground,
) -> Option<&'t str> {
    if sentence.trim_end().ends_with(['?', '？']) || words.len() > WORDS_MAX {
        return None;
    }
    let front = Front::of(language, words);
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let end = words.len() - courtesy_behind(language, texts.get(front.length..)?);
    let own = texts.get(front.length..end)?;
    let excluded = |words: &[&str]| any_matches(language, language.list("excluded"), words);
    let is_limited = own
        .first()
        .is_some_and(|first| language.list("limiting").contains(first));
    // The sentence itself, then each part after a comma.
    let commas = (0..own.len()).filter(|at| own.get(*at) == Some(&COMMA));
    for at in std::iter::once(0).chain(commas.map(|comma| comma + 1)) {
        let part = own.get(at..)?;
        let skipped = if at == 0 {
            0
        } else {
            Front::of_texts(language, part).length
        };
        let part = part.get(skipped..)?;
        let polite = texts
            .get(front.length.saturating_sub(1)..end)
            .filter(|_| at == 0 && front.length > 0);
        let counts = |part: &[&str]| !excluded(part) && is_stated(language, part, ground);
        // After a comma a bare order would be the rest of a task.
        let is_found = if at == 0 {
            counts(part)
                || polite.is_some_and(|part| {
                    any_matches(language, language.list("practices"), part) && counts(part)
                })
        } else {
            !excluded(own) && any_matches(language, language.list("practices"), part)
        };
        if is_found {
            let from = if is_limited { 0 } else { at + skipped };
            let first = words.get(front.length + from)?;
            let last = words.get(end.checked_sub(1)?)?;
            return sentence.get(first.start..last.end);
        }
    }
    None
}

/// Returns true if the words state a practice, or anything that counts on this ground.
fn is_stated(language: &Language, words: &[&str], ground: Ground) -> bool {
    if any_matches(language, language.list("practices"), words) {
        return true;
    }
    let (bare, is_framed) = unframed(words);
    let ground = if is_framed {
        Ground::Contradiction
    } else {
        ground
    };
    let practices = is_framed && any_matches(language, language.list("practices"), bare);
    practices
        || (ground >= Ground::Failure && any_matches(language, language.list("orders"), bare))
        || (ground >= Ground::Contradiction
            && any_matches(language, language.list("statements"), bare))
}

/// The words without a place or a lasting phrase at either end, and whether there was one.
fn unframed<'w, 'a>(words: &'w [&'a str]) -> (&'w [&'a str], bool) {
    let is_frame = |word: &&str| matches!(*word, PLACE | HENCEFORTH);
    let without = match words {
        [first, COMMA, rest @ ..] | [first, rest @ ..] if is_frame(first) => rest,
        [rest @ .., last] if is_frame(last) => rest,
        _ => return (words, false),
    };
    (without, true)
}

/// The contradictions and politenesses in front of a sentence.
struct Front {
    /// Its words.
    length: usize,
    contradicts: bool,
}

impl Front {
    fn of(language: &Language, words: &[Word]) -> Self {
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        Self::of_texts(language, &texts)
    }

    fn of_texts(language: &Language, words: &[&str]) -> Self {
        let mut front = Self {
            length: 0,
            contradicts: false,
        };
        while let Some(rest) = words.get(front.length..).filter(|rest| !rest.is_empty()) {
            let opener = longest(language.list("contradictions"), rest)
                .filter(|length| resumes(language, rest.get(*length..).unwrap_or_default()));
            let comma = (rest.first() == Some(&COMMA)).then_some(1);
            let skipped = opener
                .or_else(|| longest(language.list("courtesy"), rest))
                .or(comma);
            let Some(length) = skipped else { break };
            front.contradicts |= opener.is_some();
            front.length += length;
        }
        front
    }
}

/// Returns true if a contradiction may end before these words: "no" alone is also a determiner.
fn resumes(language: &Language, words: &[&str]) -> bool {
    let begins = |pattern: &&str| matches(language, &format!("{pattern} ..."), words);
    let opens = |first: &&str| *first == COMMA || language.list("contradictions").contains(first);
    words.first().is_none_or(opens) || language.list("resuming").iter().any(begins)
}

fn courtesy_behind(language: &Language, words: &[&str]) -> usize {
    let is_polite = |word: &&&str| **word == COMMA || language.list("courtesy").contains(*word);
    words.iter().rev().take_while(is_polite).count()
}
