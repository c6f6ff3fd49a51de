//! What two texts must share to be merged, so that whom a text may be merged with can be looked up.
//!
//! The guard lets two texts become one only when their numbers and names are the same and each word that
//! carries meaning has its counterpart. So the texts that may be merged with one are among those that have
//! its rarest number, name or word; thousands of texts from one template need not be compared with each
//! other. This is a sieve: what passes it is compared as ever.

use mnemograph_topk::Key;

use super::GuardFeatures;
use crate::text::numbers::numbers;
use crate::text::wording::{form_key, offer_keys};

impl GuardFeatures {
    /// What every text that may be merged with this one offers: one key of each list.
    pub fn needs(&self) -> Vec<Vec<Key>> {
        let mut needs = self.wording().needs();
        let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.');
        let amounts = self.numbers.iter().map(|mention| amount(&mention.value));
        let amounts = amounts.filter(|amount| plain(amount));
        needs.extend(amounts.map(|amount| vec![Key::One(number_key(amount))]));
        // A name of one word is a standard word of whoever has it, marked as a name or not.
        let is_word = |name: &str| {
            let marked = |b: u8| b.is_ascii_digit() || b == b'_';
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && name.bytes().any(marked)
        };
        let names = self
            .identifiers
            .iter()
            .map(|mention| mention.value.to_lowercase());
        let names = names.filter(|name| is_word(name));
        needs.extend(names.map(|name| vec![Key::One(form_key(&name))]));
        needs
    }
}

/// Calls with each key that a lower-case standard word offers.
pub fn offers(token: &str, offer: &mut impl FnMut(String)) {
    offer_keys(token, offer);
    for mention in numbers(token) {
        offer(number_key(amount(&mention.value)));
    }
}

/// A number without its sign and unit: these may stand in words of their own.
fn amount(value: &str) -> &str {
    let bare = value.strip_prefix('-').unwrap_or(value);
    bare.split(' ').next().unwrap_or(bare)
}

fn number_key(amount: &str) -> String {
    format!("n{amount}")
}
