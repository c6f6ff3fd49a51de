//! Reads `AceMemoryState` nodes of a running Neo4j, exported as JSON: each holds a classic memory file as a text.
//!
//! Rows of a query, lines of `apoc.export.json` and bare properties are all read: only `memory_json`, `access_clock`
//! and `user_id` count. The user is the learner of the bullets that name none.

use serde_json::Value;

use super::record::items;
use super::{Format, Import, classic, wrong_format};
use crate::problem::Problem;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;

/// The property that holds a memory.
pub(super) const MEMORY_JSON: &str = "memory_json";

/// A memory of a node, and the user that owns it.
struct State {
    file: String,
    user: Option<String>,
}

/// Reads the memories of all nodes.
pub(super) fn read(text: &str, key: &MemoryKey, delta: &DeltaId) -> Result<Import, Problem> {
    let mut import = Import::default();
    let (found, leftover) = items(text)?;
    import.add_bad(leftover);
    let mut states = 0;
    for item in &found {
        let value = match item.value() {
            Ok(value) => value,
            Err(reason) => {
                import.add(item.line, Err(reason));
                continue;
            }
        };
        for state in states_of(&value) {
            states += 1;
            let (records, bad) = (import.records.len(), import.bad.len());
            match classic::read_into(
                &mut import,
                &state.file,
                state.user.as_deref(),
                (key, delta),
            ) {
                Ok(()) => {
                    // Lines inside the text of a property are of no use.
                    import.records[records..]
                        .iter_mut()
                        .for_each(|one| one.line = item.line);
                    import.bad[bad..]
                        .iter_mut()
                        .for_each(|one| one.line = item.line);
                }
                Err(problem) => import.add(item.line, Err(problem.message)),
            }
        }
    }
    if states == 0 {
        let why = format!("it has no `{MEMORY_JSON}`");
        return Err(wrong_format(Format::AceState, &why));
    }
    Ok(import)
}

/// The memory files in a value, at any depth, each with the clock of its node.
fn states_of(value: &Value) -> Vec<State> {
    match value {
        Value::Array(list) => list.iter().flat_map(states_of).collect(),
        Value::Object(object) => match object.get(MEMORY_JSON) {
            Some(state) => {
                let user = object.get("user_id").and_then(Value::as_str);
                let user = user.map(str::to_owned);
                let parsed = match state {
                    Value::String(text) => serde_json::from_str(text),
                    other => Ok(other.clone()),
                };
                let Ok(Value::Object(mut file)) = parsed else {
                    let file = state.as_str().unwrap_or_default().to_owned();
                    return vec![State { file, user }];
                };
                if let Some(clock) = object.get("access_clock").filter(|clock| clock.is_u64()) {
                    file.entry("access_clock").or_insert_with(|| clock.clone());
                }
                // A node that was never written holds an empty object.
                file.entry("bullets")
                    .or_insert_with(|| Value::Array(Vec::new()));
                let file = Value::Object(file).to_string();
                vec![State { file, user }]
            }
            None => object.values().flat_map(states_of).collect(),
        },
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::export::samples;

    #[test]
    fn the_memory_is_found_in_rows_and_lines_and_bare_properties() {
        let state = json!({"bullets": [{"id": "1", "content": "a"}, {"id": "2", "content": "b"}]})
            .to_string();
        let node = json!({"id": "m1", "memory_json": state, "access_clock": 7});
        let delta = DeltaId::parse("d").unwrap();
        let row = json!([{"m": {"labels": ["AceMemoryState"], "properties": node}}]);
        let line = json!({"type": "node", "labels": ["AceMemoryState"], "properties": node});
        for text in [
            node.to_string(),
            row.to_string(),
            format!("{line}\n{{\"type\": \"x\"}}"),
        ] {
            let import = read(&text, &samples::key(), &delta).unwrap();
            assert_eq!(
                (import.read, import.records.len(), import.clock),
                (2, 2, Some(7))
            );
        }
        let two = format!(
            "[{node},\n{node},\n{{\"memory_json\": \"{{}}\"}}, {{\"memory_json\": \"broken\"}}]"
        );
        let import = read(&two, &samples::key(), &delta).unwrap();
        assert_eq!(
            (
                import.records.len(),
                import.records[3].line,
                import.bad.len()
            ),
            (4, 2, 1)
        );
        assert!(read("{\"a\": 1}", &samples::key(), &delta).is_err());
    }
}
