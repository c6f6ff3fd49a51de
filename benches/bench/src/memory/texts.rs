//! Texts as agents keep them, made up: lengths and word frequencies are those of real playbooks and
//! dialogues, the words are our own.
//!
//! A third of the texts is as long as playbook bullets (mean 49 words, deviation 11), the others as long
//! as turns of a dialogue (median 21, log deviation 0.52). Words follow a Zipf-Mandelbrot law that was
//! fitted to both, p(rank) ~ 1 / (rank + 9)^1.2, over a vocabulary that continues after the table with
//! names and identifiers, as real vocabularies grow with the number of texts.

use std::collections::HashSet;

use crate::chance::Chance;

const WORDS: &str = include_str!("words.txt");
/// Different words that texts draw from.
const VOCABULARY: usize = 60_000;
const SHIFT: f64 = 9.0;
const POWER: f64 = 1.2;
/// Words that a question draws from this rank on: questions are not about function words.
const CONTENT_FROM: usize = 120;
const SYLLABLES: [&str; 24] = [
    "ba", "cor", "del", "fi", "gan", "hu", "jo", "kel", "lum", "mi", "nor", "pa", "qui", "ras",
    "so", "tel", "ur", "ven", "wil", "xa", "yor", "zen", "ost", "ick",
];

/// A source of texts and questions; the same seed gives the same ones.
#[derive(Debug)]
pub struct Texts {
    words: Vec<String>,
    /// Sum of the probabilities up to each rank.
    cumulated: Vec<f64>,
    chance: Chance,
}

impl Texts {
    /// A source with a seed.
    pub fn new(seed: u64) -> Self {
        let words = vocabulary();
        let mut sum = 0.0;
        let cumulated = (0..words.len())
            .map(|rank| {
                sum += 1.0 / libm::pow(rank as f64 + SHIFT + 1.0, POWER);
                sum
            })
            .collect();
        Self {
            words,
            cumulated,
            chance: Chance::new(seed),
        }
    }

    /// The next text.
    pub fn text(&mut self) -> String {
        let length = self.length();
        let mut text = String::new();
        for at in 0..length {
            let word = self.word_from(0);
            match (at, at % 12) {
                (0, _) => text.push_str(&capital(&self.words[word])),
                (_, 11) => {
                    text.push_str(", ");
                    text.push_str(&self.words[word]);
                }
                _ => {
                    text.push(' ');
                    text.push_str(&self.words[word]);
                }
            }
        }
        text.push('.');
        text
    }

    /// The next `count` texts.
    pub fn many(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.text()).collect()
    }

    /// A question of ordinary words: five that carry meaning among four that do not.
    pub fn question(&mut self) -> String {
        let mut words: Vec<String> = Vec::new();
        for at in 0..9 {
            let from = if at % 2 == 0 { CONTENT_FROM } else { 0 };
            let word = self.word_from(from);
            words.push(self.words[word].clone());
        }
        format!("{}?", words.join(" "))
    }

    /// The source of chance for the texts.
    pub fn chance(&mut self) -> &mut Chance {
        &mut self.chance
    }

    /// Draws the rank of a word, at or after a rank.
    fn word_from(&mut self, rank: usize) -> usize {
        let before = rank.checked_sub(1).map_or(0.0, |rank| self.cumulated[rank]);
        let all = self.cumulated.last().copied().unwrap_or_default();
        let drawn = before + self.chance.share() * (all - before);
        let at = self.cumulated.partition_point(|sum| *sum < drawn);
        at.min(self.words.len() - 1)
    }

    fn length(&mut self) -> usize {
        let normal = self.normal();
        let words = match self.chance.below(3) {
            0 => 49.0 + 11.0 * normal,
            _ => 21.0 * libm::exp(0.52 * normal),
        };
        words.clamp(4.0, 120.0).round() as usize
    }

    /// A number of the normal distribution (Box and Muller 1958).
    fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.chance.share()));
        radius * libm::cos(std::f64::consts::TAU * self.chance.share())
    }
}

fn vocabulary() -> Vec<String> {
    let mut chance = Chance::new(1);
    let mut seen = HashSet::new();
    let mut words: Vec<String> = WORDS
        .split_whitespace()
        .map(str::to_owned)
        .filter(|word| seen.insert(word.clone()))
        .collect();
    let known = words.len();
    while words.len() < VOCABULARY {
        let word = match chance.below(4) {
            0 => {
                let part = |chance: &mut Chance| {
                    words[CONTENT_FROM + chance.below(known - CONTENT_FROM)].clone()
                };
                format!("{}_{}", part(&mut chance), part(&mut chance))
            }
            _ => (0..2 + chance.below(3))
                .map(|_| SYLLABLES[chance.below(SYLLABLES.len())])
                .collect(),
        };
        if seen.insert(word.clone()) {
            words.push(word);
        }
    }
    words
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_lengths_and_words_that_were_measured() {
        let texts = Texts::new(5).many(4000);
        let mut lengths: Vec<usize> = texts.iter().map(|text| text.split(' ').count()).collect();
        lengths.sort_unstable();
        // Of 2080 turns and, weighted to a third, 318 bullets: quartiles near 17, 29 and 46.
        assert!((15..=21).contains(&lengths[1000]) && (26..=33).contains(&lengths[2000]));
        assert!((40..=50).contains(&lengths[3000]), "{}", lengths[3000]);
        let all: usize = lengths.iter().sum();
        let the = texts
            .iter()
            .flat_map(|text| text.split(' '))
            .filter(|word| *word == "the");
        let share = the.count() as f64 / all as f64;
        assert!((0.015..0.04).contains(&share), "{share}");
    }

    #[test]
    fn equal_seeds_give_equal_texts() {
        assert_eq!(Texts::new(5).many(20), Texts::new(5).many(20));
        assert_ne!(Texts::new(5).text(), Texts::new(6).text());
        assert_eq!(Texts::new(1).question().split(' ').count(), 9);
    }
}
