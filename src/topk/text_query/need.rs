//! The needs of a query: terms, and the equivalence of the forms of a word.

/// A need; its value in a text is a sum of term scores.
#[derive(Clone, PartialEq, Debug)]
pub enum Need {
    /// Any of several equivalent terms: the one that scores most. They share the weight of a term that all their
    /// documents have, times `weight`.
    Any {
        /// The terms.
        terms: Vec<String>,
        /// Factor of the weight, above 0.
        weight: f64,
    },
    /// Any of several labels of a whole text, as for [`Need::Any`].
    Label {
        /// The labels.
        labels: Vec<u32>,
        /// Factor of the weight, above 0.
        weight: f64,
    },
    /// The best of several readings.
    Best(Vec<Need>),
    /// All together, as far as they are there.
    Sum(Vec<Need>),
    /// All together, or nothing if one is missing.
    All(Vec<Need>),
}
