//! The blocks of a Markdown text that are pasted into a shell, each with the printed answer after it.

/// One block of commands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    /// The line of the fence, from 1.
    pub(crate) line: usize,
    /// The word after `sh`; empty for a block that runs anywhere.
    pub(crate) kind: String,
    pub(crate) commands: String,
    pub(crate) answer: Option<String>,
}

/// Reads the blocks in order.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut lines = text.lines().enumerate();
    // An answer follows its commands, with no other block between.
    let mut last_fence = "";
    while let Some((at, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let body: Vec<&str> = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| *line != "```")
            .collect();
        let body = body.join("\n");
        let (language, kind) = info.split_once(' ').unwrap_or((info, ""));
        match language {
            "sh" => found.push(Block {
                line: at + 1,
                kind: kind.to_owned(),
                commands: body,
                answer: None,
            }),
            "text" if last_fence == "sh" => {
                found.last_mut().unwrap().answer = Some(body);
            }
            _ => {}
        }
        last_fence = language;
    }
    found
}

#[test]
fn a_block_is_read_with_its_kind_and_its_answer() {
    let text = "a\n```sh\nls\n```\n\n```text\nb\n```\n```rust\nfn\n```\n```text\nc\n```\n```sh neo4j\nx\n```\n";
    let block = |line, kind: &str, commands: &str, answer: Option<&str>| Block {
        line,
        kind: kind.to_owned(),
        commands: commands.to_owned(),
        answer: answer.map(str::to_owned),
    };
    let wanted = [block(2, "", "ls", Some("b")), block(15, "neo4j", "x", None)];
    assert_eq!(blocks(text), wanted);
}
