//! Lessons that an agent states in its reply, in a marked form that cannot be met by chance.
//!
//! An agent often knows why a call failed where a trace shows only that it did. One line states it:
//!
//! ```text
//! LESSON tool: WRONG form -> CORRECT form (because: problem)
//! ```
//!
//! The form is the agent's word, not evidence: the caller treats it as observed until a run proves it.

/// The most lessons that are read from one reply.
pub const STATED_MAX: usize = 6;
/// The longest part, in characters; a longer one is no form of a call.
const PART_MAX_CHARS: usize = 200;
/// The longest name of a tool, in characters.
const TOOL_MAX_CHARS: usize = 64;
/// The marks between the two forms.
const ARROWS: &[&str] = &[" -> CORRECT ", " → CORRECT ", " => CORRECT "];

/// A lesson in the words of an agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatedLesson {
    /// The tool or program.
    pub tool: String,
    /// The form that failed.
    pub wrong: String,
    /// The form that works.
    pub correct: String,
    /// The problem with the wrong form; absent if none is given.
    pub because: Option<String>,
}

/// Returns the lessons that a reply states, each once, at most [`STATED_MAX`]. Lines in a fenced block are examples and do
/// not count.
pub fn stated_lessons(reply: &str) -> Vec<StatedLesson> {
    let mut found: Vec<StatedLesson> = Vec::new();
    let mut is_fenced = false;
    for line in reply.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_fenced = !is_fenced;
        } else if !is_fenced
            && let Some(lesson) = stated_lesson(line)
            && !found.contains(&lesson)
        {
            found.push(lesson);
            if found.len() == STATED_MAX {
                break;
            }
        }
    }
    found
}

fn stated_lesson(line: &str) -> Option<StatedLesson> {
    // A list item or emphasis does not change the form.
    let line = line
        .trim_start_matches(['-', '*', ' '])
        .trim_end_matches(['*', ' ']);
    let (tool, rest) = line.strip_prefix("LESSON ")?.split_once(':')?;
    let rest = rest.trim_start().strip_prefix("WRONG ")?;
    let (wrong, rest) = ARROWS.iter().find_map(|arrow| rest.split_once(arrow))?;
    let (correct, because) = match rest.rsplit_once("(because:") {
        Some((correct, because)) => (correct, Some(because.strip_suffix(')')?)),
        None => (rest, None),
    };
    let tool = part(tool).filter(|tool| {
        tool.chars().count() <= TOOL_MAX_CHARS && !tool.contains(char::is_whitespace)
    })?;
    let (wrong, correct) = (part(wrong)?, part(correct)?);
    let because = match because {
        Some(because) => Some(part(because)?),
        None => None,
    };
    (wrong != correct).then_some(StatedLesson {
        tool,
        wrong,
        correct,
        because,
    })
}

/// A part without blanks and backticks around it. A placeholder of the taught form is no part.
fn part(text: &str) -> Option<String> {
    let text = text.trim().trim_matches('`').trim();
    let is_placeholder = matches!(text, "form" | "tool" | "problem" | "...");
    let is_sound = !text.is_empty() && !is_placeholder && text.chars().count() <= PART_MAX_CHARS;
    is_sound.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson(parts: [&str; 4]) -> StatedLesson {
        let [tool, wrong, correct, because] = parts.map(str::to_owned);
        StatedLesson {
            tool,
            wrong,
            correct,
            because: Some(because).filter(|because| !because.is_empty()),
        }
    }

    #[test]
    fn the_marked_form_is_read() {
        for (line, expected) in [
            (
                "LESSON git: WRONG git push -> CORRECT git push -u origin HEAD (because: the branch has no upstream)",
                [
                    "git",
                    "git push",
                    "git push -u origin HEAD",
                    "the branch has no upstream",
                ],
            ),
            (
                "LESSON npm: WRONG `npm i` → CORRECT `pnpm i`",
                ["npm", "npm i", "pnpm i", ""],
            ),
            (
                "- LESSON search: WRONG search(q) => CORRECT search(query) (because: unknown argument (q))",
                [
                    "search",
                    "search(q)",
                    "search(query)",
                    "unknown argument (q)",
                ],
            ),
            (
                "**LESSON psql: WRONG psql -p 5432 -> CORRECT psql -p 5433**",
                ["psql", "psql -p 5432", "psql -p 5433", ""],
            ),
        ] {
            assert_eq!(stated_lessons(line), [lesson(expected)], "{line}");
        }
    }

    #[test]
    fn everything_else_is_no_lesson() {
        for reply in [
            "",
            "The lesson: WRONG a -> CORRECT b",
            "LESSON git: use -u",
            "LESSON git: WRONG a",
            "LESSON git: WRONG a -> b",
            "LESSON git: WRONG a -> CORRECT a",
            "LESSON git: WRONG  -> CORRECT b",
            "LESSON : WRONG a -> CORRECT b",
            "LESSON tool: WRONG form -> CORRECT form (because: problem)",
            "LESSON the git tool: WRONG a -> CORRECT b",
            "LESSON git: WRONG a -> CORRECT b (because: no end",
            "lesson git: WRONG a -> CORRECT b",
            "```\nLESSON git: WRONG a -> CORRECT b\n```",
        ] {
            assert_eq!(stated_lessons(reply), [], "{reply}");
        }
        let long = "x".repeat(PART_MAX_CHARS + 1);
        assert_eq!(
            stated_lessons(&format!("LESSON git: WRONG {long} -> CORRECT b")),
            []
        );
    }

    #[test]
    fn a_reply_states_few_lessons_and_each_once() {
        let line = |n: usize| format!("LESSON git: WRONG a{n} -> CORRECT b{n}\n");
        let reply: String = (0..20).map(|n| line(n / 2)).collect();
        let found = stated_lessons(&reply);
        assert_eq!(found.len(), STATED_MAX);
        assert_eq!(found.first().map(|one| one.wrong.as_str()), Some("a0"));
    }
}
