//! Arguments of `install` and `uninstall`.

use clap::Args;

use crate::agents::{Level, Runtime};

/// Arguments of both.
#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// The coding agent
    #[arg(value_enum)]
    pub(crate) runtime: Runtime,
    /// In the settings of the person, for all folders; the default
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// In the settings of this folder, for everyone who works in it
    #[arg(long)]
    pub(crate) project: bool,
    /// Show the change of each file, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

impl InstallArgs {
    /// The owner of the settings.
    pub(crate) fn level(&self) -> Level {
        if self.project {
            Level::Project
        } else {
            Level::User
        }
    }
}
