//! The catalogue: every verb once, reachable by name with JSON in and JSON out.
//!
//! Surfaces are derived from this list and name no request type: the command line and `call` today, HTTP and
//! MCP by the same loop. A request is checked against its own schema first, so all surfaces refuse the same
//! requests in the same words.

use std::future::Future;
use std::pin::Pin;
use std::sync::{LazyLock, OnceLock};

use serde_json::Value;

use super::access::Access;
use super::definitions::Definitions;
use super::json::parse_value;
use super::nearest::suggestion;
use super::needs::Needs;
use super::problem::Problem;
use super::received::read_by;
use super::schema;
use super::verb::{Effect, MissingStore, Subject, Verb};
use super::verbs::{
    agent, bullet_changes, bullets, chat_statements, conflicts, consolidation, deltas, embeddings,
    erase, errors, events, export, graph, groups, import, import_lessons, keys, lesson_brief,
    lesson_retrieval, lessons, memory, memory_brief, notes, playbook_exchange, playbook_views,
    playbooks, policy, proposals, reflections, retrieval, runs, session, sharing, status, store,
    testimony, trajectory, trajectory_views,
};

pub use super::received::{read, receive};

/// Longest text in an address, in characters: encoded, each may take twelve bytes of the 64 KiB that servers take.
const ADDRESS_CHARS_MAX: u64 = 4_096;

