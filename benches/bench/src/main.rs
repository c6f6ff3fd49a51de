//! The program: hands its arguments and environment to its commands and ends with their exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// The allocator of `hindlore`, so that the measured program is the shipped one.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    hindlore_bench::run(std::env::args_os(), std::env::vars_os())
}
