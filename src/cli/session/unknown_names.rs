//! Unknown names: reports a mistyped tenant, learner, or scope with the nearest existing one.
//!
//! An unknown name looks like an empty memory. So every command that found nothing reports whether that is the reason,
//! and a write that creates a learner warns of similar existing ones.

use std::collections::BTreeSet;
use std::fmt;

use super::{About, Meant, Session};
use crate::output::Outcome;
use hindlore::{Engine, EngineResult};
use hindlore_api::nearest::nearest;
use hindlore_api::problem::Problem;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::lessons::reading::RunPage;

/// Maximum names listed if none is near.
const LISTED_MAX: usize = 5;

/// Problem codes that an unknown name may cause.
const MAY_BE_A_NAME: [&str; 8] = [
    "no_memory",
    "no_bullet",
    "no_delta",
    "no_consolidation",
    "no_retrieval",
    "no_run",
    "no_lesson",
    "no_activation",
];

/// An unknown name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Absent {
    /// Kind of name: `tenant`, `learner` or `scope`.
    what: &'static str,
    name: String,
    near: Option<String>,
    /// Existing names.
    there: Vec<String>,
}

impl Absent {
    fn new(what: &'static str, name: &str, there: BTreeSet<String>) -> Self {
        let names: Vec<&str> = there.iter().map(String::as_str).collect();
        Self {
            what,
            name: name.to_owned(),
            near: nearest(name, &names).map(str::to_owned),
            there: there.into_iter().collect(),
        }
    }
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.there.is_empty() {
            return f.write_str("nothing was learned in this store yet");
        }
        write!(f, "there is no {} `{}`", self.what, self.name)?;
        if let Some(near) = &self.near {
            return write!(f, "; nearest: `{near}`");
        }
        let first = self.there.iter().take(LISTED_MAX);
        let listed: Vec<String> = first.map(|name| format!("`{name}`")).collect();
        let listed = listed.join(", ");
        match self.there.len() {
            1 => write!(f, "; the only one is {listed}"),
            count if count > LISTED_MAX => write!(f, "; some of {count} are {listed}"),
            _ => write!(f, "; there are {listed}"),
        }
    }
}

/// Finds the part of a key that names nothing; absent if the subject exists.
pub(crate) async fn absent(meant: &Meant) -> EngineResult<Option<Absent>> {
    let (engine, key) = (&meant.engine, &meant.key);
    let (tenant, learner) = (key.tenant(), key.learner());
    if meant.about == About::Memory && engine.head(key).await?.is_some() {
        return Ok(None);
    }
    let own = engine.memories(tenant, Some(learner)).await?;
    let is_there = !own.is_empty() || has_runs(engine, key).await?;
    let learners = if is_there {
        BTreeSet::new()
    } else {
        learners(engine, tenant).await?
    };
    // An import leaves lessons without any run of the learner.
    if is_there || learners.contains(learner) {
        let scopes: BTreeSet<String> = own.iter().map(|one| one.key.scope().to_owned()).collect();
        let is_asked = meant.about == About::Memory && !scopes.is_empty();
        return Ok(is_asked.then(|| Absent::new("scope", key.scope(), scopes)));
    }
    if !learners.is_empty() {
        return Ok(Some(Absent::new("learner", learner, learners)));
    }
    let tenants: BTreeSet<String> = engine.tenants().await?.into_iter().collect();
    // One that has keys or groups and no memory yet.
    if tenants.contains(tenant) {
        return Ok(Some(Absent::new("learner", learner, BTreeSet::new())));
    }
    Ok(Some(Absent::new("tenant", tenant, tenants)))
}

async fn has_runs(engine: &Engine, key: &MemoryKey) -> EngineResult<bool> {
    let Ok(owner) = LearnerId::new(key.tenant(), key.learner()) else {
        return Ok(false);
    };
    let page = RunPage {
        after: None,
        limit: 1,
        ..RunPage::default()
    };
    Ok(!engine.runs(&owner, page).await?.rows.is_empty())
}

/// All learners of a tenant with bullets or lessons.
async fn learners(engine: &Engine, tenant: &str) -> EngineResult<BTreeSet<String>> {
    let memories = engine.memories(tenant, None).await?;
    let mut names: BTreeSet<String> = memories
        .iter()
        .map(|memory| memory.key.learner().to_owned())
        .collect();
    names.extend(engine.lesson_learners(tenant).await?);
    Ok(names)
}

/// Adds to a command's result that an unknown name is the reason, if it is.
pub(crate) async fn explained(
    session: &Session,
    ended: Result<Outcome, Problem>,
) -> Result<Outcome, Problem> {
    let is_in_doubt = match &ended {
        Ok(outcome) => *outcome == Outcome::NothingFound,
        Err(problem) => MAY_BE_A_NAME.contains(&problem.code),
    };
    let meant = session.meant().filter(|_| is_in_doubt);
    let Some(meant) = meant else { return ended };
    // The command's own result counts; failing to explain it adds nothing.
    let Ok(Some(absent)) = absent(&meant).await else {
        return ended;
    };
    let said = said(session, &absent);
    match ended {
        Ok(outcome) => {
            session.warn("not_there", said);
            Ok(outcome)
        }
        Err(problem) => Err(Problem {
            message: format!("{}: {said}", problem.message),
            ..problem
        }),
    }
}

/// Describes the unknown name; absent if all given names exist.
pub(crate) async fn absent_name(session: &Session) -> Result<Option<String>, Problem> {
    let Some(meant) = session.meant() else {
        return Ok(None);
    };
    let absent = absent(&meant).await?;
    Ok(absent.map(|absent| said(session, &absent)))
}

/// Reports an unknown name on stderr.
pub(crate) async fn note_absent(session: &Session) -> Result<(), Problem> {
    if let Some(said) = absent_name(session).await? {
        session.warn("not_there", said);
    }
    Ok(())
}

/// Warns that a write creates a learner although similar names exist.
pub(crate) async fn note_new(session: &Session) -> Result<(), Problem> {
    let Some(meant) = session.meant() else {
        return Ok(());
    };
    let found = absent(&meant).await?;
    let Some((absent, near)) = found.and_then(|one| one.near.clone().map(|near| (one, near)))
    else {
        return Ok(());
    };
    let (what, name) = (absent.what, &absent.name);
    let said = format!(
        "`{name}` is a new {what}{}; nearest: `{near}`",
        origin(session, what)
    );
    session.warn("new_name", said);
    Ok(())
}

fn said(session: &Session, absent: &Absent) -> String {
    if absent.there.is_empty() {
        absent.to_string()
    } else {
        format!("{absent}{}", origin(session, absent.what))
    }
}

/// The source of a name that was not typed.
fn origin(session: &Session, name: &str) -> String {
    let settings = &session.settings;
    if settings.is_given(name) && !settings.is_flag(name) {
        format!(" (set by {})", settings.origin(name))
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_nearest_name_is_said_or_those_that_are_there() {
        for (there, said) in [
            (&["agent-7", "other"][..], "; nearest: `agent-7`"),
            (&["x"], "; the only one is `x`"),
            (&["x", "y"], "; there are `x`, `y`"),
            (
                &["1", "2", "3", "4", "5", "6"],
                "; some of 6 are `1`, `2`, `3`, `4`, `5`",
            ),
        ] {
            let absent = Absent::new("learner", "agnet", names(there)).to_string();
            assert_eq!(absent, format!("there is no learner `agnet`{said}"));
        }
        let empty = Absent::new("tenant", "default", names(&[])).to_string();
        assert_eq!(empty, "nothing was learned in this store yet");
    }
}
