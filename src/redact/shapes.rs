//! Keys and tokens that are known by their looks: a table of shapes, and one pass that looks for all of them.
//!
//! A shape is tried only where a word begins with its first character. Each part of it takes as much as it can and
//! never backtracks. Results for a long run are remembered, so that a text of many beginnings is read once and not once
//! for each.

use std::ops::Range;
use std::sync::LazyLock;

use super::span::Span;
use hindlore_primitives::steps;

/// The table. It is data: a new kind of key is a new line.
const TABLE: &str = include_str!("shapes.txt");

/// The longest secret that is followed, in bytes.
const SECRET_MAX: u32 = 8 * 1_024;
/// A part that may be longer than this is remembered.
const SHORT_MAX: u32 = 160;

/// The shapes, read once.
static SHAPES: LazyLock<Shapes> = LazyLock::new(|| Shapes::read(TABLE));

/// One kind of key or token.
#[derive(Debug)]
pub(super) struct Shape {
    /// Name of its rule.
    pub(super) name: &'static str,
    parts: Vec<Part>,
    /// How many parts stay visible.
    visible: usize,
    needs_digit: bool,
    needs_upper: bool,
    needs_variety: bool,
    /// How an example is written.
    #[cfg_attr(
        not(test),
        allow(dead_code, reason = "examples are for readers and tests")
    )]
    example: &'static str,
}

/// A set of ASCII characters, and how many of them follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    set: u128,
    least: u32,
    most: u32,
    /// Which memory it uses, of a part that may be long.
    slot: Option<usize>,
}

/// All shapes, by the characters that they may begin with.
struct Shapes {
    all: Vec<Shape>,
    by_first: Vec<Vec<u16>>,
    slots: usize,
}

/// A text to search for shapes, with the results of earlier reads.
pub(super) struct Scan<'t> {
    text: &'t [u8],
    /// The run of each set that was read last.
    runs: Vec<Range<usize>>,
    /// From where on it is known where the next digit and the next capital are.
    digit: Range<usize>,
    upper: Range<usize>,
}

impl<'t> Scan<'t> {
    /// Begins to read a text.
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            runs: vec![0..0; SHAPES.slots],
            digit: 0..0,
            upper: 0..0,
        }
    }

    /// Finds the shapes that begin at a word's first byte, which is at `at`; returns the end of the match.
    pub(super) fn at_word(&mut self, at: usize, found: &mut Vec<Span<'static>>) -> Option<usize> {
        let shapes = &*SHAPES;
        let first = shapes.by_first.get(usize::from(self.text[at]))?;
        first.iter().find_map(|index| {
            let shape = &shapes.all[usize::from(*index)];
            let (begin, end) = shape.matched(self, at)?;
            found.push(Span::new(begin..end, shape.name));
            Some(end)
        })
    }

    /// How many bytes from here on belong to a part.
    fn run(&mut self, part: Part, from: usize) -> usize {
        let most = part.most as usize;
        let count = |from: usize, most: usize| {
            let rest = self.text.get(from..).unwrap_or_default().iter().take(most);
            let count = rest.take_while(|byte| part.has(**byte)).count();
            steps::add(count + 1);
            count
        };
        let Some(slot) = part.slot else {
            return count(from, most);
        };
        if !self.runs[slot].contains(&from) {
            let length = count(from, usize::MAX);
            self.runs[slot] = from..from + length;
        }
        (self.runs[slot].end - from).min(most)
    }

    fn has_digit(&mut self, range: &Range<usize>) -> bool {
        next(self.text, &mut self.digit, range.start, u8::is_ascii_digit) < range.end
    }

    fn has_upper(&mut self, range: &Range<usize>) -> bool {
        next(
            self.text,
            &mut self.upper,
            range.start,
            u8::is_ascii_uppercase,
        ) < range.end
    }
}

/// The place of the next byte of a kind; `known` is a place and the next such byte after it.
fn next(text: &[u8], known: &mut Range<usize>, from: usize, is_it: fn(&u8) -> bool) -> usize {
    if !(known.start <= from && from <= known.end) || known.start == known.end {
        let rest = &text[from..];
        let length = rest.iter().position(is_it).unwrap_or(rest.len());
        steps::add(length);
        *known = from..from + length;
    }
    known.end
}

impl Shapes {
    fn read(table: &'static str) -> Self {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        let mut all: Vec<Shape> = lines.filter_map(Shape::read).collect();
        let mut sets: Vec<u128> = Vec::new();
        let parts = all.iter_mut().flat_map(|shape| &mut shape.parts);
        for part in parts.filter(|part| part.most > SHORT_MAX) {
            let known = sets.iter().position(|set| *set == part.set);
            part.slot = Some(known.unwrap_or(sets.len()));
            sets.extend(known.is_none().then_some(part.set));
        }
        let mut by_first = vec![Vec::new(); 128];
        for (index, shape) in (0_u16..).zip(&all) {
            let Some(part) = shape.parts.first() else {
                continue;
            };
            for (byte, list) in by_first.iter_mut().enumerate() {
                if part.set & (1 << byte) != 0 {
                    list.push(index);
                }
            }
        }
        Self {
            all,
            by_first,
            slots: sets.len(),
        }
    }
}

impl Shape {
    fn read(line: &'static str) -> Option<Self> {
        let mut columns = line.split_whitespace();
        let (name, pattern, needs) = (columns.next()?, columns.next()?, columns.next()?);
        let (parts, visible) = parts(pattern.as_bytes());
        Some(Self {
            name,
            parts,
            visible,
            needs_digit: needs.contains('d'),
            needs_upper: needs.contains('u'),
            needs_variety: needs.contains('e'),
            example: columns.next().unwrap_or_default(),
        })
    }

