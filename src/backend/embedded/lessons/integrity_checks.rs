//! The checks of lessons: kept counts, postings and references against the rows that they are derived from.

use rusqlite::Transaction;

use super::rows::StoredRule;
use crate::error::Result;
use crate::rows::Word;
use crate::upkeep::integrity_check::IntegrityCheck;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::ids::LessonId;
use hindlore_store::lessons::postings::wrong_form;

const EDITED: &str = "it was edited outside of this program; erase it, or copy the learner's lessons back in from a sound copy";

const FROM_COPY: &str = "copy the learner's lessons back in from a sound copy";

/// Queries that return no row on a sound store; their rows begin with tenant and learner.
pub(crate) const INTEGRITY_CHECKS: &[IntegrityCheck] = &[
    IntegrityCheck {
        query: "SELECT l.tenant, l.name,
                    'it counts ' || l.fingerprints || ' fingerprints and has ' || count(f.id)
                FROM learners l LEFT JOIN fingerprints f USING (learner)
                GROUP BY l.learner HAVING l.fingerprints <> count(f.id)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name, 'the tag ' || t.name || ' counts '
                    || t.fingerprints || ' fingerprints and has ' || count(x.fingerprint)
                FROM tags t JOIN learners l USING (learner)
                LEFT JOIN fingerprint_tags x ON x.learner = t.learner AND x.tag = t.name
                GROUP BY t.learner, t.name HAVING t.fingerprints <> count(x.fingerprint)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name, 'fp_' || lower(hex(f.id)) || ' counts '
                    || f.events || ' events and ' || f.runs || ' runs, which its rows do not'
                FROM fingerprints f JOIN learners l USING (learner)
                WHERE f.events <> (SELECT count(*) FROM matches m
                          WHERE m.learner = f.learner AND m.fingerprint = f.id)
                   OR f.runs <> (SELECT count(*) FROM raised r
                          WHERE r.learner = f.learner AND r.fingerprint = f.id)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name, 'a posting of l_' || lower(hex(p.lesson))
                    || ' is not that of the lesson'
                FROM postings p JOIN learners l USING (learner)
                LEFT JOIN lessons x ON x.learner = p.learner AND x.id = p.lesson
                WHERE x.id IS NULL OR x.evidence_at <> p.evidence_at
                   OR p.live <> (x.status IN ('candidate', 'promoted'))",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name, 'l_' || lower(hex(x.id)) || ' has '
                    || json_array_length(x.triggers) || ' triggers and other postings'
                FROM lessons x JOIN learners l USING (learner)
                LEFT JOIN (SELECT learner, lesson, count(*) AS found FROM postings
                           GROUP BY learner, lesson) p ON p.learner = x.learner AND p.lesson = x.id
                WHERE json_array_length(x.triggers) + json_array_length(x.tags)
                        + (x.task NOT NULL) + (x.domain NOT NULL) + (x.tool NOT NULL)
                    <> coalesce(p.found, 0)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name, 'fp_' || lower(hex(t.fingerprint))
                    || ' is a sibling under ' || t.tag || ' and should not be, or the reverse'
                FROM fingerprint_tags t JOIN learners l USING (learner)
                WHERE t.live <> EXISTS (SELECT 1 FROM postings p WHERE p.learner = t.learner
                    AND p.kind = 'trigger' AND p.name = t.fingerprint AND p.live = 1)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name,
                    'the run ' || r.id || ' is listed by what it does not say of itself'
                FROM runs r JOIN learners l USING (learner)
                WHERE r.task_type IS NOT r.trajectory ->> '$.task_type'
                   OR r.agent IS NOT r.trajectory ->> '$.agent'
                   OR r.user IS NOT r.trajectory ->> '$.user'
                   OR r.parent IS NOT r.trajectory ->> '$.parent'
                   OR r.relearning IS NOT r.trajectory ->> '$.relearning'",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name,
                    'step ' || s.step || ' of the run ' || s.run || ' has lost its body'
                FROM steps s JOIN learners l USING (learner)
                WHERE s.body IS NOT NULL AND NOT EXISTS (SELECT 1 FROM step_bodies b
                    WHERE b.learner = s.learner AND b.hash = s.body)",
        advice: FROM_COPY,
    },
    IntegrityCheck {
        query: "SELECT l.tenant, l.name,
                    'a record names l_' || lower(hex(x.lesson)) || ', which is no lesson'
                FROM (SELECT learner, first AS lesson FROM conflicts
                      UNION SELECT learner, second FROM conflicts
                      UNION SELECT learner, lesson FROM activations
                      UNION SELECT learner, lesson FROM decisions
                      UNION SELECT learner, lesson FROM reviews
                      UNION SELECT learner, lesson FROM lesson_sources) x
                JOIN learners l USING (learner)
                WHERE NOT EXISTS (SELECT 1 FROM lessons o
                    WHERE o.learner = x.learner AND o.id = x.lesson)",
        advice: FROM_COPY,
    },
];

/// A learner, and what is wrong with one of its lessons.
pub(crate) type LessonFault = (Option<LearnerId>, String);

/// Runs one of the queries.
pub(crate) fn run_check(tx: &Transaction<'_>, check: &IntegrityCheck) -> Result<Vec<LessonFault>> {
    let mut statement = tx.prepare(check.query)?;
    let rows = statement.query_map([], |row| {
        let (tenant, learner, found): (String, String, String) =
            (row.get(0)?, row.get(1)?, row.get(2)?);
        let owner = LearnerId::new(&tenant, &learner).ok();
        Ok((owner, format!("{found}; {}", check.advice)))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Finds lessons whose rule or status is another than the one that their key was derived from.
pub(crate) fn edited(tx: &Transaction<'_>) -> Result<Vec<LessonFault>> {
    let mut statement = tx.prepare(
        "SELECT l.tenant, l.name, x.id, x.rule, x.status, x.wrong_form
         FROM lessons x JOIN learners l USING (learner) ORDER BY x.lesson",
    )?;
    let mut found = Vec::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (tenant, learner): (String, String) = (row.get(0)?, row.get(1)?);
        let key: Option<String> = row.get(5)?;
        let id = LessonId(row.get(2)?);
        let (rule, status): (StoredRule, Word<_>) = (row.get(3)?, row.get(4)?);
        if wrong_form(&rule.0, status.0) != key {
            let what =
                format!("the rule or the status of {id} is not the one that was learned; {EDITED}");
            found.push((LearnerId::new(&tenant, &learner).ok(), what));
        }
    }
    Ok(found)
}
