//! The Neo4j backend on a real server: the whole contract, and tests of the server itself.
//!
//! `server()` decides where it is. Without a server, every test that needs one is reported as ignored, with the reason;
//! with `REQUIRE_NEO4J=1` that is a failure, so that a skipped run cannot pass for success.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that fails ends by panicking"
)]

mod ace_states;
mod advice;
mod ahead;
mod analyst;
mod answers;
mod bench;
mod both;
mod by_hand;
mod cancel;
mod children;
mod cluster;
mod consolidation;
mod conversations;
mod copying;
mod copying_lessons;
mod doctor;
mod edits;
mod erasing;
mod erasing_by_keys;
mod erasing_markers;
mod exchange;
mod failures;
mod fairness;
mod faults;
mod files;
mod guest;
mod histories;
mod http;
mod kill;
mod leader;
mod lessons;
mod lessons_by_hand;
mod load;
#[path = "../program/surface/markers.rs"]
#[allow(dead_code, unused_imports, reason = "its own tests use them")]
mod markers;
mod migrations;
mod operators;
mod orphans;
mod other_types;
mod outage;
mod own;
#[path = "../program/surface/parity.rs"]
#[allow(dead_code, unused_imports, reason = "its own tests use them")]
mod parity;
#[path = "../program/surface/parity_agents.rs"]
mod parity_agents;
#[path = "../program/surface/parity_graph.rs"]
mod parity_graph;
#[path = "../program/surface/parity_playbooks.rs"]
mod parity_playbooks;
#[path = "../program/surface/parity_sharing.rs"]
mod parity_sharing;
#[path = "../program/surface/parity_trajectories.rs"]
mod parity_trajectories;
#[path = "../program/surface/paste/mod.rs"]
#[allow(dead_code, reason = "what the tests of the program alone need")]
mod paste;
mod paused;
mod pictures;
mod plans;
#[path = "../program/surface/playbook_steps.rs"]
#[allow(dead_code, reason = "what the tests of the program alone need")]
mod playbook_steps;
mod playbooks;
mod policy;
mod program;
mod proxy;
mod refusals;
mod runtime;
mod searches;
mod server;
mod status;
mod stories;
mod taken;
mod testkit;
mod tls;
mod together;
mod trajectories;
mod unclear;
mod wire;
#[path = "../program/world.rs"]
#[allow(dead_code, reason = "what the tests of the program alone need")]
mod world;

use std::process::ExitCode;
use std::sync::Arc;

use async_trait::async_trait;
use hindlore_contract::{Backend, CLAUSES, Clause};
use hindlore_neo4j::Neo4jStore;
use hindlore_store::Store;
use libtest_mimic::{Arguments, Trial};
use mimalloc::MiMalloc;

use crate::runtime::{TURN, alone, alone_on_server, apart, on_own_server, on_server};
use crate::server::Server;

/// The program under test: the same `main`, built here since only programs of this package are known by path.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_hindlore-under-test");
/// The root of the repository.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// That of the program, since its processes are measured here.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// A subject on the shared server; its tenant is its own.
struct OnServer(Server);

#[async_trait]
impl Backend for OnServer {
    async fn open(&self) -> Arc<dyn Store> {
        Arc::new(Neo4jStore::connect(self.0.options()).await.unwrap())
    }
}

/// The contract, each clause a trial.
fn contract_trials(server: Option<&Server>) -> Vec<Trial> {
    let trial = |clause: &'static Clause| {
        let name = format!("contract::{}", clause.name());
        on_server(&name, server, |server| clause.prove(OnServer(server)))
    };
    CLAUSES.iter().map(trial).collect()
}

/// Trials that take the server away for a while.
fn own_server_trials(is_possible: bool) -> Vec<Trial> {
    let trial = (is_possible, || TURN.read());
    vec![
        on_own_server("kill::under_load", trial, kill::under_load),
        // It measures how soon the first answer comes.
        on_own_server(
            "paused::five_seconds",
            (is_possible, || TURN.write()),
            paused::five_seconds,
        ),
        on_own_server("outage::read_only", trial, outage::read_only),
    ]
}

/// Questions that people ask in the Browser.
fn pack_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        alone("analyst::headers_say_what_is_asked", analyst::headers),
        alone("analyst::the_guide_asks_what_the_pack_asks", analyst::guide),
        alone("analyst::every_label_has_its_style", analyst::styles),
        alone("analyst::the_readme_lists_every_file", analyst::readme),
        on_server(
            "analyst::no_question_scans_or_writes",
            server,
            analyst::plans,
        ),
        on_server(
            "analyst::each_question_has_its_answer",
            server,
            analyst::results,
        ),
        on_server("analyst::of_an_agent", server, analyst::through_the_store),
        on_server(
            "analyst::other_tenants_stay_out",
            server,
            analyst::isolation,
        ),
        on_server(
            "operators::the_sound_and_the_damaged",
            server,
            operators::damage,
        ),
        on_server(
            "operators::what_the_server_says_of_itself",
            server,
            operators::server,
        ),
        on_server(
            "operators::a_transaction_that_waits_names_its_requests",
            server,
            operators::requests,
        ),
    ]
}

