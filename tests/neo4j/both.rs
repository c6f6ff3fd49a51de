//! The trials in which a file and a server live through the same.

use libtest_mimic::Trial;

use crate::server::Server;
use crate::{consolidation, conversations, histories, on_server, playbooks};

/// Trials that compare both backends on the same story.
pub(crate) fn trials(server: Option<&Server>) -> Vec<Trial> {
    vec![
        on_server("histories::both_backends_agree", server, histories::agree),
        on_server(
            "consolidation::both_backends_agree",
            server,
            consolidation::agree,
        ),
        on_server(
            "playbooks::both_backends_tell_one_story",
            server,
            playbooks::told_on_both,
        ),
        on_server(
            "playbooks::eight_curators_leave_no_gap",
            server,
            playbooks::curated_at_once,
        ),
        on_server(
            "conversations::any_instance_goes_on_and_of_two_one_is_told",
            server,
            conversations::shared,
        ),
        on_server(
            "histories::copies_keep_the_digest",
            server,
            histories::copies,
        ),
    ]
}
