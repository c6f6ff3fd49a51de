//! Curves as pictures: SVG that reads on light and on dark ground, without script or outside request.

use std::fmt::Write;

use super::curve::{Axis, Curve};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 250.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 52.0;
/// Distinguishable with colour blindness, and on both grounds (Okabe and Ito 2008, darkened).
const COLOURS: [&str; 7] = [
    "#2f7fc1", "#d2691e", "#2a9d6f", "#b0559a", "#b58900", "#6a6fd0", "#8a8a8a",
];
const DASHES: [&str; 3] = ["", "6 3", "2 3"];

/// Draws a curve.
pub fn svg(curve: &Curve) -> String {
    let mut out = String::new();
    let points = || curve.lines.iter().flat_map(|line| &line.points);
    let x = Scale::new(
        &curve.x,
        points().map(|point| point[0]),
        LEFT,
        WIDTH - RIGHT,
    );
    let y = Scale::new(
        &curve.y,
        points().map(|point| point[1]),
        HEIGHT - BOTTOM,
        TOP,
    );
    let title = escaped(&curve.title);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{title}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <style>text{{fill:#57606a}}.grid{{stroke:#8c959f;stroke-opacity:.3}}\
         @media(prefers-color-scheme:dark){{text{{fill:#b6bfc8}}}}</style>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{title}</text>\n"
    );
    axes(&mut out, curve, &x, &y);
    for (at, line) in curve.lines.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let dash = DASHES[at / COLOURS.len() % DASHES.len()];
        let path: Vec<String> = line
            .points
            .iter()
            .filter(|point| x.shows(point[0]) && y.shows(point[1]))
            .map(|point| format!("{:.1},{:.1}", x.at(point[0]), y.at(point[1])))
            .collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dash}\"/>",
            path.join(" ")
        );
        let (left, top) = (WIDTH - RIGHT + 14.0, TOP + 12.0 + 20.0 * at as f64);
        let _ = writeln!(
            out,
            "<line x1=\"{left}\" x2=\"{}\" y1=\"{top}\" y2=\"{top}\" stroke=\"{colour}\" \
             stroke-width=\"2\" stroke-dasharray=\"{dash}\"/><text x=\"{}\" y=\"{}\">{}</text>",
            left + 20.0,
            left + 26.0,
            top + 4.0,
            escaped(&line.name)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn axes(out: &mut String, curve: &Curve, x: &Scale, y: &Scale) {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    for tick in x.ticks() {
        let at = x.at(tick);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>\
             <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            label(tick)
        );
    }
    for tick in y.ticks() {
        let at = y.at(tick);
        let _ = writeln!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 6.0,
            at + 4.0,
            label(tick)
        );
    }
    if let Some(shipped) = curve.shipped {
        let at = x.at(shipped);
        let _ = writeln!(
            out,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"#8c959f\" \
             stroke-dasharray=\"4 4\"/><text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">shipped</text>",
            TOP - 5.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
         <text x=\"14\" y=\"{}\" text-anchor=\"middle\" transform=\"rotate(-90 14 {})\">{}</text>",
        (LEFT + right) / 2.0,
        HEIGHT - 14.0,
        escaped(&curve.x.name),
        (TOP + bottom) / 2.0,
        (TOP + bottom) / 2.0,
        escaped(&curve.y.name)
    );
}

/// From values to places on the picture.
struct Scale {
    log: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let log = axis.log;
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite() && (!log || *value > 0.0)) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (1.0, 2.0);
        }
        if log {
            (low, high) = (libm::log10(low).floor(), libm::log10(high).ceil());
        } else {
            let step = step(high - low);
            (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        }
        if low == high {
            high = low + 1.0;
        }
        Self {
            log,
            low,
            high,
            from,
            to,
        }
    }

    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    fn at(&self, value: f64) -> f64 {
        let value = if self.log { libm::log10(value) } else { value };
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn ticks(&self) -> Vec<f64> {
        let step = if self.log {
            1.0
        } else {
            step(self.high - self.low)
        };
        let count = ((self.high - self.low) / step).round() as u32;
        let ticks = (0..=count).map(|tick| self.low + f64::from(tick) * step);
        ticks
            .map(|tick| {
                if self.log {
                    libm::pow(10.0, tick)
                } else {
                    tick
                }
            })
            .collect()
    }
}

/// A round step that cuts a range into about six parts.
fn step(range: f64) -> f64 {
    let rough = (range / 6.0).max(1e-12);
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    steps
        .into_iter()
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(rough)
}

fn label(value: f64) -> String {
    let size = value.abs();
    for (unit, name) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if size >= unit {
            return format!("{}{name}", short(value / unit));
        }
    }
    match size {
        0.0 => "0".to_owned(),
        size if size < 0.001 => format!("{value:.0e}"),
        _ => short(value),
    }
}

fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_where_the_axes_say() {
        let mut curve = Curve::new("a", "A < B", "size", "time");
        for (x, y) in [(0.0, 0.2), (0.5, 0.4), (1.0, 0.8)] {
            curve.add("ours", x, y);
        }
        let picture = svg(&curve);
        // x from 64 to 510; y from 348 (0.2) to 44 (0.8).
        assert!(
            picture.contains("64.0,348.0 287.0,246.7 510.0,44.0"),
            "{picture}"
        );
        assert!(picture.contains("A &lt; B") && picture.ends_with("</svg>\n"));
    }

    #[test]
    fn factors_are_equal_steps_and_labels_are_short() {
        let mut curve = Curve::new("a", "A", "size", "time").in_factors();
        curve.add("ours", 1e3, 1e-6);
        curve.add("ours", 1e6, 1e-3);
        let picture = svg(&curve);
        assert!(picture.contains("64.0,348.0 510.0,44.0"), "{picture}");
        assert!(picture.contains(">10k<") && picture.contains(">1e-5<"));
        assert_eq!(
            (label(0.25), label(1500.0)),
            ("0.25".to_owned(), "1.5k".to_owned())
        );
    }
}
