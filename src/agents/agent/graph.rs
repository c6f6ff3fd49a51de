//! The state machine: which node does what, and which comes next.

use std::sync::Arc;

use serde_json::{Value, json};

use super::calculator::expression_in;
use super::events::TurnLog;
use super::plan::{AnswerForm, Mode, Numbers, plan};
use super::router::route;
use super::tools::{Calculator, MemorySearch, Source, Tool};
use super::turn::{Node, Turn};
use super::work::Step;
use super::{cot, critic, react, referee, tree};
use crate::model::inject::{InjectionMode, with_block};
use crate::model::{Budget, Message, Metered, Model, Prices, Spent};
use crate::roles::shown::{AdviceUse, advice_block, block};
use crate::roles::{Learned, Options, Pipeline, Shown, Trace, generator, rules};
use hindlore::{AppliedDelta, Engine, EngineResult, Injection, RetrieveRequest};
use hindlore_domain::memory::delta::DeltaId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::{QUERY_MAX_CHARS, Query};

/// How an agent works.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentOptions {
    /// Where memory goes in a prompt.
    pub injection: InjectionMode,
    /// Bullets that memory returns.
    pub top_k: usize,
    /// The numbers of plans.
    pub numbers: Numbers,
    /// Whether a model judges where nothing else does.
    pub judges: bool,
    /// Whether memory is read.
    pub remembers: bool,
    /// Whether the memories of the learner that hold everywhere are read, too.
    pub include_shared: bool,
    /// Whether a turn is learned from.
    pub learns: bool,
    /// The budget of a turn.
    pub budget: Budget,
    /// The price of tokens.
    pub prices: Prices,
    /// How it learns.
    pub learning: Options,
    /// When the general advice of the memory goes into a prompt.
    pub advice: AdviceUse,
    /// The operator's own system prompt, before the messages of each prompt; neither kept nor learned from.
    pub system: Option<String>,
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self {
            injection: InjectionMode::default(),
            top_k: 6,
            numbers: Numbers::default(),
            judges: true,
            remembers: true,
            include_shared: false,
            learns: true,
            budget: Budget::default(),
            prices: Prices::default(),
            learning: Options::default(),
            advice: AdviceUse::default(),
            system: None,
        }
    }
}

/// An agent on one memory.
pub struct Agent {
    engine: Engine,
    key: MemoryKey,
    model: Option<Arc<dyn Model>>,
    options: AgentOptions,
    tools: Vec<Arc<dyn Tool>>,
    sources: Vec<Source>,
    shape: fn(&AppliedDelta) -> Value,
}

impl Agent {
    /// An agent with the tools that every one has; one that reads no memory cannot search it either. `shape` writes the receipt of a delta as the surface shows it.
    pub fn new(
        (engine, key): (Engine, MemoryKey),
        model: Option<Arc<dyn Model>>,
        options: AgentOptions,
        shape: fn(&AppliedDelta) -> Value,
    ) -> Self {
        let mut tools: Vec<Arc<dyn Tool>> = vec![Arc::new(Calculator)];
        if options.remembers {
            tools.push(Arc::new(MemorySearch {
                engine: engine.clone(),
                key: key.clone(),
            }));
        }
        Self {
            engine,
            key,
            model,
            options,
            tools,
            sources: Vec::new(),
            shape,
        }
    }

    /// Adds tools of a program; a server among them is opened when a turn needs tools.
    pub fn with_sources(self, sources: Vec<Source>) -> Self {
        Self { sources, ..self }
    }

    /// Runs a turn to its end. `keep` saves the state after each node; a turn that is passed to this function again
    /// continues after the last one that was saved.
    ///
    /// # Errors
    /// Those of the store, and of `keep`.
    pub async fn run<E: From<hindlore::EngineError>>(
        &self,
        turn: &mut Turn,
        mut keep: impl FnMut(&Turn) -> Result<(), E>,
    ) -> Result<(), E> {
        while turn.node != Node::End {
            self.step(turn).await?;
            keep(turn)?;
        }
        Ok(())
    }

