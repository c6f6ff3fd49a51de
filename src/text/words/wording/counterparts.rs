//! The keys by which the counterparts of a word are looked up.
//!
//! Two words that are counterparts share a key, so that candidates for a merge are found by a text's rarest word.
//! The converse does not hold: words with a common key need not be counterparts. So every new kind of
//! counterpart in `wording.rs` must add a key here, or merges are missed.

use hindlore_topk::Key;

use super::tables::{ELIDED, ENDINGS, group_of};
use super::{SHARED_MIN, TYPO_MIN, Word, Wording};
use crate::antonyms::base_form;
use crate::words::is_unspaced;

/// Returns the key of a word form.
pub fn form_key(form: &str) -> String {
    format!("f{form}")
}

/// Visits the keys that a lower-case standard word offers.
pub fn offer_keys(token: &str, offer: &mut impl FnMut(String)) {
    if token.contains(is_unspaced) {
        let letters = token.chars().filter(|c| is_unspaced(*c));
        letters.for_each(|letter| offer(letter_key(letter)));
    }
    offer_form(token, offer);
    let bare = token.trim_matches(['_', '.']);
    if bare != token {
        offer_form(bare, offer);
    }
    // The part after an elided article is a word of its own, and a name may precede an apostrophe.
    let mut rest = token;
    while let Some((head, tail)) = rest.split_once('\'') {
        if !ELIDED.contains(&head) {
            offer_form(head, offer);
        }
        offer_form(tail, offer);
        rest = tail;
    }
}

fn offer_form(form: &str, offer: &mut impl FnMut(String)) {
    offer(form_key(form));
    if !form.contains(char::is_alphabetic) || form.contains(char::is_numeric) {
        return;
    }
    let stem = base_form(form);
    if let Some(group) = group_of(&stem) {
        offer(group_key(group));
    }
    offer(stem_key(&stem));
    relation_keys(form, offer);
    // An ASCII word may be a form of a non-ASCII one that differs only in the ending.
    let tag = if form.is_ascii() { 'q' } else { 'p' };
    beginnings(form).for_each(|beginning| offer(format!("{tag}{beginning}")));
}

impl Wording {
    /// Returns the keys of a text that has a counterpart of each word: at least one of each list. Words too short to
    /// distinguish texts have no list.
    pub fn needs(&self) -> Vec<Vec<Key>> {
        let needs = |(at, word): (usize, &Word)| {
            let mut letters = word.form.chars();
            let (first, second) = (letters.next()?, letters.next());
            if second.is_none() && is_unspaced(first) {
                return Some(vec![Key::One(letter_key(first))]);
            }
            let is_plain = |c: char| c.is_alphabetic() && !is_unspaced(c);
            let is_word = second.is_some() && word.form.chars().all(is_plain);
            is_word.then(|| self.keys_of(at, word))
        };
        self.words.iter().enumerate().filter_map(needs).collect()
    }

    fn keys_of(&self, at: usize, word: &Word) -> Vec<Key> {
        let mut keys = vec![Key::One(stem_key(&word.stem))];
        keys.extend(word.group.map(|group| Key::One(group_key(group))));
        relation_keys(&word.form, &mut |key| keys.push(Key::One(key)));
        for beginning in beginnings(&word.form) {
            keys.push(Key::One(format!("p{beginning}")));
            if !word.form.is_ascii() {
                keys.push(Key::One(format!("q{beginning}")));
            }
        }
        // One text may write one word where the other writes two.
        let form = |at: usize| self.words.get(at).map(|word| word.form.as_str());
        let before = at.checked_sub(1).and_then(form);
        keys.extend(before.map(|before| Key::One(form_key(&format!("{before}{}", word.form)))));
        keys.extend(
            form(at + 1).map(|behind| Key::One(form_key(&format!("{}{behind}", word.form)))),
        );
        let seams = word.form.char_indices().skip(1);
        keys.extend(seams.map(|(seam, _)| {
            let (head, tail) = word.form.split_at(seam);
            Key::Both(form_key(head), form_key(tail))
        }));
        keys
    }
}

