//! Short explanations of policy fields.

/// Fields with their meanings; a part of a field has the meaning of its field.
const WORDS: &[(&str, &str)] = &[
    (
        "mode",
        "rules of merging and pruning: engine, or classic as the original programs",
    ),
    ("rates", "share of strength lost per event, by memory type"),
    ("base_strength", "strength of a bullet without votes"),
    ("similarity", "which words similarity compares"),
    (
        "merge_threshold",
        "similarity from which a new text joins a bullet",
    ),
    (
        "dedup_threshold",
        "similarity above which two bullets join later",
    ),
    ("guard", "keeps texts apart that differ in what matters"),
    (
        "max_bullets",
        "active bullets; beyond, the weakest are archived; null: no limit",
    ),
    (
        "harmful_votes",
        "votes from which more harm than help archives a bullet",
    ),
    ("profile", "how retrievals score that name no profile"),
    ("weights", "weights of the score in place of the profile's"),
    ("floor", "relevance below which nothing is returned"),
    (
        "link_shares",
        "share of a linked neighbour's relevance that is added",
    ),
    (
        "source_weights",
        "factors of relevance by who wrote a bullet; 1: all alike",
    ),
    ("expiry", "bullets with a time to live expire"),
    ("max_content_chars", "longest text, in characters"),
    ("rules", "version of the rules of identity and merging"),
    ("tokeniser", "version of the word rules; cannot be set"),
    (
        "guard_tables",
        "hash of the guard's word tables; cannot be set",
    ),
    (
        "rule_tables",
        "hash of the classification rules; cannot be set",
    ),
    ("retrieval_days", "days that retrieval records are kept"),
    ("retrieval_records", "retrieval records that are kept"),
    (
        "delta_days",
        "days for which every delta is kept; 0: all for good",
    ),
    ("delta_records", "newest deltas that are kept at any age"),
];

/// The meaning of a field.
pub(crate) fn meaning(field: &str) -> &'static str {
    let words = WORDS.iter().find(|(name, _)| *name == field);
    words.map_or("", |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::policy::Policy;

    #[test]
    fn every_field_has_its_words() {
        for field in Policy::field_names() {
            assert!(!meaning(&field).is_empty(), "{field}");
        }
    }
}
