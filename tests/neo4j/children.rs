//! Other processes of this program, each with its own engine: they execute the commands on their standard input, line
//! by line, and answer each line with numbers.
//!
//! A process that is ready has connected and loaded the memory, so that all of them can begin at the same moment. When
//! its input ends, it ends.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::lessons::LessonRules;
use hindlore::{Engine, EngineOptions};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_neo4j::Neo4jStore;

use crate::server::Server;
use crate::{kill, lessons, load, together};

/// The first argument of a process that is one of these.
const ROLE: &str = "as-another-process";

/// An engine on a server, as an instance of its own.
pub(crate) async fn engine(server: &Server, instance: &str) -> Engine {
    let mut options = server.options();
    options.instance = instance.to_owned();
    // Many instances start at once here, on a machine that has other work.
    options.connect_timeout_ms = 30_000;
    let store = Neo4jStore::connect(options).await.unwrap();
    // No run is a control run, so that every instance advises.
    let mut rules = LessonRules::default();
    rules.numbers.control_rate = 0.0;
    // Planted advice has votes of its own, which would have to be taken out of every sum.
    let options = EngineOptions {
        lessons: Arc::new(rules),
        instance: instance.to_owned(),
        seeds: false,
        ..EngineOptions::default()
    };
    Engine::new(Arc::new(store), Arc::new(SystemClock), options)
}

/// Another process, seen from the one that started it.
pub(crate) struct Process {
    process: Child,
    input: Option<ChildStdin>,
    /// Absent once `take_output` has handed it out.
    output: Option<BufReader<ChildStdout>>,
}

impl Process {
    /// Starts an instance that works on one memory.
    pub(crate) fn start(server: &Server, instance: &str, key: &MemoryKey) -> Self {
        let mut process = Command::new(env::current_exe().unwrap())
            .args([ROLE, instance, key.tenant(), key.learner(), key.scope()])
            .env("NEO4J_URI", &server.uri)
            .env("NEO4J_HTTP", &server.http)
            .env("NEO4J_USERNAME", &server.user)
            .env("NEO4J_PASSWORD", &server.password)
            .env("NEO4J_DATABASE", &server.database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: process.stdin.take(),
            output: process.stdout.take().map(BufReader::new),
            process,
        }
    }

    /// Starts several, and waits until all are ready.
    pub(crate) fn several(server: &Server, names: &[String], key: &MemoryKey) -> Vec<Self> {
        let start = |name: &String| Self::start(server, name, key);
        let mut all: Vec<Self> = names.iter().map(start).collect();
        all.iter_mut()
            .for_each(|one| assert_eq!(one.line().as_deref(), Some("ready")));
        all
    }

    pub(crate) fn tell(&mut self, words: &str) {
        writeln!(self.input.as_mut().unwrap(), "{words}").unwrap();
    }

    /// The next line that it writes; absent once it has ended.
    pub(crate) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        // A process that is killed in the middle of a line did not write that line.
        let _ = self.output.as_mut().unwrap().read_line(&mut line);
        line.ends_with('\n').then(|| line.trim_end().to_owned())
    }

    /// The numbers that it answers with.
    pub(crate) fn numbers(&mut self) -> Vec<u64> {
        let line = self.line().expect("the process has ended, see above");
        let numbers = line
            .split_whitespace()
            .map(|word| word.parse().expect(&line));
        numbers.collect()
    }

    /// Hands out the rest of its output.
    pub(crate) fn take_output(&mut self) -> BufReader<ChildStdout> {
        self.output.take().unwrap()
    }

    /// Lets it end by itself.
    pub(crate) fn wait(&mut self) {
        self.input = None;
        assert!(self.process.wait().unwrap().success());
    }

    /// Ends it with nothing but a signal that it cannot catch.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends all the same command, and gives the answer of each.
pub(crate) fn together(all: &mut [Process], words: &str) -> Vec<Vec<u64>> {
    all.iter_mut().for_each(|one| one.tell(words));
    all.iter_mut().map(Process::numbers).collect()
}

/// True when this process is one of these.
pub(crate) fn is_one() -> bool {
    env::args().nth(1).as_deref() == Some(ROLE)
}

/// Runs such a process.
pub(crate) fn run() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(2).collect();
    let server = crate::server::server().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let key = MemoryKey::new(&arguments[1], &arguments[2], &arguments[3]).unwrap();
    let engine = runtime.block_on(async {
        let engine = engine(&server, &arguments[0]).await;
        engine.view(&key).await.unwrap();
        engine
    });
    println!("ready");
    loop {
        // Nothing holds the input between two lines, since a command may read it, too.
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line).unwrap() == 0 {
            return ExitCode::SUCCESS;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<u64>().unwrap();
        let did = runtime.block_on(async {
            match words[0] {
                "retrieve" => load::retrieve(&engine, &key, [1, 2, 3].map(number)).await,
                "mixed" => load::mixed(&engine, &key, &arguments[0], number(1)).await,
                "learn" => lessons::learn(&engine, &key, &arguments[0]).await,
                "insert" => together::insert(&engine, &key, &arguments[0]).await,
                "acknowledge" => kill::acknowledge(&engine, &key, &arguments[0]).await,
                other => panic!("`{other}` is nothing that can be done"),
            }
        });
        let did: Vec<String> = did.iter().map(u64::to_string).collect();
        println!("{}", did.join(" "));
    }
}
