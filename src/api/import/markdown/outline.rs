//! The entries of a Markdown text with their headings, and the parts that are no entries, with reasons.

use super::super::BadLine;
use super::html::without_tags;
use super::node::{Item, Node, Row};
use super::split_front_matter;
use super::tree::blocks;

/// Characters of a parent that precedes its children without a colon.
const PARENT_MAX: usize = 80;

/// Characters of a text that precedes others at all.
const BEFORE_MAX: usize = 240;

/// Words from which a heading with nothing below it is an entry.
const SENTENCE_WORDS: usize = 4;

/// Characters of an entry with its code; longer code is an entry of its own.
const ENTRY_MAX: usize = 12_000;

/// One statement of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::import) struct Entry {
    /// Line, from 1.
    pub(in crate::import) line: u64,
    /// Heading path, if any.
    pub(in crate::import) section: Option<String>,
    /// The text with its introduction.
    pub(in crate::import) text: String,
    /// Offset at which the introduction ends.
    pub(in crate::import) own_at: usize,
    /// `done` or `todo` for an item with a box.
    pub(in crate::import) tags: Vec<String>,
}

/// All of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::import) struct Outline {
    /// The entries in order.
    pub(in crate::import) entries: Vec<Entry>,
    /// The parts that are no entries, with reasons.
    pub(in crate::import) left_out: Vec<BadLine>,
    /// The parts that were taken into other entries, in words.
    pub(in crate::import) notes: Vec<String>,
}

/// Reads the entries of a text.
pub(in crate::import) fn outline_of(text: &str) -> Outline {
    outline_with(text, |_| false)
}

/// Reads the entries of a text in which some items are entries even with others below them.
pub(in crate::import) fn outline_with(text: &str, is_entry: fn(&str) -> bool) -> Outline {
    let (front, body, first_line) = split_front_matter(text);
    let body = dedented(body);
    let mut writer = Writer::new(is_entry);
    let nodes = blocks(&body, first_line);
    writer.blocks(&nodes, "");
    writer.end_heading(0);
    writer.finish(!front.trim().is_empty())
}

/// A text whose every line is indented is read as if none were: otherwise all of it would be code.
fn dedented(text: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let depth = lines().map(|line| line.len() - line.trim_start_matches(' ').len());
    let depth = depth.min().unwrap_or_default();
    if depth == 0 {
        return text.to_owned();
    }
    let kept = text
        .lines()
        .map(|line| line.get(depth..).unwrap_or_default());
    kept.collect::<Vec<_>>().join("\n")
}

/// A heading that the text is under.
struct Heading {
    line: u64,
    level: usize,
    text: String,
    is_empty: bool,
}

struct Writer {
    is_entry: fn(&str) -> bool,
    out: Outline,
    path: Vec<Heading>,
    before: usize,
    code: usize,
}

impl Writer {
    fn new(is_entry: fn(&str) -> bool) -> Self {
        Self {
            is_entry,
            out: Outline::default(),
            path: Vec::new(),
            before: 0,
            code: 0,
        }
    }

    fn section(&self) -> Option<String> {
        let names: Vec<&str> = self.path.iter().map(|one| one.text.as_str()).collect();
        (!names.is_empty()).then(|| names.join(" > "))
    }

    fn add(&mut self, line: u64, before: &str, own: &str) {
        let text = join(before, own);
        self.path.iter_mut().for_each(|one| one.is_empty = false);
        let section = self.section();
        self.out.entries.push(Entry {
            line,
            section,
            own_at: text.len() - own.len(),
            text,
            tags: Vec::new(),
        });
    }

    fn leave_out(&mut self, line: u64, reason: &str) {
        self.out.left_out.push(BadLine {
            line,
            reason: reason.to_owned(),
        });
    }

    /// Ends the headings of `level` and below. One with nothing below it may be a rule by itself.
    fn end_heading(&mut self, level: usize) {
        while let Some(last) = self.path.pop_if(|last| last.level >= level) {
            if !last.is_empty {
                continue;
            }
            if last.text.split_whitespace().count() >= SENTENCE_WORDS {
                self.add(last.line, "", &last.text);
            } else {
                self.leave_out(last.line, "a heading with nothing below it");
            }
        }
    }

