//! Reads a text token by token and collects its words with their neighbours.

use super::tables::{
    CONTRACTED, DETERMINERS, ELIDED, FAMILIES, FILLERS, JOINING, UNSPACED_FILLERS, group_of,
};
use super::{FamilyRow, Neighbours, Word, Wording};
use crate::antonyms::base_form;
use crate::literals::numbers::{is_number_word, is_unit};
use crate::negation::is_negation;
use crate::words::is_unspaced;
use crate::words::stop_words::is_stop_word;

/// Words before and after a word that count as its neighbours.
const LEFT_MAX: usize = 4;
const RIGHT_MAX: usize = 3;

/// The wording so far, and the state of the reader.
pub(super) struct Reader {
    pub(super) wording: Wording,
    /// The words before the current one, and that one itself, nearest last. The empty word is the start of a
    /// clause.
    before: Vec<String>,
    /// The latest words that carry meaning, with the words after each so far.
    kept: Vec<(String, Vec<String>)>,
    /// The previous word was a negation.
    denies: bool,
    /// The previous word was "in", as in "in order to".
    in_order: bool,
    /// The previous word was a number.
    counts: bool,
    /// "Only" was read, and no word yet that it restricts.
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
            self.end_clause();
            self.before.push(String::new());
        }
    }

    /// Ends a clause: the words before it are no neighbours of those after it.
    fn end_clause(&mut self) {
        self.before.clear();
        self.kept.clear();
    }

    /// Adds a word as a neighbour of those around it.
    fn pass(&mut self, word: &str) {
        let word = CONTRACTED
            .iter()
            .find(|(form, _)| *form == word)
            .map_or(word, |(_, base)| base);
        for (kept, right) in &mut self.kept {
            right.push(word.to_owned());
            let neighbours = self.wording.neighbours.entry(kept.clone()).or_default();
            neighbours.insert(Neighbours::Right(right.join(" ")));
        }
        self.kept.retain(|(_, right)| right.len() < RIGHT_MAX);
        if self.before.len() > LEFT_MAX {
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
            return self.end_clause();
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
            return self.end_clause();
        }
        self.pass(&own);
        if !UNSPACED_FILLERS.contains(letter) && letter.is_alphanumeric() && !is_number_word(&own) {
            self.keep(own.clone(), &own);
        }
    }

    /// Records a word of a family. Returns false for a word of none.
    fn note_family(&mut self, token: &str) -> bool {
        let rows = FAMILIES.iter().enumerate().flat_map(|(family, rows)| {
            let rows = rows.iter().enumerate();
            rows.map(move |(row, words)| (FamilyRow { family, row }, words))
        });
        for (row, words) in rows {
            if let Some(word) = words.iter().find(|word| **word == token) {
                self.wording.families.entry(row).or_default().push(word);
                return true;
            }
        }
        false
    }

    /// Records the word that was passed last as one that carries meaning.
    fn keep(&mut self, stem: String, form: &str) {
        let before = &self.before[..self.before.len().saturating_sub(1)];
        let neighbours = self.wording.neighbours.entry(stem.clone()).or_default();
        neighbours.extend((0..before.len()).map(|from| Neighbours::Left(before[from..].join(" "))));
        if self.restricts {
            self.wording.only.insert(stem.clone());
            self.restricts = false;
        }
        self.kept.push((stem.clone(), Vec::new()));
        let (group, form) = (group_of(&stem), form.to_owned());
        self.wording.words.push(Word { stem, form, group });
    }
}
