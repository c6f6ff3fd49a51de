//! The README and the book, followed by copy and paste: a stranger types each block, so that each must work.
//!
//! Every chapter is pasted into a shell of its own, since readers begin anywhere; the README is one session.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use super::paste::block::Block;
use super::paste::shell::Shell;
use super::paste::{blocks_of, followed};

const README: &str = "README.md";
const BOOK: &str = "docs/book/src";
/// A stranger reads this far, and no further.
const LINES_MAX: usize = 200;
const WORDS_MAX: usize = 1_700;
/// The port in the printed commands, which another program may have.
const PORT: &str = "7171";

fn text_of(document: &str) -> String {
    fs::read_to_string(Path::new(crate::ROOT).join(document)).unwrap()
}

/// The targets of the links in a text, without addresses of other sites and places within a page.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split_once(')').map(|(target, _)| target));
    let files = targets.map(|target| target.split('#').next().unwrap_or_default());
    files
        .filter(|file| !file.is_empty() && !file.contains("://"))
        .collect()
}

/// The chapters in the order of the summary.
fn chapters() -> Vec<String> {
    let summary = text_of(&format!("{BOOK}/SUMMARY.md"));
    links(&summary)
        .iter()
        .map(|name| format!("{BOOK}/{name}"))
        .collect()
}

fn documents() -> Vec<String> {
    let mut all = chapters();
    all.insert(0, README.to_owned());
    all
}

fn blocks_of_kind(document: &str, kind: &str) -> Vec<Block> {
    let mut blocks = blocks_of(document);
    blocks.retain(|block| block.kind == kind);
    blocks
}

/// The differences of the blocks of a kind, each with its document.
fn differences(document: &str, blocks: &[Block], shell: &Shell) -> Vec<String> {
    let wrong = followed(blocks, shell);
    wrong
        .iter()
        .map(|one| format!("{document}: {one}"))
        .collect()
}

#[test]
fn every_block_is_of_a_kind_that_is_run() {
    let blocks = documents().into_iter().flat_map(|name| blocks_of(&name));
    let kinds: BTreeSet<String> = blocks.map(|block| block.kind).collect();
    let known = ["", "install", "neo4j", "server", "tests"].map(str::to_owned);
    assert_eq!(kinds, BTreeSet::from(known));
}

#[test]
fn every_block_answers_as_printed() {
    let (mut count, mut wrong) = (0, Vec::new());
    for document in documents() {
        let blocks = blocks_of_kind(&document, "");
        count += blocks.len();
        wrong.extend(differences(&document, &blocks, &Shell::new()));
    }
    assert!(count > 20, "{count} blocks");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_block_with_a_server_answers_as_printed() {
    let mut wrong = Vec::new();
    for document in documents() {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port().to_string();
        drop(free);
        let mut blocks = blocks_of_kind(&document, "server");
        for block in &mut blocks {
            block.commands = block.commands.replace(PORT, &port);
        }
        wrong.extend(differences(&document, &blocks, &Shell::new()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
#[ignore = "builds a release, which takes minutes: cargo test --test program -- --ignored readme"]
fn the_blocks_that_install_install() {
    let blocks = blocks_of_kind(README, "install");
    let wrong = differences(README, &blocks, &Shell::with_toolchain());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_readme_is_short() {
    let readme = text_of(README);
    let (lines, words) = (readme.lines().count(), readme.split_whitespace().count());
    assert!(lines <= LINES_MAX, "{lines} lines");
    assert!(words <= WORDS_MAX, "{words} words");
}

#[test]
fn the_summary_lists_every_chapter_once() {
    let listed: Vec<String> = chapters();
    let folder = fs::read_dir(Path::new(crate::ROOT).join(BOOK)).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let written: BTreeSet<String> = names
        .filter(|name| name != "SUMMARY.md")
        .map(|name| format!("{BOOK}/{name}"))
        .collect();
    assert_eq!(listed.len(), written.len());
    assert_eq!(BTreeSet::from_iter(listed), written);
}

#[test]
fn every_link_leads_to_a_file() {
    let mut broken = Vec::new();
    for document in documents() {
        let folder = Path::new(&document).parent().unwrap().to_owned();
        for target in links(&text_of(&document)) {
            let path = Path::new(crate::ROOT).join(&folder).join(target);
            if !path.exists() {
                broken.push(format!("{document}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_picture_shows_the_demonstration_of_this_program() {
    let script = Path::new(crate::ROOT).join("scripts/picture");
    let drawn = Command::new(script).arg(crate::PROGRAM).output().unwrap();
    assert!(drawn.status.success(), "{drawn:?}");
    let kept = text_of("docs/demo.svg");
    assert!(
        String::from_utf8(drawn.stdout).unwrap() == kept,
        "the demonstration has changed: scripts/picture PROGRAM > docs/demo.svg"
    );
    assert!(kept.len() <= 30_000, "{} bytes", kept.len());
}
