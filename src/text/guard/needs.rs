//! The keys that two texts must share to merge, so that candidates for a merge can be looked up.
//!
//! The guard lets two texts merge only if their numbers and names are equal and each word that carries meaning has a
//! counterpart. So all candidates have a text's rarest number, name or word, and thousands of texts from one template
//! need not be compared with each other. This is a filter only: the guard compares the candidates.

use hindlore_topk::Key;

use super::GuardFeatures;
use crate::literals::numbers::numbers;
use crate::words::wording::{form_key, offer_keys};

impl GuardFeatures {
    /// Returns the keys of every text that may merge with this one: at least one of each list.
    pub fn needs(&self) -> Vec<Vec<Key>> {
        let mut needs = self.wording().needs();
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.');
        let amounts = self.numbers.iter().map(|mention| amount(&mention.value));
        needs.extend(
            amounts
                .filter(|amount| plain(amount))
                .map(|amount| vec![Key::One(number_key(amount))]),
        );
        // A name of one word is a standard word of every text that has it, marked as a name or not.
        let is_word = |name: &str| {
            let marked = |b: u8| b.is_ascii_digit() || b == b'_';
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && name.bytes().any(marked)
        };
        let names = self
            .identifiers
            .iter()
            .map(|mention| mention.value.to_lowercase())
            .filter(|name| is_word(name));
        needs.extend(names.map(|name| vec![Key::One(form_key(&name))]));
        needs
    }
}

/// Visits the keys that a lower-case standard word offers.
pub fn offers(token: &str, offer: &mut impl FnMut(String)) {
    offer_keys(token, offer);
    for mention in numbers(token) {
        offer(number_key(amount(&mention.value)));
    }
}

/// Returns a number without its sign and unit, which may be words of their own.
fn amount(value: &str) -> &str {
    let bare = value.strip_prefix('-').unwrap_or(value);
    bare.split(' ').next().unwrap_or(bare)
}

fn number_key(amount: &str) -> String {
    format!("n{amount}")
}
