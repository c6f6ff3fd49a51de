//! Command `retrieve`: the bullets that answer a query, with the reasons, or as text for a prompt.

use super::CommandResult;
use crate::api::nearest::suggestion;
use crate::api::problem::Problem;
use crate::api::prompt::{Prompt, PromptBullet, as_context, as_playbook, as_prompt};
use crate::api::shapes::RetrievalShown;
use crate::cli::args::retrieve::{PromptForm, RetrieveArgs, TopicChoice};
use crate::cli::output::{Outcome, retrieval};
use crate::cli::session::Session;
use crate::domain::memory::bullet::MemoryType;
use crate::domain::memory::policy::Profile;
use crate::domain::memory::query::{Query, TOP_K_DEFAULT, TopicMode};
use crate::engine::{RetrieveRequest, Retrieved};

/// Retrieves.
pub(crate) async fn run(session: &Session, args: RetrieveArgs) -> CommandResult {
    let request = request(&args)?;
    let memory = match args.peek {
        true => session.open_there()?,
        false => session.open()?,
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
    let shown = RetrievalShown {
        beyond_budget,
        prompt: prompt.clone().map(Into::into),
        ..RetrievalShown::of(retrieved, args.peek)
    };
    let is_found = !shown.results.is_empty();
    if shown.beyond_budget > 0 {
        let count = shown.beyond_budget;
        session
            .output
            .note(&format!("{count} more bullets are beyond the budget"));
    }
    match prompt {
        Some(prompt) if !session.output.is_json() => session.output.raw(prompt.text.as_bytes())?,
        _ => session
            .output
            .show(&shown, |page| retrieval::answer(page, &shown))?,
    }
    Ok(Outcome::found(is_found))
}

fn request(args: &RetrieveArgs) -> Result<RetrieveRequest, Problem> {
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
        ..Query::new(args.query.join(" "))
    };
    Ok(RetrieveRequest {
        query,
        peek: args.peek,
        strict: args.strict,
        include_shared: args.include_shared,
        // What a budget leaves over is known only once there is an answer.
        inject: args.prompt.is_some() && args.budget.is_none(),
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

/// The returned bullets, then the planted advice.
fn prompt(retrieved: &Retrieved, form: PromptForm, budget: Option<usize>) -> Prompt {
    let found = retrieved.bullets.iter().map(|found| &found.bullet);
    let bullets: Vec<PromptBullet<'_>> = found
        .chain(&retrieved.meta_strategies)
        .map(PromptBullet::of)
        .collect();
    match form {
        PromptForm::Numbered => as_prompt(&bullets, budget),
        PromptForm::Playbook => as_playbook(&bullets, budget),
        PromptForm::Context => as_context(&bullets, budget),
    }
}
