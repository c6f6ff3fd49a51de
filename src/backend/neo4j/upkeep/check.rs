//! The integrity check of a whole store: the schema, then references and numbers, memory by memory.

use std::collections::HashSet;

use crate::bolt::values::{Map, count};
use crate::bolt::work::send;
use crate::error::{Result, unended_copy};
use crate::schema;
use crate::statements::{ORPHANS, UNFINISHED};
use crate::store::Neo4jStore;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::bullet::BulletId;
use hindlore_store::{
    ErrorKind, EventRecord, Finding, LessonStore, MaintenanceStore, MemoryCopy, RecordStore,
    StoreResult,
};

/// Findings of one memory at most; more would add nothing.
const FINDINGS_MAX: usize = 100;

/// The advice for a memory with an unreadable property.
const UNREADABLE: &str = "put the property of its ContextScope back as it was, or erase the memory and copy it in from a sound copy";

/// Runs all checks; a sound store has no findings.
pub(super) async fn check(store: &Neo4jStore) -> StoreResult<Vec<Finding>> {
    let mut findings = Vec::new();
    if let Err(failure) = schema::judge(&store.executor, store.migrations()).await {
        let error = store.store_error("check", failure);
        findings.push(finding("the schema", error.to_string()));
    }
    for tenant in store.tenants().await? {
        for summary in store.memories(&tenant, None).await? {
            let subject = summary.key.to_string();
            if let Err(what) = &summary.head {
                findings.push(broken(subject, format!("{what}; {UNREADABLE}")));
                continue;
            }
            let copy = match store.copy_out(&summary.key).await {
                Ok(Some(copy)) => copy,
                Ok(None) => continue,
                Err(error) if error.kind() == ErrorKind::Damaged => {
                    findings.push(broken(subject, error.to_string()));
                    continue;
                }
                Err(error) => return Err(error),
            };
            let found = integrity_errors(&copy).into_iter().take(FINDINGS_MAX);
            findings.extend(found.map(|what| finding(&subject, what)));
        }
        findings.extend(lessons(store, &tenant).await?);
        findings.extend(records(store, &tenant).await?);
        findings.extend(unfinished(store, &tenant).await?);
    }
    findings.extend(orphans(store).await?);
    Ok(findings)
}

/// Finds nodes that have lost their memory or their learner. They are searched by property: no path need lead to them.
async fn orphans(store: &Neo4jStore) -> StoreResult<Vec<Finding>> {
    let of = Map::new().with("limit", count(FINDINGS_MAX));
    let rows = send(&store.executor, ORPHANS, of).await;
    let found = rows.and_then(|rows| {
        let found = rows.iter().map(|row| {
            let (tenant, learner): (String, String) = (row.get("tenant")?, row.get("learner")?);
            let scope: Option<String> = row.get("scope")?;
            let (lacking, nodes): (String, u64) = (row.get("lacking")?, row.get("nodes")?);
            let subject = match scope {
                Some(scope) => format!("{tenant}/{learner}/{scope}"),
                None => format!("{tenant}/{learner}"),
            };
            let message = format!(
                "{nodes} records name a {lacking} whose node is gone; `hindlore doctor repair` makes it again from \
                 them, `hindlore erase` takes away what is left of it"
            );
            Ok(broken(subject, message))
        });
        found.collect::<Result<Vec<_>>>()
    });
    found.map_err(|failure| store.store_error("check", failure))
}

/// Finds unfinished copies and erases of a tenant.
async fn unfinished(store: &Neo4jStore, tenant: &str) -> StoreResult<Vec<Finding>> {
    let of = Map::new().with("tenant", tenant);
    let rows = send(&store.executor, UNFINISHED, of).await;
    let found = rows.and_then(|rows| {
        let mut found = Vec::new();
        for row in rows {
            let learner: String = row.get("learner")?;
            let scopes = row.get::<Vec<String>>("scopes")?.into_iter();
            let mut copied: Vec<String> = scopes
                .map(|scope| format!("{tenant}/{learner}/{scope}"))
                .collect();
            if row.get("lessons")? {
                copied.push(format!("the lessons of {tenant}/{learner}"));
            }
            let finding = |subject| broken(subject, unended_copy("it"));
            found.extend(copied.into_iter().map(finding));
            if row.get("erasing")? {
                let message =
                    "an erasure has not ended; wait for it, or erase again where it was cut off";
                found.push(broken(format!("{tenant}/{learner}"), message));
            }
        }
        Result::<_>::Ok(found)
    });
    found.map_err(|failure| store.store_error("check", failure))
}

