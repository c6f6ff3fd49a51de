//! The events of the demonstration, step by step, and their results.

use super::Stage;
use super::texts::{
    CLEANUP, CLEANUP_TEXT, LESSONS, Lesson, PLAYBOOK, QUERY, TOP_K, delta, delta_of,
};
use hindlore::{
    AppliedDelta, Feedback, ImportDelta, ImportRequest, MemoryView, RetrieveRequest, Retrieved,
    Verdict,
};
use hindlore_api::import::{Format, parse};
use hindlore_api::problem::Problem;
use hindlore_api::responses::demo::{DemoEvent, DemoFailures, DemoRank, DemoResponse, DemoStep};
use hindlore_api::responses::{DeltaApplied, RetrievalResponse};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{DeltaId, Operation, Patch, Removal};
use hindlore_domain::memory::query::Query;
use hindlore_store::EventRecord;

/// Maximum events shown.
const EVENTS_MAX: usize = 100;

/// The whole story.
pub(crate) struct Story {
    pub(super) key: String,
    pub(super) scope: String,
    pub(super) store: Option<String>,
    pub(super) read: u64,
    pub(super) imported: DeltaApplied,
    /// Active bullets after the import.
    pub(super) active: u64,
    pub(super) lessons: Vec<Learned>,
    pub(super) first: Retrieved,
    pub(super) helped: BulletId,
    pub(super) harmed: BulletId,
    pub(super) feedback: Vec<DeltaApplied>,
    pub(super) second: Retrieved,
    pub(super) ranks: Vec<RankChange>,
    pub(super) events: Vec<Event>,
    pub(super) undo: Undone,
}

/// A lesson and its result.
pub(super) struct Learned {
    pub(super) lesson: &'static Lesson,
    pub(super) applied: DeltaApplied,
    /// The playbook bullet it met.
    pub(super) met: Option<String>,
    /// Active bullets afterwards.
    pub(super) active: u64,
}

/// Rank of a bullet before and after the feedback.
pub(super) struct RankChange {
    pub(super) id: BulletId,
    pub(super) content: String,
    pub(super) before: Option<(usize, f64)>,
    pub(super) after: Option<(usize, f64)>,
}

/// One event of the history.
pub(super) struct Event {
    pub(super) tick: u64,
    pub(super) what: &'static str,
    pub(super) revision: Option<u64>,
    pub(super) text: String,
}

/// An undone delta, with the content digests before and after.
pub(super) struct Undone {
    pub(super) delta: DeltaId,
    pub(super) before: String,
    pub(super) changed: String,
    pub(super) restored: String,
    pub(super) digest: String,
    pub(super) revision: u64,
    pub(super) clock: u64,
}

/// Runs the story.
pub(crate) async fn tell(stage: &Stage<'_>) -> Result<Story, Problem> {
    let (read, imported) = import(stage).await?;
    let active = view(stage).await?.status_counts.active;
    let mut lessons = Vec::new();
    for lesson in &LESSONS {
        lessons.push(learn(stage, lesson).await?);
    }
    let first = ask(stage).await?;
    let harmed = kept_apart(&lessons)?;
    let best = first.bullets.iter().find(|found| found.bullet.id != harmed);
    let helped = best
        .ok_or_else(|| broken("the question found nothing"))?
        .bullet
        .id;
    let feedback = judge(stage, &first, helped, harmed).await?;
    let second = ask(stage).await?;
    let ranks = rank_changes(&first, &second);
    let undo = undo(stage, helped).await?;
    let events = events(stage).await?;
    Ok(Story {
        key: stage.key.to_string(),
        scope: stage.key.scope().to_owned(),
        store: stage.store.map(str::to_owned),
        read,
        imported,
        active,
        lessons,
        first,
        helped,
        harmed,
        feedback,
        second,
        ranks,
        events,
        undo,
    })
}

async fn import(stage: &Stage<'_>) -> Result<(u64, DeltaApplied), Problem> {
    let format = Format::AcePlaybook;
    let id = DeltaId::from_import(PLAYBOOK.as_bytes(), format.word(), &stage.key);
    let file = parse(format, PLAYBOOK.as_bytes(), &stage.key, &id)?;
    let records = file.records.into_iter();
    let request = ImportRequest {
        file: None,
        is_known_file: false,
        delta: ImportDelta::first(id),
        operations: records.map(|record| record.operation).collect(),
        policy: None,
        is_whole_memory: false,
        lenient: false,
        author: None,
        reasoning: Some("the playbook of the demonstration".to_owned()),
    };
    let imported = stage.engine.import(&stage.key, request).await?;
    Ok((file.read, shown(imported.applied)))
}

