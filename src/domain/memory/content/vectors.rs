//! Vectors of texts by a model, and the texts whose meaning is near that of a question.
//!
//! A vector belongs to a text under its heading, not to a bullet: it stays right when a bullet is edited, archived or
//! revived, and a text without one takes part by its words alone. Each component is one byte, which changes a cosine by
//! about 0.001. Sums run in a fixed order, so every machine and every store gives the same cosine to the last bit.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::sync::Arc;

use super::ContentHash;

/// Weight of a cosine where the relevance of the words has 1. Chosen on dialogues and rule files; see
/// `docs/embeddings.md`.
pub const COSINE_WEIGHT: f64 = 0.6;
/// Largest number of components of a vector.
pub const DIMENSION_MAX: usize = 8_192;
/// Largest number of passages of one text; the rest has no vector.
pub const PASSAGES_MAX: usize = 32;
/// Approximate number of words of a long content that rank as one text, by words and by meaning.
pub(crate) const PASSAGE_WORDS: usize = 120;
/// Characters of a passage in a script without blanks.
const PASSAGE_CHARS: usize = 1_000;
/// Components that are summed side by side, so that the compiler uses vector registers.
const LANES: usize = 16;

/// How the cosines of a model count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CosineScale {
    /// The cosine of texts that have nothing to do with each other, in 0..1: about 0 for many models, 0.7 for some.
    pub zero: f64,
    /// The part of the way from there to 1 from which on texts count as near, in 0..=1.
    pub floor: f64,
}

impl CosineScale {
    /// Returns a cosine as it counts, at most 1; `None` below the floor.
    fn part(self, cosine: f64) -> Option<f64> {
        let part = (cosine - self.zero) / (1.0 - self.zero);
        (part >= self.floor).then_some(part.min(1.0))
    }
}

/// Texts with their cosine to a question.
pub type NearTexts = Arc<[(ContentHash, f64)]>;

/// A vector with one byte for each component, scaled so that the largest is 127.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedVector(Vec<i8>);

impl PackedVector {
    /// Packs a vector; `None` for one without a direction, or with too many components.
    pub fn pack(vector: &[f32]) -> Option<Self> {
        let largest = vector.iter().fold(0.0_f32, |most, one| most.max(one.abs()));
        let is_sound = vector.iter().all(|one| one.is_finite()) && largest > 0.0;
        if !is_sound || vector.len() > DIMENSION_MAX {
            return None;
        }
        let byte = |one: &f32| (one / largest * 127.0).round() as i8;
        Some(Self(vector.iter().map(byte).collect()))
    }

    /// Reads a packed vector; `None` for one without a direction.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let is_sound = bytes.iter().any(|byte| *byte != 0) && bytes.len() <= DIMENSION_MAX;
        is_sound.then(|| Self(bytes.iter().map(|byte| byte.cast_signed()).collect()))
    }

    /// Returns its bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().map(|one| one.cast_unsigned()).collect()
    }

    /// Returns the number of components.
    pub fn dimension(&self) -> usize {
        self.0.len()
    }
}

/// The vectors of a memory's texts.
#[derive(Clone, Default, Debug)]
pub struct Vectors {
    dimension: usize,
    rows: Vec<i8>,
    /// The length of each row.
    lengths: Vec<f32>,
    /// The text of each row.
    texts: Vec<ContentHash>,
    /// The heading under which each text was read.
    headings: HashMap<ContentHash, Heading>,
}

/// A mark of the heading of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heading(u64);

impl Heading {
    /// Marks a heading.
    pub fn of(section: Option<&str>) -> Self {
        let [a, b, c, d, e, f, g, h, ..] = ContentHash::from_text(section.unwrap_or_default()).0;
        Self(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }

    /// Reads the hex digits of [`to_hex`](Self::to_hex).
    pub fn from_hex(digits: &str) -> Option<Self> {
        u64::from_str_radix(digits, 16).ok().map(Self)
    }

    /// Returns 16 hex digits.
    pub fn to_hex(self) -> String {
        format!("{:016x}", self.0)
    }
}

impl Vectors {
    /// Sets the vectors of a text's passages, unless it has some under this heading; vectors of another dimension than
    /// the first are left out.
    pub fn insert(&mut self, text: ContentHash, heading: Heading, passages: &[PackedVector]) {
        match self.headings.insert(text, heading) {
            Some(known) if known == heading => return,
            Some(_) => self.remove(text),
            None => {}
        }
        if let (true, Some(first)) = (self.texts.is_empty(), passages.first()) {
            self.dimension = first.dimension();
        }
        for row in passages
            .iter()
            .filter(|row| row.dimension() == self.dimension)
        {
            let squares = row.0.iter().map(|one| i64::from(*one) * i64::from(*one));
            self.lengths.push((squares.sum::<i64>() as f32).sqrt());
            self.rows.extend_from_slice(&row.0);
            self.texts.push(text);
        }
    }

