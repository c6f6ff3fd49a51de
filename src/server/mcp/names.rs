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
    /// True if it takes something away, so that an unknown field may have been meant to spare it.
    pub(super) takes_away: bool,
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
        name: "remember",
        verbs: &[only("remember")],
        takes_away: false,
        about: "Keep one sentence for later sessions: a rule, a fact, or how a person wants things done. Call it as \
                soon as a person states such a thing, or when you find out something that you would want to know \
                next time. Write `text` so that it is understandable on its own. It is shown at the start of the \
                next session; nearly the same words strengthen the bullet that has them.",
    },
    Named {
        name: "recall",
        verbs: &[only("recall")],
        takes_away: false,
        about: "Ask this memory a question, before a task or a step, or whenever an earlier session may know the \
                answer. It returns the bullets and the lessons that answer, best first, each in short with its id. \
                Keep the id in `retrieval`: `report_outcome` takes it. Returned bullets grow stronger.",
    },
    Named {
        name: "forget",
        verbs: &[only("forget")],
        takes_away: true,
        about: "Archive one bullet that is wrong or out of date, by its `id` or by its `text`; some of its words \
                are enough. Where they fit several bullets, `candidates` lists them and nothing is archived: call it \
                again with one of the ids. The same text remembered again brings it back.",
    },
    Named {
        name: "lessons_for_error",
        verbs: &[only("lessons.retrieve")],
        takes_away: false,
        about: "Ask what helps: after a failed step, with its `error` and the `action` that failed; before an \
                action, with `action` alone, whether its form is known to fail; before a task, with `intent`. Each \
                lesson says when it applies and what to do instead.",
    },
    Named {
        name: "report_outcome",
        verbs: &[only("feedback")],
        takes_away: false,
        about: "Report the outcome of recalled bullets as soon as it is clear: which helped, did harm, were used or \
                were ignored. Give the `retrieval` of the answer of `recall`, and name the bullets by id or by their \
                number in it. Good ones are ranked higher next time, harmful ones fade.",
    },
    Named {
        name: "learn_from_execution",
        verbs: &[only("runs.learn")],
        takes_away: false,
        about: "Hand over the steps of a task when it is done, whether or not it went well: what was tried, what \
                failed and what worked in the end. The memory derives lessons from a failure and the step that \
                mended it, and judges the lessons that were used. Say with `passed` how it ended, if you know. \
                The same steps sent again count once.",
    },
    Named {
        name: "get_playbook",
        verbs: &[only("playbook.show")],
        takes_away: false,
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
        takes_away: false,
        about: "Show everything that is known about one item by its id, and why it is there: of a bullet (b_…) its \
                text, votes, strength, links and each change; of a lesson (l_…) its evidence, uses and decisions; \
                of a use of a lesson (a_…) why it was offered and how it was judged.",
    },
];

/// Verbs that the default profile has in a shorter form.
const SHORTER: [(&str, &str); 3] = [
    ("bullets.add", "remember"),
    ("bullets.remove", "forget"),
    ("retrieve", "recall"),
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
    let shorter = SHORTER.iter().find(|(long, _)| *long == verb);
    let verb = shorter.map_or(verb, |(_, short)| short);
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
            "the tool `recall` finds it, `hindlore bullets list --limit 5` on the command line lists; \
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