    /// Where the secret lies, when the text has this shape at `at`.
    fn matched(&self, scan: &mut Scan<'_>, at: usize) -> Option<(usize, usize)> {
        let (mut begin, mut place) = (at, at);
        for (number, part) in self.parts.iter().enumerate() {
            if number == self.visible {
                begin = place;
            }
            let count = scan.run(*part, place);
            if count < part.least as usize {
                return None;
            }
            place += count;
        }
        let last = self.parts.last()?;
        // A longer run is something of another kind.
        if last.most < SECRET_MAX && scan.text.get(place).is_some_and(|byte| last.has(*byte)) {
            return None;
        }
        let secret = begin..place;
        let fits = (!self.needs_digit || scan.has_digit(&secret))
            && (!self.needs_upper || scan.has_upper(&secret))
            && (!self.needs_variety || super::value::traits::entropy(&scan.text[secret]) >= 3.0);
        fits.then_some((begin, place))
    }
}

impl Part {
    fn has(self, byte: u8) -> bool {
        byte < 128 && self.set & (1 << byte) != 0
    }
}

/// Reads a pattern; also returns the part before which the secret begins.
fn parts(pattern: &[u8]) -> (Vec<Part>, usize) {
    let (mut parts, mut visible, mut at) = (Vec::new(), 0, 0);
    while let Some(byte) = pattern.get(at) {
        at += 1;
        let set = match byte {
            b'|' => {
                visible = parts.len();
                continue;
            }
            b'[' => {
                let end = at + pattern[at..].iter().position(|b| *b == b']').unwrap_or(0);
                let set = set_of(&pattern[at..end]);
                at = end + 1;
                set
            }
            b'\\' => {
                at += 1;
                match pattern.get(at - 1) {
                    Some(b'w') => set_of(br"\w"),
                    Some(byte) => one(*byte),
                    None => 0,
                }
            }
            byte => one(*byte),
        };
        let (least, most, next) = repeats(pattern, at);
        at = next;
        parts.push(Part {
            set,
            least,
            most,
            slot: None,
        });
    }
    (parts, visible)
}

fn one(byte: u8) -> u128 {
    1_u128.checked_shl(u32::from(byte)).unwrap_or_default()
}

fn set_of(inside: &[u8]) -> u128 {
    let range = |from: u8, to: u8| (from..=to).map(one).fold(0, |all, bit| all | bit);
    let (mut set, mut at) = (0, 0);
    while let Some(byte) = inside.get(at) {
        match (byte, inside.get(at + 1), inside.get(at + 2)) {
            (b'\\', Some(b'w'), _) => {
                set |= range(b'a', b'z') | range(b'A', b'Z') | range(b'0', b'9') | one(b'_');
                at += 2;
            }
            (from, Some(b'-'), Some(to)) => {
                set |= range(*from, *to);
                at += 3;
            }
            (byte, ..) => {
                set |= one(*byte);
                at += 1;
            }
        }
    }
    set
}

/// The bounds after a part, and the beginning of the next one.
fn repeats(pattern: &[u8], at: usize) -> (u32, u32, usize) {
    let inside = pattern[at.min(pattern.len())..].strip_prefix(b"{");
    let Some(end) = inside.and_then(|inside| inside.iter().position(|b| *b == b'}')) else {
        return (1, 1, at);
    };
    let bounds = String::from_utf8_lossy(&pattern[at + 1..at + 1 + end]).into_owned();
    let number = |text: &str, other: u32| text.parse().unwrap_or(other);
    let (least, most) = match bounds.split_once(',') {
        Some((least, most)) => (number(least, 0), number(most, SECRET_MAX)),
        None => (number(&bounds, 1), number(&bounds, 1)),
    };
    (least, most, at + end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An example of the table, its fillers written out.
    fn written(example: &str) -> String {
        const LETTERS: &[u8] = b"a7Kq2ZxR9mB4vTn8LcW1pYs6HdJ3gFu5Ee0";
        const DIGITS: &[u8] = b"3fa91c07be52d846";
        let mut text = String::new();
        let mut rest = example.chars().peekable();
        while let Some(sign) = rest.next() {
            let mut number = String::new();
            while let Some(digit) = rest.peek().filter(|c| c.is_ascii_digit()) {
                number.push(*digit);
                rest.next();
                if !matches!(sign, '@' | '#') {
                    break;
                }
            }
            let from = match sign {
                '@' => LETTERS,
                '#' => DIGITS,
                sign => {
                    text.push(sign);
                    text.push_str(&number);
                    continue;
                }
            };
            let count = number.parse().unwrap_or(1);
            text.extend(from.iter().cycle().take(count).map(|b| char::from(*b)));
        }
        text
    }

    #[test]
    fn each_shape_fits_its_own_example_and_leaves_its_beginning_alone() {
        for shape in &SHAPES.all {
            let example = written(shape.example);
            let found = shape.matched(&mut Scan::new(example.as_bytes()), 0);
            let (begin, end) = found.unwrap_or_else(|| panic!("{} {example}", shape.name));
            assert!(end - begin >= 7, "{} {example}", shape.name);
            let half = &example.as_bytes()[..begin + 5];
            let cut = shape.matched(&mut Scan::new(half), 0);
            assert_eq!(cut, None, "{} {half:?}", shape.name);
        }
        assert!(SHAPES.all.len() > 100);
    }
}