    /// Runs the next node.
    pub async fn step(&self, turn: &mut Turn) -> EngineResult<()> {
        let metered = self.metered(turn.spent);
        let model = metered.as_ref().map(|metered| metered as &dyn Model);
        match turn.node {
            Node::Router => self.route(turn).await?,
            Node::Planner => turn.node = Node::Solver,
            Node::Solver => self.solve(model, turn).await,
            Node::Critic => criticise(turn),
            Node::Referee => self.judge(model, turn).await,
            Node::Learning => self.learn(model, turn).await?,
            Node::End => {}
        }
        if let Some(metered) = &metered {
            turn.spent = metered.spent();
        }
        Ok(())
    }

    fn metered(&self, spent: Spent) -> Option<Metered> {
        let model = self.model.clone()?;
        Some(Metered::going_on(
            model,
            (self.options.prices, self.options.budget),
            spent,
        ))
    }

    async fn route(&self, turn: &mut Turn) -> EngineResult<()> {
        let mode = route(turn.question_alone(), turn.preset);
        turn.plan = Some(plan(mode, &self.options.numbers));
        turn.node = Node::Planner;
        if !self.options.remembers {
            return Ok(());
        }
        let text: String = turn.question().chars().take(QUERY_MAX_CHARS).collect();
        let query = Query {
            top_k: self.options.top_k.max(1),
            topic: None,
            ..Query::new(text)
        };
        let request = RetrieveRequest {
            inject: Injection::All,
            include_shared: self.options.include_shared,
            with_advice: true,
            ..RetrieveRequest::new(query)
        };
        let found = self.engine.retrieve(&self.key, request).await?;
        let advice = found.meta_strategies.iter();
        let advice = advice.map(|one| one.content.as_str().to_owned());
        if self.options.advice.applies(found.bullets.len()) {
            turn.advice = advice.collect();
        }
        turn.shown = Some(found.bullets.iter().map(Shown::from).collect());
        turn.retrieval = found.retrieval;
        TurnLog(&self.engine).loaded(turn);
        Ok(())
    }

    async fn solve(&self, model: Option<&dyn Model>, turn: &mut Turn) {
        turn.node = Node::Critic;
        let Some(model) = model else {
            return self.solve_by_rules(turn).await;
        };
        let prompt = self.prompt(turn);
        let log = TurnLog(&self.engine);
        let failed = match turn.mode() {
            Mode::Cot => cot::solve(model, turn, &prompt, log)
                .await
                .err()
                .map(|error| error.to_string()),
            Mode::Tot => tree::solve(model, turn, &prompt, log)
                .await
                .err()
                .map(|why| why.to_string()),
            Mode::React => react::solve(model, &self.tools(turn).await, turn, &prompt, log)
                .await
                .err()
                .map(|why| why.to_string()),
        };
        if let Some(why) = failed {
            turn.notes
                .push(format!("the model did not answer, the rules did: {why}"));
            self.solve_by_rules(turn).await;
        }
    }

    /// The agent's own tools and those of its sources. A source that fails is noted, and the others are used.
    async fn tools(&self, turn: &mut Turn) -> Vec<Arc<dyn Tool>> {
        let mut tools = self.tools.clone();
        for source in &self.sources {
            match source.tools(&self.key).await {
                Ok(more) => tools.extend(more),
                Err(why) => turn
                    .notes
                    .push(format!("the tools of {source:?} cannot be used: {why}")),
            }
        }
        tools
    }

    /// The caller's messages with memory among them, after the operator's system prompt.
    fn prompt(&self, turn: &Turn) -> Vec<Message> {
        let parts: Vec<String> = generator::recent(&turn.reflections)
            .chain([block(turn.bullets()), advice_block(&turn.advice)])
            .filter(|part| !part.is_empty())
            .collect();
        let own = self.options.system.as_deref().map(Message::system);
        let messages: Vec<Message> = own.into_iter().chain(turn.messages.clone()).collect();
        with_block(&messages, &parts.join("\n"), self.options.injection)
    }

