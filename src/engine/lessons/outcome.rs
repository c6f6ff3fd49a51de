//! Verb: report the outcome of a lesson that the caller measured. It counts once, and the end of the run leaves it
//! unchanged.

use super::answer::Decided;
use super::runs::working_set::{LessonWorkingSet, with_settled};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::evidence::evidence_row::{EvidenceRow, RowKind, Witness};
use hindlore_domain::lesson::evidence::outcome::{Baseline, Outcome};
use hindlore_domain::lesson::evidence::utility::utility;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::ids::{ActivationId, LessonId};
use hindlore_store::lessons::rows::ActivationRow;
use hindlore_store::lessons::transaction::{Ask, HistoryAsk, LessonCommit};

/// The outcome of an activation; every term is a difference to runs without the lesson, −1..=1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutcomeReport {
    /// Which use of a lesson.
    pub activation: ActivationId,
    /// By how much the errors became fewer.
    pub error_reduction: f64,
    /// By how much the steps became fewer.
    pub step_efficiency_gain: f64,
    /// By how much a referee's score rose.
    pub referee_score_gain: Option<f64>,
}

/// An outcome that is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct OutcomeTaken {
    /// Which use of a lesson.
    pub activation: ActivationId,
    /// The lesson.
    pub lesson: LessonId,
    /// Its utility, −1..=1.
    pub utility: f64,
    /// The reliability of the lesson after it.
    pub reliability: f64,
    /// It was known; nothing was counted.
    pub repeated: bool,
    /// Lessons whose status changed.
    pub decisions: Vec<Decided>,
}

impl Engine {
    /// Takes the outcome of an activation.
    ///
    /// # Errors
    /// `NoActivation`; `Invalid` for a term outside −1..=1, a withheld activation, or one whose outcome is
    /// another already.
    pub async fn report_outcome(
        &self,
        owner: &LearnerId,
        report: OutcomeReport,
    ) -> EngineResult<OutcomeTaken> {
        check(&report)?;
        let rows = self
            .store()
            .activations_by_id(owner, &[report.activation])
            .await?;
        let row = rows
            .into_iter()
            .next()
            .ok_or_else(|| EngineError::NoActivation(report.activation.to_string()))?;
        let ask = self.ask_for_outcome(owner, &row).await?;
        let (rules, now) = (self.rules().clone(), self.now());
        self.decide(owner, ask, move |gathered| {
            let same = |row: &&ActivationRow| row.activation.id == report.activation;
            let row = gathered.activations.iter().find(same).cloned();
            let mut row =
                row.ok_or_else(|| EngineError::NoActivation(report.activation.to_string()))?;
            let outcome = outcome_of(&report, &rules.numbers.utility, now);
            let mut working_set = LessonWorkingSet::new(gathered.lessons);
            let reliability = |working_set: &LessonWorkingSet| {
                let lesson = working_set.get(row.activation.lesson);
                lesson.map_or(0.0, |lesson| lesson.reliability)
            };
            let mut taken = OutcomeTaken {
                activation: report.activation,
                lesson: row.activation.lesson,
                utility: outcome.utility,
                reliability: reliability(&working_set),
                repeated: true,
                decisions: Vec::new(),
            };
            let unknown = row.activation.outcome.as_ref().is_some_and(says_nothing);
            if let Some(known) = row.activation.outcome.filter(|_| !unknown) {
                return if terms(&known) == terms(&outcome) {
                    Ok((LessonCommit::default(), taken))
                } else {
                    Err(EngineError::Invalid(format!(
                        "the outcome of {} is known, and is another; an outcome counts once",
                        report.activation
                    )))
                };
            }
            row.activation.outcome = Some(outcome);
            working_set.take_outcome(&row.activation, &rules);
            let settled = std::slice::from_ref(&row.activation);
            let activations = with_settled(&gathered.activations, settled);
            let decisions = working_set.apply_gates(&gathered.history, &activations, &rules, now);
            taken.repeated = false;
            taken.decisions = decisions.iter().map(Decided::from).collect();
            let lesson = working_set.get(row.activation.lesson);
            taken.reliability = lesson.map_or(taken.reliability, |lesson| lesson.reliability);
            let mut commit = LessonCommit {
                lessons: working_set.changed(),
                decisions,
                ..LessonCommit::default()
            };
            let rows = if unknown {
                &mut commit.revised
            } else {
                &mut commit.activations
            };
            rows.push(row);
            Ok((commit, taken))
        })
        .await
    }

    async fn ask_for_outcome(&self, owner: &LearnerId, row: &ActivationRow) -> EngineResult<Ask> {
        let activation = &row.activation;
        if activation.withheld {
            return Err(EngineError::Invalid(format!(
                "{} was withheld from its control run, so nothing can have come of it",
                activation.id
            )));
        }
        let mut lessons = vec![activation.lesson];
        // The outcome also decides the meetings with the lessons that it beat.
        lessons.extend(activation.beat.iter().copied());
        let run = self.store().run(owner, &activation.run).await?;
        Ok(Ask {
            activations: vec![activation.id],
            activations_of: lessons.clone(),
            history: Some(HistoryAsk {
                place: run.map(|run| run.row.place).unwrap_or_default(),
            }),
            lessons,
            ..Ask::default()
        })
    }
}

/// Returns true if the rules left a use undecided because its run was abandoned or cut off: then a caller's measurement
/// counts.
fn says_nothing(known: &Outcome) -> bool {
    known.row.witness != Witness::Caller && known.row.kind == RowKind::Unknown
}

fn check(report: &OutcomeReport) -> EngineResult<()> {
    let terms = [
        ("error_reduction", Some(report.error_reduction)),
        ("step_efficiency_gain", Some(report.step_efficiency_gain)),
        ("referee_score_gain", report.referee_score_gain),
    ];
    for (name, term) in terms {
        if term.is_some_and(|term| !(-1.0..=1.0).contains(&term)) {
            return Err(EngineError::Invalid(format!(
                "`{name}` is not a number from -1 to 1; give the difference against runs without the lesson"
            )));
        }
    }
    Ok(())
}

fn terms(outcome: &Outcome) -> (f64, f64, Option<f64>) {
    (
        outcome.error_reduction,
        outcome.step_efficiency_gain,
        outcome.referee_score_gain,
    )
}

fn outcome_of(
    report: &OutcomeReport,
    numbers: &hindlore_domain::lesson::lesson_policy::UtilityNumbers,
    at: hindlore_primitives::timestamp::Timestamp,
) -> Outcome {
    let OutcomeReport {
        error_reduction,
        step_efficiency_gain,
        referee_score_gain,
        ..
    } = *report;
    let measured = utility(
        error_reduction,
        step_efficiency_gain,
        referee_score_gain,
        numbers,
    );
    // A measurement of the caller is a row like any other: for the lesson, against it, or neutral.
    let kind = if measured > 0.0 {
        RowKind::Cured
    } else if measured < 0.0 {
        RowKind::Failed
    } else {
        RowKind::Unknown
    };
    let row = EvidenceRow {
        kind,
        witness: Witness::Caller,
        followed_step: None,
        needed: false,
    };
    Outcome {
        recurred: error_reduction < 0.0,
        failures_after: 0,
        baseline: Baseline::default(),
        error_reduction,
        step_efficiency_gain,
        referee_score_gain,
        utility: measured,
        row,
        at,
    }
}
