//! The bonuses of a query: for pictures, for a persona and for a topic.

use hindlore_topk::{Bonus, DocSet};

use crate::memory::aggregate::Memory;
use crate::memory::query::{Query, TopicMode};

const VISUAL: f64 = 0.2;
const PERSONA: f64 = 0.1;
const TOPIC: f64 = 0.3;

/// Returns the bonuses of a query, in the order of addition, on which the rounding depends.
pub(super) fn bonuses<'m>(memory: &'m Memory, query: &Query) -> Vec<Bonus<'m>> {
    let mut bonuses = Vec::new();
    let mut add = |amount, holders: Vec<&'m DocSet>| {
        if !holders.is_empty() {
            bonuses.push(Bonus { amount, holders });
        }
    };
    if query.needs_visual {
        let sets = ["visual", "diagram"].into_iter();
        let mut sets: Vec<&DocSet> = sets.filter_map(|tag| memory.tagged(tag)).collect();
        sets.extend(memory.tagged_below("visual:"));
        add(VISUAL, sets);
    }
    if let Some(persona) = &query.persona_request {
        let name = persona.to_lowercase();
        let tags = [format!("persona:{name}"), name];
        let sets = tags.iter().filter_map(|tag| memory.tagged(tag));
        add(PERSONA, sets.collect());
    }
    if let (TopicMode::Boost, Some(topic)) = (query.topic_mode, &query.topic) {
        add(TOPIC, memory.about(topic).into_iter().collect());
    }
    bonuses
}
