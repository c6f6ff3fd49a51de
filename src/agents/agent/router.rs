//! Which way of working a question calls for: a table of whole words, the first row that fits.

use super::calculator::expression_in;
use super::plan::Mode;
use hindlore_text::words::standard_words;

/// Whole words, in lower case; all words of an entry are adjacent.
#[rustfmt::skip]
const TABLE: &[(Mode, &[&str])] = &[
    (Mode::React, &[
        "calculate", "compute", "multiply", "divide", "subtract", "sum of", "search", "look up", "find out", "fetch", "query",
        "use the tool", "use tools", "remember", "recall", "what do you know", "run the", "execute",
    ]),
    (Mode::Tot, &[
        "plan", "design", "brainstorm", "strategy", "strategies", "alternatives", "options", "trade off", "trade offs",
        "compare", "puzzle", "explore", "pros and cons", "best way", "schedule", "optimise", "optimize",
    ]),
    (Mode::Cot, &["explain", "why", "step by step", "summarise", "summarize", "describe", "translate"]),
];

/// The way for a question. A preset decides; a question with something to calculate goes to the tools; else the table,
/// and a question that no row fits gets one line of thought.
pub fn route(question: &str, preset: Option<Mode>) -> Mode {
    if let Some(mode) = preset {
        return mode;
    }
    if expression_in(question).is_some() {
        return Mode::React;
    }
    let words = format!(" {} ", standard_words(question).join(" "));
    let fits = |phrase: &&&str| words.contains(&format!(" {phrase} "));
    let row = TABLE
        .iter()
        .find(|(_, phrases)| phrases.iter().any(|phrase| fits(&phrase)));
    row.map_or(Mode::Cot, |(mode, _)| *mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_go_where_their_words_say() {
        for (question, mode) in [
            ("Help me multiply 12 by 5.", Mode::React),
            ("What is 3 * (4 + 5)?", Mode::React),
            ("Look up the port of the proxy.", Mode::React),
            ("Plan a release for next week", Mode::Tot),
            ("What are the pros and cons of both?", Mode::Tot),
            ("Why is the sky blue?", Mode::Cot),
            ("Is this a planet?", Mode::Cot),
            ("The executor designed it", Mode::Cot),
            ("", Mode::Cot),
        ] {
            assert_eq!(route(question, None), mode, "{question}");
        }
        assert_eq!(route("Plan it", Some(Mode::React)), Mode::React);
    }
}
