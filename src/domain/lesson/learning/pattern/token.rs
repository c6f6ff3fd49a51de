//! The tokens of an action: words, values, signs, and the placeholders of patterns.

use hindlore_errors::value::{is_email, placeholder_of};

/// A word whose quotes are the fault: bare, or inside one of the marks.
const WORDS: &[(&str, &str)] = &[("<word>", ""), ("\"<word>\"", "\""), ("'<word>'", "'")];

/// A token with the blank before it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) space_before: bool,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    Flag,
    Number,
    Quoted,
    Path,
    Email,
    Sign,
    /// `<1>`, `<num>` and the like.
    Placeholder,
    Gap,
}

impl Token {
    pub(super) fn gap() -> Self {
        Self {
            text: super::GAP.to_owned(),
            space_before: true,
            kind: Kind::Gap,
        }
    }

    pub(super) fn is_path(&self) -> bool {
        self.kind == Kind::Path
    }

    pub(super) fn is_gap(&self) -> bool {
        self.kind == Kind::Gap
    }

    pub(super) fn is_placeholder(&self) -> bool {
        self.kind == Kind::Placeholder
    }

    /// A token that may differ from one use of a form to the next.
    pub(super) fn is_value(&self) -> bool {
        matches!(
            self.kind,
            Kind::Word | Kind::Number | Kind::Quoted | Kind::Path | Kind::Email
        )
    }

    /// The name of a function, of an argument or of a field belongs to the form.
    pub(super) fn is_structural(&self, next: Option<&Self>) -> bool {
        self.kind == Kind::Word && next.is_some_and(|next| next.text == "(")
    }

    pub(super) fn with_text(&self, text: String) -> Self {
        Self {
            text,
            space_before: self.space_before,
            kind: Kind::Placeholder,
        }
    }

    /// The token with a value of no lasting meaning masked.
    pub(super) fn masked(&self) -> Self {
        match self.kind {
            Kind::Number => self.with_text("<num>".to_owned()),
            Kind::Quoted => self.with_text("<str>".to_owned()),
            Kind::Path => self.with_text("<path>".to_owned()),
            _ => self.without_case_value(),
        }
    }

    /// The token with a value that belongs to one case masked; plain words, short numbers and names of a part
    /// (`HEAD:topic`) stay.
    pub(super) fn without_case_value(&self) -> Self {
        let is_place = self.kind == Kind::Path
            && (self.text.starts_with(['/', '~', '\\'])
                || self.is_case_value() && self.text.contains('.'));
        if is_place && !self.text.contains("://") && !self.text.starts_with("./") {
            return self.with_text("<path>".to_owned());
        }
        let is_text = self.kind == Kind::Quoted && self.text.contains(char::is_whitespace);
        if is_text {
            return self.with_text("<str>".to_owned());
        }
        match self.kind {
            Kind::Placeholder | Kind::Gap | Kind::Sign | Kind::Flag => self.clone(),
            _ => match placeholder_of(&self.text) {
                Some(placeholder) => self.with_text(placeholder),
                None => self.clone(),
            },
        }
    }

    /// Returns true if it belongs to one case: it names a file, a number, a text, a person.
    pub(super) fn is_case_value(&self) -> bool {
        match self.kind {
            Kind::Number | Kind::Email => true,
            // Empty quotes are an argument of their own, not a text of somebody's.
            Kind::Quoted => self.text.len() > 2,
            // `HEAD:topic/x` is a method, `src/a.ts` is an object.
            Kind::Path => !self.text.contains(':') || self.text.contains("://"),
            Kind::Word => is_file_name(&self.text) || placeholder_of(&self.text).is_some(),
            Kind::Sign => !self.space_before,
            Kind::Flag | Kind::Placeholder | Kind::Gap => false,
        }
    }

    /// Returns true if it begins a request, whose path is part of the request.
    pub(super) fn is_request(&self) -> bool {
        matches!(
            self.text.as_str(),
            "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD"
        )
    }

    /// Returns true if it matches any path.
    pub(super) fn is_path_mask(&self) -> bool {
        self.kind == Kind::Placeholder && self.text == "<path>"
    }

    /// The mark around a word whose quotes are the fault: empty for a bare word, absent for any other token.
    pub(super) fn word_mark(&self) -> Option<&'static str> {
        let found = WORDS.iter().find(|(text, _)| *text == self.text);
        found.map(|(_, mark)| *mark)
    }

    /// Returns true if it can be a further part of the bare word before it.
    pub(super) fn continues_word(&self) -> bool {
        let is_joint = matches!(self.text.as_str(), "-" | "." | ":" | "+" | "@");
        !self.space_before && self.kind != Kind::Quoted && (self.is_value() || is_joint)
    }

    /// Returns true if it can be a further part of the path before it.
    pub(super) fn continues_path(&self) -> bool {
        !self.space_before && matches!(self.kind, Kind::Number | Kind::Path)
    }

    /// Returns true if a placeholder takes a token.
    pub(super) fn accepts(&self, given: &Self) -> bool {
        match self.word_mark() {
            Some("") => return given.is_value() && given.kind != Kind::Quoted,
            Some(mark) => return given.kind == Kind::Quoted && given.text.starts_with(mark),
            None => {}
        }
        match self.text.as_str() {
            "<num>" => given.kind == Kind::Number,
            "<str>" => given.kind == Kind::Quoted,
            "<path>" => given.kind == Kind::Path,
            "<email>" => given.kind == Kind::Email,
            text => match text.strip_suffix("_id>") {
                // The kind of an id is part of the form: a voucher is no credit card.
                Some(_) => placeholder_of(&given.text).as_deref() == Some(text),
                None => given.is_value(),
            },
        }
    }
}

