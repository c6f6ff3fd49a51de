//! Files with notes by date.

use super::*;
use crate::import::{Format, parse_text};

/// The links of a file, as texts.
fn links(text: &str) -> Vec<(String, String)> {
    let import = parsed(text);
    let text_of = |end: &BulletRef| -> String {
        let at: usize = end.0.trim_start_matches('#').parse().unwrap();
        match &import.records[at].operation {
            Operation::Insert(one) => one.bullet.content.clone(),
            other => panic!("{other:?}"),
        }
    };
    let links = import
        .records
        .iter()
        .filter_map(|record| match &record.operation {
            Operation::Link(link) => Some((text_of(&link.from), text_of(&link.to))),
            _ => None,
        });
    links.collect()
}

fn parsed(text: &str) -> Import {
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let delta = DeltaId::from_import(text.as_bytes(), "markdown", &key);
    parse_text(Format::Markdown, text, &key, &delta).unwrap()
}

const OLD: &str = "Staging database: port 5434";
const NEW: &str = "Staging database: port 5440";

#[test]
fn a_later_value_supersedes_the_earlier_one() {
    for (text, expected) in [
        (
            format!("# M\n## Infra\n- {OLD}\n## 2026-03-05\n- {NEW}\n"),
            &[(NEW, OLD)][..],
        ),
        (
            format!("## 2026-03-05\n- {NEW}\n\n## Infra\n- {OLD}\n"),
            &[(NEW, OLD)],
        ),
        (
            format!("## 2026-03-05\n- {OLD}\n## 2026-04-01\n- {NEW}\n"),
            &[(NEW, OLD)],
        ),
        (
            format!("## 1 April 2026\n- {NEW}\n## 5 March 2026\n- {OLD}\n"),
            &[(NEW, OLD)],
        ),
        (
            format!("## Infra\n### 2026-03-05\n- {OLD}\n### 2026-04-01\n- {NEW}\n"),
            &[(NEW, OLD)],
        ),
        (
            format!("- {OLD}\n## 2026-03-05\n- {NEW}\n## 2026-04-01\n- {OLD}\n"),
            &[(OLD, NEW)],
        ),
        (
            format!("- {OLD}\n## 2026-03-05\n- {NEW}\n## 2026-04-01\n- {NEW}1\n"),
            &[(NEW, OLD), ("Staging database: port 54401", NEW)],
        ),
        (format!("## Infra\n- {OLD}\n## Later\n- {NEW}\n"), &[]),
        (format!("## 2026-03-05\n- {OLD}\n- {NEW}\n"), &[]),
        (
            format!("## A\n- {OLD}\n## B\n### 2026-03-05\n- {NEW}\n"),
            &[],
        ),
        (
            format!("## A\n- {OLD}\n## B\n- {OLD}1\n## 2026-03-05\n- {NEW}\n"),
            &[],
        ),
        (
            format!("## Week 12 2026\n- {OLD}\n## Week 13 2026\n- {NEW}\n"),
            &[],
        ),
    ] {
        let links = links(&text);
        let links: Vec<(&str, &str)> = links.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(links, expected, "{text}");
    }
}

#[test]
fn a_dated_note_has_the_day_of_its_heading() {
    let import = parsed("## 2026-03-05\n- Anna owns the shop\n\n## Rules\n- Keep changes small\n");
    let days: Vec<String> = import
        .records
        .iter()
        .map(|record| added(record).and_then(|new| new.created_at))
        .map(|at| at.map_or(String::new(), |at| at.to_string()))
        .collect();
    assert_eq!(days, ["", "2026-03-05T00:00:00.000Z"]);
}

#[test]
fn a_note_that_is_left_out_takes_no_link_from_another() {
    let large = "word ".repeat(5_000);
    let mut import = parsed(&format!("- {large}\n- {OLD}\n## 2026-03-05\n- {NEW}\n"));
    import.leave_out_large(16_384);
    let ends = import
        .records
        .iter()
        .find_map(|record| match &record.operation {
            Operation::Link(link) => Some((link.from.0.as_str(), link.to.0.as_str())),
            _ => None,
        });
    assert_eq!(ends, Some(("#1", "#0")));
}
