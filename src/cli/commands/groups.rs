//! The commands in the help of the program: in groups, each with one line; the others by name alone.

/// A heading, and its commands with their lines.
type Group = (&'static str, &'static [(&'static str, &'static str)]);

/// The groups, in the order of the help.
const GROUPS: &[Group] = &[
    (
        "Every day",
        &[
            (
                "demo",
                "See the idea: a mistake, the lesson, the run without it",
            ),
            ("remember", "Keep one sentence"),
            ("recall", "Ask a question"),
            ("forget", "Put a note away"),
            (
                "status",
                "What was kept, shown and prevented; what waits for you",
            ),
            ("bullets", "List, show, edit, pin, remove and release notes"),
            (
                "lessons",
                "List, show, explain and review lessons from failures",
            ),
            ("import", "Take in a file of notes, rules or another memory"),
            ("export", "Write a memory to a file"),
        ],
    ),
    (
        "Coding agents",
        &[
            ("install", "Give a coding agent this memory"),
            ("uninstall", "Take it out of the agent's settings again"),
            (
                "learn",
                "Run a command, or read traces, and learn from failures",
            ),
            ("runs", "Begin, list, show and end runs"),
            ("mcp", "Offer the memory as tools over MCP"),
        ],
    ),
    (
        "Look and decide",
        &[
            ("retrieve", "Rank the notes for a query, with every reason"),
            ("feedback", "Report which notes helped or harmed"),
            ("conflicts", "List contradictions, and decide about them"),
            ("playbook", "Curate, show, compare and restore strategies"),
            ("delta", "Apply, undo and list changes"),
            (
                "analyze",
                "Summarise and explore a memory, as a page or in text",
            ),
            ("health", "See how well the lessons work"),
        ],
    ),
    (
        "Team and server",
        &[
            ("serve", "Serve the memory over HTTP and MCP"),
            ("key", "Create, list, rotate and revoke keys of the server"),
            ("share", "List rights, testify for notes, and promote them"),
            ("grant", "Grant a relation to something of this learner"),
        ],
    ),
    (
        "Store",
        &[
            ("backup", "Write everything of a store to one file"),
            ("restore", "Bring a backup back"),
            ("doctor", "Check a store, verify it, adopt edits"),
            ("migrate", "Update the schema, or copy to another store"),
            ("memory", "List, consolidate and clear memories"),
            (
                "embeddings",
                "Compute, show and drop vectors, to rank by meaning",
            ),
            ("policy", "Show and change the policy of a memory"),
            ("config", "Show the settings and their origins"),
            ("erase", "Destroy memories or lessons, with a receipt"),
        ],
    ),
];

/// Columns of a name.
const NAME: usize = 10;
/// Columns of the list of further commands.
const COLUMNS: usize = 78;

/// The list of commands for the help. `names` are all commands of the program; one that it lacks is left out.
pub(super) fn listing(names: &[&str]) -> String {
    let mut text = String::new();
    let mut shown = Vec::new();
    for (heading, commands) in GROUPS {
        text.push_str(&format!("{heading}:\n"));
        for (name, line) in commands.iter().filter(|(name, _)| names.contains(name)) {
            text.push_str(&format!("  {name:<NAME$}  {line}\n"));
            shown.push(*name);
        }
        text.push('\n');
    }
    let mut line = "Further:".to_owned();
    for name in names.iter().filter(|name| !shown.contains(name)) {
        if line.len() + name.len() + 1 > COLUMNS {
            text.push_str(&format!("{line}\n"));
            line = " ".to_owned();
        }
        line.push_str(&format!(" {name}"));
    }
    text.push_str(&format!(
        "{line}\n\n`hindlore help COMMAND` explains one.\n"
    ));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{PROGRAM, command_of};
    use crate::commands::Command;

    #[test]
    fn every_line_is_short_and_about_a_command() {
        let program = command_of::<Command>(PROGRAM);
        let all: Vec<&str> = program
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        let rows: Vec<_> = GROUPS.iter().flat_map(|(_, rows)| rows.iter()).collect();
        assert!((26..=34).contains(&rows.len()), "{} commands", rows.len());
        for (name, line) in rows {
            assert!(all.contains(name), "{name}");
            assert!(name.len() <= NAME && line.len() <= 58, "{name}: {line}");
        }
        let text = listing(&all);
        for name in all {
            assert!(text.contains(&format!(" {name}")), "{name}: {text}");
        }
    }
}
