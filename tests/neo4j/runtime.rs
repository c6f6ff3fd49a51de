//! How a trial runs: concurrently or alone, with its resources, and on which runtime.

use std::sync::RwLock;

use libtest_mimic::{Failed, Trial};
use serde_json::json;

use crate::http::run;
use crate::server::Server;
use crate::{own, server};

/// Bytes of a thread's stack, as in the program: futures that are not optimised are large.
const STACK_BYTES: usize = 16 << 20;

/// Runs a trial to its end.
fn run_on_runtime<F>(test: impl FnOnce() -> F + Send) -> Result<(), Failed>
where
    F: Future<Output = ()>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(STACK_BYTES)
        .enable_all()
        .build()?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        let run = thread.spawn_scoped(scope, || runtime.block_on(test()))?;
        // The trial fails with the panic of the test.
        run.join().or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Trials run side by side, except for one that measures, or that takes something away from the schema,
/// which would fail every other that connects.
pub(crate) static TURN: RwLock<()> = RwLock::new(());

/// A trial that needs a server, and shares it with others.
pub(crate) fn on_server<F>(
    name: &str,
    server: Option<&Server>,
    test: impl Fn(Server) -> F + Send + 'static,
) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    held(name, server, || TURN.read(), test)
}

/// A trial that measures, takes something away from the schema, or needs to be sure that no other does.
pub(crate) fn alone_on_server<F>(
    name: &str,
    server: Option<&Server>,
    test: impl Fn(Server) -> F + Send + 'static,
) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    held(name, server, || TURN.write(), test)
}

/// Groups of trials in order; a server that nobody else uses is emptied after each.
pub(crate) fn apart<const N: usize>(groups: [Vec<Trial>; N], own: Option<&Server>) -> Vec<Trial> {
    let delete = "MATCH (n) WHERE n.hindlore_key IS NOT NULL WITH n LIMIT 5000 DETACH DELETE n RETURN count(n)";
    let emptied = |server: &Server| {
        alone_on_server("server::emptied", Some(server), move |server| async move {
            while run(&server, delete) != json!([[0]]) {}
        })
    };
    let with_end = |group: Vec<Trial>| group.into_iter().chain(own.map(emptied));
    groups.into_iter().flat_map(with_end).collect()
}

/// A trial that runs while it holds something.
fn held<F, G>(
    name: &str,
    server: Option<&Server>,
    hold: impl Fn() -> G + Send + 'static,
    test: impl Fn(Server) -> F + Send + 'static,
) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    let is_absent = server.is_none();
    let server = server.cloned();
    let run = move || {
        let server = server.ok_or_else(|| Failed::from(server::ABSENT))?;
        let _turn = hold();
        run_on_runtime(move || test(server))
    };
    Trial::test(name, run).with_ignored_flag(is_absent && !server::is_required())
}

/// A trial that needs a server which it may kill, and runs while it holds something.
pub(crate) fn on_own_server<F, G>(
    name: &str,
    (is_possible, hold): (bool, impl Fn() -> G + Send + 'static),
    test: fn() -> F,
) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    let run = move || {
        if !is_possible {
            return Err(Failed::from(own::ABSENT));
        }
        let _turn = hold();
        run_on_runtime(test)
    };
    Trial::test(name, run).with_ignored_flag(!is_possible && !server::is_required())
}

/// A trial that needs nothing.
pub(crate) fn alone(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}
