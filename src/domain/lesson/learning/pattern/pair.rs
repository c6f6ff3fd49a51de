//! Two compared tries: their common parts, their differences, and the parts that a pattern keeps.

use super::token::{Kind, Token};
use super::verbs::naming_words;
use hindlore_errors::shell::{is_variable, is_wrapper};

/// Tokens kept on either side of a difference.
const CONTEXT: usize = 1;

/// Two aligned tries.
pub(super) struct Pair<'a> {
    a: &'a [Token],
    b: &'a [Token],
    runs: Vec<Run>,
    values: Values,
    /// Whether longer stretches that both hold become gaps.
    has_gaps: bool,
}

impl<'a> Pair<'a> {
    /// Compares two tries, with all common parts abstracted.
    pub(super) fn of(a: &'a [Token], b: &'a [Token]) -> Self {
        Self {
            runs: aligned(a, b),
            values: Values::of(a, b),
            a,
            b,
            has_gaps: true,
        }
    }

    /// Abstracts less where that is refuted: nothing at first, then value by value as far as it goes;
    /// absent when even nothing is too much.
    pub(super) fn specialise(&mut self, is_refuted: impl Fn(&Self) -> bool) -> Option<()> {
        if !is_refuted(self) {
            return Some(());
        }
        self.has_gaps = false;
        self.values.abstracted.fill(false);
        if is_refuted(self) {
            return None;
        }
        for at in 0..self.values.abstracted.len() {
            self.values.abstracted[at] = true;
            if is_refuted(self) {
                self.values.abstracted[at] = false;
            }
        }
        Some(())
    }

    /// The pattern of the failed try; values of its own are masked.
    pub(super) fn left(&self) -> Vec<Token> {
        self.pattern(self.a, |run| run.a, Token::masked, Token::masked)
    }

    /// The pattern of the working try; words of its own stay, because the rule needs them, and values of one case do
    /// not, because another reader must not use them.
    pub(super) fn right(&self) -> Vec<Token> {
        self.pattern(self.b, |run| run.b, Token::without_case_value, Token::clone)
    }

    pub(super) fn masked_right(&self) -> Vec<Token> {
        self.pattern(self.b, |run| run.b, Token::masked, Token::masked)
    }

    fn pattern(
        &self,
        tokens: &[Token],
        side: fn(&Run) -> (usize, usize),
        own: fn(&Token) -> Token,
        keep: fn(&Token) -> Token,
    ) -> Vec<Token> {
        let mut made = Vec::new();
        for (at, run) in self.runs.iter().enumerate() {
            let (from, to) = side(run);
            let stretch = &tokens[from..to];
            // The program or the tool stays in every form.
            let program = tokens.get(program_at(tokens)).map(std::ptr::from_ref);
            let is_program = |token: &Token| program == Some(std::ptr::from_ref(token));
            let is_request = tokens.first().is_some_and(Token::is_request);
            let abstracted = |token: &Token| {
                let own = match token.kind {
                    _ if is_program(token) => Token::clone,
                    Kind::Path if is_request => keep,
                    _ => own,
                };
                self.values.abstracted(token, own)
            };
            if !run.is_common {
                made.extend(stretch.iter().map(abstracted));
                continue;
            }
            let named = match run.a.0 {
                0 => program_at(self.a) + naming_tokens(self.a),
                _ => 0,
            };
            let last = at + 1 == self.runs.len();
            match gap_in(stretch.len(), named, last).filter(|_| self.has_gaps) {
                Some((head, tail)) => {
                    made.extend(stretch[..head].iter().map(abstracted));
                    made.push(Token::gap());
                    made.extend(stretch[tail..].iter().map(abstracted));
                }
                None => made.extend(stretch.iter().map(abstracted)),
            }
        }
        made
    }

    /// The tokens that only one of the two holds.
    pub(super) fn own(&self) -> (Vec<Token>, Vec<Token>) {
        let own = || self.runs.iter().filter(|run| !run.is_common);
        let failed = own().flat_map(|run| self.a[run.a.0..run.a.1].to_vec());
        let worked = own().flat_map(|run| self.b[run.b.0..run.b.1].to_vec());
        (failed.collect(), worked.collect())
    }