/// Splits an action or a pattern.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    let mut space_before = false;
    while at < chars.len() {
        if chars[at].is_whitespace() {
            space_before = true;
            at += 1;
            continue;
        }
        let (kind, length) = token_at(&chars, at);
        let text = chars[at..at + length].iter().collect();
        found.push(Token {
            text,
            space_before,
            kind,
        });
        space_before = false;
        at += length;
    }
    found
}

/// Puts tokens together again.
pub(super) fn join(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let after_gap = at > 0 && tokens[at - 1].is_gap();
        if at > 0 && (token.space_before || after_gap) {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    text
}

fn token_at(chars: &[char], at: usize) -> (Kind, usize) {
    let run = |from: usize, is: &dyn Fn(char) -> bool| {
        chars[from..].iter().take_while(|c| is(**c)).count()
    };
    let next = |by: usize| chars.get(at + by).copied().unwrap_or(' ');
    let c = chars[at];
    let word = |c: char| c.is_alphanumeric() || c == '_';
    if c == '…' {
        return (Kind::Gap, 1);
    }
    if let Some(length) = placeholder_at(chars, at) {
        return (Kind::Placeholder, length);
    }
    if let Some(length) = word_at(&chars[at..]) {
        return (Kind::Placeholder, length);
    }
    if matches!(c, '"' | '\'' | '`') {
        let inside = run(at + 1, &|other| other != c);
        return if next(inside + 1) == c {
            (Kind::Quoted, inside + 2)
        } else {
            (Kind::Sign, 1)
        };
    }
    let blank_before = at == 0 || chars[at - 1].is_whitespace();
    if c == '-'
        && blank_before
        && (next(1).is_alphabetic() || (next(1) == '-' && next(2).is_alphabetic()))
    {
        return (Kind::Flag, run(at, &|c| word(c) || c == '-'));
    }
    let piece = run(at, &|c| !c.is_whitespace() && !"(),;=?&\"'`|<>".contains(c));
    if chars[at..at + piece].contains(&'@') {
        let text: String = chars[at..at + piece].iter().collect();
        if is_email(&text) {
            return (Kind::Email, piece);
        }
    }
    if let Some(length) = id_at(chars, at, at + piece) {
        return (Kind::Number, length);
    }
    let slashes = chars[at..at + piece]
        .iter()
        .filter(|c| matches!(c, '/' | '\\'))
        .count();
    if slashes > 0 && piece > 1 && (matches!(c, '/' | '~' | '.') || slashes > 1 || word(c)) {
        // The number of a record varies from one request to the next, the text around it does not.
        let starts = (1..piece).find(|by| id_at(chars, at + by, at + piece).is_some());
        return (
            Kind::Path,
            starts.filter(|_| !c.is_ascii_digit()).unwrap_or(piece),
        );
    }
    if c.is_ascii_digit() {
        return (
            Kind::Number,
            run(at, &|c| word(c) || matches!(c, '.' | ':' | '-')),
        );
    }
    if word(c) {
        // The first word is the name of a program, which may hold hyphens.
        let is_name = |c: char| word(c) || c == '.' || (at == 0 && c == '-');
        return (Kind::Word, run(at, &is_name).max(1));
    }
    // A sign ends where a placeholder begins: `=<1>` is two tokens.
    let signs = run(at, &|c| "-><=!:|&+*%^~".contains(c));
    let ends = (1..signs).find(|by| placeholder_at(chars, at + by).is_some());
    (Kind::Sign, ends.unwrap_or(signs).max(1))
}

/// The length of the part of a path that is a number or an identifier, where one begins: digits alone, or
/// eight and more hexadecimal digits and hyphens of which some are digits.
fn id_at(chars: &[char], at: usize, end: usize) -> Option<usize> {
    if at == 0 || chars[at - 1] != '/' || (at > 1 && chars[at - 2].is_whitespace()) {
        return None;
    }
    let part: Vec<char> = chars[at..end]
        .iter()
        .take_while(|c| **c != '/')
        .copied()
        .collect();
    let digits = part.iter().filter(|c| c.is_ascii_digit()).count();
    let is_hex = part.len() >= 8 && part.iter().all(|c| c.is_ascii_hexdigit() || *c == '-');
    (digits > 0 && (digits == part.len() || is_hex)).then_some(part.len())
}

/// The length of a word whose quotes are the fault, at the beginning of a text.
fn word_at(rest: &[char]) -> Option<usize> {
    let begins = |text: &&str| {
        rest.iter()
            .copied()
            .take(text.chars().count())
            .eq(text.chars())
    };
    let mut texts = WORDS.iter().map(|(text, _)| *text);
    texts.find(begins).map(|text| text.chars().count())
}

/// The length of `<name>` at a place.
fn placeholder_at(chars: &[char], at: usize) -> Option<usize> {
    let rest = chars[at..].strip_prefix(&['<'])?;
    let name = rest
        .iter()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(**c, '*' | '_'))
        .count();
    (name > 0 && rest.get(name) == Some(&'>')).then_some(name + 2)
}

/// A name with an ending, as of a file: `gen.py`, not `1.2` and not `python3.11`.
fn is_file_name(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_lowercase())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
    })
}
