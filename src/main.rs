//! The program: hands its arguments and environment to the command line and ends with its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    mnemograph::cli::run(std::env::args_os(), std::env::vars_os())
}