/// All verbs. A new one is one more line here.
static VERBS: LazyLock<Vec<Registered>> = LazyLock::new(|| {
    vec![
        Registered::new::<agent::RunAgent>(),
        Registered::new::<agent::ChatWithAgent>(),
        Registered::new::<bullet_changes::AddBullet>(),
        Registered::new::<bullet_changes::EditBullet>(),
        Registered::new::<bullet_changes::RemoveBullet>(),
        Registered::new::<bullets::ShowBullet>(),
        Registered::new::<bullets::PinBullet>(),
        Registered::new::<bullets::RejectBullet>(),
        Registered::new::<bullets::ListBullets>(),
        Registered::new::<bullets::SearchBullets>(),
        Registered::new::<proposals::ProposeBullet>(),
        Registered::new::<proposals::ListProposals>(),
        Registered::new::<proposals::ReleaseProposal>(),
        Registered::new::<proposals::DismissProposal>(),
        Registered::new::<conflicts::ListOpenConflicts>(),
        Registered::new::<conflicts::ResolveConflict>(),
        Registered::new::<deltas::ApplyDelta>(),
        Registered::new::<deltas::UndoDelta>(),
        Registered::new::<deltas::ListDeltas>(),
        Registered::new::<embeddings::ShowEmbeddings>(),
        Registered::new::<embeddings::BuildEmbeddings>(),
        Registered::new::<embeddings::DropEmbeddings>(),
        Registered::new::<erase::EraseLearner>(),
        Registered::new::<graph::ReadGraph>(),
        Registered::new::<graph::ChangeGraph>(),
        Registered::new::<import_lessons::ImportLessons>(),
        Registered::new::<errors::CaptureErrors>(),
        Registered::new::<errors::ListErrors>(),
        Registered::new::<lessons::ListLessons>(),
        Registered::new::<lessons::ShowLesson>(),
        Registered::new::<lessons::ExplainLesson>(),
        Registered::new::<keys::CreateKey>(),
        Registered::new::<keys::ListKeys>(),
        Registered::new::<keys::RevokeKey>(),
        Registered::new::<keys::RotateKey>(),
        Registered::new::<lesson_brief::BriefLessons>(),
        Registered::new::<lesson_retrieval::RetrieveLessons>(),
        Registered::new::<lessons::ListConflicts>(),
        Registered::new::<lessons::ReviewLesson>(),
        Registered::new::<lessons::StateLessons>(),
        Registered::new::<lessons::ReportOutcome>(),
        Registered::new::<memory_brief::BriefMemory>(),
        Registered::new::<memory::ListMemories>(),
        Registered::new::<memory::ClearMemory>(),
        Registered::new::<consolidation::ConsolidateMemory>(),
        Registered::new::<consolidation::RollBackConsolidation>(),
        Registered::new::<export::ExportMemory>(),
        Registered::new::<import::ImportMemory>(),
        Registered::new::<erase::EraseMemory>(),
        Registered::new::<memory::ShowDigest>(),
        Registered::new::<events::ListEvents>(),
        Registered::new::<memory::ShowFigures>(),
        Registered::new::<memory::DrawMemory>(),
        Registered::new::<memory::ReplayMemory>(),
        Registered::new::<agent::CheckModel>(),
        Registered::new::<playbooks::CreatePlaybook>(),
        Registered::new::<playbook_views::ListPlaybooks>(),
        Registered::new::<playbook_views::ShowPlaybook>(),
        Registered::new::<playbooks::UpdatePlaybook>(),
        Registered::new::<playbooks::CuratePlaybook>(),
        Registered::new::<playbooks::DeletePlaybook>(),
        Registered::new::<playbook_views::ListVersions>(),
        Registered::new::<playbook_views::DiffPlaybook>(),
        Registered::new::<playbooks::RestorePlaybook>(),
        Registered::new::<playbooks::UsePlaybook>(),
        Registered::new::<playbook_views::FindStrategies>(),
        Registered::new::<playbook_exchange::PlaybookFromMemory>(),
        Registered::new::<playbook_exchange::PlaybookIntoMemory>(),
        Registered::new::<playbook_exchange::ImportPlaybook>(),
        Registered::new::<playbook_exchange::ExportPlaybook>(),
        Registered::new::<policy::ShowPolicy>(),
        Registered::new::<policy::SetPolicy>(),
        Registered::new::<reflections::Reflect>(),
        Registered::new::<reflections::ReflectBatch>(),
        Registered::new::<reflections::ShowReflection>(),
        Registered::new::<reflections::ListReflections>(),
        Registered::new::<notes::Remember>(),
        Registered::new::<notes::Recall>(),
        Registered::new::<notes::Forget>(),
        Registered::new::<retrieval::GiveFeedback>(),
        Registered::new::<retrieval::Retrieve>(),
        Registered::new::<session::PrepareSession>(),
        Registered::new::<session::RecordSession>(),
        Registered::new::<chat_statements::KeepStatements>(),
        Registered::new::<sharing::GrantShare>(),
        Registered::new::<sharing::RevokeShare>(),
        Registered::new::<sharing::CheckShare>(),
        Registered::new::<sharing::ListSubjects>(),
        Registered::new::<sharing::ListObjects>(),
        Registered::new::<testimony::Testify>(),
        Registered::new::<testimony::PromoteBullet>(),
        Registered::new::<groups::SetMember>(),
        Registered::new::<groups::SetLeader>(),
        Registered::new::<groups::ShowGroup>(),
        Registered::new::<runs::StartRun>(),
        Registered::new::<runs::ListRuns>(),
        Registered::new::<runs::ShowRun>(),
        Registered::new::<runs::EndRun>(),
        Registered::new::<runs::LearnTrace>(),
        Registered::new::<status::ShowStatus>(),
        Registered::new::<store::ShowHealth>(),
        Registered::new::<trajectory::StartTrajectory>(),
        Registered::new::<trajectory::LogStep>(),
        Registered::new::<trajectory::CompleteTrajectory>(),
        Registered::new::<trajectory_views::ShowTrajectory>(),
        Registered::new::<trajectory_views::ListTrajectories>(),
        Registered::new::<trajectory::GiveTrajectoryFeedback>(),
        Registered::new::<trajectory_views::ShowQueue>(),
    ]
});

/// A running call, to be awaited or spawned.
pub type Answering = Pin<Box<dyn Future<Output = Result<Answer, Problem>> + Send>>;

/// The answer of a verb.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The answer as JSON, matching its schema.
    pub json: String,
    /// True if nothing was found.
    pub is_empty: bool,
    /// The problem, if the answer is bad news.
    pub fault: Option<Problem>,
}

impl Answer {
    /// The answer as a value.
    pub fn value(&self) -> Value {
        // It was written by the library that reads it.
        serde_json::from_str(&self.json).unwrap_or_default()
    }
}

