//! The calculator: sums, products, powers and remainders in the usual order, whole numbers exactly.

/// Digits of a result that is no whole number.
const DIGITS: usize = 12;
/// Characters of an expression.
const CHARS_MAX: usize = 500;
/// Depth of parentheses.
const DEPTH_MAX: usize = 50;

/// The value of an expression as a text.
///
/// # Errors
/// What is wrong with it and where, as a text for whoever wrote it.
pub fn calculate(expression: &str) -> Result<String, String> {
    if expression.chars().count() > CHARS_MAX {
        return Err(format!("an expression has at most {CHARS_MAX} characters"));
    }
    let text: Vec<char> = expression
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '_')
        .collect();
    let mut parser = Parser {
        text: &text,
        at: 0,
        depth: 0,
    };
    let value = parser.sum()?;
    if parser.at < text.len() {
        return Err(format!(
            "`{}` at place {} is no part of an expression",
            text[parser.at],
            parser.at + 1
        ));
    }
    if !value.is_finite() {
        return Err("the result is no number".to_owned());
    }
    let written = format!("{value:.DIGITS$}");
    let written = written.trim_end_matches('0').trim_end_matches('.');
    Ok(if written == "-0" {
        "0".to_owned()
    } else {
        written.to_owned()
    })
}

struct Parser<'t> {
    text: &'t [char],
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn next_is(&mut self, wanted: &[char]) -> Option<char> {
        let c = self
            .text
            .get(self.at)
            .copied()
            .filter(|c| wanted.contains(c))?;
        self.at += 1;
        Some(c)
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.next_is(&['+', '-', '−']) {
            let next = self.product()?;
            value = if sign == '+' {
                value + next
            } else {
                value - next
            };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.power()?;
        while let Some(sign) = self.next_is(&['*', '×', '/', '÷', '%']) {
            let next = self.power()?;
            let divides = !matches!(sign, '*' | '×');
            if divides && next == 0.0 {
                return Err("nothing can be divided by 0".to_owned());
            }
            value = match sign {
                '*' | '×' => value * next,
                '%' => value % next,
                _ => value / next,
            };
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, String> {
        let is_negative = self.next_is(&['-', '−']).is_some();
        let base = self.value()?;
        let value = match self.next_is(&['^']) {
            Some(_) => base.powf(self.power()?),
            None => base,
        };
        Ok(if is_negative { -value } else { value })
    }

    fn value(&mut self) -> Result<f64, String> {
        if self.next_is(&['(']).is_some() {
            self.depth += 1;
            if self.depth > DEPTH_MAX {
                return Err(format!("parentheses go {DEPTH_MAX} deep at most"));
            }
            let value = self.sum()?;
            self.depth -= 1;
            return self
                .next_is(&[')'])
                .map(|_| value)
                .ok_or_else(|| "a `)` is missing".to_owned());
        }
        let begin = self.at;
        while self
            .text
            .get(self.at)
            .is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
        {
            self.at += 1;
        }
        let digits: String = self.text[begin..self.at]
            .iter()
            .filter(|c| **c != ',')
            .collect();
        digits.parse().map_err(|_| match self.text.get(begin) {
            Some(c) => format!("`{c}` at place {} is no number", begin + 1),
            None => "a number is missing at the end".to_owned(),
        })
    }
}

/// The one expression that a question holds, if it holds one: written with signs, or with a verb and two numbers.
pub fn expression_in(question: &str) -> Option<String> {
    written(question).or_else(|| told(question))
}

fn written(question: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_digit() || " .,()+-*/×÷%^−".contains(c);
    let mut parts = question.split(|c: char| !is_part(c));
    parts.find_map(|part| {
        let part = part.trim_matches([' ', ',', '.']);
        let signs = part.contains(['+', '*', '/', '×', '÷', '^', '%', '−']) || part.contains(" - ");
        // A date, a path and a version have signs, too, but none that stand free.
        let is_free = part.contains(" ") || part.contains(['*', '^', '×', '÷', '(']);
        let is_one = signs && is_free && calculate(part).is_ok();
        is_one.then(|| part.to_owned())
    })
}

fn told(question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let words: Vec<&str> = lower
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| ",.?!:;".contains(c)))
        .collect();
    let numbers: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| word.parse::<f64>().is_ok())
        .collect();
    let [a, b] = numbers[..] else {
        return None;
    };
    let has = |word: &str| words.contains(&word);
    let sign = if has("multiply") || has("times") {
        "*"
    } else if has("divide") || (has("divided") && has("by")) {
        "/"
    } else if has("add") || has("plus") {
        "+"
    } else if has("minus") {
        "-"
    } else if has("subtract") && has("from") {
        return Some(format!("{b} - {a}"));
    } else {
        return None;
    };
    Some(format!("{a} {sign} {b}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_their_value() {
        for (expression, value) in [
            ("12 * 5", "60"),
            ("2 + 3 * 4 ^ 2", "50"),
            ("-(2 - 5) / 2", "1.5"),
            ("10 % 4", "2"),
            ("1,000 + 1", "1001"),
            ("0.1 + 0.2", "0.3"),
            ("2 ^ 3 ^ 2", "512"),
        ] {
            assert_eq!(calculate(expression).as_deref(), Ok(value), "{expression}");
        }
        for wrong in ["", "1 +", "(1", "1 / 0", "a", "1 2)", "9 ^ 999"] {
            assert!(calculate(wrong).is_err(), "{wrong}");
        }
        assert!(calculate(&"(".repeat(200)).is_err());
    }

    #[test]
    fn a_question_may_hold_one() {
        for (question, found) in [
            ("Help me multiply 12 by 5.", Some("12 * 5")),
            ("What is 3 * (4 + 5)?", Some("3 * (4 + 5)")),
            ("Subtract 4 from 10", Some("10 - 4")),
            ("Meet me on 2026-11-26 at 5", None),
            ("Open /usr/lib and 3 files", None),
            ("Which of the 3 is it?", None),
        ] {
            assert_eq!(expression_in(question).as_deref(), found, "{question}");
        }
    }
}