async fn learn(stage: &Stage<'_>, lesson: &'static Lesson) -> Result<Learned, Problem> {
    let mut delta = delta_of(lesson.delta, lesson.text, lesson.votes)?;
    delta.reasoning = Some(format!("a lesson that is {}", lesson.shows));
    let applied = shown(stage.engine.apply_delta(&stage.key, delta).await?);
    let view = view(stage).await?;
    let merged = applied.merged.first().map(|pair| pair.into);
    let linked = applied.linked.first().map(|link| {
        if applied.added.contains(&link.from) {
            link.to
        } else {
            link.from
        }
    });
    let met = merged.or(linked);
    let met = view.bullets.iter().find(|bullet| Some(bullet.id) == met);
    Ok(Learned {
        lesson,
        met: met.map(|bullet| bullet.content.as_str().to_owned()),
        active: view.status_counts.active,
        applied,
    })
}

/// The bullet that contradicts another.
fn kept_apart(lessons: &[Learned]) -> Result<BulletId, Problem> {
    let added = lessons.last().and_then(|last| last.applied.added.first());
    added
        .copied()
        .ok_or_else(|| broken("the opposite was not kept"))
}

async fn ask(stage: &Stage<'_>) -> Result<Retrieved, Problem> {
    let query = Query {
        top_k: TOP_K,
        ..Query::new(QUERY)
    };
    Ok(stage
        .engine
        .retrieve(&stage.key, RetrieveRequest::new(query))
        .await?)
}

async fn judge(
    stage: &Stage<'_>,
    asked: &Retrieved,
    helped: BulletId,
    harmed: BulletId,
) -> Result<Vec<DeltaApplied>, Problem> {
    let retrieval = asked.retrieval.clone();
    let feedback = Feedback {
        retrieval: retrieval.ok_or_else(|| broken("the retrieval was not recorded"))?,
        verdicts: vec![(helped, Verdict::Helped), (harmed, Verdict::Harmed)],
        author: None,
    };
    let given = stage.engine.give_feedback(&stage.key, feedback).await?;
    Ok(given.applied.into_iter().map(shown).collect())
}

fn rank_changes(first: &Retrieved, second: &Retrieved) -> Vec<RankChange> {
    let place = |answer: &Retrieved, id: BulletId| {
        let at = answer
            .bullets
            .iter()
            .position(|found| found.bullet.id == id)?;
        Some((at + 1, answer.bullets[at].hit.score))
    };
    let new = second
        .bullets
        .iter()
        .filter(|found| place(first, found.bullet.id).is_none());
    first
        .bullets
        .iter()
        .chain(new)
        .map(|found| RankChange {
            id: found.bullet.id,
            content: found.bullet.content.as_str().to_owned(),
            before: place(first, found.bullet.id),
            after: place(second, found.bullet.id),
        })
        .collect()
}

async fn undo(stage: &Stage<'_>, good: BulletId) -> Result<Undone, Problem> {
    let before = view(stage).await?;
    let others = before
        .bullets
        .iter()
        .filter(|bullet| bullet.is_active() && !bullet.is_meta_strategy() && bullet.id != good);
    let mut operations: Vec<Operation> = others
        .filter(|bullet| bullet.section.as_deref() == Some("VERIFICATION"))
        .map(|bullet| {
            Operation::Remove(Removal {
                id: bullet.id.into(),
                reason: Some("tidying up".to_owned()),
            })
        })
        .collect();
    operations.push(Operation::Update(Box::new(Patch {
        content: Some(CLEANUP_TEXT.to_owned()),
        ..Patch::new(good)
    })));
    let mut cleanup = delta(CLEANUP, operations)?;
    cleanup.reasoning = Some("a clean-up that nobody asked for".to_owned());
    let changed = stage.engine.apply_delta(&stage.key, cleanup).await?;
    let id = changed.receipt.delta.clone();
    let undone = stage
        .engine
        .undo_delta(&stage.key, &id, None, false)
        .await?;
    let receipt = undone.receipt;
    Ok(Undone {
        delta: id,
        before: before.content_digest,
        changed: changed.receipt.content_digest,
        restored: receipt.content_digest,
        digest: receipt.digest,
        revision: receipt.revision,
        clock: receipt.clock,
    })
}

