//! A proposal rewritten by a hint, in the form of one's own habits where possible.

use super::{Beliefs, Made, Proposal, begun};
use crate::tokens::{Token, differing, tokens};
use crate::tool::Alternative;

/// Maximum choices in which a rewriting may differ from its original.
const CHANGES_UNDERSTOOD: usize = 8;

impl Beliefs<'_> {
    /// The proposal of the habits that equals a rewriting, apart from blanks; `None` when there is none.
    ///
    /// Goes from the other by the one choice that brings it nearest, again and again.
    pub(in crate::executor) fn understand(
        &mut self,
        from: &Proposal,
        action: &str,
    ) -> Option<Proposal> {
        if let Some(known) = self.understood.get(action) {
            return known.clone();
        }
        let found = self.search(from, &tokens(action));
        self.understood.insert(action.to_owned(), found.clone());
        found
    }

    fn search(&mut self, from: &Proposal, wanted: &[Token]) -> Option<Proposal> {
        let start = if from.is_own() {
            from.made.clone()
        } else {
            self.last.as_ref().map(|(made, _)| made.clone())?
        };
        let mut best = self.said(start)?;
        let mut distance = differing(&tokens(&best.action), wanted);
        for _ in 0..CHANGES_UNDERSTOOD {
            if distance == 0 {
                return Some(best);
            }
            let mut nearest: Option<(usize, Proposal)> = None;
            for (name, choice) in best.made.clone() {
                let count = self.choices.get(&name).map_or(0, Vec::len);
                for other in (0..count).filter(|other| *other != choice) {
                    let mut made = best.made.clone();
                    made.insert(name.clone(), other);
                    let Some(said) = self.said(made) else {
                        continue;
                    };
                    let found = differing(&tokens(&said.action), wanted);
                    let limit = nearest.as_ref().map_or(distance, |(least, _)| *least);
                    if found < limit {
                        nearest = Some((found, said));
                    }
                }
            }
            (distance, best) = nearest?;
        }
        (distance == 0).then_some(best)
    }

    /// The form of some choices; open ones are the first of each.
    fn said(&mut self, wanted: Made) -> Option<Proposal> {
        let Self {
            habits,
            intent,
            docs,
            choices,
            ..
        } = self;
        let mut made = Made::new();
        let mut choose = |name: &str, among: &[Alternative]| {
            choices
                .entry(name.to_owned())
                .or_insert_with(|| begun(among, docs));
            let choice = wanted.get(name).copied().unwrap_or(0);
            made.insert(name.to_owned(), choice);
            choice
        };
        let action = habits.say(&intent.name, &intent.data, &mut choose)?;
        Some(Proposal { action, made })
    }
}
