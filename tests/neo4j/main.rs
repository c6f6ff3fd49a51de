//! The Neo4j backend on a real server: the whole contract, and what comes from the server itself.
//!
//! `server()` decides where that is. Without one every test that needs it is reported as ignored, with
//! the reason; with `REQUIRE_NEO4J=1` that is a failure, so that nobody takes silence for success.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails ends by panicking"
)]

mod cancel;
mod children;
#[macro_use]
#[path = "../contract/clauses/mod.rs"]
#[allow(unused_macros, reason = "the clauses become trials here, not tests")]
mod clauses;
mod faults;
mod files;
mod histories;
mod http;
mod kill;
mod load;
mod migrations;
mod outage;
mod own;
mod paused;
mod plans;
mod policy;
mod proxy;
mod refusals;
mod server;
mod speed;
#[path = "../contract/subject.rs"]
mod subject;
mod together;

use std::future::Future;
use std::pin::Pin;
use std::process::ExitCode;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use libtest_mimic::{Arguments, Failed, Trial};
use mnemograph::backend::neo4j::Neo4jStore;
use mnemograph::store::Store;

use crate::server::Server;
use crate::subject::{Backend, Subject};

/// A subject on the shared server; its tenant is its own.
struct OnServer(Server);

#[async_trait]
impl Backend for OnServer {
    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(Neo4jStore::connect(self.0.options()).await.unwrap())
    }
}

/// Trials run side by side, except for one that measures.
static AMONG_OTHERS: RwLock<()> = RwLock::new(());

type Clause = for<'s> fn(&'s Subject) -> Pin<Box<dyn Future<Output = ()> + Send + 's>>;

/// Makes one trial of each clause.
macro_rules! clause_trials {
    (($server:ident) $($area:ident { $($name:ident),+ $(,)? })+) => {
        vec![$($(
            clause_trial(
                concat!("contract::", stringify!($area), "::", stringify!($name)),
                |subject| Box::pin(crate::clauses::$area::$name(subject)),
                $server,
            )
        ),+),+]
    };
}

fn clause_trial(name: &str, clause: Clause, server: Option<&Server>) -> Trial {
    on_server(name, server, move |server| async move {
        let subject = Subject::of(OnServer(server)).await;
        clause(&subject).await;
    })
}

/// A trial that needs a server.
fn on_server<F>(
    name: &str,
    server: Option<&Server>,
    test: impl Fn(Server) -> F + Send + 'static,
) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    let is_absent = server.is_none();
    let server = server.cloned();
    let run = move || {
        let server = server.ok_or_else(|| Failed::from(server::ABSENT))?;
        let _others = AMONG_OTHERS.read().unwrap_or_else(PoisonError::into_inner);
        run_on_runtime(test(server))
    };
    Trial::test(name, run).with_ignored_flag(is_absent && !server::is_required())
}

/// A trial that needs a server while no other trial runs.
fn quietly<F>(
    name: &str,
    server: Option<&Server>,
    test: impl Fn(Server) -> F + Send + 'static,
) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    let is_absent = server.is_none();
    let server = server.cloned();
    let run = move || {
        let server = server.ok_or_else(|| Failed::from(server::ABSENT))?;
        let _alone = AMONG_OTHERS.write().unwrap_or_else(PoisonError::into_inner);
        run_on_runtime(test(server))
    };
    Trial::test(name, run).with_ignored_flag(is_absent && !server::is_required())
}

/// A trial that needs a server which it may kill.
fn on_own_server<F>(name: &str, is_possible: bool, test: fn() -> F) -> Trial
where
    F: Future<Output = ()> + 'static,
{
    let run = move || {
        if !is_possible {
            return Err(Failed::from(own::ABSENT));
        }
        let _others = AMONG_OTHERS.read().unwrap_or_else(PoisonError::into_inner);
        run_on_runtime(test())
    };
    Trial::test(name, run).with_ignored_flag(!is_possible && !server::is_required())
}

fn run_on_runtime(test: impl Future<Output = ()>) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(test);
    Ok(())
}

/// A trial that needs nothing.
fn alone(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn main() -> ExitCode {
    if children::is_one() {
        return children::run();
    }
    let arguments = Arguments::from_args();
    let named = server::server();
    let contained = match &named {
        Some(_) => None,
        None if arguments.list => None,
        None => match server::Contained::start() {
            Ok(contained) => Some(contained),
            Err(reason) => {
                eprintln!("{} ({reason})", server::ABSENT);
                None
            }
        },
    };
    let server = named
        .as_ref()
        .or(contained.as_ref().map(|contained| &contained.server));
    let mut trials: Vec<Trial> = every_clause!(clause_trials; (server));
    trials.extend([
        alone("files::headers_say_what_the_statements_use", files::headers),
        alone(
            "files::migrations_only_change_the_schema",
            files::migrations,
        ),
        alone("files::constraints_and_indexes_have_names", files::names),
        on_server(
            "plans::no_statement_scans",
            server,
            plans::no_statement_scans,
        ),
        on_server(
            "migrations::racing_instances_agree",
            server,
            migrations::racing,
        ),
        on_server(
            "migrations::what_is_strange_is_refused",
            server,
            migrations::strange,
        ),
        on_server(
            "migrations::half_a_migration_is_finished",
            server,
            migrations::half_finished,
        ),
        on_server("faults::lost_answers", server, faults::lost_answers),
        on_server(
            "load::every_event_is_counted_once",
            server,
            load::counted_once,
        ),
        quietly("load::speed_beside_a_bare_counter", server, load::speed),
        on_server(
            "together::the_same_bullets",
            server,
            together::the_same_bullets,
        ),
        on_server(
            "faults::deltas_sent_often",
            server,
            faults::deltas_sent_often,
        ),
        on_server(
            "cancel::nobody_else_hears",
            server,
            cancel::nobody_else_hears,
        ),
        on_server("faults::large_batches", server, faults::large_batches),
        on_server(
            "outage::stopped_in_between",
            server,
            outage::stopped_in_between,
        ),
        on_server(
            "outage::refusals_are_final",
            server,
            outage::refusals_are_final,
        ),
        on_server(
            "policy::stored_policy_decides",
            server,
            policy::stored_policy_decides,
        ),
        on_server("refusals::each_has_its_kind", server, refusals::kinds),
        on_server("histories::both_backends_agree", server, histories::agree),
        on_server(
            "histories::copies_keep_the_digest",
            server,
            histories::copies,
        ),
    ]);
    trials.extend([
        on_server("speed::of_everyday_calls", server, speed::everyday).with_ignored_flag(true),
    ]);
    let is_possible = !arguments.list && own::is_possible();
    if !is_possible && !arguments.list {
        eprintln!("{}", own::ABSENT);
    }
    trials.extend([
        on_own_server("kill::under_load", is_possible, kill::under_load),
        on_own_server("paused::five_seconds", is_possible, paused::five_seconds),
        on_own_server("outage::read_only", is_possible, outage::read_only),
    ]);
    let conclusion = libtest_mimic::run(&arguments, trials);
    own::end();
    conclusion.exit_code()
}
