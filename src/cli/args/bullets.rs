//! Arguments of the `bullets` commands.

use clap::{Args, Subcommand, ValueEnum};

use crate::domain::memory::bullet::Status;

/// What to do with bullets.
#[derive(Debug, Subcommand)]
pub(crate) enum BulletsCommand {
    /// List bullets in the order in which they came
    List(ListArgs),
    /// Show everything that is known about a bullet
    Show(ShowArgs),
    /// Find bullets by words in their texts, tags and sections; leaves no trace
    Search(SearchArgs),
    /// Keep a bullet from being pruned and from expiring
    Pin(PinArgs),
    /// Reject a bullet: its text cannot come back by learning
    Reject(RejectArgs),
}

/// Arguments of `bullets list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Which bullets
    #[arg(long, value_enum, default_value_t = StatusChoice::Active, value_name = "S")]
    pub(crate) status: StatusChoice,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
    /// List the general advice, too, that was planted in the memory
    #[arg(long)]
    pub(crate) with_advice: bool,
}

/// Which bullets are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StatusChoice {
    /// Those that take part
    Active,
    /// Those that were put away
    Archived,
    /// Those that must not come back
    Rejected,
    /// All
    All,
}

impl StatusChoice {
    /// Tells whether bullets of this status were asked for.
    pub(crate) fn admits(self, status: Status) -> bool {
        match self {
            Self::All => true,
            Self::Active => status == Status::Active,
            Self::Archived => status == Status::Archived,
            Self::Rejected => status == Status::Rejected,
        }
    }
}

/// Arguments of `bullets show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Id of the bullet, or the id that another program gave it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
}

/// Arguments of `bullets search`.
#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Which bullets
    #[arg(long, value_enum, default_value_t = StatusChoice::Active, value_name = "S")]
    pub(crate) status: StatusChoice,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) limit: usize,
    /// What to look for
    #[arg(required = true, value_name = "WORDS")]
    pub(crate) words: Vec<String>,
}

/// Arguments of `bullets pin`.
#[derive(Debug, Args)]
pub(crate) struct PinArgs {
    /// Id of the bullet
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Let it be pruned and expire again
    #[arg(long)]
    pub(crate) off: bool,
}

/// Arguments of `bullets reject`.
#[derive(Debug, Args)]
pub(crate) struct RejectArgs {
    /// Id of the bullet
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Why, for the history
    #[arg(long, value_name = "R")]
    pub(crate) reason: String,
}
