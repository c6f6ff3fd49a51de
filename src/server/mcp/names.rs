//! Names: the verbs offered as tools, their names, and the texts for an agent about the main ones.
//!
//! Some clients take only letters, digits and `_` in the name of a tool, so a verb `bullets.pin` is `bullets_pin`. The
//! few that agents need have names that express when to call them, and texts written for a model.

use hindlore_api::command_words::words_of;
use hindlore_api::hint::HintFormatter;
use hindlore_api::server::ToolProfile;

/// A tool that every profile offers.
pub(super) struct Named {
    /// Its name.
    pub(super) name: &'static str,
    /// The verbs of the tool; the first one whose ids begin as the request's `id` does, else the last one.
    pub(super) verbs: &'static [ByPrefix],
    /// Its text for a model.
    pub(super) about: &'static str,
}

/// A verb, and beginnings of the ids that lead to it; none where there is no choice.
pub(super) struct ByPrefix {
    /// The verb.
    pub(super) verb: &'static str,
    /// Beginnings of ids.
    pub(super) prefixes: &'static [&'static str],
}

const fn only(verb: &'static str) -> ByPrefix {
    ByPrefix {
        verb,
        prefixes: &[],
    }
}

/// The tools of the default profile, in the order in which an agent meets them.
pub(super) const NAMED: &[Named] = &[
    Named {
        name: "retrieve_context",
        verbs: &[only("retrieve")],
        about: "Ask this memory before you begin a task or a step. It returns what helped earlier in similar \
                situations, best first, each with its id, its score and the reasons. Say in `query` what you are \
                about to do. Keep the id in `retrieval`: `give_feedback` takes it. What is returned grows stronger; \
                with `peek` nothing is recorded.",
    },
    Named {
        name: "learn_from_execution",
        verbs: &[only("runs.learn")],
        about: "Hand over the steps of a task when it is done, whether or not it went well: what was tried, what \
                failed and what worked in the end. The memory derives lessons from a failure and the step that \
                mended it, and judges the lessons that were used. Say with `passed` how it ended, if you know. \
                The same steps sent again count once.",
    },
    Named {
        name: "apply_delta",
        verbs: &[only("delta.apply")],
        about: "Change the memory yourself: add a rule worth keeping, correct one, vote for or against it, or \
                archive it. All operations are applied, or none. With an `id` of your own a repeated call changes \
                nothing more. Write one rule in each bullet, as an instruction to whoever does this next.",
    },
    Named {
        name: "give_feedback",
        verbs: &[only("feedback")],
        about: "Say which of the retrieved bullets helped, did harm or were ignored, as soon as you know. Name them \
                by id, or by their number in the answer of `retrieve_context`. Good ones are ranked higher next \
                time, harmful ones fade.",
    },
    Named {
        name: "capture_error",
        verbs: &[only("errors.capture")],
        about: "Record a failed step as it happens: the action, the error, the exit code. Give the steps of one \
                task the same `run`; a later step that works turns the failure into a lesson when the run ends. \
                Then ask `lessons_for_error` what helps.",
    },
    Named {
        name: "lessons_for_error",
        verbs: &[only("lessons.retrieve")],
        about: "Ask what helps: after a failed step, with its `error` and the `action` that failed; before an \
                action, with `action` alone, whether its form is known to fail; before a task, with `intent`. Each \
                lesson says when it applies and what to do instead.",
    },
    Named {
        name: "get_playbook",
        verbs: &[only("playbook.show")],
        about: "Read a playbook: the strategies for a kind of task, what to do and what to avoid, each with its \
                evidence and confidence. With `prompt` it comes as text, the surest first; with `version` or `as_of` \
                as it was. Leave `playbook` out for the default one; the resources name all of them.",
    },
    Named {
        name: "explain",
        verbs: &[
            ByPrefix {
                verb: "lessons.explain",
                prefixes: &["l_", "a_"],
            },
            only("bullets.show"),
        ],
        about: "Show everything that is known about one item by its id, and why it is there: of a bullet (b_…) its \
                text, votes, strength, links and each change; of a lesson (l_…) its evidence, uses and decisions; \
                of a use of a lesson (a_…) why it was offered and how it was judged.",
    },
];

/// The name of the tool for a verb.
pub(super) fn tool_of(verb: &str) -> String {
    let own = NAMED
        .iter()
        .find(|named| named.verbs.len() == 1 && named.verbs[0].verb == verb);
    own.map_or_else(
        || verb.replace(['.', '-'], "_"),
        |named| named.name.to_owned(),
    )
}

/// Returns true if a profile has a tool for a verb, by itself or through a choice.
fn offers(profile: ToolProfile, verb: &str) -> Option<&'static Named> {
    let by_choice = |named: &&Named| named.verbs.iter().any(|one| one.verb == verb);
    match profile {
        ToolProfile::Default => NAMED.iter().find(by_choice),
        ToolProfile::Full | ToolProfile::Graph => None,
    }
}

/// How hints are worded for agents: verbs are tools.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToolNames(pub(super) ToolProfile);

impl HintFormatter for ToolNames {
    fn verb(&self, name: &str, behind: &str) -> String {
        match (self.0, offers(self.0, name)) {
            (_, Some(named)) => format!("the tool `{}`{behind}", named.name),
            (ToolProfile::Full, None) => format!("the tool `{}`{behind}", tool_of(name)),
            (ToolProfile::Default | ToolProfile::Graph, None) => {
                let command = words_of(name).join(" ");
                format!("`hindlore {command}{behind}` on the command line")
            }
        }
    }

    fn field(&self, name: &str) -> String {
        format!("`{name}`")
    }

    fn subject(&self, part: &str) -> String {
        format!("the {part} that this server was started for")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_api::hint::worded;

    #[test]
    fn a_hint_names_a_tool_that_the_agent_has_or_a_command() {
        let hint = "<verb:retrieve> finds it, <verb:bullets.list --limit 5> lists; check <subject:learner> and <field:id>";
        let said = worded(hint, &ToolNames(ToolProfile::Default));
        assert_eq!(
            said,
            "the tool `retrieve_context` finds it, `hindlore bullets list --limit 5` on the command line lists; \
             check the learner that this server was started for and `id`"
        );
        let said = worded(
            "<verb:bullets.list> or <verb:bullets.show>",
            &ToolNames(ToolProfile::Full),
        );
        assert_eq!(said, "the tool `bullets_list` or the tool `bullets_show`");
        let said = worded("<verb:bullets.show>", &ToolNames(ToolProfile::Default));
        assert_eq!(said, "the tool `explain`");
    }
}
