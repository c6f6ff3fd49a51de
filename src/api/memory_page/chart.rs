//! Lines as SVG: scales, axes and a legend that reads on light and on dark ground.

use maud::{Markup, html};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 40.0;
/// Gaps between the marks of an axis, at most.
const MARKS_MAX: f64 = 6.0;
/// Distinguishable with colour blindness, and on both grounds (Okabe and Ito 2008, darkened).
const COLOURS: [&str; 7] = [
    "#2f7fc1", "#d2691e", "#2a9d6f", "#b0559a", "#b58900", "#6a6fd0", "#8a8a8a",
];

/// A line: its name, and its points in order of x.
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<[f64; 2]>,
}

/// The contents of a chart.
pub(super) struct Chart<'c> {
    /// A description of the picture, for screen readers.
    pub(super) label: &'c str,
    pub(super) x: &'c str,
    pub(super) y: &'c str,
    /// An upright line, such as the present.
    pub(super) mark: Option<(f64, &'c str)>,
    pub(super) lines: &'c [Line],
}

/// Draws a chart; the vertical axis begins at 0.
pub(super) fn draw(chart: &Chart<'_>) -> Markup {
    let points = || chart.lines.iter().flat_map(|line| &line.points);
    let x_min = points().map(|point| point[0]).fold(f64::INFINITY, f64::min);
    let x_max = points().map(|point| point[0]).fold(0.0, f64::max);
    let y_max = points().map(|point| point[1]).fold(0.0, f64::max);
    let x_min = if x_min.is_finite() { x_min } else { 0.0 };
    let x = Scale::new(x_min, x_max, LEFT, WIDTH - RIGHT);
    let y = Scale::new(0.0, y_max, HEIGHT - BOTTOM, TOP);
    let colour = |at: usize| COLOURS[at % COLOURS.len()];
    let dash = |at: usize| ["", "6 3", "2 3"][at / COLOURS.len() % 3];
    html! {
        figure {
            svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(chart.label) {
                (axes(chart, &x, &y))
                @for (at, line) in chart.lines.iter().enumerate() {
                    polyline points=(path(line, &x, &y)) fill="none" stroke=(colour(at)) stroke-width="2"
                        stroke-dasharray=(dash(at)) { title { (line.name) } }
                }
            }
            @if chart.lines.len() > 1 {
                figcaption {
                    @for (at, line) in chart.lines.iter().enumerate() {
                        span.key {
                            svg viewBox="0 0 24 8" width="24" height="8" {
                                line x1="0" y1="4" x2="24" y2="4" stroke=(colour(at)) stroke-width="3"
                                    stroke-dasharray=(dash(at)) {}
                            }
                            " " (line.name)
                        }
                    }
                }
            }
        }
    }
}

fn axes(chart: &Chart<'_>, x: &Scale, y: &Scale) -> Markup {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    html! {
        @for value in y.marks() {
            @let at = rounded(y.at(value));
            line.grid x1=(LEFT) y1=(at) x2=(right) y2=(at) {}
            text x=(LEFT - 6.0) y=(at) text-anchor="end" dominant-baseline="middle" { (value) }
        }
        @for value in x.marks() {
            @let at = rounded(x.at(value));
            line.grid x1=(at) y1=(TOP) x2=(at) y2=(bottom) {}
            text x=(at) y=(bottom + 16.0) text-anchor="middle" { (value) }
        }
        text x=(f64::midpoint(LEFT, right)) y=(HEIGHT - 6.0) text-anchor="middle" { (chart.x) }
        text x="14" y=(f64::midpoint(TOP, bottom)) text-anchor="middle"
            transform={ "rotate(-90 14 " (f64::midpoint(TOP, bottom)) ")" } { (chart.y) }
        @if let Some((value, name)) = chart.mark {
            @let at = rounded(x.at(value));
            line.mark x1=(at) y1=(TOP) x2=(at) y2=(bottom) {}
            text x=(at - 4.0) y=(TOP + 10.0) text-anchor="end" { (name) }
        }
    }
}

fn path(line: &Line, x: &Scale, y: &Scale) -> String {
    let points = line.points.iter();
    let points = points.map(|point| format!("{:.1},{:.1}", x.at(point[0]), y.at(point[1])));
    points.collect::<Vec<_>>().join(" ")
}

fn rounded(place: f64) -> f64 {
    (place * 10.0).round() / 10.0
}

/// From values to places on the page.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self {
            low,
            high,
            from,
            to,
        }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Round values between the ends: 1, 2 or 5 times a power of ten apart.
    fn marks(&self) -> Vec<f64> {
        let raw = (self.high - self.low) / MARKS_MAX;
        let power = 10f64.powf(raw.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0];
        let step = steps
            .iter()
            .map(|step| step * power)
            .find(|step| *step >= raw);
        let step = step.unwrap_or(10.0 * power);
        let mut marks = Vec::new();
        let mut value = (self.low / step).ceil() * step;
        while value <= self.high {
            // Steps of a fraction add up to values such as 0.30000000000000004.
            marks.push((value / step).round() * step);
            value += step;
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_lie_between_the_ends() {
        let marks = |low, high| Scale::new(low, high, 0.0, 1.0).marks();
        assert_eq!(marks(0.0, 100.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(marks(3.0, 11.0), [4.0, 6.0, 8.0, 10.0]);
        assert_eq!(
            marks(0.0, 0.0),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
    }

    #[test]
    fn a_value_lies_in_proportion_between_the_ends() {
        let scale = Scale::new(0.0, 10.0, 100.0, 0.0);
        assert!((scale.at(2.5) - 75.0).abs() < 1e-9);
    }
}
