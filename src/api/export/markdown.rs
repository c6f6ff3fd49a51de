//! Markdown for people and agents: a document of its own, or a block between marks in a file that others write.
//!
//! The text outside the marks belongs to the user and stays byte for byte; a block that is written again is the same
//! block.

use super::strong::Group;
use crate::block_marks::{BEGIN, END, blocks};

/// Writes a whole document; empty without groups.
pub(super) fn document(groups: &[Group]) -> String {
    if groups.is_empty() {
        return String::new();
    }
    format!("# What was learned\n{}", sections(groups, "##"))
}

/// Writes a block with its marks.
pub(super) fn block(groups: &[Group]) -> String {
    let body = if groups.is_empty() {
        "\nNothing is proved yet.\n".to_owned()
    } else {
        sections(groups, "###")
    };
    format!("{BEGIN}\n## What was learned\n{body}\n{END}\n")
}

/// Puts a block into a file: between the marks if it has them, else at its end.
///
/// # Errors
///
/// The error for marks that do not occur once and in order.
pub fn put_block(file: &[u8], block: &str) -> Result<Vec<u8>, String> {
    let has_returns = file.windows(2).any(|pair| pair == b"\r\n");
    let block = if has_returns {
        block.replace('\n', "\r\n")
    } else {
        block.to_owned()
    };
    let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
    let (own, is_sound) = blocks(&lines);
    let (before, after) = match own.as_slice() {
        [] if is_sound => {
            let mut before = file.to_vec();
            let end: &[u8] = if has_returns { b"\r\n" } else { b"\n" };
            if !before.is_empty() {
                if !before.ends_with(b"\n") {
                    before.extend_from_slice(end);
                }
                before.extend_from_slice(end);
            }
            (before, Vec::new())
        }
        [own] if is_sound => (lines[..own.start].concat(), lines[own.end..].concat()),
        _ => {
            return Err(format!(
                "the marks `{BEGIN}` and `{END}` must each stand once, on a line of their own and in this order"
            ));
        }
    };
    Ok([before, block.into_bytes(), after].concat())
}

/// Writes groups with headings of a level.
fn sections(groups: &[Group], level: &str) -> String {
    let mut text = String::new();
    let mut was_learned = false;
    for group in groups {
        if group.is_learned && !was_learned {
            text.push_str(&format!("\n{level} Lessons from failures\n"));
            was_learned = true;
        }
        if let Some(heading) = &group.heading {
            let below = if group.is_learned { "#" } else { "" };
            text.push_str(&format!("\n{level}{below} {heading}\n"));
        }
        text.push('\n');
        group.texts.iter().for_each(|one| text.push_str(&item(one)));
    }
    text
}

/// Writes a list item. Further lines are indented, so that no text can end the list or pose as a mark.
pub(super) fn item(text: &str) -> String {
    let mut item = String::from("- ");
    for (place, line) in text.trim().lines().enumerate() {
        if place > 0 {
            item.push('\n');
            if !line.trim().is_empty() {
                item.push_str("  ");
            }
        }
        item.push_str(line.trim_end());
    }
    item.push('\n');
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups() -> Vec<Group> {
        let group = |heading: Option<&str>, texts: &[&str], is_learned| Group {
            heading: heading.map(str::to_owned),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            is_learned,
        };
        vec![
            group(None, &["Read first.", "Two\n\nlines"], false),
            group(Some("Build"), &[END], false),
            group(Some("git"), &["WRONG a → CORRECT b"], true),
        ]
    }

    #[test]
    fn a_document_has_a_list_for_each_heading() {
        let expected = "# What was learned\n\n- Read first.\n- Two\n\n  lines\n\n## Build\n\n- <!-- hindlore:end -->\n\n\
                        ## Lessons from failures\n\n### git\n\n- WRONG a → CORRECT b\n";
        assert_eq!(document(&groups()), expected);
        assert_eq!(document(&[]), "");
    }

    #[test]
    fn a_block_leaves_the_rest_of_a_file_as_it_is_and_comes_again_the_same() {
        let block = block(&groups());
        for file in ["", "# Mine", "# Mine\n", "# Mine\n\ntext\n", "a\r\nb\r\n"] {
            let once = put_block(file.as_bytes(), &block).unwrap();
            assert!(once.starts_with(file.as_bytes()));
            assert_eq!(put_block(&once, &block).unwrap(), once, "{file:?}");
            let around = [b"top\n".as_slice(), &once, b"bottom".as_slice()].concat();
            let other = put_block(&around, &super::block(&[])).unwrap();
            assert!(other.starts_with(b"top\n") && other.ends_with(b"bottom"));
            assert!(!String::from_utf8_lossy(&other).contains("Read first."));
            assert_eq!(put_block(&other, &block).unwrap(), around, "{file:?}");
        }
    }

    #[test]
    fn marks_that_make_no_block_are_refused() {
        for file in [
            format!("{BEGIN}\nx\n"),
            format!("{END}\n{BEGIN}\n"),
            format!("{BEGIN}\n{END}\n{BEGIN}\n{END}\n"),
        ] {
            assert!(put_block(file.as_bytes(), "x").is_err(), "{file}");
        }
    }

    #[test]
    fn marks_in_code_of_a_person_stay_beside_our_block() {
        let file = format!("# M\n```md\n{BEGIN}\nan example\n{END}\n```\nafter");
        let block = block(&groups());
        let once = put_block(file.as_bytes(), &block).unwrap();
        assert!(once.starts_with(file.as_bytes()) && once.ends_with(block.as_bytes()));
        assert_eq!(put_block(&once, &block).unwrap(), once);
    }
}
