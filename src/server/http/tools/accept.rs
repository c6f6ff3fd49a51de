//! The header `Accept`, as RFC 9110 matches it: of the ranges that hold a type, the most exact one decides.

use axum::http::{HeaderMap, header};

/// Returns true if a client takes a type of media. Without the header it takes all of them.
pub(super) fn takes(headers: &HeaderMap, kind: &str, subtype: &str) -> bool {
    let values = headers.get_all(header::ACCEPT).iter();
    let values = values.filter_map(|value| value.to_str().ok());
    let mut ranges = values
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|range| !range.is_empty())
        .peekable();
    if ranges.peek().is_none() {
        return true;
    }
    let matching = ranges.filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let exactness = exactness(parts.next()?, kind, subtype)?;
        Some((exactness, !parts.any(is_zero_weight)))
    });
    matching
        .max_by_key(|(exactness, _)| *exactness)
        .is_some_and(|(_, is_taken)| is_taken)
}

/// How exactly a range names a type; `None` if it does not hold it.
fn exactness(range: &str, kind: &str, subtype: &str) -> Option<u8> {
    let (own_kind, own_subtype) = range.split_once('/')?;
    let is = |own: &str, other: &str| own.trim().eq_ignore_ascii_case(other);
    match (is(own_kind, kind), is(own_subtype, subtype)) {
        (true, true) => Some(2),
        (true, false) if own_subtype.trim() == "*" => Some(1),
        _ if range == "*/*" => Some(0),
        _ => None,
    }
}

fn is_zero_weight(parameter: &str) -> bool {
    let weight = parameter.split_once('=');
    weight.is_some_and(|(name, value)| {
        let is_weight = name.trim().eq_ignore_ascii_case("q");
        is_weight
            && value
                .trim()
                .parse::<f64>()
                .is_ok_and(|weight| weight <= 0.0)
    })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn json(values: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::ACCEPT, HeaderValue::from_static(value));
        }
        takes(&headers, "application", "json")
    }

    #[test]
    fn the_most_exact_range_decides() {
        for taken in [
            &[][..],
            &[""],
            &["*/*"],
            &["*/*;q=0.8"],
            &["application/json"],
            &["application/json, */*"],
            &["text/*, application/*;q=0.1"],
            &["Application/JSON;charset=utf-8;q=0.001"],
            &["text/event-stream, application/json;q=0.9"],
            &["text/html", "*/*"],
            &["*/*;q=0, application/json"],
            &["application/json;q=x"],
        ] {
            assert!(json(taken), "{taken:?}");
        }
        for refused in [
            &["text/event-stream"][..],
            &["text/*"],
            &["application/json;q=0"],
            &["*/*, application/json;q=0.000"],
            &["*/*, application/*;Q=0"],
            &["application/xml"],
            &["json"],
        ] {
            assert!(!json(refused), "{refused:?}");
        }
    }
}
