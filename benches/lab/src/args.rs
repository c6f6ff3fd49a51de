//! Arguments of the laboratory. Without a command it runs the experiment over seeds, so that a folder is all
//! that a tool needs to be tried.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use hindlore_cli::program::whole;

/// The command of the laboratory.
#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// Run the protocol once and show every run of every arm
    Run(LabRunArgs),
    /// Repeat the protocol over seeds and report the benefit of the memory
    Stability(LabStabilityArgs),
    /// Write a folder with an unseen tool, drawn from a seed
    NewTool(LabNewToolArgs),
}

/// Arguments of `hindlore-lab run`.
#[derive(Debug, Args)]
pub(crate) struct LabRunArgs {
    /// Folder of a tool; the tools that come with the program without it
    #[arg(long, value_name = "DIR")]
    pub(crate) tool: Option<PathBuf>,
    /// Seed of all that is chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
}

/// Arguments of `hindlore-lab stability`.
#[derive(Debug, Args)]
pub(crate) struct LabStabilityArgs {
    /// Folder of a tool; the tools that come with the program without it
    #[arg(long, value_name = "DIR")]
    pub(crate) tool: Option<PathBuf>,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// How many seeds
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<u64>(2..=10_000))]
    pub(crate) seeds: u64,
    /// Folder for the Markdown report and the plots
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
}

/// Arguments of `hindlore-lab new-tool`.
#[derive(Debug, Args)]
pub(crate) struct LabNewToolArgs {
    /// Seed of the tool
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) seed: u64,
    /// Folder to write; it must not exist, or be empty
    pub(crate) dir: PathBuf,
}

/// Options whose value could be mistaken for a command.
const VALUED: &[&str] = &["--tool", "--report"];

/// Adds the command `stability` where options are given and no command.
pub(crate) fn with_command(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let words = [
        "run",
        "stability",
        "new-tool",
        "--help",
        "-h",
        "--version",
        "-V",
    ];
    let names_command = arguments.windows(2).any(|pair| {
        let is_value = VALUED.iter().any(|option| pair[0] == *option);
        !is_value && words.iter().any(|word| pair[1] == *word)
    });
    if arguments.len() > 1 && !names_command {
        arguments.insert(1, OsString::from("stability"));
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_without_a_command_are_those_of_the_experiment() {
        let typed = |line: &str| {
            let words = line.split_whitespace().map(OsString::from).collect();
            with_command(words)
                .join(" ".as_ref())
                .into_string()
                .unwrap()
        };
        assert_eq!(
            typed("lab --tool run --seeds 2"),
            "lab stability --tool run --seeds 2"
        );
        for as_it_is in [
            "lab",
            "lab run --seed 1",
            "lab --json stability",
            "lab --help",
        ] {
            assert_eq!(typed(as_it_is), as_it_is);
        }
    }
}
