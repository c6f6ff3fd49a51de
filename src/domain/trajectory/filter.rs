//! Which trajectories a listing is about.

use super::feedback::ScoreMode;
use super::status::State;
use super::trajectory::Trajectory;
use hindlore_primitives::timestamp::Timestamp;

/// Conditions on trajectories, which must all hold; an absent one holds always.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct TrajectoryFilter {
    /// Only those of this agent.
    pub agent: Option<String>,
    /// Only those for this user.
    pub user: Option<String>,
    /// Only those of this type of task.
    pub task_type: Option<String>,
    /// Only those that are a part of this one.
    pub parent: Option<String>,
    /// Only those in this state.
    pub status: Option<State>,
    /// Only those that began then or later.
    pub since: Option<Timestamp>,
    /// Only those that began before.
    pub until: Option<Timestamp>,
    /// Only those with this score or a better one, 0..=1: the latest of their feedback, else [`Trajectory::score`].
    pub min_score: Option<f64>,
}

impl TrajectoryFilter {
    /// Returns true if a trajectory meets all conditions.
    pub fn admits(&self, one: &Trajectory) -> bool {
        let names = [
            (&self.agent, &one.agent),
            (&self.user, &one.user),
            (&self.task_type, &one.task_type),
            (&self.parent, &one.parent),
        ];
        names
            .iter()
            .all(|(asked, own)| asked.is_none() || asked == own)
            && self.status.is_none_or(|state| one.state() == state)
            && self.since.is_none_or(|since| one.started_at >= since)
            && self.until.is_none_or(|until| one.started_at < until)
            && self
                .min_score
                .is_none_or(|least| latest(one).is_some_and(|score| score >= least))
    }
}

fn latest(one: &Trajectory) -> Option<f64> {
    one.effective_score(ScoreMode::Latest, one.started_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::{Metrics, Status, TraceState};

    fn one() -> Trajectory {
        Trajectory {
            id: "t".to_owned(),
            description: String::new(),
            task_type: Some("api".to_owned()),
            agent: Some("a".to_owned()),
            user: None,
            parent: None,
            status: Some(Status::Partial),
            success_score: None,
            error: None,
            metrics: Metrics::default(),
            steps: Vec::new(),
            steps_taken: 0,
            trace: TraceState::Whole,
            steps_until: None,
            trace_hash: None,
            feedback: Vec::new(),
            relearning: None,
            reflected_at: None,
            started_at: Timestamp::from_millis(10),
            ended_at: None,
        }
    }

    type Condition = fn(&mut TrajectoryFilter);

    fn admits(condition: Condition, trajectory: &Trajectory) -> bool {
        let mut filter = TrajectoryFilter::default();
        condition(&mut filter);
        filter.admits(trajectory)
    }

    #[test]
    fn every_condition_alone_decides() {
        let table: [(Condition, bool); 15] = [
            (|_| (), true),
            (|of| of.agent = Some("a".to_owned()), true),
            (|of| of.agent = Some("b".to_owned()), false),
            (|of| of.user = Some("a".to_owned()), false),
            (|of| of.task_type = Some("api".to_owned()), true),
            (|of| of.task_type = Some("ap".to_owned()), false),
            (|of| of.parent = Some("p".to_owned()), false),
            (|of| of.status = Some(State::Partial), true),
            (|of| of.status = Some(State::Success), false),
            (|of| of.since = Some(Timestamp::from_millis(10)), true),
            (|of| of.since = Some(Timestamp::from_millis(11)), false),
            (|of| of.until = Some(Timestamp::from_millis(11)), true),
            (|of| of.until = Some(Timestamp::from_millis(10)), false),
            (|of| of.min_score = Some(0.5), true),
            (|of| of.min_score = Some(0.6), false),
        ];
        for (row, (condition, admitted)) in table.into_iter().enumerate() {
            assert_eq!(admits(condition, &one()), admitted, "row {row}");
        }
        let open = Trajectory {
            status: None,
            ..one()
        };
        assert!(admits(|of| of.status = Some(State::Open), &open));
        assert!(!admits(|of| of.status = Some(State::Ended), &open));
        // An unjudged outcome has no score.
        assert!(!admits(|of| of.min_score = Some(0.0), &open));
    }
}