    fn heading(&mut self, line: u64, level: usize, text: &str) {
        self.end_heading(level);
        self.path.iter_mut().for_each(|one| one.is_empty = false);
        self.path.push(Heading {
            line,
            level,
            text: plain(text),
            is_empty: true,
        });
    }

    fn blocks(&mut self, nodes: &[Node], before: &str) {
        let mut label: Option<&str> = None;
        for (at, node) in nodes.iter().enumerate() {
            let above = label.take();
            let joined = above.map_or_else(|| before.to_owned(), |above| ahead(before, above));
            let next = nodes.get(at + 1);
            match node {
                Node::Heading { line, level, text } => self.heading(*line, *level, text),
                Node::Text { text, .. } if is_label(text, next) => {
                    label = Some(text.as_str());
                    self.before += 1;
                }
                Node::Text { line, text } => self.add(*line, before, text),
                Node::Code { line, text } => {
                    let previous = at.checked_sub(1).and_then(|at| nodes.get(at));
                    self.code(*line, text, before, previous);
                }
                Node::Html { line, text } => self.html(*line, text, before),
                Node::Table { head, rows } => self.table(head, rows, &joined),
                Node::List(items) => items.iter().for_each(|item| self.item(item, &joined)),
                Node::Quote(inner) => self.quote(inner, &joined),
            }
        }
    }

    /// Headings in a quotation or an item are text: they are not those of the document.
    fn quote(&mut self, nodes: &[Node], before: &str) {
        let as_text = |node: &Node| match node {
            Node::Heading { line, text, .. } => Node::Text {
                line: *line,
                text: text.clone(),
            },
            other => other.clone(),
        };
        let nodes: Vec<Node> = nodes.iter().map(as_text).collect();
        self.blocks(&nodes, before);
    }

    fn item(&mut self, item: &Item, before: &str) {
        let is_text = |node: &&Node| matches!(node, Node::Text { .. });
        let texts = item.nodes.iter().take_while(is_text).filter_map(text_of);
        let texts: Vec<&str> = texts.collect();
        let (own, inner) = (texts.join("\n\n"), &item.nodes[texts.len()..]);
        if item.nodes.is_empty() {
            return self.leave_out(item.line, "an empty item");
        }
        let first = self.out.entries.len();
        let holds_others = matches!(
            inner.first(),
            Some(Node::List(_) | Node::Table { .. } | Node::Quote(_))
        );
        if !own.is_empty() && holds_others && self.stands_before(&own) {
            self.before += 1;
            self.quote(inner, &ahead(before, &own));
        } else {
            if !own.is_empty() {
                self.add(item.line, before, &own);
            }
            self.below(inner, before, !own.is_empty());
        }
        if let Some(ticked) = item.ticked {
            let tag = if ticked { "done" } else { "todo" };
            let new = self.out.entries.iter_mut().skip(first);
            new.for_each(|entry| entry.tags.push(tag.to_owned()));
        }
    }

    /// True for an item that precedes its children instead of being an entry.
    fn stands_before(&self, text: &str) -> bool {
        let is_before = text.len() <= BEFORE_MAX && (ends_in_colon(text) || is_short(text));
        is_before && !(self.is_entry)(text)
    }

    /// Reads the nodes of an item below its text; code comes to the item.
    fn below(&mut self, nodes: &[Node], before: &str, has_text: bool) {
        let is_code = |node: &&Node| matches!(node, Node::Code { .. });
        let codes = nodes.iter().take_while(is_code).count();
        for (at, node) in nodes[..codes].iter().enumerate() {
            if let Node::Code { line, text } = node {
                let above = at.checked_sub(1).and_then(|at| nodes.get(at));
                let previous = above.or_else(|| has_text.then_some(&ITEM));
                self.code(*line, text, before, previous);
            }
        }
        self.quote(&nodes[codes..], before);
    }

