//! Arithmetic over columns: sums, products, brackets; read once, computed for each row.

use super::Fault;
use super::cells::Table;
use crate::tokens::{Kind, Token};

/// Brackets inside brackets.
const DEPTH_MAX: usize = 32;

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    Number(f64),
    Column(String),
    Binary(Box<Expression>, char, Box<Expression>),
}

impl Expression {
    /// Reads all of the pieces.
    pub(super) fn read(tokens: &[Token]) -> Result<Self, Fault> {
        let mut reader = Reader { tokens, at: 0 };
        let whole = reader.sum(0)?;
        match tokens.get(reader.at) {
            None => Ok(whole),
            Some(token) => Err(bad(&token.text)),
        }
    }

    /// Computes the value for one row.
    pub(super) fn value(&self, table: &Table, row: usize) -> Result<f64, Fault> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Column(name) => {
                let Some(column) = table.column(name) else {
                    let columns = table.columns.join(", ");
                    return Err(Fault::new(
                        "unknown_column",
                        &[("found", name), ("columns", &columns)],
                    ));
                };
                let cell = &table.rows[row][column];
                cell.number.ok_or_else(|| {
                    Fault::new("not_a_number", &[("found", &cell.text), ("column", name)])
                })
            }
            Self::Binary(left, sign, right) => {
                let (left, right) = (left.value(table, row)?, right.value(table, row)?);
                match sign {
                    '+' => Ok(left + right),
                    '-' => Ok(left - right),
                    '*' => Ok(left * right),
                    _ if right == 0.0 => Err(Fault::new("division_by_zero", &[])),
                    _ => Ok(left / right),
                }
            }
        }
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        let token = self
            .tokens
            .get(self.at)
            .filter(|token| token.kind == Kind::Sign)?;
        let sign = signs.iter().find(|sign| token.text.chars().eq([**sign]))?;
        self.at += 1;
        Some(*sign)
    }

    fn sum(&mut self, depth: usize) -> Result<Expression, Fault> {
        let mut left = self.product(depth)?;
        while let Some(sign) = self.sign(&['+', '-']) {
            left = Expression::Binary(Box::new(left), sign, Box::new(self.product(depth)?));
        }
        Ok(left)
    }

    fn product(&mut self, depth: usize) -> Result<Expression, Fault> {
        let mut left = self.atom(depth)?;
        while let Some(sign) = self.sign(&['*', '/']) {
            left = Expression::Binary(Box::new(left), sign, Box::new(self.atom(depth)?));
        }
        Ok(left)
    }

    fn atom(&mut self, depth: usize) -> Result<Expression, Fault> {
        if depth < DEPTH_MAX && self.sign(&['(']).is_some() {
            let inner = self.sum(depth + 1)?;
            return match self.sign(&[')']) {
                Some(_) => Ok(inner),
                None => Err(bad(self.found())),
            };
        }
        let found = self.found().to_owned();
        let Some(token) = self.tokens.get(self.at) else {
            return Err(bad(&found));
        };
        self.at += 1;
        match (token.kind, token.text.parse::<f64>()) {
            (Kind::Number, Ok(number)) => Ok(Expression::Number(number)),
            (Kind::Word, _) => Ok(Expression::Column(token.text.clone())),
            _ => Err(bad(&found)),
        }
    }

    fn found(&self) -> &str {
        self.tokens
            .get(self.at)
            .map_or("the end", |token| &token.text)
    }
}

fn bad(found: &str) -> Fault {
    Fault::new("bad_expression", &[("found", found)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    fn value(text: &str) -> Result<f64, &'static str> {
        let table = Table::read("a,b,c\n6,2,x\n").unwrap();
        let read = Expression::read(&tokens(text)).map_err(|fault| fault.kind)?;
        read.value(&table, 0).map_err(|fault| fault.kind)
    }

    #[test]
    fn products_bind_before_sums() {
        assert_eq!(value("a + b * 3"), Ok(12.0));
        assert_eq!(value("(a+b)*3/4"), Ok(6.0));
        assert_eq!(value("a-b-1"), Ok(3.0));
    }

    #[test]
    fn wrong_expressions_say_what_is_wrong() {
        for (text, kind) in [
            ("a +", "bad_expression"),
            ("a b", "bad_expression"),
            ("(a", "bad_expression"),
            ("d", "unknown_column"),
            ("c * 2", "not_a_number"),
            ("a / 0", "division_by_zero"),
        ] {
            assert_eq!(value(text), Err(kind), "{text}");
        }
    }
}
