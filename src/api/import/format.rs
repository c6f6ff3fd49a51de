//! The formats that can be imported: their names, their marks, and an example of each.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lessons::CLASSIC_LESSONS;
use crate::nearest::{quoted, suggestion};
use crate::problem::Problem;

/// A file format that can be imported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Rules as Markdown: CLAUDE.md, AGENTS.md, .cursorrules, lessons, notes.
    Markdown,
    /// Errors and learnings of agents, with the remedies.
    Learnings,
    /// The text playbook of the published ACE experiments.
    AcePlaybook,
    /// The JSON of a kayba playbook or skillbook.
    Kayba,
    /// The JSON of a SessionPlaybook.
    SessionPlaybook,
    /// A JSON list of texts or of records.
    List,
    /// `ace_memory.json` of the original programs.
    Classic,
    /// Memories of the original programs out of a Neo4j.
    AceState,
    /// Entities and relations of an MCP memory server.
    McpMemory,
    /// The memory blocks of a Letta agent file.
    Letta,
    /// A dynamic cheatsheet.
    Cheatsheet,
    /// A note of basic-memory.
    BasicMemory,
    /// An export of mem0.
    Mem0,
    /// Items of a LangGraph store.
    Langgraph,
    /// The JSON Lines export of this engine.
    Hindlore,
}

/// The description of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AboutFormat {
    /// The format.
    pub format: Format,
    /// Its name in a sentence.
    pub name: &'static str,
    /// Files that have it.
    pub files: &'static str,
    /// Its distinguishing mark.
    pub mark: &'static str,
    /// A small file.
    pub example: &'static str,
}

impl Format {
    /// All formats, in order.
    pub const ALL: [Self; 15] = [
        Self::Markdown,
        Self::Learnings,
        Self::AcePlaybook,
        Self::Kayba,
        Self::SessionPlaybook,
        Self::List,
        Self::Classic,
        Self::AceState,
        Self::McpMemory,
        Self::Letta,
        Self::Cheatsheet,
        Self::BasicMemory,
        Self::Mem0,
        Self::Langgraph,
        Self::Hindlore,
    ];

    /// The name of this format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Learnings => "learnings",
            Self::AcePlaybook => "ace-playbook",
            Self::Kayba => "kayba",
            Self::SessionPlaybook => "session-playbook",
            Self::List => "list",
            Self::Classic => "classic",
            Self::AceState => "ace-state",
            Self::McpMemory => "mcp-memory",
            Self::Letta => "letta",
            Self::Cheatsheet => "cheatsheet",
            Self::BasicMemory => "basic-memory",
            Self::Mem0 => "mem0",
            Self::Langgraph => "langgraph",
            Self::Hindlore => "hindlore",
        }
    }

    /// Its description.
    pub fn about(self) -> AboutFormat {
        ABOUT[self as usize]
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Format {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let found = Self::ALL.into_iter().find(|format| format.word() == text);
        found.ok_or_else(|| {
            let mut known = Self::ALL.map(Self::word).to_vec();
            // Lessons come from the same programs but take another path.
            known.push(CLASSIC_LESSONS);
            Problem::new(
                "unknown_format",
                format!("{} is not an import format", quoted(text)),
            )
            .with_hint(suggestion(text, &known))
        })
    }
}

