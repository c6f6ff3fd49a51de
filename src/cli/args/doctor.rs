//! Arguments of the `doctor` command.

use clap::Args;

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {}
