//! Arguments of commands carried out by another program.

use std::ffi::OsString;

use clap::Args;

/// Arguments passed on unchanged.
#[derive(Debug, Args)]
pub(crate) struct BesideArgs {
    /// Arguments of the other program; `--help` lists them
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) arguments: Vec<OsString>,
}