    fn remove(&mut self, text: ContentHash) {
        for at in (0..self.texts.len()).rev() {
            if self.texts[at] == text {
                self.texts.remove(at);
                self.lengths.remove(at);
                let start = at * self.dimension;
                self.rows.drain(start..start + self.dimension);
            }
        }
    }

    /// Returns true if a text has a vector under its heading.
    pub fn contains(&self, text: ContentHash, heading: Heading) -> bool {
        self.headings.get(&text) == Some(&heading)
    }

    /// Returns the number of components of each vector; 0 without vectors.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Returns the bytes that the vectors take in process.
    pub fn bytes(&self) -> usize {
        let row = size_of::<f32>() + size_of::<ContentHash>();
        let text = size_of::<(ContentHash, Heading)>();
        self.rows.len() + self.texts.len() * row + self.headings.len() * text
    }

    /// Compares every vector with a question; keeps the best cosine of each text, as it counts.
    fn compare(&self, question: &[f32], scale: CosineScale, best: &mut HashMap<ContentHash, f64>) {
        let squares = question.iter().map(|one| f64::from(*one) * f64::from(*one));
        let length = squares.sum::<f64>().sqrt();
        if question.len() != self.dimension || !length.is_normal() {
            return;
        }
        let rows = self.rows.chunks_exact(self.dimension);
        for ((row, own), text) in rows.zip(&self.lengths).zip(&self.texts) {
            let cosine = f64::from(dot(question, row)) / (f64::from(*own) * length);
            if let Some(part) = scale.part(cosine) {
                let known = best.entry(*text).or_insert(part);
                *known = known.max(part);
            }
        }
    }
}

/// Returns the texts whose best passage is near any of the questions, ascending by hash. Compares every vector, so that
/// no text is missed.
pub fn near_texts<V: Borrow<Vectors>>(
    all: &[V],
    questions: &[Vec<f32>],
    scale: CosineScale,
) -> NearTexts {
    let mut best: HashMap<ContentHash, f64> = HashMap::new();
    for vectors in all {
        for question in questions {
            vectors.borrow().compare(question, scale, &mut best);
        }
    }
    let mut near: Vec<(ContentHash, f64)> = best.into_iter().collect();
    near.sort_unstable_by_key(|(text, _)| *text);
    near.into()
}

fn dot(question: &[f32], row: &[i8]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let (wide, narrow) = (question.chunks_exact(LANES), row.chunks_exact(LANES));
    let rest = wide.remainder().iter().zip(narrow.remainder());
    let rest: f32 = rest.map(|(one, other)| one * f32::from(*other)).sum();
    for (some, others) in wide.zip(narrow) {
        for (sum, (one, other)) in sums.iter_mut().zip(some.iter().zip(others)) {
            *sum += one * f32::from(*other);
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// Cuts a text into passages of equal length, about as long as a model reads at once, each under its heading.
pub fn passages(heading: Option<&str>, text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().flat_map(pieces).collect();
    let chars: usize = words.iter().map(|word| word.chars().count() + 1).sum();
    let by_words = (words.len() + PASSAGE_WORDS / 2) / PASSAGE_WORDS;
    let count = by_words.max(chars.div_ceil(PASSAGE_CHARS)).max(1);
    let size = words.len().div_ceil(count).max(1);
    let passages = words.chunks(size).take(PASSAGES_MAX);
    let titled = |words: &[&str]| match heading {
        Some(heading) => format!("{heading}: {}", words.join(" ")),
        None => words.join(" "),
    };
    passages.map(titled).collect()
}

/// Cuts a word of a script without blanks where a model would stop reading.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let cut = rest.char_indices().nth(PASSAGE_CHARS / 2);
        let (piece, left) = rest.split_at(cut.map_or(rest.len(), |(at, _)| at));
        rest = left;
        (!piece.is_empty()).then_some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u8) -> ContentHash {
        ContentHash([number; 32])
    }

    fn near(vectors: &Vectors, question: &[f32], floor: f64) -> NearTexts {
        near_texts(
            &[vectors],
            &[question.to_vec()],
            CosineScale { zero: 0.0, floor },
        )
    }

    fn packed(vector: &[f32]) -> PackedVector {
        PackedVector::pack(vector).unwrap()
    }

    #[test]
    fn a_text_counts_by_its_best_passage_above_the_floor() {
        let (mut vectors, plain) = (Vectors::default(), Heading::of(None));
        let passages = [packed(&[1.0, 0.0, 0.0]), packed(&[0.0, 2.0, 0.0])];
        vectors.insert(hash(1), plain, &passages);
        vectors.insert(hash(2), plain, &[packed(&[0.0, 1.0, 1.0])]);
        vectors.insert(hash(3), plain, &[packed(&[0.0, -1.0, 0.0])]);
        vectors.insert(hash(4), plain, &[packed(&[1.0, 1.0])]);
        let found = near(&vectors, &[0.0, 0.5, 0.0], 0.6);
        assert_eq!(
            found.len(),
            2,
            "one is opposite and one of another dimension"
        );
        assert_eq!(found[0], (hash(1), 1.0));
        let (text, cosine) = found[1];
        assert!(text == hash(2) && (cosine - 0.5_f64.sqrt()).abs() < 1e-6);
        assert!(near(&vectors, &[1.0], 0.0).is_empty());
        assert!(near(&vectors, &[0.0; 3], 0.0).is_empty());
    }

    #[test]
    fn a_text_under_another_heading_is_read_again() {
        let (mut vectors, plain) = (Vectors::default(), Heading::of(None));
        let passages = [packed(&[1.0, 0.0]), packed(&[0.0, 1.0])];
        vectors.insert(hash(1), plain, &passages);
        vectors.insert(hash(2), plain, &[packed(&[1.0, 1.0])]);
        let moved = Heading::of(Some("Tests"));
        assert!(vectors.contains(hash(1), plain) && !vectors.contains(hash(1), moved));
        vectors.insert(hash(1), moved, &[packed(&[-1.0, 0.0])]);
        assert!(vectors.contains(hash(1), moved) && !vectors.contains(hash(1), plain));
        let found = near(&vectors, &[1.0, 0.0], -1.0);
        let cosines: Vec<f64> = found.iter().map(|(_, cosine)| *cosine).collect();
        assert!(cosines[0] == -1.0 && cosines[1] > 0.7 && cosines.len() == 2);
    }

    #[test]
    fn packing_changes_a_cosine_by_little() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..200 {
            let [one, other] = [(); 2].map(|()| -> Vec<f32> {
                (0..389)
                    .map(|_| rng.f32() - 0.5 + rng.f32() * 0.2)
                    .collect()
            });
            let product = |a: &[f32], b: &[f32]| -> f64 {
                a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
            };
            let exact =
                product(&one, &other) / (product(&one, &one) * product(&other, &other)).sqrt();
            let mut vectors = Vectors::default();
            vectors.insert(hash(1), Heading::of(None), &[packed(&other)]);
            let found = near(&vectors, &one, -1.0)[0].1;
            assert!((found - exact).abs() < 0.003, "{found} {exact}");
            let bytes = packed(&other).to_bytes();
            assert_eq!(PackedVector::from_bytes(&bytes), Some(packed(&other)));
        }
    }

    #[test]
    fn a_cosine_counts_from_where_unrelated_texts_are() {
        let scale = CosineScale {
            zero: 0.75,
            floor: 0.2,
        };
        for (cosine, part) in [
            (0.75, None),
            (0.79, None),
            (0.8125, Some(0.25)),
            (1.001, Some(1.0)),
        ] {
            assert_eq!(scale.part(cosine), part, "{cosine}");
        }
    }

    #[test]
    fn a_vector_without_a_direction_is_none() {
        for bad in [&[0.0, 0.0][..], &[f32::NAN, 1.0], &[f32::INFINITY], &[]] {
            assert_eq!(PackedVector::pack(bad), None, "{bad:?}");
        }
        assert_eq!(PackedVector::from_bytes(&[0, 0]), None);
    }

    #[test]
    fn passages_are_of_equal_length_and_lose_no_word() {
        assert_eq!(passages(None, " one  two "), ["one two"]);
        assert_eq!(passages(Some("Tests"), "one"), ["Tests: one"]);
        let long = "word ".repeat(300);
        let cut = passages(None, &long);
        assert_eq!(cut.len(), 3);
        assert_eq!(cut.join(" "), long.trim());
        let unbroken = "字".repeat(2_300);
        let cut = passages(None, &unbroken);
        assert!(
            cut.iter()
                .all(|one| one.chars().count() <= PASSAGE_CHARS + 1)
        );
        assert_eq!(cut.concat().replace(' ', ""), unbroken);
        assert_eq!(passages(None, &"word ".repeat(99_999)).len(), PASSAGES_MAX);
    }
}