/// The formats in the order of [`Format::ALL`].
const ABOUT: [AboutFormat; 15] = [
    AboutFormat {
        format: Format::Markdown,
        name: "Markdown rules",
        files: "CLAUDE.md, AGENTS.md, .cursorrules, *.mdc, copilot-instructions.md, MEMORY.md, tasks/lessons.md, memory-bank/*.md",
        mark: "a heading, a list or a table; each item, paragraph and row is a bullet, the headings above it are its \
               section, and what ends in \":\" stands before what it introduces",
        example: "## Rules\n\n- Keep changes small.\n- Before a release:\n  - Raise the version in `app.toml`.",
    },
    AboutFormat {
        format: Format::Learnings,
        name: "learnings of agents",
        files: ".learnings/ERRORS.md, .learnings/LEARNINGS.md",
        mark: "headings such as `## [ERR-20260102-001] name`; an error with its fix is a bullet, an error and a lesson",
        example: "## [ERR-20260102-001] search_dns\n### Summary\nThe search found no address.\n### Error\n```\n\
                  ENOTFOUND find.example.org\n```\n### Suggested Fix\nAsk the second provider first.",
    },
    AboutFormat {
        format: Format::AcePlaybook,
        name: "an ACE playbook",
        files: "playbooks of the published ACE experiments",
        mark: "lines `[id] helpful=N harmful=N :: text`, or `[slug-00001] text`, under `## SECTION`",
        example: "## STRATEGIES\n[str-00001] helpful=2 harmful=0 :: Check the date first.",
    },
    AboutFormat {
        format: Format::Kayba,
        name: "a kayba playbook",
        files: "playbook.json, skillbook.json",
        mark: "`skills` or `bullets` by id",
        example: "{\"skills\": {\"tone-00001\": {\"section\": \"tone\", \"content\": \"Greet in one line.\", \"helpful\": 1}}}",
    },
    AboutFormat {
        format: Format::SessionPlaybook,
        name: "a SessionPlaybook",
        files: "playbook.json",
        mark: "`strategies`, by id or as a list",
        example: "{\"strategies\": {\"fil-00001\": {\"category\": \"files\", \"content\": \"List before you read.\"}}}",
    },
    AboutFormat {
        format: Format::List,
        name: "a list of texts or records",
        files: "any JSON or JSON Lines",
        mark: "a list of texts, records with `content` or `text`, `entries`, or `sections`",
        example: "[\"Use uv, not pip.\", {\"text\": \"Tests run in parallel.\", \"tags\": [\"ci\"]}]",
    },
    AboutFormat {
        format: Format::Classic,
        name: "a classic memory file",
        files: "ace_memory.json",
        mark: "a list `bullets` with strengths, or `access_clock`",
        example: "{\"bullets\": [{\"content\": \"Keep the log.\", \"helpful_count\": 2}], \"access_clock\": 3}",
    },
    AboutFormat {
        format: Format::AceState,
        name: "AceMemoryState nodes",
        files: "rows of `MATCH (u)-[:HAS_ACE_MEMORY]->(m) RETURN u.id AS user_id, m.memory_json AS memory_json` as JSON; \
                the address of a server, for the nodes themselves",
        mark: "`memory_json`",
        example: "[{\"memory_json\": \"{\\\"bullets\\\": [{\\\"content\\\": \\\"Keep the log.\\\"}]}\", \"access_clock\": 3}]",
    },
    AboutFormat {
        format: Format::McpMemory,
        name: "an MCP memory file",
        files: "memory.json, memory.jsonl",
        mark: "entities with observations, and relations; the name of the entity stands before each observation",
        example: "{\"type\": \"entity\", \"name\": \"Cart\", \"entityType\": \"Module\", \"observations\": [\"Keeps totals in cents\"]}",
    },
    AboutFormat {
        format: Format::Letta,
        name: "a Letta agent file",
        files: "*.af",
        mark: "`agents` with memory `blocks`, whose values are Markdown",
        example: "{\"agents\": [], \"blocks\": [{\"label\": \"corrections\", \"value\": \"- The flag exists.\"}]}",
    },
    AboutFormat {
        format: Format::Cheatsheet,
        name: "a dynamic cheatsheet",
        files: "*.txt, runs as JSON Lines",
        mark: "`<memory_item>`, or `final_cheatsheet`",
        example: "<memory_item>\n<description>\nCount by twos.\n</description>\n</memory_item>\n** Count: 4",
    },
    AboutFormat {
        format: Format::BasicMemory,
        name: "a basic-memory note",
        files: "*.md",
        mark: "front matter with `permalink`, `- [category] text #tag`, `- relation [[Target]]`",
        example: "---\ntitle: Tea\npermalink: notes/tea\n---\n- [method] Steep three minutes #green\n- pairs_with [[Rice cake]]",
    },
    AboutFormat {
        format: Format::Mem0,
        name: "a mem0 export",
        files: "*.json",
        mark: "`results` with `memory`",
        example: "{\"results\": [{\"id\": \"m1\", \"memory\": \"Prefers short answers\"}]}",
    },
    AboutFormat {
        format: Format::Langgraph,
        name: "items of a LangGraph store",
        files: "*.json, *.jsonl",
        mark: "`namespace`, `key` and `value`",
        example: "{\"namespace\": [\"memories\"], \"key\": \"k1\", \"value\": {\"content\": \"Likes tea\"}}",
    },
    AboutFormat {
        format: Format::Hindlore,
        name: "a hindlore export",
        files: "what `export` writes",
        mark: "`hindlore_export` in its first line",
        example: "",
    },
];