/// A verb with its types erased.
#[derive(Debug)]
pub struct Registered {
    /// Noun and verb, such as `bullets.pin`.
    pub name: &'static str,
    /// Its subject.
    pub subject: Subject,
    /// Its effect.
    pub effect: Effect,
    /// True if repeating the request changes nothing more.
    pub idempotent: bool,
    /// How it treats a missing store.
    pub missing_store: MissingStore,
    /// Its requirements for the caller.
    pub needs: Needs,
    /// The field by which a repeated request counts once.
    pub once_by: Option<&'static str>,
    request: fn() -> Value,
    named: fn() -> Vec<(String, String)>,
    answer: fn() -> Value,
    define: fn(&mut Definitions),
    call: fn(Access, Value, &'static Value) -> Answering,
    /// The schema of the request, made at its first use: a server checks each request by it.
    made: OnceLock<Value>,
}

impl Registered {
    const fn new<V: Verb>() -> Self {
        Self {
            name: V::NAME,
            subject: V::SUBJECT,
            effect: V::EFFECT,
            idempotent: V::IDEMPOTENT,
            missing_store: V::MISSING_STORE,
            needs: Needs::of::<V>(),
            once_by: V::ONCE_BY,
            request: schema::of_request::<V>,
            named: schema::names_in::<V>,
            answer: schema::of_answer::<V::Answer>,
            define: Definitions::add::<V>,
            call: |access, request, schema| Box::pin(answered::<V>(access, request, schema)),
            made: OnceLock::new(),
        }
    }

    /// The self-contained schema of the request.
    pub fn request(&self) -> &Value {
        self.made.get_or_init(self.request)
    }

    /// The fields of its request that name a learner, a scope or a principal, and which of them each names.
    pub fn named(&self) -> Vec<(String, String)> {
        (self.named)()
    }

    /// The self-contained schema of the answer.
    pub fn answer(&self) -> Value {
        (self.answer)()
    }

    /// Adds its types to the named schemas.
    pub fn define(&self, definitions: &mut Definitions) {
        (self.define)(definitions);
    }

    /// Its title, in one line.
    pub fn title(&self) -> String {
        let about = self.about();
        let first = about.split("\n\n").next().unwrap_or_default();
        first.trim_end_matches('.').to_owned()
    }

    /// Its full description.
    pub fn about(&self) -> String {
        let request = self.request();
        let about = request.get("description").and_then(Value::as_str);
        about.unwrap_or_default().to_owned()
    }

    /// The method of its route: reads can be repeated and cached, everything else is posted. So is a text that is too long
    /// for an address.
    pub fn method(&self) -> &'static str {
        match self.effect {
            Effect::Reads if !self.has_long_text() => "GET",
            _ => "POST",
        }
    }

    fn has_long_text(&self) -> bool {
        let fields = self.request()["properties"].as_object();
        let mut limits = fields
            .into_iter()
            .flat_map(|fields| fields.values())
            .filter_map(|field| field["maxLength"].as_u64());
        limits.any(|limit| limit > ADDRESS_CHARS_MAX)
    }

    /// The path of its route, below the API version.
    pub fn path(&self) -> String {
        self.name.replace('.', "/")
    }

    /// Checks a request and runs it. The future owns its data, so it can outlive the caller.
    pub fn call(&'static self, access: Access, request: Value) -> Answering {
        (self.call)(access, request, self.request())
    }
}

/// All verbs.
pub fn all() -> &'static [Registered] {
    &VERBS
}

/// Finds a verb by name, or suggests the one probably meant.
pub fn find(name: &str) -> Result<&'static Registered, Problem> {
    let found = VERBS.iter().find(|verb| verb.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = VERBS.iter().map(|verb| verb.name).collect();
        // The command line has some verbs under their last word alone: `health`, `grant`.
        let last = |known: &&&str| known.rsplit('.').next() == Some(name);
        let likely: Vec<&str> = names.iter().filter(last).copied().collect();
        let hint = match likely.as_slice() {
            [] => suggestion(name, &names),
            _ => format!("did you mean `{}`", likely.join("` or `")),
        };
        Problem::new(
            "unknown_verb",
            format!("there is no verb `{}`", name.escape_debug()),
        )
        .with_hint(hint)
    })
}

/// Parses a request.
pub fn parse(text: &str) -> Result<Value, Problem> {
    parse_value("the request", text)
}

async fn answered<V: Verb>(
    access: Access,
    request: Value,
    schema: &'static Value,
) -> Result<Answer, Problem> {
    let needs = Needs::of::<V>();
    access.may_call(&needs).await?;
    let request = match read_by::<V>(schema, &access.options().redactor, request) {
        Ok(request) => request,
        Err(fault) => return Err(access.fault(&needs, fault).await),
    };
    let answer = access.answer(request).await?;
    let (is_empty, fault) = (V::is_empty(&answer), V::fault(&answer, access.key()));
    let json = serde_json::to_string(&answer).map_err(|error| {
        Problem::new("internal_error", format!("the answer is not JSON: {error}"))
    })?;
    Ok(Answer {
        json,
        is_empty,
        fault,
    })
}

#[cfg(test)]
mod tests;
