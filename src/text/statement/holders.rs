//! Statements that name the holder first: "Alice is the tech lead", "We use Jenkins for CI".
//!
//! They get the frame of the usual order ("the tech lead is", "our ci is"), so that both orders are one attribute.

use super::nouns::{ATTRIBUTES, CHOICES, SEVERAL};
use super::places::{DEFINITE, GERMAN_ATTRIBUTES, PLURAL_OWNERS, USES};
use super::qualifiers;
use super::tables::COPULAS;
use super::{Shape, Statement, Word, has_hedge, head, is_number, shape};

/// Maximum words of a holder's name.
const HOLDER_MAX: usize = 4;

/// Returns true if a noun names an attribute with one value, as the last word before its value.
pub(super) fn is_attribute(noun: &str) -> bool {
    ATTRIBUTES.contains(&noun) || CHOICES.contains(&noun)
}

/// Returns true if a subject is something that a project has chosen one of: `our CI`, `the build tool`.
pub(super) fn is_choice(subject: &[Word]) -> bool {
    let is_owned = subject
        .first()
        .is_some_and(|word| DEFINITE.contains(&word.form.as_str()));
    is_owned && CHOICES.contains(&head(subject))
}

/// Returns true if a German noun does so; a compound has the kind of its last part.
pub(super) fn is_german_attribute(noun: &str) -> bool {
    GERMAN_ATTRIBUTES.iter().any(|known| noun.ends_with(known))
}

impl Statement {
    /// A name, and the one role that it holds: `Alice is the tech lead of the shop`.
    pub(super) fn holds(words: &[Word], before: &[Word]) -> Option<Self> {
        let is_copula = |word: &Word| {
            let form = word.form.as_str();
            COPULAS[0] == form || form == "ist"
        };
        let at = words.iter().position(is_copula)?;
        let (holder, role) = (&words[..at], &words[at + 1..]);
        let owner = role.first()?.form.as_str();
        let is_name = (1..=HOLDER_MAX).contains(&holder.len())
            && holder.iter().all(Word::is_capital)
            && !holder.iter().any(|word| word.ends_part)
            && !DEFINITE.contains(&holder[0].form.as_str());
        if !is_name || !DEFINITE.contains(&owner) || has_hedge(role) {
            return None;
        }
        let (role, after) = qualifiers::split(role, false);
        let noun = head(role);
        let is_role = is_attribute(noun) || (words[at].form == "ist" && is_german_attribute(noun));
        if !is_role || SEVERAL.contains(&noun) || role.iter().rev().skip(1).any(|w| w.ends_part) {
            return None;
        }
        let forms: Vec<&str> = role.iter().map(|word| word.form.as_str()).collect();
        Some(Self {
            frame: Self::framed(
                &format!("{} {}", forms.join(" "), words[at].form),
                &[before, after],
            ),
            value: holder.iter().map(|word| word.form.clone()).collect(),
            shape: Shape::Name,
            is_named: true,
        })
    }

    /// The thing used for a purpose that one thing serves: `We use GitHub Actions for CI`.
    pub(super) fn used_for(words: &[Word], before: &[Word]) -> Option<Self> {
        let (owner, rest) = words.split_first()?;
        let (verb, rest) = rest.split_first()?;
        let is_use = USES.contains(&verb.form.as_str());
        if !PLURAL_OWNERS.contains(&owner.form.as_str()) || !is_use || has_hedge(rest) {
            return None;
        }
        let at = rest
            .iter()
            .position(|word| matches!(word.form.as_str(), "for" | "as" | "für" | "als"))?;
        let (value, purpose) = (&rest[..at], &rest[at + 1..]);
        // A version is one of many things that serve a purpose: "Node 20 for CI".
        if value.iter().any(is_number) {
            return None;
        }
        let (purpose, after) = qualifiers::split(purpose, false);
        let purpose = match purpose.split_first() {
            Some((first, rest)) if DEFINITE.contains(&first.form.as_str()) => rest,
            _ => purpose,
        };
        let noun = purpose.last()?.form.as_str();
        let is_choice =
            CHOICES.contains(&noun) || ATTRIBUTES.contains(&noun) || is_german_attribute(noun);
        if !is_choice || purpose.len() > 2 {
            return None;
        }
        let forms: Vec<&str> = purpose.iter().map(|word| word.form.as_str()).collect();
        Some(Self {
            frame: Self::framed(&format!("our {} is", forms.join(" ")), &[before, after]),
            shape: shape(value)?,
            value: value.iter().map(|word| word.form.clone()).collect(),
            is_named: true,
        })
    }
}
