//! Arguments of the `bench` commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use hindlore_cli::program::whole;

/// The benchmark.
#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// A Neo4j compared with its own floor and with other memories in the same server
    Neo4j(Neo4jBenchArgs),
    /// Whether the texts that answer a question are found, on public sets
    Retrieval(RetrievalArgs),
    /// Whether texts become one that should, and only those, on labelled pairs
    Merges(MergesArgs),
    /// Whether the newest value of a fact comes first, and the older one is linked as superseded
    Facts(FactsArgs),
    /// Whether errors of one kind share a fingerprint and others do not, on labelled logs
    Fingerprints(FingerprintsArgs),
    /// Whether solved cases help with the next ones, without a model
    Stream(StreamArgs),
    /// The notes that rewriting loses, and those that growing and refining keeps
    Cheatsheets(CheatsheetsArgs),
    /// The cost of a memory at several sizes, compared with peers and limits; best built with --release
    Memory(MemoryBenchArgs),
    /// How fast the right lesson is found among very many, in a file or on the server that --store names
    Lessons(LessonsBenchArgs),
    /// A retrieval over HTTP, compared with the library's own and a bare handler
    Http(HttpArgs),
    /// The time of a whole process: a hook, a retrieval; compared with an empty program
    Processes(ProcessesArgs),
    /// The program as a user calls it, compared with the tools that a user would call instead
    Places(PlacesArgs),
    /// Open a file that `hindlore-bench memory` made; it calls this itself
    #[command(hide = true)]
    Opening(OpeningArgs),
}

/// The measurement on a Neo4j. The server is named by --store.
#[derive(Debug, Args)]
pub(crate) struct Neo4jBenchArgs {
    /// Bullets of the memories that are measured
    #[arg(long, value_name = "N", num_args = 1.., value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) items: Vec<u64>,
    /// A first impression: one size, few calls
    #[arg(long)]
    pub(crate) quick: bool,
    #[command(flatten)]
    pub(crate) peers: PeerOptions,
}

/// Arguments of `hindlore-bench memory`.
#[derive(Debug, Args)]
pub(crate) struct MemoryBenchArgs {
    /// Numbers of bullets to measure
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',')]
    #[arg(value_parser = whole::<u64>(1..=10_000_000))]
    pub(crate) sizes: Vec<u64>,
    /// A first impression: small sizes, few calls
    #[arg(long)]
    pub(crate) quick: bool,
    /// Also measure in full the parts that take minutes in a peer
    #[arg(long, conflicts_with = "quick")]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) peers: PeerOptions,
    #[command(flatten)]
    pub(crate) pictures: PictureOptions,
}

/// Arguments of `hindlore-bench lessons`.
#[derive(Debug, Args)]
pub(crate) struct LessonsBenchArgs {
    /// Lessons in the store
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    #[arg(value_parser = whole::<u64>(1..=10_000_000))]
    pub(crate) lessons: u64,
    /// Fingerprints that they hang on
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    #[arg(value_parser = whole::<u64>(1..=10_000_000))]
    pub(crate) fingerprints: u64,
    /// Timed calls of each kind
    #[arg(long, value_name = "N", default_value_t = 400)]
    #[arg(value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) calls: u64,
}

/// Arguments of `hindlore-bench http`.
#[derive(Debug, Args)]
pub(crate) struct HttpArgs {
    /// Bullets of the memory
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    #[arg(value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) size: u64,
    /// Timed calls of each kind
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) calls: u64,
}

/// Arguments of `hindlore-bench processes`.
#[derive(Debug, Args)]
pub(crate) struct ProcessesArgs {
    /// Numbers of bullets to measure
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',', default_values_t = [10_000, 100_000])]
    #[arg(value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) sizes: Vec<u64>,
    /// Lessons in the file that hooks ask
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    #[arg(value_parser = whole::<u64>(1..=1_000_000))]
    pub(crate) lessons: u64,
    /// Timed processes of each kind
    #[arg(long, value_name = "N", default_value_t = 200)]
    #[arg(value_parser = whole::<u64>(4..=100_000))]
    pub(crate) calls: u64,
}

/// Arguments of `hindlore-bench places`.
#[derive(Debug, Args)]
#[command(after_help = "Rows:\n  \
    1   graph tools over MCP; server-memory\n  \
    2   an import of 12,000 texts, and their consolidation; an import that may not consolidate\n  \
    3   the first add after a query over MCP; the next adds\n  \
    4   a whole process that answers a question; one with SQLite's full-text search\n  \
    5   a call on a small or missing memory; an empty Python\n  \
    6   the CPU of a served retrieval; a bare handler\n  \
    7   the memory and CPU of an import; its input, and loading SQLite's full-text search\n  \
    8   learning from a long session; from a short one\n  \
    9   the hook after a failed tool; the other hooks\n  \
    11  a store after 1,000,000 events; after 10,000\n\n\
    Times are those of whole processes, so the program is best built with --release. Rows 2 to 9 need Linux.")]
