//! Paths into JSON: how a row of the table of formats names a place.
//!
//! `messages[].content` is the content of each message: `[]` selects the elements of a list, `{}` the values of an
//! object. The empty path is the value itself. Null counts as absent, since writers use both.

use serde_json::Value;

/// All values at a path, in their order.
pub(crate) fn select<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    let mut found = vec![value];
    for step in path.split('.').filter(|step| !step.is_empty()) {
        let name = step.trim_end_matches("[]").trim_end_matches("{}");
        if !name.is_empty() {
            found = found.iter().filter_map(|value| value.get(name)).collect();
        }
        if step.ends_with("[]") {
            found = found
                .iter()
                .filter_map(|value| value.as_array())
                .flatten()
                .collect();
        } else if step.ends_with("{}") {
            let objects = found.iter().filter_map(|value| value.as_object());
            found = objects.flat_map(|object| object.values()).collect();
        }
    }
    found.retain(|value| !value.is_null());
    found
}

/// The first value at one of some paths.
pub(crate) fn first<'v>(value: &'v Value, paths: &[&str]) -> Option<&'v Value> {
    paths
        .iter()
        .find_map(|path| select(value, path).first().copied())
}

/// A condition on the values at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sign {
    pub(crate) path: &'static str,
    pub(crate) is: Is,
}

/// The condition itself; one of the values has to meet it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Is {
    /// It is there.
    There,
    /// It is one of these words.
    OneOf(&'static [&'static str]),
    /// It is a text that begins so.
    Begins(&'static str),
    /// It is a text that holds this.
    Holds(&'static str),
}

/// There is a value at the path.
pub(crate) const fn there(path: &'static str) -> Sign {
    Sign {
        path,
        is: Is::There,
    }
}

/// The text at the path is one of these words.
pub(crate) const fn one_of(path: &'static str, words: &'static [&'static str]) -> Sign {
    Sign {
        path,
        is: Is::OneOf(words),
    }
}

/// The text at the path begins so.
pub(crate) const fn begins(path: &'static str, head: &'static str) -> Sign {
    Sign {
        path,
        is: Is::Begins(head),
    }
}

/// The text at the path holds this.
pub(crate) const fn holds(path: &'static str, part: &'static str) -> Sign {
    Sign {
        path,
        is: Is::Holds(part),
    }
}

impl Sign {
    /// True for a value that meets the condition.
    pub(crate) fn fits(&self, value: &Value) -> bool {
        select(value, self.path).into_iter().any(|found| {
            let word = found.as_str().unwrap_or_default();
            match self.is {
                Is::There => true,
                Is::OneOf(words) => words.contains(&word),
                Is::Begins(head) => word.starts_with(head),
                Is::Holds(part) => word.contains(part),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_into_lists_and_objects() {
        let value = json!({"a": [{"b": 1}, {"b": null}, {"b": [2, 3]}], "c": {"x": {"d": 4}, "y": {"d": 5}}});
        for (path, found) in [
            ("a[].b", json!([1, [2, 3]])),
            ("a[].b[]", json!([2, 3])),
            ("c{}.d", json!([4, 5])),
            ("c.x.d", json!([4])),
            ("a.b", json!([])),
            ("x[]", json!([])),
        ] {
            assert_eq!(json!(select(&value, path)), found, "{path}");
        }
        assert_eq!(select(&value, ""), [&value]);
    }
}