    fn code(&mut self, line: u64, text: &str, before: &str, previous: Option<&Node>) {
        let is_below = matches!(
            previous,
            Some(Node::Text { .. } | Node::List(_) | Node::Code { .. })
        );
        match self.out.entries.last_mut().filter(|_| is_below) {
            Some(entry) if entry.text.len() + text.len() <= ENTRY_MAX => {
                entry.text.push('\n');
                entry.text.push_str(text);
                self.code += 1;
            }
            _ if before.is_empty() => self.add(line, "", text),
            _ => self.add(line, "", &format!("{before}\n{text}")),
        }
    }

    fn table(&mut self, head: &[String], rows: &[Row], before: &str) {
        for row in rows {
            let cells = row.cells.iter().enumerate();
            let cells = cells.filter(|(_, cell)| !cell.is_empty());
            let cells: Vec<String> = cells
                .map(
                    |(at, cell)| match head.get(at).filter(|name| !name.is_empty()) {
                        Some(name) => format!("{name}: {cell}"),
                        None => cell.clone(),
                    },
                )
                .collect();
            if cells.is_empty() {
                self.leave_out(row.line, "an empty row");
            } else {
                self.add(row.line, before, &cells.join("; "));
            }
        }
    }

    /// The text between the tags, line by line, without comments.
    fn html(&mut self, line: u64, html: &str, before: &str) {
        let text = without_tags(html);
        let paragraphs: Vec<String> = text
            .split("\n\n")
            .map(|one| one.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|one| !one.is_empty())
            .collect();
        if paragraphs.is_empty() {
            let is_comment = html.trim_start().starts_with("<!--");
            let reason = if is_comment {
                "a comment"
            } else {
                "only tags of HTML"
            };
            self.leave_out(line, reason);
        }
        for paragraph in paragraphs {
            self.add(line, before, &paragraph);
        }
    }

    fn finish(mut self, has_front_matter: bool) -> Outline {
        if has_front_matter {
            self.out
                .notes
                .push("the front matter is no bullet".to_owned());
        }
        let counted = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        };
        let before = counted(
            self.before,
            "text stands before what it introduces",
            "texts stand before what they introduce",
        );
        let code = counted(
            self.code,
            "code block belongs to the text above it",
            "code blocks belong to the text above them",
        );
        self.out.notes.extend(before.into_iter().chain(code));
        self.out
    }
}

/// Represents the text of an item above its code.
static ITEM: Node = Node::List(Vec::new());

fn text_of(node: &Node) -> Option<&str> {
    match node {
        Node::Text { text, .. } => Some(text),
        _ => None,
    }
}

/// True for a paragraph that introduces the next node.
fn is_label(text: &str, next: Option<&Node>) -> bool {
    let introduces = matches!(
        next,
        Some(Node::List(_) | Node::Table { .. } | Node::Quote(_))
    );
    let is_title = is_short(text) && !text.ends_with(['.', '!', '?', '…', '。']);
    introduces && text.len() <= BEFORE_MAX && (ends_in_colon(text) || is_title)
}

fn is_short(text: &str) -> bool {
    text.chars().count() <= PARENT_MAX && !text.contains('\n')
}

/// A colon may be inside emphasis: `**Rules:**`.
fn ends_in_colon(text: &str) -> bool {
    text.trim_end_matches(['*', '_', '`'])
        .ends_with([':', '：'])
}

fn join(before: &str, text: &str) -> String {
    if before.is_empty() {
        text.to_owned()
    } else {
        format!("{before} {text}")
    }
}

/// The text before the children of a text; of a long chain only the last.
fn ahead(before: &str, own: &str) -> String {
    let bare = own.trim_end_matches(['*', '_', '`', ')', '"']);
    let is_ended = bare.ends_with(['.', '!', '?', ':', ';', ',', '…', '。', '：']);
    let own = if is_ended {
        own.to_owned()
    } else {
        format!("{own}:")
    };
    if before.len() + own.len() > BEFORE_MAX {
        own
    } else {
        join(before, &own)
    }
}

/// A heading without emphasis and closing colon.
fn plain(text: &str) -> String {
    let bare = text.trim().trim_matches('*').trim();
    bare.trim_end_matches(':').trim_end().to_owned()
}