    pub(super) fn differing(&self) -> usize {
        let own = self.runs.iter().filter(|run| !run.is_common);
        own.map(|run| (run.a.1 - run.a.0).max(run.b.1 - run.b.0))
            .sum()
    }
}

/// A stretch of two aligned lists: from where to where in each.
#[derive(Clone, Copy, Debug)]
struct Run {
    a: (usize, usize),
    b: (usize, usize),
    is_common: bool,
}

/// Aligns two lists by their longest common subsequence.
fn aligned(a: &[Token], b: &[Token]) -> Vec<Run> {
    let width = b.len() + 1;
    let mut longest = vec![0_u16; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if a[i].text == b[j].text {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let mut runs: Vec<Run> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let (from_a, from_b) = (i, j);
        while i < a.len() && j < b.len() && a[i].text == b[j].text {
            (i, j) = (i + 1, j + 1);
        }
        if i > from_a {
            runs.push(Run {
                a: (from_a, i),
                b: (from_b, j),
                is_common: true,
            });
            continue;
        }
        while (i < a.len() || j < b.len())
            && !(i < a.len() && j < b.len() && a[i].text == b[j].text)
        {
            let skip_a = j == b.len()
                || (i < a.len() && longest[(i + 1) * width + j] >= longest[i * width + j + 1]);
            if skip_a { i += 1 } else { j += 1 }
        }
        runs.push(Run {
            a: (from_a, i),
            b: (from_b, j),
            is_common: false,
        });
    }
    runs
}

/// The place of the program after the settings and wrappers before it; 0 where nothing else is found.
fn program_at(tokens: &[Token]) -> usize {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_setting = is_variable(&token.text)
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.text == "=" && !next.space_before);
        if is_setting {
            at += 1;
            while tokens.get(at).is_some_and(|next| !next.space_before) {
                at += 1;
            }
        } else if is_wrapper(&token.text) {
            at += 1;
        } else {
            return at;
        }
    }
    0
}

/// The tokens from the program on that name the action.
fn naming_tokens(tokens: &[Token]) -> usize {
    let at = program_at(tokens);
    let first = tokens.get(at + 1).filter(|first| first.space_before);
    let program = tokens.get(at).map_or("", |program| program.text.as_str());
    naming_words(program, first.map(|first| first.text.as_str()))
}

/// The values that both tries hold: their place in the list is their number.
struct Values {
    texts: Vec<String>,
    /// Which of them a pattern leaves open.
    abstracted: Vec<bool>,
}

impl Values {
    fn of(a: &[Token], b: &[Token]) -> Self {
        let mut texts: Vec<String> = Vec::new();
        let (program, naming) = (program_at(a), naming_tokens(a));
        for (at, token) in a.iter().enumerate() {
            // The sub-command of a program belongs to the form, and so does the script that it runs.
            if at > program && at < program + naming {
                continue;
            }
            // Before the program only the value of a setting is open.
            if at == program || (at < program && (at == 0 || a[at - 1].text != "=")) {
                continue;
            }
            let shared = b.iter().skip(1).any(|other| other.text == token.text);
            if shared
                && token.is_value()
                && !token.is_structural(a.get(at + 1))
                && !texts.contains(&token.text)
            {
                texts.push(token.text.clone());
            }
        }
        let abstracted = vec![true; texts.len()];
        Self { texts, abstracted }
    }

    /// A token in the form of a pattern; `own` marks one that the other try does not hold.
    fn abstracted(&self, token: &Token, own: fn(&Token) -> Token) -> Token {
        match self.texts.iter().position(|value| *value == token.text) {
            Some(at) if self.abstracted[at] => token.with_text(format!("<{}>", at + 1)),
            Some(_) => token.clone(),
            None => own(token),
        }
    }
}

/// From where to where a stretch that both tries hold becomes a gap; absent when it is short. `named` are the tokens at
/// its beginning that name the action; without them a pattern would fit anything.
fn gap_in(length: usize, named: usize, last: bool) -> Option<(usize, usize)> {
    let head = if named > 0 { named + CONTEXT } else { CONTEXT };
    let tail = if last { 0 } else { CONTEXT };
    if length <= head + tail + 1 {
        return None;
    }
    Some((if named > 0 { named } else { head }, length - tail))
}