    /// The answer without a model: a calculation, a remembered answer, or the matching bullets.
    async fn solve_by_rules(&self, turn: &mut Turn) {
        if let Some(expression) = expression_in(turn.question()) {
            let result = Calculator.call(&expression).await;
            turn.steps.push(Step {
                thought: String::new(),
                tool: Calculator.name().to_owned(),
                input: expression,
                failed: result.is_err(),
                result: result.clone().unwrap_or_else(|why| why),
            });
            if let Ok(value) = result {
                turn.raw = value;
                return;
            }
        }
        if let Some((answer, id)) = rules::answer(turn.question(), turn.bullets()) {
            turn.raw = answer;
            turn.cited = vec![id];
            return;
        }
        let known: Vec<&str> = turn
            .bullets()
            .iter()
            .map(|one| one.content.as_str())
            .collect();
        turn.raw = known.join("\n");
    }

    async fn judge(&self, model: Option<&dyn Model>, turn: &mut Turn) {
        turn.node = if self.options.learns {
            Node::Learning
        } else {
            Node::End
        };
        if let Some(verdict) = referee::known(turn) {
            turn.verdict = Some(verdict);
        } else if let Some(model) = model.filter(|_| self.options.judges && !turn.answer.is_empty())
        {
            referee::judge(model, turn).await;
        }
    }

    async fn learn(&self, model: Option<&dyn Model>, turn: &mut Turn) -> EngineResult<()> {
        let pipeline = Pipeline {
            engine: &self.engine,
            key: &self.key,
            model,
            options: &self.options.learning,
        };
        // The same turn is the same delta, whichever process ends it.
        let id = DeltaId::derive(&["turn", &turn.id]);
        let progress = turn.reflections.join("\n");
        let learned = pipeline
            .learn(&trace_of(turn), id, (turn.topic.as_deref(), &progress))
            .await?;
        turn.reflection.clone_from(&learned.reflection);
        turn.refused.extend(learned.refused.iter().cloned());
        turn.notes.extend(learned.notes.iter().cloned());
        turn.learned = Some(self.receipt(&learned));
        turn.node = Node::End;
        Ok(())
    }

    fn receipt(&self, learned: &Learned) -> Value {
        json!({
            "reflector": learned.reflector,
            "curator": learned.curator,
            "takeaways": learned.takeaways,
            "rejected": learned.rejected,
            "reasoning": learned.reasoning,
            "changes": learned.changes(),
            "notes": learned.notes,
            "receipt": learned.applied.as_ref().map(self.shape),
        })
    }
}

fn criticise(turn: &mut Turn) {
    let used = critic::used_in(&turn.raw);
    let form = turn.plan.map(|plan| plan.form).unwrap_or_default();
    turn.answer = match form {
        AnswerForm::LastLine => critic::answer_in(&turn.raw),
        AnswerForm::Whole => turn.raw.trim().to_owned(),
    };
    turn.cited.extend(used);
    turn.cited = generator::known(turn.bullets(), &turn.cited);
    turn.node = Node::Referee;
}

/// A turn as the roles see it.
fn trace_of(turn: &Turn) -> Trace {
    let mut messages = turn.messages.clone();
    for step in &turn.steps {
        messages.push(Message::assistant(format!(
            "{} {}({})",
            step.thought, step.tool, step.input
        )));
        messages.push(Message::tool(step.result.as_str()));
    }
    let verdict = turn.verdict.as_ref();
    let said = verdict.and_then(referee::said);
    Trace {
        question: turn.question().to_owned(),
        answer: turn.answer.clone(),
        ground_truth: turn.known.ground_truth.clone(),
        feedback: turn.known.feedback.clone().or(said),
        success: verdict.and_then(|verdict| verdict.success),
        messages,
        rubrics: turn.known.rubrics.clone(),
        shown: turn.bullets().to_vec(),
        cited: turn.cited.clone(),
    }
}
