//! A place in a text that holds a secret.

use std::ops::Range;

/// Bytes of a text, and the rule that found them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Span<'r> {
    pub(super) range: Range<usize>,
    pub(super) rule: &'r str,
}

impl<'r> Span<'r> {
    pub(super) fn new(range: Range<usize>, rule: &'r str) -> Self {
        Self { range, rule }
    }
}

/// In order, those that overlap joined under the first one's rule.
pub(super) fn joined(mut spans: Vec<Span<'_>>) -> Vec<Span<'_>> {
    spans.retain(|span| !span.range.is_empty());
    spans.sort_by_key(|span| (span.range.start, usize::MAX - span.range.end));
    let mut joined: Vec<Span<'_>> = Vec::with_capacity(spans.len());
    for span in spans {
        match joined.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                last.range.end = last.range.end.max(span.range.end);
            }
            _ => joined.push(span),
        }
    }
    joined
}
