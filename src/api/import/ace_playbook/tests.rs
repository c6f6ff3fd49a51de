//! Small playbooks in the style of the published ones, and hostile ones.

use super::*;

/// Line, legacy id, section, and content of a bullet.
type Row = (u64, String, Option<String>, String);

fn rows(text: &str) -> (Vec<Row>, Vec<(u64, String)>) {
    let import = read(text).unwrap();
    assert_eq!(
        usize::try_from(import.read).unwrap(),
        import.records.len() + import.bad.len()
    );
    let good = import
        .records
        .into_iter()
        .map(|record| match record.operation {
            Operation::Add(new) => (
                record.line,
                new.legacy_id.unwrap(),
                new.section,
                new.content,
            ),
            other => panic!("{other:?}"),
        })
        .collect();
    (
        good,
        import.bad.into_iter().map(|b| (b.line, b.reason)).collect(),
    )
}

#[test]
fn an_initial_playbook_without_counts_is_read() {
    let text = "## STRATEGIES AND HARD RULES\n\
        [shr-00001] End code blocks with ``` and a newline(\\n).\n\
        [shr-00005] Look before you call.\n\n\
        ## USEFUL CODE SNIPPETS AND TEMPLATES\n\n\
        ## TROUBLESHOOTING AND PITFALLS:\n\n## OTHERS\n\
        [misc-00003] Old tokens are not valid. \n";
    let (good, bad) = rows(text);
    assert!(bad.is_empty(), "{bad:?}");
    let section = |name: &str| Some(name.to_owned());
    assert_eq!(
        good,
        [
            (
                2,
                "shr-00001".into(),
                section("STRATEGIES AND HARD RULES"),
                "End code blocks with ``` and a newline(\\n).".into()
            ),
            (
                3,
                "shr-00005".into(),
                section("STRATEGIES AND HARD RULES"),
                "Look before you call.".into()
            ),
            (
                10,
                "misc-00003".into(),
                section("OTHERS"),
                "Old tokens are not valid.".into()
            ),
        ]
    );
}

#[test]
fn a_trained_playbook_has_counts_and_long_bullets() {
    let text = "## CODE:\r\n[code-00010] helpful=2 harmful=1 :: Page through:\r\n\r\n```python\r\n\
        # a comment\r\n## not a heading\r\nwhile True:\r\n    break\r\n```\r\n  then stop\r\n\r\n\r\n\
        [code-00011] helpful=0 harmful=0 neutral=7 :: use a::b\n[code-00012] std::vec is content\n\
        [code-00013]\n- first\n# second\n### third\n## NEXT\n[n-001] :: x\n";
    let import = read(text).unwrap();
    let Operation::Add(first) = &import.records[0].operation else {
        panic!("{import:?}");
    };
    assert_eq!((first.helpful, first.harmful, first.neutral), (2, 1, 0));
    assert_eq!(
        first.content,
        "Page through:\n\n```python\n# a comment\n## not a heading\nwhile True:\n    break\n```\n  then stop"
    );
    let (good, bad) = rows(text);
    assert!(bad.is_empty(), "{bad:?}");
    let contents: Vec<&str> = good[1..].iter().map(|row| row.3.as_str()).collect();
    assert_eq!(
        contents,
        [
            "use a::b",
            "std::vec is content",
            "- first\n# second\n### third",
            "x"
        ]
    );
    assert_eq!(good[0].2.as_deref(), Some("CODE"));
    assert_eq!(good[4].2.as_deref(), Some("NEXT"));
}

#[test]
fn every_line_is_accounted_for() {
    let text = "stray\n# Title\n## A\nintro text\n[a-00001] helpful=x harmful=0 :: lost\nmore lost\n\
        [a-00002] helpful=-1 :: x\n[a-00003] helpful=1 good=2 :: x\n[a-00004]   \n\
        [a-00005] helpful=99999999999999999999 :: x\n[a-00006] kept\n";
    let (good, bad) = rows(text);
    assert_eq!(good.len(), 1);
    for ((line, reason), (expected, words)) in bad.iter().zip([
        (1, "`stray` belongs to no bullet"),
        (4, "`intro text`"),
        (5, "`x` is not a whole number"),
        (7, "`-1`"),
        (8, "`good` is not a count"),
        (9, "content is empty"),
        (10, "not a whole number"),
    ]) {
        assert!(
            *line == expected && reason.contains(words),
            "{line}: {reason}"
        );
    }
    assert_eq!(bad.len(), 7);
}

#[test]
fn an_unclosed_code_block_swallows_no_bullet_and_no_heading() {
    let (good, _) =
        rows("[a-00001] x\n```\ncode\n## B\n[b-00002] ```\ny\n[c-00003] ```one``` two\nz");
    assert_eq!(good[0].3, "x\n```\ncode");
    assert_eq!(good[1].2.as_deref(), Some("B"));
    assert_eq!(good[1].3, "```\ny");
    assert_eq!(good[2].3, "```one``` two\nz");
}

#[test]
fn a_file_without_bullets_is_another_format() {
    for text in [
        "",
        "\n\n",
        "## ONLY\n\n## HEADINGS\n",
        "{\"bullets\": {}}",
        "[1] a\n[x-1] b\n[-001] c",
    ] {
        let problem = read(text).unwrap_err();
        assert_eq!(problem.code, "wrong_format");
        assert!(
            problem
                .message
                .contains("does not look like an ACE playbook")
        );
    }
}

#[test]
fn any_id_starts_a_bullet_before_counts_and_a_list_mark_may_stand_before_it() {
    let ids = [
        "8",
        "str-8a",
        "a.b-1",
        "#7",
        "c++-00002",
        "規則-00001",
        "two words",
    ];
    for id in ids {
        for mark in ["", "- ", "* ", "12. "] {
            let text = format!(
                "[str-00001] helpful=2 harmful=0 :: one\n{mark}[{id}] helpful=3 harmful=1 :: two"
            );
            let (good, bad) = rows(&text);
            let found: Vec<(&str, &str)> = good
                .iter()
                .map(|row| (row.1.as_str(), row.3.as_str()))
                .collect();
            assert_eq!(found, [("str-00001", "one"), (id, "two")], "{text}");
            assert!(bad.is_empty());
        }
    }
    let text = "[str-00001] one\n[link](to) :: x\n- [ ] to do\n[Note] helpful hint\n[8] plain";
    assert_eq!(rows(text).0.len(), 1);
}
