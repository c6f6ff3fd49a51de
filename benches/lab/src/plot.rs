//! Line plots as SVG, small and without a library: lines over the runs of the protocol.

use std::fmt::Write;

/// One line.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Values at 1, 2, 3, …
    pub values: Vec<f64>,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const MARGIN: f64 = 48.0;
/// Colours that are distinguishable with colour blindness (Okabe and Ito 2008).
const COLOURS: &[&str] = &[
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999",
];
/// Lines with a name in the legend.
const NAMED_MAX: usize = 12;

/// Draws lines with a title and the name of the vertical axis.
pub fn lines(title: &str, axis: &str, series: &[Series]) -> String {
    let values = series
        .iter()
        .flat_map(|one| one.values.iter().copied())
        .filter(|value| value.is_finite());
    let (low, high) = values.fold((0.0_f64, 1e-9_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let longest = series
        .iter()
        .map(|one| one.values.len())
        .max()
        .unwrap_or(0)
        .max(2);
    let x = |at: usize| MARGIN + (WIDTH - 2.0 * MARGIN) * at as f64 / (longest - 1) as f64;
    let y = |value: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (value - low) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{MARGIN}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(title)
    );
    // Writing to a string cannot fail.
    for step in 0..=4 {
        let value = low + (high - low) * f64::from(step) / 4.0;
        let _ = writeln!(
            svg,
            "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/><text x=\"4\" y=\"{1:.1}\">{value:.2}</text>",
            WIDTH - MARGIN,
            y(value)
        );
    }
    let _ = writeln!(svg, "<text x=\"4\" y=\"34\">{}</text>", escaped(axis));
    for at in 0..longest {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\">{}</text>",
            x(at),
            HEIGHT - MARGIN + 16.0,
            at + 1
        );
    }
    for (number, one) in series.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points: Vec<String> = one
            .values
            .iter()
            .enumerate()
            .map(|(at, value)| format!("{:.1},{:.1}", x(at), y(*value)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            points.join(" ")
        );
        if number < NAMED_MAX {
            let row = 34.0 + 14.0 * number as f64;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{row}\" fill=\"{colour}\">{}</text>",
                WIDTH - 180.0,
                escaped(&one.name)
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_is_a_line_with_its_name() {
        let series = ["a<b", "c"].map(|name| Series {
            name: name.to_owned(),
            values: vec![1.0, 4.0, 2.0],
        });
        let svg = lines("t", "errors", &series);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains("a&lt;b") && svg.ends_with("</svg>\n"));
    }
}