/// Checks the lessons of a tenant's learners.
async fn lessons(store: &Neo4jStore, tenant: &str) -> StoreResult<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut names = store.lesson_learners(tenant, None).await?;
    while let Some(last) = names.last().cloned() {
        for name in &names {
            let Ok(owner) = LearnerId::new(tenant, name) else {
                continue;
            };
            let wrong = store.wrong_lessons(&owner).await?;
            let wrong = wrong.into_iter().take(FINDINGS_MAX);
            findings.extend(wrong.map(|what| Finding {
                lessons_of: Some(owner.clone()),
                ..broken(format!("the lessons of {tenant}/{name}"), what)
            }));
        }
        names = store.lesson_learners(tenant, Some(&last)).await?;
    }
    Ok(findings)
}

/// Checks the records of a tenant's learners.
async fn records(store: &Neo4jStore, tenant: &str) -> StoreResult<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut names = store.record_owners(tenant, None).await?;
    while let Some(last) = names.last().cloned() {
        for name in &names {
            let Ok(owner) = LearnerId::new(tenant, name) else {
                continue;
            };
            let wrong = store.wrong_records(&owner, FINDINGS_MAX).await?;
            let subject = format!("the records of {tenant}/{name}");
            findings.extend(wrong.into_iter().map(|what| broken(subject.as_str(), what)));
        }
        names = store.record_owners(tenant, Some(&last)).await?;
    }
    Ok(findings)
}

fn finding(subject: &str, what: String) -> Finding {
    let message = format!(
        "{what}; copy the memory back in from a sound copy, or let `hindlore doctor adopt --rebase --reason WHY \
         --yes` begin its history anew"
    );
    broken(subject, message)
}

/// A finding that must be repaired.
fn broken(subject: impl Into<String>, message: impl Into<String>) -> Finding {
    Finding {
        is_error: true,
        subject: subject.into(),
        lessons_of: None,
        message: message.into(),
    }
}

/// Everything that is wrong with a memory.
fn integrity_errors(copy: &MemoryCopy) -> Vec<String> {
    let bullets: HashSet<BulletId> = copy.state.bullets.iter().map(|b| b.id).collect();
    let mut found = Vec::new();
    for id in named(copy).filter(|id| !bullets.contains(id)) {
        found.push(format!("{id} is named and is no bullet"));
    }
    let positions: HashSet<u64> = copy.state.bullets.iter().map(|b| b.position).collect();
    if positions.len() != bullets.len() {
        found.push("two bullets have the same place".to_owned());
    }
    found.extend(numbers(copy));
    found
}

fn named(copy: &MemoryCopy) -> impl Iterator<Item = BulletId> {
    let links = copy.state.links.iter().flat_map(|l| [l.id.from, l.id.to]);
    let merged = copy.state.bullets.iter().filter_map(|b| b.merged_into);
    let compacted = copy.compacted.iter().map(|(id, _)| *id);
    links.chain(merged).chain(compacted)
}

/// Checks that events, clock and revision agree.
fn numbers(copy: &MemoryCopy) -> Vec<String> {
    let mut found = Vec::new();
    let head = &copy.state.head;
    // A replay reads nothing before the newest checkpoint.
    let newest = copy.checkpoints.iter().map(|c| &c.state.head.position);
    let newest = newest.max_by_key(|position| position.clock);
    let floor = newest
        .map_or(0, |newest| newest.clock)
        .max(head.origin_clock);
    let before = newest.map(|newest| newest.revision);
    let revisions = copy.events.iter().filter_map(|event| match event {
        EventRecord::Delta(delta) => Some(delta.revision).filter(|one| Some(*one) > before),
        EventRecord::Retrieval(_) => None,
    });
    if !revisions.eq(before.map_or(0, |before| before + 1)..=head.position.revision) {
        found.push(format!(
            "the revision is {} and its deltas are not numbered up to it",
            head.position.revision
        ));
    }
    let ticks = copy.events.iter().map(EventRecord::tick);
    let ticks = ticks.filter(|tick| *tick > floor);
    if !ticks.eq(floor + 1..=head.position.clock) {
        found.push(format!(
            "the clock is {} and its events after {floor} are not numbered up to it",
            head.position.clock
        ));
    }
    let changed = copy.state.bullets.iter().map(|b| b.changed_tick);
    let changed = changed.chain(copy.state.links.iter().map(|l| l.changed_tick));
    let last = changed.max().unwrap_or(0);
    if last > head.position.clock {
        found.push(format!(
            "a bullet or link was changed at tick {last}, the clock is {}",
            head.position.clock
        ));
    }
    found
}
