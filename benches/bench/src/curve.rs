//! Curves: the pictures and tables of a report, in addition to its rows.

use serde::Serialize;

/// Figures over one quantity that was varied.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Curve {
    /// Name of the picture, fit for a file.
    pub name: String,
    /// Its meaning, in a sentence.
    pub title: String,
    /// The varied parameter.
    pub x: Axis,
    /// The measured figure.
    pub y: Axis,
    /// The lines.
    pub lines: Vec<Line>,
    /// The value of `x` that is shipped, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shipped: Option<f64>,
}

/// An axis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Axis {
    /// Its meaning, with the unit.
    pub name: String,
    /// Whether equal steps are equal factors.
    pub log: bool,
}

/// One figure over the varied quantity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// The measured values.
    pub name: String,
    /// x and y, ascending by x.
    pub points: Vec<[f64; 2]>,
}

impl Curve {
    /// A curve without lines, on linear axes.
    pub fn new(name: &str, title: &str, x: &str, y: &str) -> Self {
        let axis = |name: &str| Axis {
            name: name.to_owned(),
            log: false,
        };
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            x: axis(x),
            y: axis(y),
            lines: Vec::new(),
            shipped: None,
        }
    }

    /// Marks the shipped value.
    #[must_use]
    pub fn shipped_at(mut self, x: f64) -> Self {
        self.shipped = Some(x);
        self
    }

    /// Makes equal steps equal factors, on both axes.
    #[must_use]
    pub fn in_factors(mut self) -> Self {
        self.x.log = true;
        self.y.log = true;
        self
    }

    /// Adds a point to the line of that name, which is made where there is none.
    pub fn add(&mut self, line: &str, x: f64, y: f64) {
        let at = self.lines.iter().position(|known| known.name == line);
        let at = at.unwrap_or_else(|| {
            let (name, points) = (line.to_owned(), Vec::new());
            self.lines.push(Line { name, points });
            self.lines.len() - 1
        });
        self.lines[at].points.push([x, y]);
    }
}
