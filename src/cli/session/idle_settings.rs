//! Notes on settings that have no effect on a command: a setting that is ignored without a word looks like one that works.

use hindlore_api::responses::policy_fields;
use hindlore_config::{Origin, Settings};
use serde_json::{Map, Value};

use super::{About, Session};

/// Warns of settings that had no effect on the command, after it has run.
pub(crate) async fn note(session: &Session) {
    for (variable, instead) in session.settings.without_effect() {
        let said = format!("the environment variable `{variable}` has no effect here: {instead}");
        session.warn("no_effect", said);
    }
    let Some(meant) = session.meant() else {
        return;
    };
    session.note_unused_server();
    if meant.about != About::Memory || variables(&session.settings).next().is_none() {
        return;
    }
    // A memory that cannot be read has its own error.
    let Ok(Some(head)) = meant.engine.head(&meant.key).await else {
        return;
    };
    let mut stored = policy_fields(&head.policy);
    // Without weights of its own the memory has those of its profile.
    let weights = head.policy.weights_for(head.policy.profile);
    stored.insert(
        "weights".to_owned(),
        serde_json::to_value(weights).unwrap_or_default(),
    );
    for (path, variable, value) in variables(&session.settings) {
        let own = at(&stored, path);
        if !is_equal(own, &value) {
            let said = format!(
                "`{variable}` sets the policy of new memories, and the memory {} keeps its own `{path}`, {own}; `hindlore \
                 policy set {path}={value}` changes it",
                meant.key
            );
            session.warn("no_effect", said);
        }
    }
}

impl Session {
    /// Names the scope of a repository, which the caller did not name.
    pub(crate) fn note_scope(&self) {
        let is_inferred = self.settings.origin("scope") == Origin::Repository;
        let Some(meant) = self.meant().filter(|_| is_inferred) else {
            return;
        };
        if meant.about == About::Memory {
            let scope = meant.key.scope();
            let said = format!("the memory of this repository, `{scope}`; --scope names another");
            self.warn("inferred_scope", said);
        }
    }

    /// Warns that the address of a server alone does not select it.
    fn note_unused_server(&self) {
        let settings = &self.settings;
        let is_of_variable = |name: &str| matches!(settings.origin(name), Origin::Environment(_));
        let is_unused = is_of_variable("neo4j.uri") && is_of_variable("neo4j.password");
        if is_unused && !settings.is_given("store") {
            let place = settings.text_or_empty("store");
            let said = format!(
                "NEO4J_URI is set, and the store is the file `{place}`; HINDLORE_STORE=\"$NEO4J_URI\" selects the server"
            );
            self.warn("no_effect", said);
        }
    }
}

/// Fields of the policy that variables set: path, variable, value.
fn variables(settings: &Settings) -> impl Iterator<Item = (&str, &'static str, Value)> {
    settings.shown().filter_map(|(name, setting)| {
        let path = name.strip_prefix("policy.")?;
        match setting.origin {
            Origin::Environment(variable) => Some((path, variable, setting.value)),
            _ => None,
        }
    })
}

fn at<'f>(fields: &'f Map<String, Value>, path: &str) -> &'f Value {
    let mut names = path.split('.');
    let first = names.next().and_then(|name| fields.get(name));
    let found = names.try_fold(first.unwrap_or(&Value::Null), |value, name| value.get(name));
    found.unwrap_or(&Value::Null)
}

/// True if two values are the same, a whole number and a fraction included.
fn is_equal(one: &Value, other: &Value) -> bool {
    one == other || (one.is_number() && one.as_f64() == other.as_f64())
}