/// Trajectories in the graph.
fn trajectory_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        on_server(
            "trajectories::an_analyst_walks_from_the_learner_to_the_words",
            server,
            trajectories::walked,
        ),
        on_server(
            "trajectories::records_point_at_the_runs_they_name",
            server,
            trajectories::pointed_at,
        ),
    ]
}

/// Loads too large for one request or one transaction, and answers that do not come.
fn large_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        alone_on_server("copying::in_pieces", server, copying::in_pieces),
        alone_on_server("copying::cut_off", server, copying::cut_off),
        alone_on_server(
            "copying::over_a_large_one",
            server,
            copying::over_a_large_one,
        ),
        alone_on_server(
            "copying_lessons::in_pieces",
            server,
            copying_lessons::in_pieces,
        ),
        alone_on_server(
            "copying_lessons::taken_over",
            server,
            copying_lessons::taken_over,
        ),
        alone_on_server("copying_lessons::cut_off", server, copying_lessons::cut_off),
        on_server(
            "exchange::texts_change_hands",
            server,
            exchange::texts_change_hands,
        ),
        on_server(
            "unclear::refused_after_a_lost_answer",
            server,
            unclear::refused_after_a_lost_answer,
        ),
        on_server(
            "unclear::an_unanswered_question",
            server,
            unclear::an_unanswered_question,
        ),
        on_server(
            "unclear::a_denied_commit_is_looked_for",
            server,
            unclear::a_denied_commit_is_looked_for,
        ),
        on_server(
            "unclear::a_denied_commit_is_unknown",
            server,
            unclear::a_denied_commit_is_unknown,
        ),
        on_server(
            "unclear::a_denied_touch_is_counted_once",
            server,
            unclear::a_denied_touch_is_counted_once,
        ),
        on_server(
            "unclear::a_late_lock_is_let_go",
            server,
            unclear::a_late_lock_is_let_go,
        ),
    ]
}

/// Changes made by hand.
fn hand_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        alone_on_server(
            "by_hand::numbers_are_read_as_they_are_meant",
            server,
            by_hand::numbers,
        ),
        on_server("orphans::they_are_hung_again", server, orphans::hung_again),
        on_server(
            "by_hand::a_running_engine_notices",
            server,
            by_hand::noticed,
        ),
        on_server(
            "by_hand::a_record_that_is_gone",
            server,
            by_hand::missing_record,
        ),
        on_server(
            "erasing_markers::no_marker_is_left",
            server,
            erasing_markers::none_left,
        ),
        on_server(
            "other_types::they_shut_no_memory",
            server,
            other_types::shut_no_memory,
        ),
        on_server(
            "other_types::they_are_repaired",
            server,
            other_types::are_repaired,
        ),
        on_server(
            "other_types::they_are_adopted_if_they_mean_something",
            server,
            other_types::are_adopted_if_they_mean_something,
        ),
        on_server(
            "other_types::those_of_events_shut_nothing",
            server,
            other_types::of_events,
        ),
    ]
}

/// Many instances, lost answers and servers that go away.
fn load_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        on_server(
            "load::every_event_is_counted_once",
            server,
            load::counted_once,
        ),
        alone_on_server("bench::the_report_is_whole", server, bench::report),
        alone_on_server("bench::lessons_are_found", server, bench::lessons),
        alone_on_server("load::speed_beside_a_bare_counter", server, load::speed),
        alone_on_server("wire::no_delta_waits", server, wire::deltas),
        alone_on_server("wire::no_touch_waits", server, wire::touches),
        on_server(
            "lessons::eight_processes_count_once",
            server,
            lessons::counted_once,
        ),
        on_server(
            "lessons::calls_at_the_same_time_lose_no_step",
            server,
            lessons::no_step_is_lost,
        ),
        alone_on_server(
            "lessons::a_hub_costs_no_more",
            server,
            lessons::a_hub_costs_no_more,
        ),
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
        on_server("ahead::one_request", server, ahead::one_request),
        on_server("ahead::by_turns", server, ahead::by_turns),
        on_server("ahead::resent", server, ahead::resent),
        on_server("ahead::missing_bullet", server, ahead::missing_bullet),
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
    ]
}

/// Cold opens and locks concurrent with writers.
fn fairness_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        alone_on_server("fairness::large_reads", server, fairness::large_reads),
        alone_on_server("fairness::exact_reads", server, fairness::exact_reads),
        alone_on_server(
            "fairness::a_locked_learner",
            server,
            fairness::a_locked_learner,
        ),
        alone_on_server(
            "fairness::locked_memories",
            server,
            fairness::locked_memories,
        ),
    ]
}

