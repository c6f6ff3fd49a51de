//! The program: hands its arguments and environment to the command line and ends with its exit code.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// Returns the memory that loading a large memory used for a moment; the C library's keeps more than half of it.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    hindlore_cli::run(
        std::env::args_os(),
        std::env::vars_os(),
        hindlore_server::SURFACES,
    )
}
