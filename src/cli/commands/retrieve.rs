//! Command `retrieve`: the bullets that answer a query, with the reasons, or as text for a prompt.

use std::path::Path;

use super::CommandResult;
use crate::api::nearest::suggestion;
use crate::api::problem::Problem;
use crate::api::prompt::{
    FENCE_TOKENS, Prompt, PromptBullet, PromptLimits, as_context, as_playbook, as_prompt,
};
use crate::api::responses::RetrievalResponse;
use crate::cli::args::retrieve::{PromptForm, RetrieveArgs, TopicChoice};
use crate::cli::input;
use crate::cli::output::words::plural;
use crate::cli::output::{Outcome, retrieval};
use crate::cli::session::Session;
use crate::domain::memory::bullet::MemoryType;
use crate::domain::memory::policy::Profile;
use crate::domain::memory::query::{Query, TOP_K_DEFAULT, TopicMode};
use crate::engine::{RetrieveRequest, Retrieved};

/// Retrieves.
pub(crate) async fn run(session: &Session, args: RetrieveArgs) -> CommandResult {
    let mut request = request(&args, query_text(&args).await?)?;
    request.with_advice = args.with_advice || session.settings.switch("advice");
    let memory = if args.peek {
        session.open_there()?
    } else {
        session.open_to_ask()?
    };
    let work = memory.engine.retrieve(&memory.key, request);
    let mut retrieved = session.wait("retrieving", work).await?;
    let beyond_budget = keep_budget(&mut retrieved, &args);
    if args.prompt.is_some() && args.budget.is_some() {
        let work = memory.engine.mark_injected(&memory.key, &retrieved);
        session.wait("recording the prompt", work).await?;
    }
    let prompt = args
        .prompt
        .map(|form| prompt(&retrieved, form, args.budget));
    let shown = RetrievalResponse {
        beyond_budget,
        prompt: prompt.clone().map(Into::into),
        ..RetrievalResponse::of(retrieved, args.peek)
    };
    let is_found = !shown.results.is_empty();
    match prompt {
        Some(prompt) if !session.output.is_json() => session.output.text(&prompt.text)?,
        _ => session
            .output
            .show(&shown, |page| retrieval::answer(page, &shown))?,
    }
    if let Some(said) = beside(&shown, args.prompt.is_some()) {
        session.output.note(&said);
    }
    Ok(Outcome::found(is_found))
}

/// What was typed, or with `-` what stdin says.
async fn query_text(args: &RetrieveArgs) -> Result<String, Problem> {
    match args.query.as_slice() {
        [only] if only == "-" => {
            let text = input::text(Path::new("-")).await?;
            Ok(text.trim().to_owned())
        }
        words => Ok(words.join(" ")),
    }
}

/// What a person is told beside an answer in which something is missing. A prompt is for a program, which gets nothing
/// where nothing was found.
fn beside(shown: &RetrievalResponse, is_prompt: bool) -> Option<String> {
    let beyond = shown.beyond_budget;
    match (beyond, shown.results.is_empty()) {
        (0, false) => None,
        (0, true) => is_prompt.then(|| "nothing found".to_owned()),
        (_, true) => Some(format!(
            "{} found, and the budget has no room for any; the fence of a prompt alone takes about {FENCE_TOKENS} \
             tokens",
            plural(beyond, "bullet")
        )),
        (1, false) => Some("1 more bullet is beyond the budget".to_owned()),
        (_, false) => Some(format!("{beyond} more bullets are beyond the budget")),
    }
}

fn request(args: &RetrieveArgs, text: String) -> Result<RetrieveRequest, Problem> {
    let words = |all: &[&'static str]| all.to_vec();
    let types = [
        MemoryType::Semantic,
        MemoryType::Episodic,
        MemoryType::Procedural,
    ];
    let profiles = [
        Profile::Engine,
        Profile::Original,
        Profile::ClBench,
        Profile::Baseline,
    ];
    let memory_type = |word: &String| {
        let known = words(&types.map(MemoryType::word));
        MemoryType::from_word(word).ok_or_else(|| unknown("memory type", word, &known))
    };
    let profile = |word: &String| {
        let known = words(&profiles.map(Profile::word));
        Profile::from_word(word).ok_or_else(|| unknown("profile", word, &known))
    };
    let query = Query {
        top_k: args.top_k.unwrap_or(TOP_K_DEFAULT),
        tags: args.tags.clone(),
        memory_types: args
            .types
            .iter()
            .map(memory_type)
            .collect::<Result<_, _>>()?,
        topic: args.topic.clone(),
        topic_mode: match args.topic_mode {
            TopicChoice::Filter => TopicMode::Filter,
            TopicChoice::Boost => TopicMode::Boost,
        },
        min_score: args.min_score.unwrap_or_default(),
        needs_visual: args.visual,
        persona_request: args.persona.clone(),
        next_step: args.next_step,
        profile: args.profile.as_ref().map(profile).transpose()?,
        ..Query::new(text)
    };
    Ok(RetrieveRequest {
        query,
        peek: args.peek,
        strict: args.strict,
        include_shared: args.include_shared,
        // What a budget leaves over is known only once there is an answer.
        inject: args.prompt.is_some() && args.budget.is_none(),
        with_advice: args.with_advice,
    })
}

fn unknown(what: &str, word: &str, known: &[&str]) -> Problem {
    let message = format!("`{}` is not a {what}", word.escape_debug());
    Problem::new("invalid_usage", message).with_hint(suggestion(word, known))
}

/// Drops what the token budget has no room for, and tells how many that were.
fn keep_budget(retrieved: &mut Retrieved, args: &RetrieveArgs) -> usize {
    if args.budget.is_none() {
        return 0;
    }
    let form = args.prompt.unwrap_or(PromptForm::Numbered);
    let room = prompt(retrieved, form, args.budget).bullets;
    let room = room.min(retrieved.bullets.len());
    let beyond = retrieved.bullets.len() - room;
    retrieved.bullets.truncate(room);
    beyond
}

/// The returned bullets, then the planted advice where it was asked for.
fn prompt(retrieved: &Retrieved, form: PromptForm, budget: Option<usize>) -> Prompt {
    let found = retrieved.bullets.iter().map(|found| &found.bullet);
    let bullets: Vec<PromptBullet<'_>> = found
        .chain(&retrieved.meta_strategies)
        .map(PromptBullet::of)
        .collect();
    let limits = PromptLimits {
        budget,
        retrieval: retrieved.retrieval.as_deref(),
    };
    match form {
        PromptForm::Numbered => as_prompt(&bullets, limits),
        PromptForm::Playbook => as_playbook(&bullets, limits),
        PromptForm::Context => as_context(&bullets, limits),
    }
}
