//! Two opposite rules: the right side of one is the wrong side of the other.
//!
//! They were learned on two machines or in two years, and an agent that sees both goes in circles. Values and gaps are
//! filled with examples before the sides are compared, so that a wide and a narrow rule of one program meet.

use super::pattern::Reading;
use crate::lesson::rule::Rule;

/// Returns true if the right side of one rule is the wrong side of the other, for the same tool.
pub fn are_opposite(a: &Rule, b: &Rule) -> bool {
    leads_back(a, b) || leads_back(b, a)
}

/// `a` leads to a form that `b` calls wrong, and `b` leads away from it.
fn leads_back(a: &Rule, b: &Rule) -> bool {
    let (Some(advised), Some(forbidden)) = (a.correct(), b.wrong()) else {
        return false;
    };
    let Some(other) = b.correct() else {
        return false;
    };
    let is_of = |pattern: &str, form: &str| Reading::of(pattern).fits(&Reading::of(&example(form)));
    let is_the_same = is_of(forbidden, advised) || is_of(advised, forbidden);
    // A rule that adds to a form has a right side that is of the wrong one, too: it is not against itself.
    is_the_same && !is_of(other, advised) && !is_of(advised, other)
}

/// A form with its placeholders filled and its gaps closed.
fn example(form: &str) -> String {
    let mut text = String::new();
    let mut rest = form;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        let name = from.get(1..).and_then(|inside| inside.split('>').next());
        let Some(name) = name.filter(|name| is_placeholder(name) && from.contains('>')) else {
            text.push('<');
            rest = &from[1..];
            continue;
        };
        text.push_str(match name {
            "num" => "7",
            "str" => "\"a b\"",
            "path" => "/a/b",
            "email" => "a@b.example",
            "url" => "https://a.example/b",
            _ => "value",
        });
        rest = &from[name.len() + 2..];
    }
    text.push_str(rest);
    let words = text.split_whitespace().filter(|word| *word != "…");
    words.collect::<Vec<_>>().join(" ")
}

fn is_placeholder(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const PAIRS: &[(&str, &str, bool)] = &[
        ("WRONG python … → CORRECT python3 …", "WRONG python3 … → CORRECT python …", true),
        ("WRONG python … → CORRECT python3 …", "WRONG python3 x.py → CORRECT python x.py", true),
        ("WRONG sed -i <1> <2> → CORRECT sed -i '' <1> <2>", "WRONG sed -i '' <1> <2> → CORRECT sed -i <1> <2>", true),
        ("WRONG date -d tomorrow → CORRECT date -v+1d", "WRONG date -v+1d → CORRECT date -d tomorrow", true),
        ("WRONG ls … --color … → CORRECT ls … -G …", "WRONG ls … -G … → CORRECT ls … --color …", true),
        ("WRONG f(q=…) → CORRECT f(query=…)", "WRONG f(query=…) → CORRECT f(q=…)", true),
        ("WRONG npm test … → CORRECT npm run unit …", "WRONG npm run unit … → CORRECT npm run e2e …", true),
        ("WRONG npm test … → CORRECT npm run unit …", "WRONG npm run lint … → CORRECT npm run check …", false),
        ("WRONG npm test … → CORRECT npm run unit …", "WRONG npm test … → CORRECT npm run e2e …", false),
        ("WRONG npm … → CORRECT pnpm …", "WRONG pip … → CORRECT pip3 …", false),
        ("WRONG git push → CORRECT git push -u origin <branch>", "WRONG git push → CORRECT git push -u origin <branch>", false),
        ("WRONG sed -i … → CORRECT sed -i '' …", "WRONG sed -i … → CORRECT sed -i '' …", false),
        ("WRONG python … → CORRECT python3 …", "WRONG python … → CORRECT python3 …", false),
        ("Before `make`, run `make config`", "WRONG make config → CORRECT make", false),
        ("WRONG python3 x — no such file", "WRONG python … → CORRECT python3 …", false),
    ];

    #[test]
    fn opposite_rules_lead_back_to_each_other() {
        let rule = |text: &str| Rule::parse(text).unwrap();
        for (a, b, expected) in PAIRS {
            assert_eq!(are_opposite(&rule(a), &rule(b)), *expected, "{a} | {b}");
            assert_eq!(are_opposite(&rule(b), &rule(a)), *expected, "{b} | {a}");
        }
    }
}
