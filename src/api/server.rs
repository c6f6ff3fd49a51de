//! The configuration of a listening surface: the engine, its subject by default, and its limits.
//!
//! A surface is passed as a function, so that the command line can start it without knowing it.

use std::future::Future;
use std::net::TcpListener;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::access::Access;
use super::agents::Agents;
use super::problem::Problem;
use hindlore::Engine;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::word_enum;

/// A future that is done when the server is to stop.
pub type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;
/// A running server; it ends after a graceful stop, or by a problem.
pub type Serving = Pin<Box<dyn Future<Output = Result<(), Problem>> + Send>>;
/// Prepares all that can fail, then serves until it is stopped.
pub type Serve = fn(Server, Stop) -> Result<Serving, Problem>;
/// Prepares the tools, then offers them on standard input and output until the input closes or it is stopped.
pub type ServeTools = fn(Tools, Stop) -> Result<Serving, Problem>;

/// The surfaces that a program has besides its command line.
///
/// The command line starts them but must not depend on them, so `main` passes them over.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surfaces {
    /// The HTTP server.
    pub http: Option<Serve>,
    /// The tools on standard input and output.
    pub mcp: Option<ServeTools>,
}

/// Tools for one agent.
pub struct Tools {
    /// The memory and the caller of requests that name none.
    pub access: Access,
    /// Which tools are offered.
    pub profile: ToolProfile,
    /// The limits of a request.
    pub limits: ServerLimits,
}

word_enum! {
    /// Which verbs agents are offered as tools.
    ToolProfile {
        /// The few that an agent needs, with texts written for a model.
        Default = "default",
        /// These, and every other verb of the catalogue.
        Full = "full",
        /// The nine of the reference memory server, for clients that were made for it.
        Graph = "graph",
    }
}

/// A server to start.
pub struct Server {
    /// The engine over the store.
    pub engine: Engine,
    /// The memory of requests that name none.
    pub key: MemoryKey,
    /// The author of changes of requests that name none.
    pub author: Option<String>,
    /// The bound socket.
    pub listener: TcpListener,
    /// Which tools agents are offered.
    pub tools: ToolProfile,
    /// The model, and how agents work.
    pub agents: Arc<Agents>,
    /// Its limits.
    pub limits: ServerLimits,
    /// The admitted callers.
    pub entry: Entry,
    /// The file of the audit log, if there is to be one.
    pub audit: Option<PathBuf>,
}

/// The admitted callers of a server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entry {
    /// Whether every request needs an API key, or a token. Without, programs of this machine need none.
    pub needs_keys: bool,
    /// Further names that the server is called by; without any, one that needs keys is called by every name.
    pub hosts: Vec<String>,
    /// Origins of pages that may call it, such as `https://tool.example`, in addition to those of this machine.
    pub origins: Vec<String>,
    /// Requests a second of one holder; none without a number.
    pub rate: Option<u32>,
    /// The provider whose tokens are accepted as well; then every request needs a key or a token.
    pub issuer: Option<Issuer>,
    /// The public address of the server, for the metadata that show agents where to get a token.
    pub public_url: Option<String>,
}

impl Entry {
    /// Whether every request needs a credential.
    pub fn is_closed(&self) -> bool {
        self.needs_keys || self.issuer.is_some()
    }
}

/// An OpenID provider whose tokens let in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issuer {
    /// Its address, as in the tokens.
    pub url: String,
    /// The name of this server in its tokens.
    pub audience: String,
    /// The claim that names the tenant.
    pub tenant_claim: String,
    /// The claim that names the only learner; without one, a token lets in to all of the tenant.
    pub learner_claim: Option<String>,
}

/// Steps that a reading verb may take by default: some seconds of work.
pub const STEPS_MAX: u64 = 2_000_000_000;

/// The limits of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerLimits {
    /// Largest body of a request, in bytes.
    pub body_bytes: usize,
    /// Maximum concurrent requests; one more is refused.
    pub concurrent: usize,
    /// Time for a body to arrive, and for a verb to answer. A verb that takes longer continues without its caller.
    pub time: Duration,
    /// Steps that a reading verb may take: bytes read, and items compared.
    pub steps: u64,
    /// Time for running requests and owed records when the server stops.
    pub grace: Duration,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            concurrent: 256,
            time: Duration::from_secs(60),
            steps: STEPS_MAX,
            grace: Duration::from_secs(10),
        }
    }
}