pub(crate) struct PlacesArgs {
    /// Numbers of the rows to measure; the default is all
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',')]
    #[arg(value_parser = whole::<u8>(1..=11))]
    pub(crate) rows: Vec<u8>,
    /// Entities of row 1 (10,000), bullets of rows 3 (100,000) and 4 (10,000 and 100,000), texts of row 7 (100,000)
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',')]
    #[arg(value_parser = whole::<u64>(1..=5_000_000))]
    pub(crate) sizes: Vec<u64>,
    /// Megabytes of the sessions of row 8 (10 and 100); the others are compared with the first
    #[arg(long, value_name = "MB", num_args = 1.., value_delimiter = ',')]
    #[arg(value_parser = whole::<u64>(1..=10_000))]
    pub(crate) megabytes: Vec<u64>,
    /// Events of row 11 (10,000 and 1,000,000); the others are compared with the first
    #[arg(long, value_name = "N", num_args = 1.., value_delimiter = ',')]
    #[arg(value_parser = whole::<u64>(1..=100_000_000))]
    pub(crate) events: Vec<u64>,
    /// A first impression: small sizes, few calls
    #[arg(long)]
    pub(crate) quick: bool,
    /// The program to measure; the default is `hindlore` in the folder of this program
    #[arg(long, value_name = "PATH")]
    pub(crate) program: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) peers: PeerOptions,
}

/// Arguments of `hindlore-bench opening`.
#[derive(Debug, Args)]
pub(crate) struct OpeningArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// Arguments of `hindlore-bench merges`.
#[derive(Debug, Args)]
#[command(
    after_help = "FILE is JSON Lines of {\"a\", \"b\", \"same\", \"kind\", \"lang\"}. Without FILE the pairs that \
    were written for this project are used."
)]
pub(crate) struct MergesArgs {
    /// File of labelled pairs
    #[arg(long, value_name = "FILE")]
    pub(crate) data: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) pictures: PictureOptions,
}

/// Arguments of `hindlore-bench facts`.
#[derive(Debug, Args)]
#[command(
    after_help = "FILE is Conflict_Resolution.json of MemoryAgentBench: sets of numbered facts with questions and \
    answers, of which the single hops are measured."
)]
pub(crate) struct FactsArgs {
    /// File of the facts
    #[arg(long, value_name = "FILE")]
    pub(crate) data: PathBuf,
}

/// Arguments of `hindlore-bench retrieval`.
#[derive(Debug, Args)]
#[command(
    after_help = "DIR is a folder with LoCoMo (locomo.jsonl.gz), with the memory part of BFCL v4 \
    (conversations.jsonl.gz, questions.jsonl.gz), or with such folders. The files may also be \
    uncompressed."
)]
pub(crate) struct RetrievalArgs {
    /// Folder of the data sets
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// A copy of github.com/mohammadtavakoli78/BEAM: long talks with an assistant
    #[arg(long, value_name = "DIR")]
    pub(crate) beam: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) peers: PeerOptions,
    #[command(flatten)]
    pub(crate) pictures: PictureOptions,
}

/// Arguments of `hindlore-bench fingerprints`.
#[derive(Debug, Args)]
#[command(
    after_help = "DIR is a folder, also of folders, with files of JSON Lines {\"set\", \"text\", \"event\"} for \
    logs or {\"set\", \"text\", \"class\"} for errors of tools, compressed or not, or with \
    *_2k.log_structured.csv files as LogHub has them."
)]
pub(crate) struct FingerprintsArgs {
    /// Folder of the labelled lines, or one file
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) peers: PeerOptions,
}

/// Arguments of `hindlore-bench stream`.
#[derive(Debug, Args)]
#[command(
    after_help = "DIR is a folder, also of folders, with files of JSON Lines {\"cases\": [{\"entity\", \
    \"tag\"}...], \"sentences\": [...]} as FiNER has them in the repository of ACE, compressed or \
    not."
)]
pub(crate) struct StreamArgs {
    /// Folder of the cases, or one file
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) pictures: PictureOptions,
}

/// Arguments of `hindlore-bench cheatsheets`.
#[derive(Debug, Args)]
#[command(
    after_help = "DIR is a folder, also of folders, with files of JSON Lines {\"run\", \"step\", \"cheatsheet\"}, \
    compressed or not."
)]
pub(crate) struct CheatsheetsArgs {
    /// Folder of the sheets, or one file
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) pictures: PictureOptions,
}

/// Pictures of a report.
#[derive(Debug, Args)]
pub(crate) struct PictureOptions {
    /// Write the curves of the report as pictures into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) svg: Option<PathBuf>,
}

/// Where peers are found.
#[derive(Debug, Args)]
pub(crate) struct PeerOptions {
    /// Folder with the scripts that run the peers
    #[arg(long, value_name = "DIR", default_value = "benches/peers")]
    pub(crate) peers: PathBuf,
    /// Longest time that one request to a peer may take, in seconds
    #[arg(long, value_name = "S", default_value_t = 600)]
    #[arg(value_parser = whole::<u64>(0..=u64::MAX))]
    pub(crate) peer_limit: u64,
}
