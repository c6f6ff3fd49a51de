//! The three memories with bullets: engines over their own stores.

use std::collections::HashSet;
use std::time::Instant;

use super::result::{Held, judged, mean, means, near_duplicates};
use super::trace::{Step, Trace};
use crate::temp_store::TempStore;
use hindlore::{Engine, EngineOptions, MemoryView, RetrieveRequest};
use hindlore_api::problem::Problem;
use hindlore_api::prompt::{PromptBullet, PromptLimits, as_prompt};
use hindlore_api::responses::compared::{ComparedAnswer, ComparedMemory, ComparedText};
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::delta::{Delta, DeltaId, Operation, Removal};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::link::LinkKind;
use hindlore_domain::memory::policy::{Policy, Profile, Rates};
use hindlore_domain::memory::query::Query;

/// Default bullet limit of the baseline: that of the original programs.
const BASELINE_MAX: u64 = 100;

/// Kind of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// Before decay.
    Baseline,
    /// With decay, as in the original programs.
    Classic,
    /// This engine.
    Engine,
}

impl Family {
    /// All, oldest first.
    pub(super) const ALL: [Self; 3] = [Self::Baseline, Self::Classic, Self::Engine];

    fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Classic => "classic",
            Self::Engine => "engine",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Baseline => "word overlap and the share of helpful votes; nothing fades",
            Self::Classic => "word overlap and strength that fades; merges all similar texts",
            Self::Engine => "this engine: merge guard, relevance first, votes count",
        }
    }

    fn policy(self, max_bullets: Option<u64>) -> Policy {
        let policy = match self {
            Self::Baseline => Policy {
                profile: Profile::Baseline,
                rates: Rates {
                    semantic: 0.0,
                    episodic: 0.0,
                    procedural: 0.0,
                },
                ..Policy::classic()
            },
            Self::Classic => Policy::classic(),
            Self::Engine => Policy::default(),
        };
        Policy {
            max_bullets: match self {
                // The baseline prunes here, by a rule the domain does not have.
                Self::Baseline => None,
                _ => max_bullets.or(policy.max_bullets),
            },
            ..policy
        }
    }
}

/// A memory during a trace.
pub(super) struct BulletMemory {
    family: Family,
    engine: Engine,
    key: MemoryKey,
    baseline_max: u64,
    learn_ms: Vec<f64>,
    answers: Vec<ComparedAnswer>,
}