async fn events(stage: &Stage<'_>) -> Result<Vec<Event>, Problem> {
    let events = stage.engine.events(&stage.key, 0, EVENTS_MAX).await?;
    Ok(events.iter().map(event).collect())
}

fn event(record: &EventRecord) -> Event {
    match record {
        EventRecord::Delta(delta) => Event {
            tick: delta.tick,
            what: "delta",
            revision: Some(delta.revision),
            text: match &delta.reasoning {
                Some(why) if !why.starts_with("feedback on") => why.clone(),
                Some(_) => "feedback: one helped, one harmed".to_owned(),
                None => delta.id.to_string(),
            },
        },
        EventRecord::Retrieval(retrieval) => Event {
            tick: retrieval.tick,
            what: "retrieval",
            revision: None,
            text: format!(
                "{} bullets for \"{}\"",
                retrieval.returned.len(),
                retrieval.query
            ),
        },
    }
}

async fn view(stage: &Stage<'_>) -> Result<MemoryView, Problem> {
    let view = stage.engine.view(&stage.key).await?;
    view.ok_or_else(|| broken("the memory is gone"))
}

fn shown(applied: AppliedDelta) -> DeltaApplied {
    DeltaApplied::from(applied)
}

fn broken(what: &str) -> Problem {
    Problem::new(
        "demo_broken",
        format!("the demonstration cannot continue: {what}"),
    )
    .with_hint("this is a fault of the program; report it with its version")
}

impl Story {
    /// The story as an answer, with the failures.
    pub(crate) fn answer(&self, failures: DemoFailures) -> DemoResponse {
        let mut steps = vec![DemoStep::Import {
            read: self.read,
            receipt: self.imported.clone(),
        }];
        steps.extend(self.lessons.iter().map(Learned::step));
        steps.extend([
            DemoStep::Retrieve {
                query: QUERY,
                answer: RetrievalResponse::from_retrieved(&self.first, false),
            },
            DemoStep::Feedback {
                helped: self.helped,
                harmed: self.harmed,
                receipts: self.feedback.clone(),
            },
            DemoStep::RetrieveAgain {
                query: QUERY,
                answer: RetrievalResponse::from_retrieved(&self.second, false),
                ranks: self.ranks.iter().map(RankChange::row).collect(),
            },
            self.undo.step(),
            DemoStep::History {
                events: self.events.iter().map(Event::row).collect(),
            },
        ]);
        DemoResponse {
            demo: "memory",
            memory: self.key.clone(),
            store: self.store.clone(),
            steps,
            failures,
        }
    }
}

impl Learned {
    fn step(&self) -> DemoStep {
        DemoStep::Learn {
            shows: self.lesson.shows,
            text: self.lesson.text,
            met: self.met.clone(),
            active: self.active,
            receipt: self.applied.clone(),
        }
    }
}

impl Event {
    fn row(&self) -> DemoEvent {
        DemoEvent {
            tick: self.tick,
            event: self.what,
            revision: self.revision,
            text: self.text.clone(),
        }
    }
}

impl Undone {
    /// True if the undo restored the content.
    pub(super) fn is_restored(&self) -> bool {
        self.before == self.restored && self.before != self.changed
    }

    fn step(&self) -> DemoStep {
        DemoStep::Undo {
            delta: self.delta.clone(),
            content_digest_before: self.before.clone(),
            content_digest_changed: self.changed.clone(),
            content_digest_restored: self.restored.clone(),
            is_restored: self.is_restored(),
            digest: self.digest.clone(),
            revision: self.revision,
            clock: self.clock,
        }
    }
}

impl RankChange {
    fn row(&self) -> DemoRank {
        DemoRank {
            id: self.id,
            content: self.content.clone(),
            rank_before: self.before.map(|place| place.0),
            rank_after: self.after.map(|place| place.0),
            score_before: self.before.map(|place| place.1),
            score_after: self.after.map(|place| place.1),
        }
    }
}