/// Trials of the data that an erase finds and removes.
fn erasing_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        alone_on_server("erasing::in_pieces", server, erasing::in_pieces),
        alone_on_server("erasing::cut_off", server, erasing::cut_off),
        on_server("erasing::many_memories", server, erasing::many_memories),
        alone_on_server(
            "erasing_by_keys::without_the_learner",
            server,
            erasing_by_keys::without_the_learner,
        ),
        alone_on_server(
            "erasing_by_keys::without_the_memory",
            server,
            erasing_by_keys::without_the_memory,
        ),
        alone_on_server(
            "erasing_by_keys::what_a_hand_has_made",
            server,
            erasing_by_keys::what_a_hand_has_made,
        ),
        alone_on_server(
            "erasing_by_keys::more_strays_than_a_piece",
            server,
            erasing_by_keys::more_strays_than_a_piece,
        ),
    ]
}

/// The program's answers on a server.
fn program_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        alone_on_server("status::applies_nothing", server, status::pending),
        on_server("status::compares_policies", server, status::policies),
        on_server(
            "program::every_command_says_the_same",
            server,
            program::every_command,
        ),
        on_server("stories::documents", server, stories::of_the_documents),
        on_server("program::the_demo_is_told", server, program::the_demo),
        alone_on_server(
            "program::the_memories_of_the_originals_come_in",
            server,
            ace_states::the_memories_of_users_come_in,
        ),
        on_server("program::the_book_is_followed", server, program::the_book),
        on_server(
            "program::what_is_no_server_is_told",
            server,
            program::what_is_no_server,
        ),
    ]
}

/// Data of others in the database, and lessons changed by hand.
fn other_hands_trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        on_server(
            "cluster::the_leader_changes",
            server,
            cluster::leader_changes,
        ),
        on_server("leader::a_leader_is_elected", server, leader::elected),
        on_server("leader::a_follower_says_so", server, leader::follower),
        alone_on_server(
            "edits::every_kind_is_named_and_mended",
            server,
            edits::every_kind,
        ),
        alone_on_server("guest::beside_others", server, guest::beside_others),
        alone_on_server("taken::names_of_others", server, taken::names),
        alone_on_server("taken::what_stands_in_the_way", server, taken::barred),
        on_server(
            "lessons_by_hand::the_engine_sees_what_the_analyst_sees",
            server,
            lessons_by_hand::status_and_rule,
        ),
        on_server(
            "lessons_by_hand::what_cannot_be_read_is_named",
            server,
            lessons_by_hand::unreadable,
        ),
        on_server(
            "lessons_by_hand::what_is_gone_is_named",
            server,
            lessons_by_hand::gone,
        ),
    ]
}

/// Trials that are not in the contract.
fn of_its_own(server: Option<&Server>) -> Vec<Trial> {
    vec![
        alone("files::headers_say_what_the_statements_use", files::headers),
        alone(
            "files::a_migration_changes_schema_or_data",
            files::migrations,
        ),
        alone("files::constraints_and_indexes_have_names", files::names),
        on_server(
            "plans::no_statement_scans",
            server,
            plans::no_statement_scans,
        ),
        alone_on_server(
            "migrations::racing_instances_agree",
            server,
            migrations::racing,
        ),
        alone_on_server(
            "migrations::what_is_strange_is_refused",
            server,
            migrations::strange,
        ),
        alone_on_server(
            "migrations::half_a_migration_is_finished",
            server,
            migrations::half_finished,
        ),
        alone_on_server(
            "migrations::a_later_engine_applies_what_is_new",
            server,
            migrations::later,
        ),
        on_server("faults::lost_answers", server, faults::lost_answers),
        on_server("refusals::each_has_its_kind", server, refusals::kinds),
        on_server("refusals::who_may_only_read", server, refusals::a_reader),
        on_server("doctor::a_sound_server", server, doctor::sound),
        alone_on_server("doctor::a_missing_constraint", server, doctor::damaged),
        alone_on_server("doctor::a_migration_under_way", server, doctor::migrating),
        on_server("doctor::what_is_no_server", server, doctor::none),
        alone_on_server(
            "doctor::a_policy_that_cannot_be_read",
            server,
            doctor::unreadable_policy,
        ),
        on_server("tls::a_server_that_proves_its_name", server, tls::trusted),
        on_server("tls::whoever_cannot_is_refused", server, tls::untrusted),
        on_server("tls::mistakes_are_told", server, tls::mistaken),
        on_server(
            "testkit::memories_share_a_server",
            server,
            testkit::memories,
        ),
        on_server(
            "testkit::the_environment_comes_first",
            server,
            testkit::found,
        ),
    ]
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
    // A check reads the whole database, so a group does not meet the data of others. The schema damaged by hand stays
    // damaged, so the contract comes first.
    let groups = [
        contract_trials(server),
        of_its_own(server),
        both::trials(server),
        other_hands_trials(server),
        program_trials(server),
        pack_trials(server),
        trajectory_trials(server),
        hand_trials(server),
        erasing_trials(server),
        large_trials(server),
        load_trials(server),
        fairness_trials(server),
    ];
    let own = contained.as_ref().map(|contained| &contained.server);
    let mut trials = apart(groups, own);
    let is_possible = !arguments.list && own::is_possible();
    if !is_possible && !arguments.list {
        eprintln!("{}", own::ABSENT);
    }
    trials.extend(own_server_trials(is_possible));
    let conclusion = libtest_mimic::run(&arguments, trials);
    own::end();
    conclusion.exit_code()
}
