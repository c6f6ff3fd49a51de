//! The newest trajectories of the learner, each as a timeline: its steps by time, and its failures.

use maud::{Markup, html};

use hindlore_domain::trajectory::{Status, Step, Trajectory};

/// Steps shown at each end of a long trajectory.
const ENDS: usize = 20;
/// Characters of a step's description and error; the rest is cut.
const CHARS_MAX: usize = 240;
/// Width and height of a track, and the room at its ends, in its own units.
const TRACK: (f64, f64, f64) = (600.0, 18.0, 8.0);

/// The trajectories as timelines, in the order given, each with its steps.
pub(super) fn timelines(trajectories: &[Trajectory]) -> Markup {
    if trajectories.is_empty() {
        return html! { p.none { "No trajectory is recorded." } };
    }
    html! {
        p { "The newest, with their steps: a filled mark failed." }
        @for (at, one) in trajectories.iter().enumerate() { (timeline(one, at == 0)) }
    }
}

fn timeline(one: &Trajectory, open: bool) -> Markup {
    let task = if one.description.is_empty() {
        &one.id
    } else {
        &one.description
    };
    let status = one.status.map_or("open", Status::word);
    html! {
        details.trajectory open[open] {
            summary { span.tag { (status) } " " (shortened(task)) }
            p.about { (about(one)) }
            @if let Some(error) = &one.error { p.error { (shortened(error)) } }
            (track(&one.steps))
            (steps(one))
        }
    }
}

/// Agent, time and outcome, in one line.
fn about(one: &Trajectory) -> String {
    let mut parts = vec![one.id.clone()];
    let named = [
        ("type", &one.task_type),
        ("by", &one.agent),
        ("for", &one.user),
        ("part of", &one.parent),
    ];
    let named = named
        .into_iter()
        .filter_map(|(word, name)| Some(format!("{word} {}", name.as_ref()?)));
    parts.extend(named);
    parts.push(format!("began {}", one.started_at));
    if let Some(ended) = one.ended_at {
        parts.push(format!(
            "took {}",
            seconds(ended.millis() - one.started_at.millis())
        ));
    }
    if let Some(score) = one.score() {
        parts.push(format!("score {score:.2}"));
    }
    let scored = one
        .feedback
        .iter()
        .filter_map(|said| Some((said.score?, said)));
    parts.extend(scored.map(|(score, said)| {
        format!(
            "{} says {score:.2}",
            said.source.as_ref().unwrap_or(&said.kind)
        )
    }));
    parts.join(" · ")
}

/// A line of time with a mark for each step.
fn track(steps: &[Step]) -> Markup {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        return html! {};
    };
    let (width, height, room) = TRACK;
    let (from, until) = (
        first.at.millis(),
        last.at.millis().max(first.at.millis() + 1),
    );
    let place = |step: &Step| {
        // Clocks of several writers may disagree; a step is never drawn outside the line.
        let part = (step.at.millis() - from) as f64 / (until - from) as f64;
        room + part.clamp(0.0, 1.0) * (width - 2.0 * room)
    };
    let middle = height / 2.0;
    html! {
        svg.track viewBox=(format!("0 0 {width} {height}")) role="img" aria-label="steps over time" {
            line.grid x1=(room) x2=(width - room) y1=(middle) y2=(middle) {}
            @for step in steps {
                circle.failed[step.failed] cx=(format!("{:.1}", place(step))) cy=(middle) r="4" {
                    title { (step.number) " " (shortened(&step.description)) }
                }
            }
        }
    }
}

fn steps(one: &Trajectory) -> Markup {
    let kept = &one.steps;
    if kept.is_empty() {
        return html! { p.none { (one.steps_taken) " steps; none is kept." } };
    }
    let (head, tail) = if kept.len() <= 2 * ENDS {
        (&kept[..], &kept[..0])
    } else {
        (&kept[..ENDS], &kept[kept.len() - ENDS..])
    };
    let between = kept.len() - head.len() - tail.len();
    let from = kept[0].at.millis();
    html! {
        ol.steps {
            @for step in head { (line(step, from)) }
            @if between > 0 { li.about value=(head[ENDS - 1].number + 1) { (between) " more steps" } }
            @for step in tail { (line(step, from)) }
        }
    }
}

fn line(step: &Step, from: i64) -> Markup {
    html! {
        li value=(step.number) {
            span.about { "+" (seconds(step.at.millis() - from)) " " (step.kind.word()) } " "
            (shortened(&step.description))
            @if let Some(error) = &step.error { p.error { (shortened(error)) } }
            @else if step.failed { p.error { "failed" } }
        }
    }
}

fn seconds(millis: i64) -> String {
    format!("{:.1} s", millis.max(0) as f64 / 1_000.0)
}

/// A text on one line, cut to [`CHARS_MAX`].
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= CHARS_MAX {
        return line;
    }
    let cut: String = line.chars().take(CHARS_MAX).collect();
    format!("{cut}…")
}
