//! Reads Letta agent files (`.af`): the memory blocks of an agent, whose values are Markdown.
//!
//! The label of a block comes before its headings in the section. Messages, tools and files are no memory.

use serde_json::Value;

use super::markdown::{Entry, outline_of, rule};
use super::record::{items, label, named};
use super::{Format, Import, wrong_format};
use crate::json::{Member, members};
use crate::problem::Problem;

/// Reads an agent file.
pub(super) fn read(text: &str) -> Result<Import, Problem> {
    let mut import = Import::default();
    let (found, leftover) = items(text)?;
    import.add_bad(leftover);
    let blocks: Vec<Member<'_>> = found.iter().flat_map(blocks_of).collect();
    if blocks.is_empty() {
        return Err(wrong_format(Format::Letta, "it has no memory blocks"));
    }
    for member in &blocks {
        match member.value() {
            Ok(Value::Object(object)) => {
                let name = label(&object, "label").or_else(|| label(&object, "name"));
                let value = object
                    .get("value")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                block(
                    member.line,
                    name.as_deref().unwrap_or("block"),
                    value,
                    &mut import,
                );
            }
            Ok(_) => import.add(member.line, Err("a memory block is an object".to_owned())),
            Err(reason) => import.add(member.line, Err(reason)),
        }
    }
    Ok(import)
}

/// The memory blocks of a document or an agent, wherever its version keeps them.
fn blocks_of<'t>(document: &Member<'t>) -> Vec<Member<'t>> {
    if !document.text.starts_with('{') {
        return Vec::new();
    }
    let fields = members(document.text, document.line).unwrap_or_default();
    let list = |name: &str| -> Vec<Member<'t>> {
        let field = named(&fields, name);
        field
            .and_then(|field| members(field.text, field.line))
            .unwrap_or_default()
    };
    let mut blocks = list("blocks");
    blocks.extend(list("core_memory"));
    blocks.extend(list("memory_blocks"));
    blocks.extend(list("agents").iter().flat_map(blocks_of));
    let memory = named(&fields, "memory");
    blocks.extend(memory.map(blocks_of).unwrap_or_default());
    blocks
}

fn block(line: u64, name: &str, value: &str, import: &mut Import) {
    let read = outline_of(value);
    if read.entries.is_empty() && read.left_out.is_empty() {
        import.leave_out(
            line,
            format!("the block `{}` is empty", name.escape_debug()),
        );
    }
    for out in read.left_out {
        import.leave_out(line, out.reason);
    }
    for entry in read.entries {
        let section = match &entry.section {
            Some(section) => format!("{name} > {section}"),
            None => name.to_owned(),
        };
        let entry = Entry {
            section: Some(section),
            ..entry
        };
        import.put(line, Ok(rule(entry)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::memory::delta::Operation;

    #[test]
    fn blocks_are_read_item_by_item_under_their_label() {
        for text in [
            "{\"agents\": [{\"name\": \"a\"}], \"blocks\": [\n{\"label\": \"human\", \"value\": \"# Likes\\n- tea\\n- calm\"},\n\
             {\"label\": \"x\", \"value\": \" \"}]}",
            "{\"agent_type\": \"memgpt\", \"core_memory\": [\n{\"label\": \"human\", \"value\": \"# Likes\\n- tea\\n- calm\"},\n\
             {\"label\": \"x\", \"value\": \"\"}], \"messages\": []}",
        ] {
            let import = read(text).unwrap();
            let found: Vec<(u64, &str, Option<&str>)> = import
                .records
                .iter()
                .map(|record| match &record.operation {
                    Operation::Add(new) => {
                        (record.line, new.content.as_str(), new.section.as_deref())
                    }
                    other => panic!("{other:?}"),
                })
                .collect();
            let section = Some("human > Likes");
            assert_eq!(found, [(2, "tea", section), (2, "calm", section)]);
            assert_eq!((import.read, import.left_out[0].line), (3, 3));
        }
        assert_eq!(read("{\"agents\": []}").unwrap_err().code, "wrong_format");
    }
}
