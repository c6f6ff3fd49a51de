//! Bound: an answer that fits into a context window, and the omitted parts.
//!
//! The ends of the largest lists are cut first, then those of the largest texts, so that the answer keeps its shape: a
//! client that checks it against the schema finds it right. Every cut is reported with its place and the numbers.

use std::fmt;

use serde_json::Value;

/// Texts up to this many characters are left whole: ids, words, names.
const WHOLE_TEXT_CHARS: usize = 200;
/// Cuts of one answer; one that still does not fit then is refused.
const CUTS_MAX: usize = 256;

/// A list or text of which a part was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    /// Its place, such as `results[0].content`.
    pub(super) place: String,
    /// Entries or characters that are there.
    pub(super) kept: usize,
    /// Entries or characters that there were.
    pub(super) of: usize,
    unit: &'static str,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            kept,
            of,
            unit,
        } = self;
        write!(f, "`{place}` has {kept} of {of} {unit}")
    }
}

/// Shortens a value to at most this many bytes of JSON; `None` if that cannot be done.
pub(super) fn fitted(mut value: Value, most: usize) -> Option<(Value, Vec<Cut>)> {
    let mut cuts: Vec<Cut> = Vec::new();
    for _ in 0..CUTS_MAX {
        let size = bytes(&value);
        if size <= most {
            return Some((value, cuts));
        }
        let (_, path) = largest(&value)?;
        let cut = shortened(&mut value, &path, size - most)?;
        match cuts.iter_mut().find(|known| known.place == cut.place) {
            Some(known) => known.kept = cut.kept,
            None => cuts.push(cut),
        }
    }
    None
}

/// One step from a value to a part of it.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Entry(usize),
}

fn bytes(value: &Value) -> usize {
    value.to_string().len()
}

/// The largest list of more than one entry; where there is none, the largest long text. A list comes before its parts.
fn largest(value: &Value) -> Option<(usize, Vec<Step>)> {
    let mut found: Option<((bool, usize), Vec<Step>)> = None;
    look(value, &mut Vec::new(), &mut found);
    found.map(|((_, size), path)| (size, path))
}

type Found = Option<((bool, usize), Vec<Step>)>;

fn look(value: &Value, path: &mut Vec<Step>, found: &mut Found) {
    let rank = match value {
        Value::Array(list) if list.len() > 1 => Some((true, bytes(value))),
        Value::String(text) if text.chars().nth(WHOLE_TEXT_CHARS).is_some() => {
            Some((false, bytes(value)))
        }
        _ => None,
    };
    if let Some(rank) = rank
        && found.as_ref().is_none_or(|(known, _)| rank > *known)
    {
        *found = Some((rank, path.clone()));
    }
    match value {
        // A list that is cut needs no look inside: it is larger than all of its parts.
        Value::Array(list) if list.len() == 1 => {
            path.push(Step::Entry(0));
            look(&list[0], path, found);
            path.pop();
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                path.push(Step::Field(name.clone()));
                look(field, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

fn shortened(value: &mut Value, path: &[Step], excess: usize) -> Option<Cut> {
    let mut place = String::new();
    let mut part = value;
    for step in path {
        match step {
            Step::Field(name) => {
                if !place.is_empty() {
                    place.push('.');
                }
                place.push_str(name);
                part = part.get_mut(name)?;
            }
            Step::Entry(at) => {
                place.push_str(&format!("[{at}]"));
                part = part.get_mut(at)?;
            }
        }
    }
    match part {
        Value::Array(list) => {
            let of = list.len();
            let mut freed = 0;
            while freed < excess && list.len() > 1 {
                // With its comma.
                freed += list.pop().as_ref().map_or(0, bytes) + 1;
            }
            let kept = list.len();
            Some(Cut {
                place,
                kept,
                of,
                unit: "entries",
            })
        }
        Value::String(text) => {
            let of = text.chars().count();
            let kept = of.saturating_sub(excess).max(WHOLE_TEXT_CHARS);
            *text = text.chars().take(kept).collect();
            Some(Cut {
                place,
                kept,
                of,
                unit: "characters",
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_stays_as_it_is() {
        let value = json!({"results": [1, 2, 3], "clock": 7});
        assert_eq!(fitted(value.clone(), 1_000), Some((value, Vec::new())));
    }

    #[test]
    fn the_end_of_the_largest_list_goes_first_and_is_told() {
        let results: Vec<Value> = (0..50)
            .map(|rank| json!({"rank": rank, "content": "x".repeat(100)}))
            .collect();
        let value = json!({"clock": 7, "results": results, "near": [1, 2]});
        let (kept, cuts) = fitted(value, 1_500).unwrap();
        assert!(bytes(&kept) <= 1_500);
        let results = kept["results"].as_array().unwrap();
        assert!(results.len() > 8, "{}", results.len());
        assert_eq!(results[3]["rank"], 3);
        assert_eq!(kept["near"], json!([1, 2]));
        let told = format!("`results` has {} of 50 entries", results.len());
        assert_eq!(cuts.len(), 1);
        assert_eq!(cuts[0].to_string(), told);
    }

    #[test]
    fn a_long_text_is_cut_where_no_list_is_left_and_short_ones_are_not() {
        let value = json!({"id": "b_1", "prompt": {"text": "\u{e9}".repeat(5_000)}, "list": ["a"]});
        let (kept, cuts) = fitted(value, 2_000).unwrap();
        assert!(bytes(&kept) <= 2_000);
        assert_eq!((&kept["id"], &kept["list"]), (&json!("b_1"), &json!(["a"])));
        assert_eq!(cuts[0].place, "prompt.text");
        assert_eq!(
            cuts[0].kept,
            kept["prompt"]["text"].as_str().unwrap().chars().count()
        );
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let fields: serde_json::Map<String, Value> = (0..500)
            .map(|number| (format!("field{number}"), json!(number)))
            .collect();
        assert_eq!(fitted(Value::Object(fields), 1_000), None);
    }
}
