//! Arguments of the `retrieve` and `feedback` commands.

use clap::{Args, ValueEnum};

/// Arguments of `retrieve`.
#[derive(Debug, Args)]
pub(crate) struct RetrieveArgs {
    /// At most this many bullets
    #[arg(long, value_name = "N")]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) top_k: Option<usize>,
    /// How to score: engine, original, cl-bench or baseline; without it, as the policy says
    #[arg(long, value_name = "P", hide_possible_values = true)]
    #[arg(value_parser = super::Offering(&["engine", "original", "cl-bench", "baseline"]))]
    pub(crate) profile: Option<String>,
    /// Only bullets with this tag, or any of several
    #[arg(long = "tag", value_name = "T")]
    pub(crate) tags: Vec<String>,
    /// Only bullets of this memory type, or any of several: semantic, episodic, procedural
    #[arg(long = "type", value_name = "T", hide_possible_values = true)]
    #[arg(value_parser = super::Offering(&["semantic", "episodic", "procedural"]))]
    pub(crate) types: Vec<String>,
    /// Only bullets of this subject, or of none
    #[arg(long, value_name = "T")]
    pub(crate) topic: Option<String>,
    /// What the subject does: keep others out, or rank its own higher
    #[arg(long, value_enum, default_value_t = TopicChoice::Filter, value_name = "MODE")]
    pub(crate) topic_mode: TopicChoice,
    /// Least strength
    #[arg(long, visible_alias = "prune-threshold", value_name = "X")]
    pub(crate) min_score: Option<f64>,
    /// Rank bullets about pictures higher
    #[arg(long)]
    pub(crate) visual: bool,
    /// Rank bullets for this persona higher
    #[arg(long, value_name = "P")]
    pub(crate) persona: Option<String>,
    /// Ask for the next step
    #[arg(long)]
    pub(crate) next_step: bool,
    /// Leave out, from the end, whole bullets beyond this many tokens
    #[arg(long, value_name = "TOKENS")]
    #[arg(value_parser = super::whole::<usize>(0..=u64::MAX))]
    pub(crate) budget: Option<usize>,
    /// Look into the learner's shared scope as well
    #[arg(long)]
    pub(crate) include_shared: bool,
    /// Rank at the very state that the tick is taken at
    #[arg(long)]
    pub(crate) strict: bool,
    /// Look only: nothing is recorded and nothing gets stronger
    #[arg(long)]
    pub(crate) peek: bool,
    /// Add the general advice that was planted in the memory, which nobody here has learned; the setting `advice`
    /// (MNEMOGRAPH_ADVICE) does so always
    #[arg(long)]
    pub(crate) with_advice: bool,
    /// Print the text for a prompt, in one of its forms; its first line names the retrieval for `feedback`
    #[arg(long, value_enum, value_name = "FORM")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "numbered")]
    pub(crate) prompt: Option<PromptForm>,
    /// What to look for; `-` alone reads it from stdin
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
}

/// What the subject of a query does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum TopicChoice {
    /// Other subjects stay out
    Filter,
    /// The subject's own rank higher
    Boost,
}

/// The forms of a text for a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PromptForm {
    /// Numbered, with votes
    Numbered,
    /// By section, with ids and votes
    Playbook,
    /// By section, the texts alone
    Context,
}

/// Arguments of `feedback`.
#[derive(Debug, Args)]
pub(crate) struct FeedbackArgs {
    /// Id that `retrieve` printed, or its beginning
    #[arg(value_name = "RETRIEVAL")]
    pub(crate) retrieval: String,
    /// Bullets that were used: ids, or their numbers in the answer
    #[arg(long, num_args = 1.., value_name = "ID")]
    pub(crate) used: Vec<String>,
    /// Bullets that helped: ids, or their numbers in the answer
    #[arg(long, num_args = 1.., value_name = "ID")]
    pub(crate) helped: Vec<String>,
    /// Bullets that did harm: ids, or their numbers in the answer
    #[arg(long, num_args = 1.., value_name = "ID")]
    pub(crate) harmed: Vec<String>,
    /// Bullets that were passed over: ids, or their numbers in the answer
    #[arg(long, num_args = 1.., value_name = "ID")]
    pub(crate) ignored: Vec<String>,
}
