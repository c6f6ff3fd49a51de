//! The commands of verbs: which have a form of their own, and how each is run.

use super::{
    add, agent, any_verb, bullets_edit, bullets_list, bullets_pin, bullets_reject, bullets_remove,
    bullets_search, bullets_show, conflicts_list, conflicts_resolve, delta_apply, delta_log,
    delta_undo, digest, errors_capture, errors_list, feedback, graph_change, health, keys, learn,
    lessons_brief, lessons_conflicts, lessons_explain, lessons_list, lessons_outcome,
    lessons_retrieve, lessons_review, lessons_show, memory_clear, memory_consolidate, memory_list,
    memory_rollback, playbook, policy_set, policy_show, reflection, replay, retrieve, runs_end,
    runs_list, runs_show, sharing, trajectory_complete, trajectory_feedback, trajectory_list,
    trajectory_log, trajectory_show, trajectory_start,
};
use crate::form::{Form, Request};
use crate::program::Running;
use crate::session::Session;
use hindlore_api::verbs::playbook_exchange::PlaybookFromMemory;
use hindlore_api::verbs::playbooks::{
    CreatePlaybook, CuratePlaybook, RestorePlaybook, UpdatePlaybook,
};

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
    (&bullets_edit::FORM, |s, r| {
        Box::pin(bullets_edit::run(s, r))
    }),
    (&bullets_remove::FORM, |s, r| {
        Box::pin(bullets_remove::run(s, r))
    }),
    (&bullets_list::FORM, |s, r| {
        Box::pin(bullets_list::run(s, r))
    }),
    (&bullets_pin::FORM, |s, r| Box::pin(bullets_pin::run(s, r))),
    (&bullets_reject::FORM, |s, r| {
        Box::pin(bullets_reject::run(s, r))
    }),
    (&bullets_search::FORM, |s, r| {
        Box::pin(bullets_search::run(s, r))
    }),
    (&bullets_show::FORM, |s, r| {
        Box::pin(bullets_show::run(s, r))
    }),
    (&conflicts_list::FORM, |s, r| {
        Box::pin(conflicts_list::run(s, r))
    }),
    (&conflicts_resolve::FORM, |s, r| {
        Box::pin(conflicts_resolve::run(s, r))
    }),
    (&delta_apply::FORM, |s, r| Box::pin(delta_apply::run(s, r))),
    (&delta_log::FORM, |s, r| Box::pin(delta_log::run(s, r))),
    (&delta_undo::FORM, |s, r| Box::pin(delta_undo::run(s, r))),
    (&digest::FORM, |s, r| Box::pin(digest::run(s, r))),
    (&errors_capture::FORM, |s, r| {
        Box::pin(errors_capture::run(s, r))
    }),
    (&errors_list::FORM, |s, r| Box::pin(errors_list::run(s, r))),
    (&feedback::FORM, |s, r| Box::pin(feedback::run(s, r))),
    (&graph_change::FORM, |s, r| {
        Box::pin(any_verb::run(s, graph_change::FORM, r))
    }),
    (&health::FORM, |s, r| Box::pin(health::run(s, r))),
    (&lessons_list::FORM, |s, r| {
        Box::pin(lessons_list::run(s, r))
    }),
    (&lessons_show::FORM, |s, r| {
        Box::pin(lessons_show::run(s, r))
    }),
    (&lessons_explain::FORM, |s, r| {
        Box::pin(lessons_explain::run(s, r))
    }),
    (&lessons_brief::FORM, |s, r| {
        Box::pin(lessons_brief::run(s, r))
    }),
    (&lessons_retrieve::FORM, |s, r| {
        Box::pin(lessons_retrieve::run(s, r))
    }),
    (&lessons_conflicts::FORM, |s, r| {
        Box::pin(lessons_conflicts::run(s, r))
    }),
    (&lessons_review::FORM, |s, r| {
        Box::pin(lessons_review::run(s, r))
    }),
    (&lessons_outcome::FORM, |s, r| {
        Box::pin(lessons_outcome::run(s, r))
    }),
    (&memory_clear::FORM, |s, r| {
        Box::pin(memory_clear::run(s, r))
    }),
    (&memory_consolidate::FORM, |s, r| {
        Box::pin(memory_consolidate::run(s, r))
    }),
    (&memory_list::FORM, |s, r| Box::pin(memory_list::run(s, r))),
    (&memory_rollback::FORM, |s, r| {
        Box::pin(memory_rollback::run(s, r))
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
    (&policy_set::FORM, |s, r| Box::pin(policy_set::run(s, r))),
    (&policy_show::FORM, |s, r| Box::pin(policy_show::run(s, r))),
    (&replay::FORM, |s, r| Box::pin(replay::run(s, r))),
    (&retrieve::FORM, |s, r| Box::pin(retrieve::run(s, r))),
    (&runs_list::FORM, |s, r| Box::pin(runs_list::run(s, r))),
    (&runs_show::FORM, |s, r| Box::pin(runs_show::run(s, r))),
    (&runs_end::FORM, |s, r| Box::pin(runs_end::run(s, r))),
    (&trajectory_start::FORM, |s, r| {
        Box::pin(trajectory_start::run(s, r))
    }),
    (&trajectory_log::FORM, |s, r| {
        Box::pin(trajectory_log::run(s, r))
    }),
    (&trajectory_complete::FORM, |s, r| {
        Box::pin(trajectory_complete::run(s, r))
    }),
    (&trajectory_show::FORM, |s, r| {
        Box::pin(trajectory_show::run(s, r))
    }),
    (&trajectory_list::FORM, |s, r| {
        Box::pin(trajectory_list::run(s, r))
    }),
    (&trajectory_feedback::FORM, |s, r| {
        Box::pin(trajectory_feedback::run(s, r))
    }),
    (&trajectory_list::QUEUE, |s, r| {
        Box::pin(trajectory_list::queue(s, r))
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
