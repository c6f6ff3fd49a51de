//! The calculator: sums, products, powers and remainders in the usual order, all of them exactly.
//!
//! Numbers are fractions of whole numbers. Results that they cannot hold are refused: a model takes every digit of an
//! answer for true, so none is made up. A result without end is rounded to `DIGITS` places.

/// Decimal places of a result.
const DIGITS: u32 = 12;
/// Characters of an expression.
const CHARS_MAX: usize = 500;
/// Depth of parentheses.
const DEPTH_MAX: usize = 50;

/// The value of an expression as a text.
///
/// The fault and its place, as a text for the author of the expression.
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
    value.written().ok_or_else(too_large)
}

fn too_large() -> String {
    "the numbers are too large, or have too many digits, to be calculated exactly".to_owned()
}

/// A fraction in its lowest terms; the lower part is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Number {
    upper: i128,
    lower: i128,
}

impl Number {
    const ONE: Self = Self { upper: 1, lower: 1 };

    fn new(upper: i128, lower: i128) -> Option<Self> {
        let (mut a, mut b) = (upper.unsigned_abs(), lower.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let divisor = i128::try_from(a).ok().filter(|divisor| *divisor > 0)?;
        let sign = lower.signum();
        Some(Self {
            upper: (upper / divisor).checked_mul(sign)?,
            lower: (lower / divisor).checked_mul(sign)?,
        })
    }

    /// Reads digits with at most one point.
    fn read(digits: &str) -> Option<Self> {
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let upper = format!("{whole}{part}").parse().ok()?;
        let places = u32::try_from(part.len()).ok()?;
        Self::new(upper, 10_i128.checked_pow(places)?)
    }

    fn negative(self) -> Option<Self> {
        Some(Self {
            upper: self.upper.checked_neg()?,
            ..self
        })
    }

    fn plus(self, other: Self) -> Option<Self> {
        let a = self.upper.checked_mul(other.lower)?;
        let b = other.upper.checked_mul(self.lower)?;
        Self::new(a.checked_add(b)?, self.lower.checked_mul(other.lower)?)
    }

    fn times(self, other: Self) -> Option<Self> {
        // Shortened crosswise first, so that only the result has to fit.
        let (a, b) = (
            Self::new(self.upper, other.lower)?,
            Self::new(other.upper, self.lower)?,
        );
        Self::new(a.upper.checked_mul(b.upper)?, a.lower.checked_mul(b.lower)?)
    }

    /// One divided by it; `None` for 0, too.
    fn inverse(self) -> Option<Self> {
        Self::new(self.lower, self.upper).filter(|one| one.lower != 0)
    }

    /// The remainder after whole steps of another number, with its own sign.
    fn rest(self, other: Self) -> Option<Self> {
        let quotient = self.times(other.inverse()?)?;
        let whole = Self::new(quotient.upper / quotient.lower, 1)?;
        self.plus(whole.times(other)?.negative()?)
    }

    fn power(self, exponent: Self) -> Option<Self> {
        let steps = u32::try_from(exponent.upper.unsigned_abs()).ok()?;
        let base = if exponent.upper < 0 {
            self.inverse()?
        } else {
            self
        };
        Self::new(
            base.upper.checked_pow(steps)?,
            base.lower.checked_pow(steps)?,
        )
    }

    fn written(self) -> Option<String> {
        let scale = 10_u128.pow(DIGITS);
        let (upper, lower) = (self.upper.unsigned_abs(), self.lower.unsigned_abs());
        let (mut whole, rest) = (upper / lower, upper % lower);
        let scaled = rest.checked_mul(scale)?;
        let is_up = scaled % lower >= lower.div_ceil(2);
        let mut part = scaled / lower + u128::from(is_up);
        if part == scale {
            (whole, part) = (whole + 1, 0);
        }
        if whole == 0 && part == 0 && upper != 0 {
            // 0 would be wrong.
            return None;
        }
        let sign = if self.upper < 0 { "-" } else { "" };
        let places = DIGITS as usize;
        let written = format!("{sign}{whole}.{part:0places$}");
        let written = written.trim_end_matches('0').trim_end_matches('.');
        Some(written.to_owned())
    }
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

    fn sum(&mut self) -> Result<Number, String> {
        let mut value = self.product()?;
        while let Some(sign) = self.next_is(&['+', '-', '−']) {
            let next = self.product()?;
            let next = if sign == '+' {
                Some(next)
            } else {
                next.negative()
            };
            let sum = next.and_then(|next| value.plus(next));
            value = sum.ok_or_else(too_large)?;
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Number, String> {
        let mut value = self.power()?;
        while let Some(sign) = self.next_is(&['*', '×', '/', '÷', '%']) {
            let next = self.power()?;
            let divides = !matches!(sign, '*' | '×');
            if divides && next.upper == 0 {
                return Err("nothing can be divided by 0".to_owned());
            }
            let result = match sign {
                '*' | '×' => value.times(next),
                '%' => value.rest(next),
                _ => next.inverse().and_then(|next| value.times(next)),
            };
            value = result.ok_or_else(too_large)?;
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<Number, String> {
        let is_negative = self.next_is(&['-', '−']).is_some();
        let base = self.value()?;
        let value = match self.next_is(&['^']) {
            Some(_) => raised(base, self.power()?)?,
            None => base,
        };
        if is_negative {
            return value.negative().ok_or_else(too_large);
        }
        Ok(value)
    }

    fn value(&mut self) -> Result<Number, String> {
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
        let points = digits.matches('.').count();
        if points > 1 || digits.len() == points {
            return Err(match self.text.get(begin) {
                Some(c) => format!("`{c}` at place {} is no number", begin + 1),
                None => "a number is missing at the end".to_owned(),
            });
        }
        Number::read(&digits).ok_or_else(too_large)
    }
}

fn raised(base: Number, exponent: Number) -> Result<Number, String> {
    if exponent.lower != 1 {
        return Err("a power needs a whole number after `^`; a root has no exact value".to_owned());
    }
    if base.upper == 0 && exponent.upper < 0 {
        return Err("nothing can be divided by 0".to_owned());
    }
    if base == Number::ONE {
        return Ok(base);
    }
    base.power(exponent).ok_or_else(too_large)
}

/// The one expression that a question holds, if it holds one: written with signs, or with a verb and two numbers.
pub fn expression_in(question: &str) -> Option<String> {
    written(question).or_else(|| told(question))
}

fn written(question: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_digit() || " .,()+-*/×÷%^−".contains(c);
    // A part that touches a letter is only a piece of a number or a name, such as `308*1` of `1e308*1e308`.
    let is_whole = |begin: usize, part: &str| {
        let before = question[..begin].chars().next_back();
        let after = question[begin + part.len()..].chars().next();
        let touches = |inner: Option<char>, outer: Option<char>| {
            outer.is_some_and(char::is_alphanumeric) && inner.is_some_and(|c| c != ' ')
        };
        !touches(part.chars().next(), before) && !touches(part.chars().next_back(), after)
    };
    let mut begin = 0;
    let parts = question.split(|c: char| !is_part(c)).map(|part| {
        let at = begin;
        begin = at + part.len();
        // Past the letter that ended it.
        begin += question[begin..].chars().next().map_or(0, char::len_utf8);
        (at, part)
    });
    let mut parts = parts.filter(|(at, part)| is_whole(*at, part));
    parts.find_map(|(_, part)| {
        let part = part.trim_matches([' ', ',', '.']);
        let signs = part.contains(['+', '*', '/', '×', '÷', '^', '%', '−']) || part.contains(" - ");
        // A date, a path and a version have signs, too, but none between blanks.
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
            ("2 ^ -2", "0.25"),
            ("0 - 0", "0"),
            ("-1 / 3", "-0.333333333333"),
            ("2 / 3", "0.666666666667"),
            ("0.9999999999999 * 1", "1"),
            ("-7 % 3", "-1"),
            ("1 ^ 99999999999999", "1"),
            (
                "99999999999999999999 * 99999999999999999",
                "9999999999999999899900000000000000001",
            ),
        ] {
            assert_eq!(calculate(expression).as_deref(), Ok(value), "{expression}");
        }
        for wrong in [
            "",
            "1 +",
            "(1",
            "1 / 0",
            "0 ^ -1",
            "1.2.3",
            ".",
            "a",
            "1 2)",
            "9 ^ 999",
            "2 ^ 0.5",
            "99999999999999999999 * 9999999999999999999999999",
            "1 / 10 ^ 30",
            "1e308*1e308",
        ] {
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
            ("What is 1e308*1e308?", None),
            ("Is it 2*3x?", None),
            ("Is 7 * 6 more than 40?", Some("7 * 6")),
        ] {
            assert_eq!(expression_in(question).as_deref(), found, "{question}");
        }
    }
}
