//! The integrity checks of a file: SQLite's own, then references, event numbers and the schema.
//!
//! Each check is one query that returns no row on a sound store; its rows are the findings.

use rusqlite::Transaction;

use super::integrity_check::IntegrityCheck;
use crate::error::Result;
use crate::lessons::LessonFault;
use crate::memory::state::read_head;
use crate::{lessons, schema};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_store::Finding;

/// Findings of one check at most; more would add nothing.
const FINDINGS_MAX: usize = 100;

const FROM_COPY: &str = "copy the memory back in from a sound copy, or replay it";

const REBASE: &str = "copy the memory back in from a sound copy, or let `hindlore doctor adopt --rebase --reason WHY \
     --yes` begin its history anew";

const INTEGRITY_CHECKS: &[IntegrityCheck] = &[
    IntegrityCheck {
        query: "SELECT 'the file', quick_check FROM pragma_quick_check WHERE quick_check <> 'ok'",
        advice: "restore a backup",
    },
    IntegrityCheck {
        query: "SELECT 'table ' || \"table\", 'row ' || coalesce(rowid, '') || ' has no ' || parent
                FROM pragma_foreign_key_check",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT m.tenant || '/' || m.learner || '/' || m.scope,
                    'a link ends at b_' || lower(hex(x.id)) || ', which is no bullet'
                FROM (SELECT memory, from_bullet AS id FROM links
                      UNION SELECT memory, to_bullet FROM links) x
                JOIN memories m USING (memory)
                WHERE NOT EXISTS (SELECT 1 FROM bullets b WHERE b.memory = x.memory AND b.id = x.id)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT m.tenant || '/' || m.learner || '/' || m.scope,
                    'history names b_' || lower(hex(x.bullet)) || ', which is no bullet'
                FROM (SELECT memory, bullet FROM delta_changes
                      UNION SELECT memory, bullet FROM returned
                      UNION SELECT memory, bullet FROM usage
                      UNION SELECT memory, merged_into FROM bullets WHERE merged_into NOT NULL) x
                JOIN memories m USING (memory)
                WHERE NOT EXISTS
                    (SELECT 1 FROM bullets b WHERE b.memory = x.memory AND b.id = x.bullet)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        // A replay reads nothing before the newest checkpoint.
        query: "SELECT name, 'revision is ' || revision || ' after ' || found || ' deltas beyond ' || floor
                    || ' up to ' || last
                FROM (SELECT m.tenant || '/' || m.learner || '/' || m.scope AS name, m.revision, f.floor,
                          count(d.revision) AS found, coalesce(max(d.revision), f.floor) AS last
                      FROM memories m
                      JOIN (SELECT m.memory, coalesce((SELECT json_extract(c.head, '$.revision')
                                FROM checkpoints c WHERE c.memory = m.memory
                                ORDER BY c.clock DESC LIMIT 1), 0) AS floor
                            FROM memories m) f USING (memory)
                      LEFT JOIN deltas d ON d.memory = m.memory AND d.revision > f.floor
                      GROUP BY m.memory)
                WHERE found <> revision - floor OR last <> revision",
        advice: REBASE,
    },
    IntegrityCheck {
        query: "SELECT tenant || '/' || learner || '/' || scope, 'it has no record of its creation'
                FROM memories m
                WHERE NOT EXISTS (SELECT 1 FROM deltas d WHERE d.memory = m.memory AND d.tick = 0)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT name, 'clock is ' || clock || ' and there are ' || found
                    || ' events after ' || floor || ', the last at ' || last
                FROM (SELECT m.tenant || '/' || m.learner || '/' || m.scope AS name, m.clock,
                          f.floor, count(e.tick) AS found, coalesce(max(e.tick), f.floor) AS last
                      FROM memories m
                      JOIN (SELECT m.memory, max(m.origin_clock, coalesce(max(c.clock), 0)) AS floor
                            FROM memories m LEFT JOIN checkpoints c USING (memory)
                            GROUP BY m.memory) f USING (memory)
                      LEFT JOIN (SELECT memory, tick FROM deltas
                                 UNION ALL SELECT memory, tick FROM retrievals) e
                          ON e.memory = m.memory AND e.tick > f.floor
                      GROUP BY m.memory)
                WHERE found <> clock - floor OR last <> clock",
        advice: REBASE,
    },
    IntegrityCheck {
        query: "SELECT m.tenant || '/' || m.learner || '/' || m.scope,
                    'a bullet or link was changed at tick ' || max(x.tick) || ', the clock is '
                        || m.clock
                FROM memories m
                JOIN (SELECT memory, max(changed_tick) AS tick FROM bullets GROUP BY memory
                      UNION ALL SELECT memory, max(changed_tick) FROM links GROUP BY memory) x
                    USING (memory)
                WHERE x.tick > m.clock GROUP BY m.memory",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT 'the file', count(*) || ' erases are done, and the file may still hold bytes of them'
                FROM erasures WHERE wiped_at IS NULL HAVING count(*) > 0",
        advice: "wipe it (`erase --wipe`)",
    },
];

