//! Arguments of the commands that another program carries out.

use std::ffi::OsString;

use clap::Args;

/// Arguments that are handed on as they are.
#[derive(Debug, Args)]
pub(crate) struct BesideArgs {
    /// What the other program is given; `--help` shows what it takes
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) arguments: Vec<OsString>,
}
