//! Arguments of the `call` command.

use clap::Args;

/// Arguments of `call`.
#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// List the verbs, as `call` without a name does
    #[arg(long, conflicts_with_all = ["name", "schema"])]
    pub(crate) list: bool,
    /// Show the request and answer of the verb as JSON Schema
    #[arg(long, requires = "name", conflicts_with = "request")]
    pub(crate) schema: bool,
    /// Do not ask before anything is destroyed
    #[arg(long)]
    pub(crate) yes: bool,
    /// Name of the verb
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The request; `@FILE` reads it from a file, `-` from stdin
    #[arg(value_name = "JSON", default_value = "{}")]
    pub(crate) request: String,
}
