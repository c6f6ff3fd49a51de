//! A token is the smallest piece of Rust text that a rule looks at: word, literal, lifetime or sign.
//!
//! Strings, characters and comments are recognised first, because a brace or a path inside of them means
//! nothing. Comments are kept apart with their line, since some rules read only them.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Literal,
    Lifetime,
    Sign,
}

/// One token with the line it starts on, counted from 1. A string keeps its quotes; other literals keep no text.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Token {
    /// Returns true if this is the word or sign `text`.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }

    /// Returns true if this is an identifier or a keyword.
    pub(crate) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

/// A comment with the line it starts on.
#[derive(Clone, Debug)]
pub(crate) struct Comment {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// Splits `text` into its tokens and its comments.
pub(crate) fn scan(text: &str) -> (Vec<Token>, Vec<Comment>) {
    let mut scanner = Scanner {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
        tokens: vec![],
        comments: vec![],
    };
    while scanner.at < scanner.chars.len() {
        scanner.step();
    }
    (scanner.tokens, scanner.comments)
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    line: usize,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn bump(&mut self) {
        if self.peek(0) == '\n' {
            self.line += 1;
        }
        self.at += 1;
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    fn done(&self) -> bool {
        self.at >= self.chars.len()
    }

    fn since(&self, start: usize) -> String {
        self.chars[start..self.at.min(self.chars.len())]
            .iter()
            .collect()
    }

    fn push(&mut self, kind: Kind, text: String, line: usize) {
        self.tokens.push(Token { kind, text, line });
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (c, _) if c.is_whitespace() => self.bump(),
            ('/', '/') => self.line_comment(),
            ('/', '*') => self.block_comment(),
            ('"', _) => self.string(),
            ('\'', _) => self.quote(),
            (c, _) if c.is_ascii_digit() => self.number(),
            (c, _) if c == '_' || c.is_alphabetic() => self.word(),
            _ => self.sign(),
        }
    }

    fn line_comment(&mut self) {
        let (start, line) = (self.at, self.line);
        while !self.done() && self.peek(0) != '\n' {
            self.bump();
        }
        self.comments.push(Comment {
            text: self.chars[start..self.at].iter().collect(),
            line,
        });
    }

    fn block_comment(&mut self) {
        let (start, line) = (self.at, self.line);
        let mut depth = 0_usize;
        while !self.done() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => {
                    depth += 1;
                    self.skip(2);
                }
                ('*', '/') => {
                    depth -= 1;
                    self.skip(2);
                    if depth == 0 {
                        break;
                    }
                }
                _ => self.bump(),
            }
        }
        self.comments.push(Comment {
            text: self.chars[start..self.at].iter().collect(),
            line,
        });
    }

    fn string(&mut self) {
        let (start, line) = (self.at, self.line);
        self.bump();
        while !self.done() && self.peek(0) != '"' {
            let width = if self.peek(0) == '\\' { 2 } else { 1 };
            self.skip(width);
        }
        self.bump();
        self.push(Kind::Literal, self.since(start), line);
    }

    /// Reads a raw string from its first `#` or `"`; the letters before it are already consumed.
    fn raw_string(&mut self, line: usize) {
        let start = self.at;
        let mut hashes = 0;
        while self.peek(0) == '#' {
            hashes += 1;
            self.bump();
        }
        self.bump();
        while !self.done() {
            let closes = self.peek(0) == '"' && (1..=hashes).all(|ahead| self.peek(ahead) == '#');
            self.bump();
            if closes {
                self.skip(hashes);
                break;
            }
        }
        self.push(Kind::Literal, self.since(start), line);
    }

    /// Reads a character, or a lifetime where the quote is not closed after one character.
    fn quote(&mut self) {
        let line = self.line;
        if self.peek(1) != '\\' && self.peek(2) != '\'' {
            self.bump();
            let name = self.take_name();
            self.push(Kind::Lifetime, name, line);
            return;
        }
        self.bump();
        while !self.done() && self.peek(0) != '\'' {
            let width = if self.peek(0) == '\\' { 2 } else { 1 };
            self.skip(width);
        }
        self.bump();
        self.push(Kind::Literal, String::new(), line);
    }

    fn number(&mut self) {
        let line = self.line;
        self.take_name();
        self.push(Kind::Literal, String::new(), line);
    }

    fn take_name(&mut self) -> String {
        let start = self.at;
        while !self.done() && (self.peek(0) == '_' || self.peek(0).is_alphanumeric()) {
            self.bump();
        }
        self.chars[start..self.at].iter().collect()
    }

    fn word(&mut self) {
        let line = self.line;
        let name = self.take_name();
        let raw_follows =
            self.peek(0) == '"' || (self.peek(0) == '#' && matches!(self.peek(1), '"' | '#'));
        match name.as_str() {
            "r" | "br" | "cr" if raw_follows => self.raw_string(line),
            "b" | "c" if self.peek(0) == '"' => self.string(),
            "b" if self.peek(0) == '\'' => self.quote(),
            "r" if self.peek(0) == '#' => {
                self.bump();
                let raw_name = self.take_name();
                self.push(Kind::Word, raw_name, line);
            }
            _ => self.push(Kind::Word, name, line),
        }
    }

    fn sign(&mut self) {
        let line = self.line;
        let pair: String = [self.peek(0), self.peek(1)].iter().collect();
        let text = if matches!(pair.as_str(), "::" | "->" | "=>") {
            pair
        } else {
            self.peek(0).to_string()
        };
        self.skip(text.chars().count());
        self.push(Kind::Sign, text, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        scan(text)
            .0
            .into_iter()
            .filter(Token::is_word)
            .map(|token| token.text)
            .collect()
    }

    #[test]
    fn strings_characters_and_comments_hide_their_content() {
        let text = concat!(
            "a \"x { \\\" y\" b r#\"x \" y\"# c '{' d '\\'' e b'x' f // x\n",
            "g /* x /* y */ z */ h &'static i br\"x\" j \"x\n y\" k",
        );
        assert_eq!(words(text).concat(), "abcdefghijk");
    }

    #[test]
    fn a_token_knows_its_line() {
        let (tokens, comments) = scan("a\n\"x\ny\" b // c\nr#type");
        assert_eq!(
            tokens.iter().map(|token| token.line).collect::<Vec<_>>(),
            [1, 2, 3, 4]
        );
        assert_eq!((tokens[3].text.as_str(), comments[0].line), ("type", 3));
    }

    #[test]
    fn a_lifetime_is_not_a_character() {
        let (tokens, _) = scan("fn f<'a>(x: &'a str, c: char) { c == 'a' }");
        assert_eq!(
            tokens
                .iter()
                .filter(|token| token.kind == Kind::Lifetime)
                .count(),
            2
        );
        assert_eq!(
            tokens
                .iter()
                .filter(|token| token.kind == Kind::Literal)
                .count(),
            1
        );
    }
}