impl BulletMemory {
    /// An empty memory in its own store.
    pub(super) fn new(
        family: Family,
        temp: &TempStore,
        max_bullets: Option<u64>,
    ) -> Result<Self, Problem> {
        let options = EngineOptions {
            instance: "compare".to_owned(),
            policy: family.policy(max_bullets),
            // The other memories have no seed bullets.
            seeds: false,
            // Nor are theirs consolidated.
            consolidate_above: None,
            ..EngineOptions::default()
        };
        Ok(Self {
            family,
            engine: temp.engine(&format!("{}.db", family.name()), options)?,
            // The same key everywhere, so that the same lesson has the same id in every memory.
            key: MemoryKey::new("default", "compare", "default")?,
            baseline_max: max_bullets.unwrap_or(BASELINE_MAX),
            learn_ms: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Takes one step; conversation is not remembered.
    pub(super) async fn take(&mut self, number: usize, step: &Step) -> Result<(), Problem> {
        match step {
            Step::Say { .. } => Ok(()),
            Step::Learn(delta) => {
                let began = Instant::now();
                self.engine.apply_delta(&self.key, delta.clone()).await?;
                if self.family == Family::Baseline {
                    self.prune_baseline(number).await?;
                }
                self.learn_ms.push(began.elapsed().as_secs_f64() * 1000.0);
                Ok(())
            }
            Step::Ask {
                query,
                top_k,
                right,
            } => self.ask(query, *top_k, right).await,
        }
    }

    async fn ask(&mut self, text: &str, top_k: usize, right: &[String]) -> Result<(), Problem> {
        let query = Query {
            top_k,
            ..Query::new(text)
        };
        let began = Instant::now();
        let request = RetrieveRequest::new(query);
        let retrieved = self.engine.retrieve(&self.key, request).await?;
        let found = retrieved.bullets.iter().map(|found| &found.bullet);
        let bullets: Vec<PromptBullet<'_>> = found.map(PromptBullet::from_bullet).collect();
        let prompt = as_prompt(&bullets, PromptLimits::default());
        let ms = began.elapsed().as_secs_f64() * 1000.0;
        let places = (1..)
            .zip(&retrieved.bullets)
            .map(|(rank, found)| ComparedText {
                rank,
                id: found.bullet.id.to_string(),
                content: found.bullet.content.as_str().to_owned(),
                score: Some(found.hit.score),
            });
        let answer = ComparedAnswer::new(text, places.collect(), &prompt.text, ms);
        self.answers.push(answer.judged_by(right));
        Ok(())
    }

    /// Removes the bullets that the memory before decay would have forgotten.
    async fn prune_baseline(&self, number: usize) -> Result<(), Problem> {
        let Some(view) = self.engine.view(&self.key).await? else {
            return Ok(());
        };
        let active: Vec<&Bullet> = view.bullets.iter().filter(|b| b.is_active()).collect();
        let forgotten = forgotten(active, self.baseline_max);
        if forgotten.is_empty() {
            return Ok(());
        }
        let operations = forgotten.into_iter().map(|bullet| {
            Operation::Remove(Removal {
                id: bullet.id.into(),
                reason: Some("the weakest by ratio and helpful votes".to_owned()),
            })
        });
        let id = DeltaId::derive(&["compare", "prune", &number.to_string()]);
        let delta = Delta::new(id, operations.collect());
        self.engine.apply_delta(&self.key, delta).await?;
        Ok(())
    }

    /// The figures of the trace.
    pub(super) async fn finish(self, trace: &Trace) -> Result<ComparedMemory, Problem> {
        let view = self.engine.view(&self.key).await?;
        let all = view.as_ref().map_or(&[][..], |view| &view.bullets[..]);
        let active: Vec<&str> = all
            .iter()
            .filter(|bullet| bullet.is_active())
            .map(|bullet| bullet.content.as_str())
            .collect();
        let held = Held {
            texts: active.iter().copied().collect(),
            marked: view.as_ref().map_or_else(HashSet::new, marked),
        };
        let (prompt_chars, prompt_tokens, retrieve_ms) = means(&self.answers);
        Ok(ComparedMemory {
            memory: self.family.name(),
            about: self.family.about(),
            size: active.len(),
            put_away: all.len() - active.len(),
            judged: judged(&trace.pairs, &self.answers, &held),
            near_duplicates: near_duplicates(active.into_iter()),
            kept_apart: view.as_ref().map_or(0, kept_apart),
            prompt_chars,
            prompt_tokens,
            learn_ms: mean(self.learn_ms.into_iter()),
            retrieve_ms,
            answers: self.answers,
        })
    }
}

/// Bullets beyond the limit: lowest share of helpful votes first, then fewest, then latest.
fn forgotten(mut active: Vec<&Bullet>, limit: u64) -> Vec<&Bullet> {
    #[allow(clippy::cast_precision_loss)]
    let ratio = |bullet: &Bullet| {
        let (helpful, harmful) = (bullet.counts.helpful as f64, bullet.counts.harmful as f64);
        if helpful + harmful > 0.0 {
            helpful / (helpful + harmful)
        } else {
            0.5
        }
    };
    active.sort_by(|a, b| {
        let by_ratio = ratio(b).total_cmp(&ratio(a));
        by_ratio.then_with(|| b.counts.helpful.cmp(&a.counts.helpful))
    });
    let kept = usize::try_from(limit).unwrap_or(usize::MAX);
    active.split_off(kept.min(active.len()))
}

/// The texts of each pair that is linked as a contradiction.
fn marked(view: &MemoryView) -> HashSet<(&str, &str)> {
    let text_of = |id: BulletId| {
        let mut bullets = view.bullets.iter();
        let found = bullets.find(|bullet| bullet.id == id);
        found.map(|bullet| bullet.content.as_str())
    };
    let conflicts = view.links.iter();
    let conflicts = conflicts.filter(|link| link.id.kind == LinkKind::ConflictsWith);
    conflicts
        .filter_map(|link| Some((text_of(link.id.from)?, text_of(link.id.to)?)))
        .collect()
}

fn kept_apart(view: &MemoryView) -> usize {
    let apart = [LinkKind::ConflictsWith, LinkKind::SimilarTo];
    let links = view.links.iter();
    links.filter(|link| apart.contains(&link.id.kind)).count()
}
