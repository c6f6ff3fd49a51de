//! The pieces of an action: words, numbers, signs, and quoted texts.
//!
//! One reading for every text here: the input of a tool, its answers, and rules. It knows no language: a sign of
//! several characters is taken whole when it is a usual one.

/// The kind of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Letters, digits and underscores, with full stops inside.
    Word,
    /// A number.
    Number,
    /// Anything else that is no quotation mark.
    Sign,
    /// A quotation mark.
    Quote,
    /// The whole text between two quotation marks.
    Quoted,
    /// A mask such as `<str>`, only in rules.
    Mask,
}

/// One piece of a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// As it is written.
    pub text: String,
    /// Whether a blank precedes it.
    pub spaced: bool,
}

/// Signs of more than one character, the longest first.
const LONG_SIGNS: &[&str] = &[
    "<=>", "===", "!==", "->", "=>", "<-", "~>", ":=", "==", "!=", "<>", "<=", ">=", "&&", "||",
    "|>", "::", "=~", "!~", ">>", "<<", "++", "--",
];
const QUOTES: &[char] = &['"', '\'', '`'];

impl Token {
    /// Returns true if two pieces are the same, at any places.
    pub fn same(&self, other: &Self) -> bool {
        self.kind == other.kind && self.text == other.text
    }

    /// Returns true if it is the sign or word given.
    pub fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Quoted
    }
}

/// Reads a text.
pub fn tokens(text: &str) -> Vec<Token> {
    Lexer::new(text, false).read()
}

/// Reads a rule, in which `<name>` and `<*>` are the abstracted parts.
pub fn rule_tokens(text: &str) -> Vec<Token> {
    Lexer::new(text, true).read()
}

/// Writes pieces as text again, with the blanks that they came with.
pub fn written(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        if token.spaced && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    text
}

/// Pieces that must be taken out or put in to make one text of another, blanks apart.
pub fn differing(a: &[Token], b: &[Token]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let kept = diagonal + 2 * usize::from(!left.same(right));
            diagonal = row[j + 1];
            row[j + 1] = kept.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    with_masks: bool,
    found: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str, with_masks: bool) -> Self {
        Self {
            text,
            at: 0,
            with_masks,
            found: Vec::new(),
        }
    }

    fn read(mut self) -> Vec<Token> {
        let mut spaced = false;
        while let Some(next) = self.rest().chars().next() {
            if next.is_whitespace() {
                spaced = true;
                self.at += next.len_utf8();
                continue;
            }
            match next {
                quote if QUOTES.contains(&quote) => self.quoted(quote, spaced),
                _ => {
                    let (kind, length) = self.plain(next);
                    self.push(kind, length, spaced);
                }
            }
            spaced = false;
        }
        self.found
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind, length: usize, spaced: bool) {
        let text = self.rest()[..length].to_owned();
        self.at += length;
        self.found.push(Token { kind, text, spaced });
    }

    /// A mark without a partner is a mark on its own; one inside a word (`don't`) has no partner.
    fn quoted(&mut self, quote: char, spaced: bool) {
        let after = &self.rest()[quote.len_utf8()..];
        let end = after
            .find(quote)
            .filter(|end| !after[..*end].contains('\n'));
        self.push(Kind::Quote, quote.len_utf8(), spaced);
        if let Some(end) = end {
            if end > 0 {
                self.push(Kind::Quoted, end, false);
            }
            self.push(Kind::Quote, quote.len_utf8(), false);
        }
    }

    fn plain(&self, next: char) -> (Kind, usize) {
        let rest = self.rest();
        if self.with_masks
            && let Some(length) = mask(rest)
        {
            return (Kind::Mask, length);
        }
        if next.is_alphanumeric() || next == '_' {
            let length = word(rest);
            let is_number = rest[..length].parse::<f64>().is_ok() && next.is_ascii_digit();
            return (if is_number { Kind::Number } else { Kind::Word }, length);
        }
        let long = LONG_SIGNS.iter().find(|sign| rest.starts_with(**sign));
        (Kind::Sign, long.map_or(next.len_utf8(), |sign| sign.len()))
    }
}

fn mask(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let end = inner.find('>').filter(|end| (1..=16).contains(end))?;
    let name = &inner[..end];
    let is_name = name == "*"
        || name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    is_name.then_some(end + 2)
}

fn word(rest: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_joint = c == '.' && chars.peek().is_some_and(|(_, next)| is_part(*next));
        if !is_part(c) && !is_joint {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> String {
        let found = tokens(text);
        found
            .iter()
            .map(|token| token.text.as_str())
            .collect::<Vec<_>>()
            .join("|")
    }

    #[test]
    fn texts_fall_into_words_numbers_signs_and_quotes() {
        for (text, pieces) in [
            ("LOAD \"my sales.csv\"", "LOAD|\"|my sales.csv|\""),
            ("TALLY r -> n=sum(a.b), m", "TALLY|r|->|n|=|sum|(|a.b|)|,|m"),
            ("x:=3.5-y", "x|:=|3.5|-|y"),
            ("GET /a/7?page=2", "GET|/|a|/|7|?|page|=|2"),
            ("say 'it", "say|'|it"),
            ("\"\" zł.", "\"|\"|zł|."),
        ] {
            assert_eq!(split(text), pieces);
        }
    }

    #[test]
    fn masks_are_read_in_rules_only() {
        assert_eq!(rule_tokens("KEEP <str> <*>")[1].kind, Kind::Mask);
        assert_eq!(tokens("a <b> c").len(), 5);
        assert_eq!(rule_tokens("a < b > c").len(), 5);
    }

    #[test]
    fn texts_differ_in_what_is_taken_out_and_put_in() {
        for (a, b, pieces) in [
            ("KEEP a = 1", "KEEP  a=1", 0),
            ("a b", "a c", 2),
            ("a", "a b c", 2),
            ("", "", 0),
        ] {
            assert_eq!(differing(&tokens(a), &tokens(b)), pieces, "{a}: {b}");
        }
    }

    #[test]
    fn pieces_are_written_as_they_came() {
        for text in ["KEEP a = 'b c'", "f(x, y) -> z", "GET /a/7?p=2 [k: v]"] {
            assert_eq!(written(&tokens(text)), text);
        }
    }
}
