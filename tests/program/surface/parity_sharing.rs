//! The part of the story of all surfaces that is about sharing, as the operator runs it.

use serde_json::json;

use super::parity::{Step, step};

/// A memory is shared with a group, looked at, and taken back.
pub(super) fn a_memory_is_shared() -> Vec<Step> {
    let said = |by: &str, run: &str| {
        let request = json!({"bullet": "{bullet}", "verdict": "helped", "run": run, "by": by});
        let command = format!("share testify {{bullet}} helped --run {run} --by {by}");
        step("share.testify", request, &command)
    };
    vec![
        step(
            "bullets.add",
            json!({"text": "oil the winch before the race", "id": "winch"}),
            "add oil the winch before the race --id winch",
        ),
        said("user:zoe", "one"),
        said("user:zoe", "two"),
        said("user:yan", "one"),
        step(
            "share.promote",
            json!({"bullet": "{bullet}", "into": "team", "id": "passed-on"}),
            "share promote {bullet} --into team --id passed-on",
        ),
        step(
            "groups.member",
            json!({"group": "crew", "member": "user:zoe"}),
            "groups member crew user:zoe",
        ),
        step(
            "groups.leader",
            json!({"group": "crew", "leader": "user:zoe"}),
            "groups leader crew user:zoe",
        ),
        step("groups.show", json!({"group": "crew"}), "groups show crew"),
        step(
            "key.create",
            json!({"name": "ci", "only_learner": "zoe", "rights": "read", "days": 9}),
            "key create ci --only-learner zoe --rights read --days 9",
        ),
        step("key.rotate", json!({"name": "ci"}), "key rotate ci"),
        step("key.revoke", json!({"name": "ci"}), "key revoke ci"),
        step("key.list", json!({}), "key list"),
        step(
            "share.grant",
            json!({"subject": "group:crew", "relation": "viewer", "object": "learner"}),
            "grant group:crew viewer --of learner",
        ),
        step(
            "share.check",
            json!({"subject": "user:zoe", "object": "learner"}),
            "check user:zoe --of learner",
        ),
        step(
            "share.subjects",
            json!({"object": "learner", "least": "viewer", "limit": 5}),
            "share subjects --of learner --least viewer --limit 5",
        ),
        step(
            "share.objects",
            json!({"subject": "user:zoe"}),
            "share objects --subject user:zoe",
        ),
        step(
            "share.revoke",
            json!({"subject": "group:crew", "object": "learner"}),
            "revoke group:crew --of learner",
        ),
    ]
}
