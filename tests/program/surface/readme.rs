//! The README, followed by copy and paste.

use std::collections::BTreeSet;

use super::paste::block::Block;
use super::paste::shell::Shell;
use super::paste::{followed, readme};

#[test]
fn every_block_is_of_a_kind_that_is_run() {
    let kinds: BTreeSet<String> = readme().into_iter().map(|block| block.kind).collect();
    let known = ["", "install", "neo4j", "tests"].map(str::to_owned);
    assert_eq!(kinds, BTreeSet::from(known));
}

#[test]
fn every_block_answers_as_printed() {
    let blocks: Vec<Block> = readme()
        .into_iter()
        .filter(|block| block.kind.is_empty())
        .collect();
    assert!(blocks.len() > 10, "{} blocks", blocks.len());
    let wrong = followed(&blocks, &Shell::new());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
#[ignore = "builds a release, which takes minutes: cargo test --test program -- --ignored readme"]
fn the_blocks_that_install_install() {
    let blocks: Vec<Block> = readme()
        .into_iter()
        .filter(|block| block.kind == "install")
        .collect();
    let wrong = followed(&blocks, &Shell::with_toolchain());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
