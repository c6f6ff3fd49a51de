//! Copy and paste: blocks of commands of a document, run in order in one shell on a terminal of 80 columns, and their
//! answers compared with the printed ones.
//!
//! A block ```` ```sh ```` is pasted whole; the block ```` ```text ```` after it is its answer. A second word names
//! where a block runs instead: `install` builds a release, `tests` is the test command itself, `server` starts a server on
//! a port of its own, `neo4j` needs a database. `…` in an answer replaces omitted text; times and random ids are not
//! compared.

mod answer;
pub(crate) mod block;
pub(crate) mod shell;

use std::fs;
use std::path::Path;

use block::Block;
use shell::Shell;

/// The blocks of a document of the repository in order.
pub(crate) fn blocks_of(document: &str) -> Vec<Block> {
    let path = Path::new(crate::ROOT).join(document);
    block::blocks(&fs::read_to_string(path).unwrap())
}

/// Runs blocks in one shell; gives the place and difference of each wrong answer.
pub(crate) fn followed(blocks: &[Block], shell: &Shell) -> Vec<String> {
    let told = shell.paste(blocks);
    let wrong = |(block, told): (&Block, &shell::Told)| {
        if told.code != 0 && block.answer.is_none() {
            return Some(format!(
                "line {}: ended with {}:\n{}",
                block.line, told.code, told.text
            ));
        }
        let wanted = block.answer.as_deref()?;
        let difference = answer::difference(wanted, &told.text)?;
        Some(format!(
            "line {}: {difference}\nthe whole answer:\n{}",
            block.line, told.text
        ))
    };
    blocks.iter().zip(&told).filter_map(wrong).collect()
}
