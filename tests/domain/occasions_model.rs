//! The part of the model of ranking that is about speakers, and about words that are too common.

use std::collections::BTreeSet;

use hindlore_domain::memory::bullet::{Bullet, Source};
use hindlore_domain::memory::policy::Profile;
use hindlore_domain::memory::query::Speaker;
use hindlore_text::words::search_words::{Need, asked_of};

use crate::ranking_model::{Question, Texts, passages};

impl Question<'_> {
    /// Only one everyday word of the query is in the bullet, and the query has other words.
    pub(crate) fn is_vague(&self, bullet: &Bullet) -> bool {
        let texts = Texts::of(&self.memory.bullets());
        let asked = asked_of(&self.query.text, self.now.day(), &texts);
        let heavy = asked.iter().filter(|one| !one.is_light).count();
        if self.profile() != Profile::Engine || heavy < 2 {
            return false;
        }
        let passages = passages(bullet);
        let own: BTreeSet<&String> = passages.iter().flat_map(|one| one.counts.keys()).collect();
        let (mut common, mut others) = (BTreeSet::new(), false);
        for one in asked.iter().filter(|one| !one.is_light) {
            for word in one.words.iter().filter(|word| is_met(&word.need, &own)) {
                others |= !one.is_common;
                common.insert(&word.word);
            }
        }
        !others && common.len() == 1
    }

    /// An agent's words count half where it and a person each wrote a fifth, unless all are to count alike.
    pub(crate) fn source_weight(&self, source: Source) -> f64 {
        let weights = self.memory.policy().source_weights;
        if self.query.speaker == Speaker::Any {
            return 1.0;
        }
        let bullets = self.memory.bullets();
        let said = |by: Source| {
            let active = bullets.iter().filter(|bullet| bullet.is_active());
            active.filter(|bullet| bullet.source == by).count()
        };
        let (person, agent) = (said(Source::Person), said(Source::Agent));
        let is_talk = agent > 0 && person.min(agent) * 5 >= person + agent;
        match source {
            Source::Agent if is_talk => weights.dialogue * weights.agent,
            source => weights.of(source),
        }
    }
}

/// A label as a term that no text has.
pub(crate) fn named(label: u32) -> String {
    format!("#{label}")
}

/// Returns true if some terms meet a need.
pub(crate) fn is_met(need: &Need, own: &BTreeSet<&String>) -> bool {
    match need {
        Need::Any { terms, .. } => terms.iter().any(|term| own.contains(term)),
        Need::Label { labels, .. } => labels.iter().any(|label| own.contains(&named(*label))),
        Need::Best(needs) | Need::Sum(needs) => needs.iter().any(|need| is_met(need, own)),
        Need::All(needs) => needs.iter().all(|need| is_met(need, own)),
    }
}