/// Visits the keys of inflections and typos, which are the same on both sides.
fn relation_keys(form: &str, add: &mut impl FnMut(String)) {
    let length = form.chars().count();
    if length >= SHARED_MIN {
        add(format!("e{form}"));
        let stems = ENDINGS
            .iter()
            .filter_map(|ending| form.strip_suffix(ending));
        stems.for_each(|stem| add(format!("e{stem}")));
    }
    if length >= TYPO_MIN {
        // Deletion neighbourhood: of two words one typo apart, a word or its form without one letter equals the
        // other or the other's form without one letter.
        let form = form.replace('z', "s");
        for (at, letter) in form.char_indices() {
            add(format!(
                "s{}{}",
                &form[..at],
                &form[at + letter.len_utf8()..]
            ));
        }
        add(format!("s{form}"));
    }
}

/// Returns the word, and the word without its last one and two letters, if long enough.
fn beginnings(form: &str) -> impl Iterator<Item = &str> {
    let ends: Vec<usize> = form
        .char_indices()
        .map(|(at, _)| at)
        .chain([form.len()])
        .skip(SHARED_MIN)
        .collect();
    ends.into_iter().rev().take(3).map(|end| &form[..end])
}

fn stem_key(stem: &str) -> String {
    format!("t{stem}")
}

fn group_key(group: usize) -> String {
    format!("g{group}")
}

fn letter_key(letter: char) -> String {
    format!("u{letter}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[rustfmt::skip]
    const STEMS: [&str; 24] = [
        "table", "tables", "zebras", "sebras", "organise", "organize", "fetch", "retrieve", "change",
        "modify", "müller", "müllern", "ключ", "ключи", "ключами", "logfile", "log file", "log", "bought",
        "purchase", "l'eau", "eau", "naïve", "naïves",
    ];

    /// A word, usually unchanged, else with a typo.
    fn written(rng: &mut fastrand::Rng, word: &str) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        match rng.u8(..8) {
            0 if letters.len() > 3 => letters.swap(2, 3),
            1 if letters.len() > 3 => {
                letters.remove(rng.usize(1..letters.len()));
            }
            2 => letters.insert(rng.usize(..=letters.len()), 'e'),
            3 => letters.push('s'),
            _ => {}
        }
        letters.into_iter().collect()
    }

    fn offers(text: &str) -> BTreeSet<String> {
        let mut offers = BTreeSet::new();
        for token in crate::words::standard_words(text) {
            offer_keys(&token, &mut |key| {
                offers.insert(key);
            });
        }
        offers
    }

    #[test]
    fn who_has_a_counterpart_of_each_word_offers_what_each_needs() {
        let mut rng = fastrand::Rng::with_seed(7);
        let (mut alike, mut unlike) = (0, 0);
        for _ in 0..20_000 {
            // Neighbours in the list are related, so that many pairs are counterparts.
            let count = rng.usize(1..3);
            let at: Vec<usize> = (0..count).map(|_| rng.usize(..STEMS.len())).collect();
            let mut text = |far: usize| {
                let mut word = |at: &usize| {
                    let near = (at + rng.usize(..=far)) % STEMS.len();
                    written(&mut rng, STEMS[near])
                };
                at.iter().map(&mut word).collect::<Vec<_>>().join(" ")
            };
            let (a, b) = (text(0), text(2));
            let (one, other) = (Wording::from_text(&a), Wording::from_text(&b));
            let offers = offers(&b);
            let is_met = |key: &Key| match key {
                Key::One(key) => offers.contains(key),
                Key::Both(head, tail) => offers.contains(head) && offers.contains(tail),
            };
            let meets = one.needs().iter().all(|need| need.iter().any(is_met));
            match one.replaced(&other) {
                None => {
                    assert!(meets, "{a:?} {b:?}");
                    alike += usize::from(a != b);
                }
                Some(_) => unlike += usize::from(!meets),
            }
        }
        assert!(alike > 1_000 && unlike > 3_000, "{alike} {unlike}");
    }
}
