//! Going through a text and keeping its words and what stands beside each.

use super::tables::{
    CONTRACTED, DETERMINERS, ELIDED, FAMILIES, FILLERS, JOINING, UNSPACED_FILLERS, group_of,
};
use super::{Place, Word, Wording};
use crate::text::antonyms::base_form;
use crate::text::negation::is_negation;
use crate::text::numbers::{is_number_word, is_unit};
use crate::text::stop_words::is_stop_word;
use crate::text::words::is_unspaced;

/// Words before a word that tell its place, and words behind it.
const BEFORE: usize = 4;
const BEHIND: usize = 3;

/// What was read, and where the reader is.
pub(super) struct Reader {
    pub(super) wording: Wording,
    /// The words before the next one and the word passed last, the nearest last; none where they do not
    /// tell a place. The empty word is the start of a sentence or of a part of one.
    before: Vec<String>,
    /// The words that were kept last, and what came behind each of them.
    kept: Vec<(String, Vec<String>)>,
    /// The word before was a negation, "in", a number.
    denies: bool,
    in_order: bool,
    counts: bool,
    /// "Only" was read, and no word that it could stand for.
    restricts: bool,
}

impl Reader {
    pub(super) fn new() -> Self {
        Self {
            wording: Wording::default(),
            before: vec![String::new()],
            kept: Vec::new(),
            denies: false,
            in_order: false,
            counts: false,
            restricts: false,
        }
    }

    pub(super) fn read(&mut self, token: &str) {
        if !token.contains(char::is_alphanumeric) {
            self.pause(token);
        } else if token.contains(is_unspaced) {
            for letter in token.chars() {
                self.read_unspaced(letter);
            }
        } else {
            self.read_word(token);
        }
    }

    fn pause(&mut self, token: &str) {
        let joins = |c: char| c.is_whitespace() || "'\"`“”‘’«»-".contains(c);
        if !token.chars().all(joins) {
            self.part();
            self.before.push(String::new());
        }
    }

    /// What was read tells nothing about the place of what follows.
    fn part(&mut self) {
        self.before.clear();
        self.kept.clear();
    }

    /// A word was read that tells the place of its neighbours.
    fn pass(&mut self, word: &str) {
        let word = CONTRACTED
            .iter()
            .find(|(form, _)| *form == word)
            .map_or(word, |(_, base)| base);
        for (kept, behind) in &mut self.kept {
            behind.push(word.to_owned());
            let places = self.wording.places.entry(kept.clone()).or_default();
            places.insert(Place::Before(behind.join(" ")));
        }
        self.kept.retain(|(_, behind)| behind.len() < BEHIND);
        if self.before.len() > BEFORE {
            self.before.remove(0);
        }
        self.before.push(word.to_owned());
    }

    fn read_word(&mut self, token: &str) {
        if let Some((head, rest)) = token.split_once('\'')
            && ELIDED.contains(&head)
        {
            if !DETERMINERS.contains(&head) {
                self.pass(head);
            }
            return self.read_word(rest);
        }
        let is_of_family = self.note_family(token);
        if DETERMINERS.contains(&token) {
            self.counts = false;
            return;
        }
        if JOINING.contains(&token) {
            return self.part();
        }
        let stem = base_form(token);
        let only_of_not_only = self.denies && token == "only";
        let order_of_in_order = self.in_order && token == "order";
        let unit_of_number = self.counts && is_unit(token);
        self.denies = is_negation(token);
        self.in_order = token == "in";
        self.counts = is_number_word(token);
        let carries = !is_of_family
            && !is_stop_word(token)
            && !self.denies
            && !self.counts
            && !FILLERS.contains(&token)
            && !only_of_not_only
            && !order_of_in_order
            && !unit_of_number;
        self.pass(&stem);
        if carries {
            self.keep(stem, token);
        }
        self.restricts |= token == "only" && !only_of_not_only;
    }

    fn read_unspaced(&mut self, letter: char) {
        let own = letter.to_string();
        self.note_family(&own);
        if JOINING.contains(&&*own) {
            return self.part();
        }
        self.pass(&own);
        if !UNSPACED_FILLERS.contains(letter) && letter.is_alphanumeric() && !is_number_word(&own) {
            self.keep(own.clone(), &own);
        }
    }

    /// Counts a word of a family; false for one that is of none.
    fn note_family(&mut self, token: &str) -> bool {
        let rows = FAMILIES.iter().enumerate().flat_map(|(family, rows)| {
            let rows = rows.iter().enumerate();
            rows.map(move |(row, words)| ((family, row), words))
        });
        for (place, words) in rows {
            if let Some(word) = words.iter().find(|word| **word == token) {
                self.wording.families.entry(place).or_default().push(word);
                return true;
            }
        }
        false
    }

    /// Keeps the word that was passed last.
    fn keep(&mut self, stem: String, form: &str) {
        let before = &self.before[..self.before.len().saturating_sub(1)];
        let places = self.wording.places.entry(stem.clone()).or_default();
        places.extend((0..before.len()).map(|from| Place::Behind(before[from..].join(" "))));
        if self.restricts {
            self.wording.only.insert(stem.clone());
            self.restricts = false;
        }
        self.kept.push((stem.clone(), Vec::new()));
        let (group, form) = (group_of(&stem), form.to_owned());
        self.wording.words.push(Word { stem, form, group });
    }
}
