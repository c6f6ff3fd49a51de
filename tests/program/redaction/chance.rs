//! Random texts that are the same in every run.

use fastrand::Rng;

pub(crate) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
pub(crate) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
pub(crate) const DIGITS: &str = "0123456789";
pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Draws characters.
pub(crate) struct Chance(pub(crate) Rng);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    pub(crate) fn of(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length)
            .map(|_| letters[self.0.usize(0..letters.len())])
            .collect()
    }

    /// Letters of both cases and digits.
    pub(crate) fn alnum(&mut self, length: usize) -> String {
        self.of(&[LOWER, UPPER, DIGITS].concat(), length)
    }

    pub(crate) fn hex(&mut self, length: usize) -> String {
        self.of(HEX, length)
    }

    pub(crate) fn digits(&mut self, length: usize) -> String {
        self.of(DIGITS, length)
    }

    /// As in addresses and tokens: with `-` and `_`.
    pub(crate) fn url(&mut self, length: usize) -> String {
        self.of(&[LOWER, UPPER, DIGITS, "-_"].concat(), length)
    }

    pub(crate) fn base64(&mut self, length: usize) -> String {
        self.of(&[LOWER, UPPER, DIGITS, "+/"].concat(), length)
    }

    pub(crate) fn uuid(&mut self) -> String {
        [8, 4, 4, 4, 12].map(|part| self.hex(part)).join("-")
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.0.usize(0..from.len())]
    }
}
