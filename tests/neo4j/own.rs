//! A server of the tests' own, which they may kill, freeze and start again: a container where Docker has the image,
//! else a native server fetched by `scripts/neo4j`.
//!
//! There is one for all tests that need it, started by the first of them, and one test at a time has it.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hindlore_contract::subject::fresh;
use hindlore_neo4j::Neo4jStore;
use hindlore_store::StoreError;
use tempfile::TempDir;

use crate::server::Server;

/// Why tests are ignored.
pub(crate) const ABSENT: &str = "no server that may be killed: run Docker with the image that \
     `scripts/neo4j image` makes, or `scripts/neo4j start --native` once, which fetches one";

const IMAGE: &str = "neo4j:5.26-community";
const PASSWORD: &str = "tests-only-0";
/// The setting that closes the databases of a server to writers, for both ways to start one.
const READ_ONLY: (&str, &str) = ("NEO4J_server_databases_default__to__read__only", "true");
const START_LIMIT: Duration = Duration::from_secs(180);

static OWN: Mutex<Option<OwnServer>> = Mutex::new(None);

/// A container or a native server, with its identity.
enum Host {
    Container { name: String, bolt: u16, http: u16 },
    Native { state: TempDir },
}

/// A server that may be killed.
pub(crate) struct OwnServer {
    pub(crate) server: Server,
    host: Host,
}

/// True when such a server can be started here.
pub(crate) fn is_possible() -> bool {
    has_image() || has_native()
}

fn has_image() -> bool {
    if std::env::var_os("HINDLORE_TEST_NATIVE").is_some() {
        return false;
    }
    let mut asked = Command::new("timeout");
    asked.args(["20", "docker", "image", "inspect", IMAGE]);
    quiet(&mut asked).is_some_and(|output| output.status.success())
}

/// The server's files have been fetched before, so that no test waits for a download.
fn has_native() -> bool {
    let home = std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or(home);
    let fetched = cache.and_then(|cache| fs::read_dir(cache.join("hindlore")).ok());
    let mut fetched = fetched.into_iter().flatten().flatten();
    fetched.any(|entry| entry.path().join("lib").is_dir())
        && quiet(Command::new("java").arg("-version")).is_some_and(|output| output.status.success())
}

fn quiet(command: &mut Command) -> Option<Output> {
    command.stdin(Stdio::null()).output().ok()
}

