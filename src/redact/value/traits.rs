//! Properties of a text: its length, its characters, and whether it looks random.

/// Properties of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    pub(crate) length: usize,
    pub(super) letters: usize,
    pub(super) upper: usize,
    pub(crate) digits: usize,
    /// Signs that words and identifiers do not have.
    pub(crate) symbols: usize,
    /// Signs between words.
    pub(crate) joints: usize,
    pub(super) blanks: usize,
    /// Changes between small and capital letters and digits.
    pub(crate) changes: usize,
    pub(super) entropy: f64,
}

impl Traits {
    pub(crate) fn of(text: &str) -> Self {
        let mut traits = Self {
            length: text.chars().count(),
            entropy: entropy(text.as_bytes()),
            ..Self::default()
        };
        let mut before = 0_u8;
        for c in text.chars() {
            let class = match c {
                'a'..='z' => 1,
                'A'..='Z' => 2,
                '0'..='9' => 3,
                _ => 4,
            };
            traits.changes +=
                usize::from(before != 0 && class != before && class < 4 && before < 4);
            before = class;
            match c {
                c if c.is_ascii_digit() => traits.digits += 1,
                c if c.is_alphabetic() => {
                    traits.letters += 1;
                    traits.upper += usize::from(c.is_uppercase());
                }
                '-' | '_' | '.' => traits.joints += 1,
                c if c.is_whitespace() => traits.blanks += 1,
                _ => traits.symbols += 1,
            }
        }
        traits
    }

    pub(crate) fn is_mixed(&self) -> bool {
        self.digits > 0 && self.letters > 0
    }

    pub(crate) fn has_odd_signs(&self) -> bool {
        self.symbols > 0 && self.letters > 0
    }

    /// Looks drawn by chance: long enough, of many characters, and not of words.
    pub(crate) fn is_random(&self, least: usize) -> bool {
        if self.length < least || self.blanks > 0 || self.entropy < 2.8 {
            return false;
        }
        let share = |part: usize| part * 100 / self.length.max(1);
        let has_digits = self.digits >= 2 && share(self.digits) >= 5;
        let is_of_words = self.joints >= 2 && self.changes <= self.joints + 1;
        let has_humps = self.upper >= 3
            && share(self.upper) >= 20
            && share(self.upper) <= 80
            && self.changes >= 6;
        let has_one_case =
            self.digits == 0 && self.joints == 0 && self.length >= 24 && self.entropy >= 3.6;
        has_digits && !is_of_words && self.changes >= 3
            || has_humps
            || has_one_case
            || self.digits == self.length
    }

    /// A word with a number at its end, such as `oauth2` or `v12`.
    pub(crate) fn is_numbered_word(&self) -> bool {
        self.symbols == 0
            && self.joints <= 1
            && self.changes <= 1
            && self.digits <= 3
            && self.upper == 0
    }

    pub(super) fn is_short_name(&self) -> bool {
        self.symbols == 0 && self.digits == 0 && self.blanks == 0
    }
}

/// Shannon's entropy in bits for each byte.
pub(crate) fn entropy(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text {
        counts[usize::from(*byte)] += 1;
    }
    let all = u32::try_from(text.len()).map_or(f64::MAX, f64::from);
    let terms = counts.iter().filter(|count| **count > 0).map(|count| {
        let share = f64::from(*count) / all;
        -share * libm::log2(share)
    });
    terms.sum()
}