/// Runs all checks; a sound store has no findings.
pub(super) fn check(tx: &Transaction<'_>) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for check in INTEGRITY_CHECKS {
        findings.extend(or_damage(run(tx, check))?);
    }
    for check in lessons::INTEGRITY_CHECKS {
        findings.extend(or_damage(lessons::run_check(tx, check).map(of_lessons))?);
    }
    findings.extend(or_damage(lessons::edited(tx).map(of_lessons))?);
    findings.extend(unreadable(tx)?);
    findings.extend(schema_findings(tx)?);
    Ok(findings)
}

/// The findings of one check. Damage is an answer of a check, and the other checks continue.
fn or_damage(found: Result<Vec<Finding>>) -> Result<Vec<Finding>> {
    found.or_else(|failure| match failure.damage() {
        Some(what) => {
            let message = format!("it is damaged ({what}); restore a backup");
            Ok(vec![error("the file", message)])
        }
        None => Err(failure),
    })
}

fn of_lessons(faults: Vec<LessonFault>) -> Vec<Finding> {
    let faults = faults.into_iter().take(FINDINGS_MAX);
    faults
        .map(|(owner, message)| Finding {
            lessons_of: owner.clone(),
            ..error(&subject_of(owner.as_ref()), message)
        })
        .collect()
}

fn subject_of(owner: Option<&LearnerId>) -> String {
    owner.map_or_else(
        || "lessons".to_owned(),
        |owner| format!("the lessons of {}/{}", owner.tenant(), owner.learner()),
    )
}

/// Finds memories with an unreadable property.
fn unreadable(tx: &Transaction<'_>) -> Result<Vec<Finding>> {
    let mut statement = tx.prepare(
        "SELECT tenant || '/' || learner || '/' || scope, incarnation, clock, revision, origin_clock,
             policy, created_at
         FROM memories ORDER BY 1",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, read_head(row, 1))))?;
    let mut findings = Vec::new();
    for row in rows {
        if let (subject, Err(what)) = row? {
            let advice = "erase the memory and copy it in from a sound copy, or restore a backup";
            findings.push(error(&subject, format!("its {what}; {advice}")));
        }
        if findings.len() == FINDINGS_MAX {
            break;
        }
    }
    Ok(findings)
}

fn run(tx: &Transaction<'_>, check: &IntegrityCheck) -> Result<Vec<Finding>> {
    let mut statement = tx.prepare(check.query)?;
    let rows = statement.query_map([], |row| {
        let (subject, found): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(error(&subject, format!("{found}; {}", check.advice)))
    })?;
    Ok(rows.take(FINDINGS_MAX).collect::<rusqlite::Result<_>>()?)
}

fn schema_findings(tx: &Transaction<'_>) -> Result<Vec<Finding>> {
    let status = schema::status(tx)?;
    let mut findings = Vec::new();
    if status.stored != status.engine || status.applied.len() as u64 != status.stored {
        findings.push(error(
            "the schema",
            format!(
                "version {} with {} migrations applied, this engine has {}; migrate, or use a newer engine",
                status.stored,
                status.applied.len(),
                status.engine
            ),
        ));
    }
    for name in schema::altered(tx)? {
        findings.push(error(
            "the schema",
            format!("migration `{name}` was applied in another form; use the engine that made it"),
        ));
    }
    Ok(findings)
}

fn error(subject: &str, message: String) -> Finding {
    Finding {
        is_error: true,
        subject: subject.to_owned(),
        lessons_of: None,
        message,
    }
}
