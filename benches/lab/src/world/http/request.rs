//! A request as one line, read.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Longest wait that is believed.
const WAIT_MAX: u64 = 3600;

/// A request.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Request {
    pub(super) waits: u64,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: BTreeMap<String, String>,
    pub(super) headers: BTreeMap<String, String>,
    /// Empty when there is none.
    pub(super) body: Map<String, Value>,
    /// Whether the body is no JSON object.
    pub(super) has_bad_body: bool,
}

impl Request {
    /// Reads `[after Ns] METHOD PATH[?query] [Name: value] {body}`.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut rest = line.trim();
        let mut waits = 0;
        if let Some(after) = rest.strip_prefix("after ") {
            let (wait, next) = after.split_once(' ')?;
            waits = wait.strip_suffix('s')?.parse::<u64>().ok()?.min(WAIT_MAX);
            rest = next.trim_start();
        }
        let (method, next) = rest.split_once(' ')?;
        let next = next.trim_start();
        let end = next.find(char::is_whitespace).unwrap_or(next.len());
        let (target, mut rest) = (&next[..end], next[end..].trim_start());
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let mut headers = BTreeMap::new();
        while let Some(inner) = rest.strip_prefix('[') {
            let (header, after) = inner.split_once(']')?;
            let (name, value) = header.split_once(':')?;
            headers.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
            rest = after.trim_start();
        }
        let body = if rest.is_empty() {
            Ok(Map::new())
        } else {
            serde_json::from_str(rest)
        };
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let is_method = !method.is_empty() && method.bytes().all(|b| b.is_ascii_uppercase());
        (is_method && path.starts_with('/')).then(|| Self {
            waits,
            method: method.to_owned(),
            path: path.to_owned(),
            query: pairs
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            headers,
            has_bad_body: body.is_err(),
            body: body.unwrap_or_default(),
        })
    }

    /// A number in the query.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.query.get(name)?.parse().ok()
    }

    /// Returns true if two requests ask for the same, whenever and by whom.
    pub(super) fn means_the_same(&self, other: &Self) -> bool {
        self.method == other.method
            && self.path == other.path
            && self.query == other.query
            && self.body == other.body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_with_all_of_its_parts() {
        let line = "after 3s POST /a/7?p=2&q=x [X-Key: k:1] [B: c] {\"n\": 1}";
        let request = Request::read(line).unwrap();
        assert_eq!(
            (
                request.waits,
                request.method.as_str(),
                request.path.as_str()
            ),
            (3, "POST", "/a/7")
        );
        assert_eq!(request.number("p"), Some(2));
        assert_eq!(request.headers["x-key"], "k:1");
        assert_eq!(request.body["n"], 1);
    }

    #[test]
    fn what_is_no_request_is_none() {
        for line in ["", "GET", "get /a", "GET a", "after x GET /a", "GET /a [b"] {
            assert_eq!(Request::read(line), None, "{line}");
        }
        assert!(Request::read("POST /a n=1").unwrap().has_bad_body);
    }
}