/// Runs a program that must succeed; gives its output.
fn must(command: &mut Command) -> String {
    let output = quiet(command).unwrap_or_else(|| panic!("{command:?} cannot be started"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// The server, up and reserved while this is held.
pub(crate) struct Turn(MutexGuard<'static, Option<OwnServer>>);

impl Turn {
    /// Waits for the turn and for the server.
    #[allow(
        clippy::await_holding_lock,
        reason = "each trial has a runtime of its own"
    )]
    pub(crate) async fn take() -> Self {
        let mut slot = OWN.lock().unwrap_or_else(PoisonError::into_inner);
        let own = slot.get_or_insert_with(OwnServer::launch);
        own.thaw();
        if own.connects().await.is_none() {
            own.start(false).await;
        }
        Self(slot)
    }

    pub(crate) fn own(&self) -> &OwnServer {
        self.0.as_ref().unwrap()
    }
}

/// Takes the server away, when there is one.
pub(crate) fn end() {
    drop(OWN.lock().unwrap_or_else(PoisonError::into_inner).take());
}

impl OwnServer {
    fn launch() -> Self {
        if has_image() {
            Self::container()
        } else {
            Self::native()
        }
    }

    fn container() -> Self {
        let free = || {
            TcpListener::bind("127.0.0.1:0")
                .unwrap()
                .local_addr()
                .unwrap()
                .port()
        };
        let (bolt, http, name) = (free(), free(), fresh("hindlore-own"));
        let server = at(bolt, http, PASSWORD.to_owned());
        let host = Host::Container { name, bolt, http };
        let own = Self { server, host };
        own.begin(false);
        own
    }

    fn native() -> Self {
        let state = tempfile::tempdir().unwrap();
        let host = Host::Native { state };
        let server = at(0, 0, String::new());
        let mut own = Self { server, host };
        own.begin(false);
        let port = |name: &str| own.recorded(name).parse().unwrap();
        own.server = at(
            port("bolt_port"),
            port("http_port"),
            own.recorded("password"),
        );
        own
    }

    /// Starts it, or starts it again on the same data and ports, and waits until it answers.
    pub(crate) async fn start(&self, read_only: bool) {
        self.begin(read_only);
        let end = Instant::now() + START_LIMIT;
        while let Err(error) = self.connection().await {
            assert!(
                Instant::now() < end,
                "the server does not come back: {error}\n{}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn connects(&self) -> Option<()> {
        self.connection().await.ok()
    }

    async fn connection(&self) -> Result<(), StoreError> {
        let mut options = self.server.options();
        options.connect_timeout_ms = 2_000;
        Neo4jStore::connect(options).await.map(drop)
    }

    /// The end of the server's log.
    fn log(&self) -> String {
        let said = match &self.host {
            Host::Container { name, .. } => {
                quiet(Command::new("docker").args(["logs", "--tail", "30", name]))
            }
            Host::Native { state } => {
                let mut logs = Command::new("scripts/neo4j");
                logs.args(["logs", "--native"]).current_dir(crate::ROOT);
                quiet(logs.env("XDG_STATE_HOME", state.path()))
            }
        };
        let said = said.map(|said| [said.stdout, said.stderr].concat());
        String::from_utf8_lossy(&said.unwrap_or_default()).into_owned()
    }

    fn begin(&self, read_only: bool) {
        match &self.host {
            Host::Container { name, bolt, http } => {
                let _ = quiet(Command::new("docker").args(["rm", "--force", "--volumes", name]));
                let mut run = Command::new("docker");
                run.args(["run", "--detach", "--name", name]);
                run.args(["--volume", &format!("{name}:/data")]);
                run.args(["--publish", &format!("127.0.0.1:{bolt}:7687")]);
                run.args(["--publish", &format!("127.0.0.1:{http}:7474")]);
                run.args(["--env", &format!("NEO4J_AUTH=neo4j/{PASSWORD}")]);
                run.args(["--env", "NEO4J_server_memory_heap_max__size=512m"]);
                run.args([
                    "--env",
                    "NEO4J_server_jvm_additional=-XX:TieredStopAtLevel=1",
                ]);
                run.args(["--env", "NEO4J_db_lock_acquisition_timeout=10s"]);
                if read_only {
                    run.args(["--env", &format!("{}={}", READ_ONLY.0, READ_ONLY.1)]);
                }
                must(run.arg(IMAGE));
            }
            Host::Native { state } => {
                let mut start = Command::new("scripts/neo4j");
                start.args(["start", "--native", "--fast"]);
                start.current_dir(crate::ROOT);
                start.env("XDG_STATE_HOME", state.path());
                for name in [
                    "CI",
                    "NEO4J_URI",
                    "NEO4J_HTTP",
                    "NEO4J_USERNAME",
                    "NEO4J_PASSWORD",
                ] {
                    start.env_remove(name);
                }
                if read_only {
                    start.env(READ_ONLY.0, READ_ONLY.1);
                }
                // The server started by the script must not keep this process's pipes open.
                let status = start
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .status()
                    .unwrap();
                assert!(
                    status.success(),
                    "scripts/neo4j cannot start a server, see above"
                );
            }
        }
    }

    /// A value of the record that `scripts/neo4j` keeps.
    fn recorded(&self, name: &str) -> String {
        let Host::Native { state } = &self.host else {
            return String::new();
        };
        let record = state.path().join("hindlore/neo4j/native.record");
        let record = fs::read_to_string(record).unwrap();
        let value = record
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name}=")));
        value.unwrap().to_owned()
    }

    fn signal(&self, of_docker: &str, of_kill: &str) {
        match &self.host {
            Host::Container { name, .. } => must(Command::new("docker").args([of_docker, name])),
            Host::Native { .. } => {
                must(Command::new("kill").args([of_kill, &self.recorded("pid")]))
            }
        };
    }

    /// Ends it as a power cut would end its process.
    pub(crate) fn kill(&self) {
        self.signal("kill", "-KILL");
        if let Host::Native { .. } = self.host {
            // A process that is still giving its memory back looks alive to the script.
            let arguments = format!("/proc/{}/cmdline", self.recorded("pid"));
            while fs::read(&arguments).is_ok_and(|left| !left.is_empty()) {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    /// Stops it in the middle of its work.
    pub(crate) fn freeze(&self) {
        self.signal("pause", "-STOP");
    }

    /// Lets it continue where it was stopped.
    pub(crate) fn thaw(&self) {
        match &self.host {
            Host::Container { name, .. } => {
                let _ = quiet(Command::new("docker").args(["unpause", name]));
            }
            Host::Native { .. } => {
                let _ = quiet(Command::new("kill").args(["-CONT", &self.recorded("pid")]));
            }
        }
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        match &self.host {
            Host::Container { name, .. } => {
                let _ = quiet(Command::new("docker").args(["rm", "--force", "--volumes", name]));
                let _ = quiet(Command::new("docker").args(["volume", "rm", name]));
            }
            Host::Native { .. } => {
                let _ = quiet(Command::new("kill").args(["-KILL", &self.recorded("pid")]));
            }
        }
    }
}

fn at(bolt: u16, http: u16, password: String) -> Server {
    Server {
        uri: format!("bolt://127.0.0.1:{bolt}"),
        user: "neo4j".to_owned(),
        password,
        database: "neo4j".to_owned(),
        ca_file: None,
        http: format!("http://127.0.0.1:{http}"),
    }
}
