//! The experiment on paper: Markdown with the figures, runs by phase, and the plots.

use super::plot::{Series, lines};
use super::protocol::{Arm, Phase, RunMetrics};
use super::stability::{Figure, Goal, PairRuns};
use super::statistics::mean;

/// Lessons in a plot, and characters of their rules in its legend.
const LESSONS_SHOWN: usize = 7;
const RULE_SHOWN: usize = 40;

/// Writes the figures and a summary of each phase.
pub fn markdown(figures: &[Figure], all: &[PairRuns]) -> String {
    let mut text = String::from(
        "# Learning protocol\n\n## Figures\n\n| figure | of | value | 95 % interval | goal | holds |\n| --- | ---: | ---: | --- | --- | --- |\n",
    );
    for figure in figures {
        let value = figure.value.map_or_else(
            || "none".to_owned(),
            |value| format!("{value:.4} {}", figure.unit),
        );
        let interval = figure
            .interval
            .map_or_else(String::new, |[low, high]| format!("{low:.3} to {high:.3}"));
        let goal = match figure.goal {
            Some(Goal::AtLeast(limit)) => format!("at least {limit}"),
            Some(Goal::AtMost(limit)) => format!("at most {limit}"),
            None => String::new(),
        };
        let holds = figure
            .holds()
            .map_or("", |holds| if holds { "yes" } else { "**no**" });
        text.push_str(&format!(
            "| {} | {} | {} | {interval} | {goal} | {holds} |\n",
            figure.name,
            figure.size,
            value.trim()
        ));
    }
    for note in figures
        .iter()
        .filter_map(|figure| Some((&figure.name, figure.note.as_ref()?)))
    {
        text.push_str(&format!("\n- {}: {}", note.0, note.1));
    }
    text.push_str("\n\n## Phases\n\nMeans of a run: errors, steps, share of passes.\n");
    for pair in all {
        text.push_str(&format!(
            "\n### {}\n\n| phase | {} |\n| --- | --- | --- | --- | --- |\n",
            pair.name,
            Arm::ALL.map(Arm::name).join(" | ")
        ));
        for phase in Phase::ALL {
            let cells = Arm::ALL.map(|arm| {
                let of = |measure: fn(&RunMetrics) -> f64| {
                    mean(&in_phase(pair, arm, phase).map(measure).collect::<Vec<_>>())
                };
                let passed = of(|run| f64::from(u8::from(run.passed)));
                format!(
                    "{:.1}, {:.1}, {passed:.2}",
                    of(|run| run.errors as f64),
                    of(|run| run.steps as f64)
                )
            });
            text.push_str(&format!("| {} | {} |\n", phase.letter(), cells.join(" | ")));
        }
    }
    text
}

/// The plots by the names of their files: errors and recurrence over the runs of each pair, and the utility of its
/// lessons.
pub fn plots(all: &[PairRuns]) -> Vec<(String, String)> {
    let mut plots = Vec::new();
    type Measure = fn(&RunMetrics) -> f64;
    let measures: [(&str, Measure); 2] = [
        ("errors", |run| run.errors as f64),
        ("recurring errors", |run| run.recurring as f64),
    ];
    for pair in all {
        for (what, measure) in measures {
            let series = Arm::ALL.map(|arm| Series {
                name: arm.name().to_owned(),
                values: over_runs(pair, arm, measure),
            });
            plots.push((
                file_name(&format!("{} {what}", pair.name)),
                lines(&format!("{}: {what} in each run", pair.name), what, &series),
            ));
        }
        plots.push((
            file_name(&format!("{} utility", pair.name)),
            lines(
                &format!("{}: mean utility of lessons, outcome by outcome", pair.name),
                "utility",
                &utilities(pair),
            ),
        ));
    }
    plots
}

/// The words of a title as the name of a file.
fn file_name(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!("{}.svg", words.join("-"))
}

/// The lessons of the first seed with the most outcomes: the mean utility after each outcome.
fn utilities(pair: &PairRuns) -> Vec<Series> {
    let first = pair.seeds.first();
    let arms = first.into_iter().flat_map(|seed| &seed.arms);
    let mut lessons: Vec<_> = arms.flat_map(|arm| &arm.lessons).collect();
    lessons.sort_by_key(|lesson| std::cmp::Reverse(lesson.utilities.len()));
    let series = lessons.into_iter().take(LESSONS_SHOWN).map(|lesson| {
        let all = &lesson.utilities;
        Series {
            name: lesson.rule.chars().take(RULE_SHOWN).collect(),
            values: (1..=all.len()).map(|to| mean(&all[..to])).collect(),
        }
    });
    series.collect()
}

fn in_phase(pair: &PairRuns, arm: Arm, phase: Phase) -> impl Iterator<Item = &RunMetrics> {
    let runs = pair
        .seeds
        .iter()
        .flat_map(|seed| &seed.arms)
        .filter(move |runs| runs.arm == arm);
    runs.flat_map(|runs| &runs.runs)
        .filter(move |run| run.phase == phase)
}

fn over_runs(pair: &PairRuns, arm: Arm, measure: fn(&RunMetrics) -> f64) -> Vec<f64> {
    let arms: Vec<&[RunMetrics]> = pair
        .seeds
        .iter()
        .flat_map(|seed| &seed.arms)
        .filter(|runs| runs.arm == arm)
        .map(|runs| runs.runs.as_slice())
        .collect();
    let longest = arms.iter().map(|runs| runs.len()).max().unwrap_or(0);
    let at = |place: usize| {
        mean(
            &arms
                .iter()
                .filter_map(|runs| runs.get(place))
                .map(measure)
                .collect::<Vec<_>>(),
        )
    };
    (0..longest).map(at).collect()
}
