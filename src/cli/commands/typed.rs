//! The commands of verbs: which have a form of their own, and how each is run.

use super::agents::{agent, learn, statements};
use super::service::{keys, sharing};
use super::stores::{digest, replay};
use super::{
    add, any_verb, bullets, conflicts, delta, embeddings, errors, feedback, graph_change, health,
    lessons, memory, notes, playbook, policy, reflection, retrieve, runs, status, trajectory,
};
use crate::form::{Form, Request};
use crate::program::Running;
use crate::session::Session;
use hindlore_api::verbs::playbook_exchange::{PlaybookFromMemory, PlaybookIntoMemory};
use hindlore_api::verbs::playbooks::{
    CreatePlaybook, CuratePlaybook, RestorePlaybook, UpdatePlaybook,
};
use hindlore_api::verbs::testimony::PromoteBullet;

/// Runs the command of a verb.
pub(super) type Run = for<'s> fn(&'s Session, Request) -> Running<'s>;

/// Commands of verbs with their own form.
pub(super) const VERBS: &[(&Form, Run)] = &[
    (&add::FORM, |s, r| Box::pin(add::run(s, r))),
    (&keys::CREATE, |s, r| Box::pin(keys::create(s, r))),
    (&keys::LIST, |s, r| Box::pin(keys::list(s, r))),
    (&keys::REVOKE, |s, r| Box::pin(keys::revoke(s, r))),
    (&keys::ROTATE, |s, r| Box::pin(keys::rotate(s, r))),
    (&agent::RUN, |s, r| Box::pin(agent::run(s, r))),
    (&agent::CHAT, |s, r| Box::pin(agent::chat(s, r))),
    (&agent::CHECK, |s, r| Box::pin(agent::check(s, r))),
    (&agent::PREPARE, |s, r| Box::pin(agent::prepare(s, r))),
    (&agent::RECORD, |s, r| Box::pin(agent::record(s, r))),
    (&statements::FORM, |s, r| Box::pin(statements::run(s, r))),
    (&bullets::edit::FORM, |s, r| {
        Box::pin(bullets::edit::run(s, r))
    }),
    (&bullets::remove::FORM, |s, r| {
        Box::pin(bullets::remove::run(s, r))
    }),
    (&bullets::list::FORM, |s, r| {
        Box::pin(bullets::list::run(s, r))
    }),
    (&bullets::pin::FORM, |s, r| {
        Box::pin(bullets::pin::run(s, r))
    }),
    (&bullets::proposed::PROPOSE, |s, r| {
        Box::pin(any_verb::run(s, bullets::proposed::PROPOSE, r))
    }),
    (&bullets::proposed::LIST, |s, r| {
        Box::pin(bullets::proposed::list(s, r))
    }),
    (&bullets::proposed::RELEASE, |s, r| {
        Box::pin(bullets::proposed::release(s, r))
    }),
    (&bullets::proposed::DISMISS, |s, r| {
        Box::pin(bullets::proposed::dismiss(s, r))
    }),
    (&bullets::reject::FORM, |s, r| {
        Box::pin(bullets::reject::run(s, r))
    }),
    (&bullets::search::FORM, |s, r| {
        Box::pin(bullets::search::run(s, r))
    }),
    (&bullets::show::FORM, |s, r| {
        Box::pin(bullets::show::run(s, r))
    }),
    (&conflicts::list::FORM, |s, r| {
        Box::pin(conflicts::list::run(s, r))
    }),
    (&conflicts::resolve::FORM, |s, r| {
        Box::pin(conflicts::resolve::run(s, r))
    }),
    (&delta::apply::FORM, |s, r| {
        Box::pin(delta::apply::run(s, r))
    }),
    (&playbook::INTO_MEMORY, |s, r| {
        Box::pin(delta::apply::receipt::<PlaybookIntoMemory>(s, r))
    }),
    (&sharing::PROMOTE, |s, r| {
        Box::pin(delta::apply::receipt::<PromoteBullet>(s, r))
    }),
    (&delta::log::FORM, |s, r| Box::pin(delta::log::run(s, r))),
    (&delta::undo::FORM, |s, r| Box::pin(delta::undo::run(s, r))),
    (&embeddings::STATUS, |s, r| {
        Box::pin(embeddings::status(s, r))
    }),
    (&embeddings::BUILD, |s, r| Box::pin(embeddings::build(s, r))),
    (&embeddings::DROP, |s, r| Box::pin(embeddings::drop(s, r))),
    (&digest::FORM, |s, r| Box::pin(digest::run(s, r))),
    (&errors::capture::FORM, |s, r| {
        Box::pin(errors::capture::run(s, r))
    }),
    (&errors::list::FORM, |s, r| {
        Box::pin(errors::list::run(s, r))
    }),
    (&feedback::FORM, |s, r| Box::pin(feedback::run(s, r))),
    (&graph_change::FORM, |s, r| {
        Box::pin(any_verb::run(s, graph_change::FORM, r))
    }),
    (&health::FORM, |s, r| Box::pin(health::run(s, r))),
    (&status::FORM, |s, r| Box::pin(status::run(s, r))),
    (&lessons::list::FORM, |s, r| {
        Box::pin(lessons::list::run(s, r))
    }),
    (&lessons::show::FORM, |s, r| {
        Box::pin(lessons::show::run(s, r))
    }),
    (&lessons::explain::FORM, |s, r| {
        Box::pin(lessons::explain::run(s, r))
    }),
    (&lessons::brief::FORM, |s, r| {
        Box::pin(lessons::brief::run(s, r))
    }),
    (&lessons::retrieve::FORM, |s, r| {
        Box::pin(lessons::retrieve::run(s, r))
    }),
    (&lessons::conflicts::FORM, |s, r| {
        Box::pin(lessons::conflicts::run(s, r))
    }),
    (&lessons::review::FORM, |s, r| {
        Box::pin(lessons::review::run(s, r))
    }),
    (&lessons::state::FORM, |s, r| {
        Box::pin(lessons::state::run(s, r))
    }),
    (&lessons::outcome::FORM, |s, r| {
        Box::pin(lessons::outcome::run(s, r))
    }),
    (&memory::clear::FORM, |s, r| {
        Box::pin(memory::clear::run(s, r))
    }),
    (&memory::consolidate::FORM, |s, r| {
        Box::pin(memory::consolidate::run(s, r))
    }),
    (&memory::list::FORM, |s, r| {
        Box::pin(memory::list::run(s, r))
    }),
    (&memory::rollback::FORM, |s, r| {
        Box::pin(memory::rollback::run(s, r))
    }),
    (&notes::REMEMBER, |s, r| {
        Box::pin(any_verb::run(s, notes::REMEMBER, r))
    }),
    (&notes::RECALL, |s, r| {
        Box::pin(any_verb::run(s, notes::RECALL, r))
    }),
    (&notes::FORGET, |s, r| {
        Box::pin(any_verb::run(s, notes::FORGET, r))
    }),
    (&playbook::SHOW, |s, r| Box::pin(playbook::show(s, r))),
    (&playbook::VERSIONS, |s, r| {
        Box::pin(playbook::versions(s, r))
    }),
    (&playbook::DIFF, |s, r| Box::pin(playbook::diff(s, r))),
    (&playbook::FIND, |s, r| Box::pin(playbook::find(s, r))),
    (&playbook::CREATE, |s, r| {
        Box::pin(playbook::change::<CreatePlaybook>(s, r))
    }),
    (&playbook::UPDATE, |s, r| {
        Box::pin(playbook::change::<UpdatePlaybook>(s, r))
    }),
    (&playbook::CURATE, |s, r| {
        Box::pin(playbook::change::<CuratePlaybook>(s, r))
    }),
    (&playbook::RESTORE, |s, r| {
        Box::pin(playbook::change::<RestorePlaybook>(s, r))
    }),
    (&playbook::FROM_MEMORY, |s, r| {
        Box::pin(playbook::change::<PlaybookFromMemory>(s, r))
    }),
    (&reflection::REFLECT, |s, r| {
        Box::pin(reflection::reflect(s, r))
    }),
    (&reflection::BATCH, |s, r| Box::pin(reflection::batch(s, r))),
    (&reflection::SHOW, |s, r| Box::pin(reflection::show(s, r))),
    (&playbook::IMPORT, |s, r| Box::pin(playbook::import(s, r))),
    (&playbook::EXPORT, |s, r| Box::pin(playbook::export(s, r))),
    (&policy::set::FORM, |s, r| Box::pin(policy::set::run(s, r))),
    (&policy::show::FORM, |s, r| {
        Box::pin(policy::show::run(s, r))
    }),
    (&replay::FORM, |s, r| Box::pin(replay::run(s, r))),
    (&retrieve::FORM, |s, r| Box::pin(retrieve::run(s, r))),
    (&runs::list::FORM, |s, r| Box::pin(runs::list::run(s, r))),
    (&runs::show::FORM, |s, r| Box::pin(runs::show::run(s, r))),
    (&runs::end::FORM, |s, r| Box::pin(runs::end::run(s, r))),
    (&trajectory::start::FORM, |s, r| {
        Box::pin(trajectory::start::run(s, r))
    }),
    (&trajectory::log::FORM, |s, r| {
        Box::pin(trajectory::log::run(s, r))
    }),
    (&trajectory::complete::FORM, |s, r| {
        Box::pin(trajectory::complete::run(s, r))
    }),
    (&trajectory::show::FORM, |s, r| {
        Box::pin(trajectory::show::run(s, r))
    }),
    (&trajectory::list::FORM, |s, r| {
        Box::pin(trajectory::list::run(s, r))
    }),
    (&trajectory::feedback::FORM, |s, r| {
        Box::pin(trajectory::feedback::run(s, r))
    }),
    (&trajectory::list::QUEUE, |s, r| {
        Box::pin(trajectory::list::queue(s, r))
    }),
];

/// Forms of verbs with hand-written arguments.
const WRITTEN: &[&Form] = &[&learn::FORM];

/// Forms for all verbs of the catalogue.
pub(crate) fn forms() -> Vec<Form> {
    let own = VERBS.iter().map(|(form, _)| *form);
    let mut forms: Vec<Form> = own.chain(WRITTEN.iter().copied()).copied().collect();
    forms.extend(playbook::PLAIN);
    forms.extend(sharing::FORMS);
    forms.extend(any_verb::forms(&forms));
    forms
}
