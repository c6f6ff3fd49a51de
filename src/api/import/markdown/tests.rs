//! Texts in the styles that people keep.

use super::*;
use hindlore_domain::memory::delta::Operation;

type Row = (u64, Option<String>, String);

fn rows(text: &str) -> Vec<Row> {
    let import = read(text).unwrap();
    let row = |record: &super::super::ImportRecord| match &record.operation {
        Operation::Add(new) => (record.line, new.section.clone(), new.content.clone()),
        other => panic!("{other:?}"),
    };
    import.records.iter().map(row).collect()
}

fn texts(text: &str) -> Vec<String> {
    rows(text).into_iter().map(|row| row.2).collect()
}

#[test]
fn items_paragraphs_and_rows_are_bullets_under_their_heading_path() {
    let text = "---\ndescription: rules\nglobs: [\"*.rs\"]\n---\n# Shop\n\nWhat it\nis for.\n\n## Commands\n\n| Task | Command |\n\
        | --- | --- |\n| test | `just test` |\n| | `just tidy` |\n\n## Rules\n\n1. Small changes.\n   - One package\n     at a time.\n   - Say it.\n\
        2. Money is whole cents.\n\nBefore a release:\n\n- Raise the version.\n- Write it down:\n  ```sh\n  note \"x\"\n  ```\n";
    let row = |line, section: &str, text: &str| (line, Some(section.to_owned()), text.to_owned());
    assert_eq!(
        rows(text),
        [
            row(7, "Shop", "What it is for."),
            row(14, "Shop > Commands", "Task: test; Command: `just test`"),
            row(15, "Shop > Commands", "Command: `just tidy`"),
            row(20, "Shop > Rules", "Small changes. One package at a time."),
            row(22, "Shop > Rules", "Small changes. Say it."),
            row(23, "Shop > Rules", "Money is whole cents."),
            row(27, "Shop > Rules", "Before a release: Raise the version."),
            row(
                28,
                "Shop > Rules",
                "Before a release: Write it down:\n```sh\nnote \"x\"\n```"
            ),
        ]
    );
}

#[test]
fn a_parent_that_says_enough_is_a_bullet_of_its_own() {
    let long = "This parent goes on for so long that it would drown what stands below it, and says enough by itself";
    assert_eq!(texts(&format!("- {long}\n  - one\n")), [long, "one"]);
    assert_eq!(
        texts("- Run it:\n  ```\n  go\n  ```\n  - twice\n"),
        ["Run it:\n```\ngo\n```", "twice"]
    );
    assert_eq!(texts("Keep order.\n\n- one\n"), ["Keep order.", "one"]);
    assert_eq!(
        texts("**Names**\n- one\n- two\n"),
        ["**Names**: one", "**Names**: two"]
    );
    assert_eq!(texts("Then:\n\n## Next\n- one\n"), ["Then:", "one"]);
}

#[test]
fn code_belongs_to_what_stands_above_it() {
    assert_eq!(
        texts("Build:\n\n```sh\nmake\n```\n\n```\nmake all\n```\n"),
        ["Build:\n```sh\nmake\n```\n```\nmake all\n```"]
    );
    assert_eq!(
        rows("## Build\n```sh\nmake\n```\n")[0].1.as_deref(),
        Some("Build")
    );
    assert_eq!(texts("~~~~\n```\n~~~~\n"), ["~~~~\n```\n~~~~"]);
    // A fence that is indented too far is no block by the rules of Markdown, and meant as one.
    assert_eq!(
        texts(
            "- Call it:\n        ```ts\n        go({\n          a,\n        });\n        ```\n- Stop.\n"
        ),
        ["Call it:\n```ts\ngo({\n  a,\n});\n```", "Stop."]
    );
    assert_eq!(
        texts("- `a\n  b` *c* [d](e) <f>\n"),
        ["`a b` *c* [d](e) <f>"]
    );
}

#[test]
fn what_is_no_bullet_is_told_with_its_line() {
    let text = "<!-- a note -->\n\n# Title\n\n## Empty\n\n- \n- [x] done thing\n\n### Never push to the main branch\n\n<b>Bold rule</b>\n\n\
        ## Left\n";
    let import = read(text).unwrap();
    let out: Vec<(u64, &str)> = import
        .left_out
        .iter()
        .map(|one| (one.line, one.reason.as_str()))
        .collect();
    assert_eq!(
        out,
        [
            (1, "a comment"),
            (7, "an empty item"),
            (14, "a heading with nothing below it")
        ]
    );
    assert_eq!(texts(text), ["done thing", "<b>Bold rule</b>"]);
    assert_eq!(import.read, 5);
    let only = "# Rules\n## Never push to the main branch\n## Ask before you delete\n";
    assert_eq!(
        texts(only),
        ["Never push to the main branch", "Ask before you delete"]
    );
    let Operation::Add(done) = &import.records[0].operation else {
        panic!("{import:?}");
    };
    assert_eq!(done.tags, ["done"]);
}

#[test]
fn tags_of_html_go_and_their_text_stays() {
    assert_eq!(
        texts("<rules>\nUse tabs,\nnot blanks.\n\nAsk first.\n</rules>\n"),
        ["Use tabs, not blanks.", "Ask first. </rules>"]
    );
    assert_eq!(
        texts("<details>\n<summary>More</summary>\n</details>\n"),
        ["More"]
    );
    assert_eq!(texts("<div a < b\n"), ["<div a < b"]);
}

#[test]
fn sloppy_texts_are_read_as_they_are_meant() {
    assert_eq!(
        texts("    Use tabs.\n\n    Ask first.\n"),
        ["Use tabs.", "Ask first."]
    );
    assert_eq!(
        texts("Always test.\n---\nThen push.\n"),
        ["Always test.", "Then push."]
    );
    assert_eq!(
        texts("> Rule:\n> - one\n> - two\n"),
        ["Rule: one", "Rule: two"]
    );
    assert_eq!(
        texts("---\nnot front matter, but a sentence\n---\n").len(),
        1
    );
    assert_eq!(texts("- a\r\n- b\r\n"), ["a", "b"]);
    let deep: String = (0..200)
        .map(|depth| format!("{}- x{depth}\n", "  ".repeat(depth)))
        .collect();
    let found = texts(&deep);
    assert!(!found.is_empty() && found.len() < 200, "{}", found.len());
    assert_eq!(texts(&">".repeat(20_000)).len(), 0);
}

#[test]
fn a_block_that_an_export_wrote_is_left_out_and_told() {
    let text = "# Rules\n\n- ours\n\n<!-- hindlore:begin -->\n## What was learned\n\n- theirs\n\n<!-- hindlore:end -->\n\n- behind\n";
    let import = read(text).unwrap();
    assert_eq!(texts(text), ["ours", "behind"]);
    assert_eq!(rows(text)[1].0, 12, "lines are those of the file");
    let told: Vec<u64> = import.left_out.iter().map(|one| one.line).collect();
    assert_eq!(told, [5]);
    let open = "- ours\n<!-- hindlore:begin -->\n\n- theirs\n";
    assert_eq!(texts(open), ["ours", "theirs"], "half a block is none");
}
