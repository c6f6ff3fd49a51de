//! The blocks of a Markdown text, with the lines on which they start and the source of their texts.
//!
//! Inline marks stay as they are written: code, links and emphasis are part of a rule. Only line breaks are undone,
//! since they mean nothing.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::node::{Item, Node, Row};

/// Containers within containers that are kept apart; deeper ones are read as if they were not there.
const DEPTH_MAX: usize = 24;

/// Reads the blocks of a text; `first_line` is the number of its first line.
pub(in crate::import) fn blocks(text: &str, first_line: u64) -> Vec<Node> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    let mut builder = Builder::new(text, first_line);
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        builder.take(event, range);
    }
    builder.finish()
}

/// A container whose end is not reached.
enum Open {
    Blocks(Vec<Node>),
    List(Vec<Item>),
    Item(Item),
}

/// The text of a paragraph, a heading, or a cell, up to now.
#[derive(Default)]
struct Inline {
    text: String,
    start: Option<usize>,
    segment: Option<Range<usize>>,
}

impl Inline {
    fn begin(&mut self, at: usize) {
        self.start.get_or_insert(at);
        self.segment.get_or_insert(at..at);
    }

    fn reach(&mut self, to: usize) {
        if let Some(segment) = &mut self.segment {
            segment.end = segment.end.max(to);
        }
    }

    /// Ends the line at `to`, or where its last event ends.
    fn end_line(&mut self, source: &str, to: Option<usize>) {
        if let Some(segment) = self.segment.take() {
            let to = to.unwrap_or(segment.end).max(segment.start);
            let written = source.get(segment.start..to).unwrap_or_default().trim();
            // Code may run over a line break, which is a blank then.
            let lines: Vec<&str> = written.lines().map(str::trim).collect();
            self.text.push_str(&lines.join(" "));
        }
    }
}

struct Builder<'t> {
    source: &'t str,
    starts: Vec<usize>,
    first_line: u64,
    stack: Vec<Open>,
    ignored: usize,
    inline: Option<Inline>,
    literal: Option<(usize, String)>,
    table: Option<(Vec<String>, Vec<Row>)>,
    row: Row,
}

impl<'t> Builder<'t> {
    fn new(source: &'t str, first_line: u64) -> Self {
        let breaks = source.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            source,
            starts: std::iter::once(0).chain(breaks).collect(),
            first_line,
            stack: vec![Open::Blocks(Vec::new())],
            ignored: 0,
            inline: None,
            literal: None,
            table: None,
            row: Row::default(),
        }
    }

    fn line(&self, at: usize) -> u64 {
        let before = self.starts.partition_point(|start| *start <= at);
        self.first_line
            .saturating_add(u64::try_from(before).unwrap_or(u64::MAX))
            .saturating_sub(1)
    }

    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag, &range),
            Event::Text(text) if self.literal.is_some() => self.push_literal(&text),
            Event::Html(text) => self.push_literal(&text),
            Event::SoftBreak | Event::HardBreak => {
                if let Some(inline) = &mut self.inline {
                    inline.end_line(self.source, Some(range.start));
                    let hard = matches!(event, Event::HardBreak);
                    inline.text.push(if hard { '\n' } else { ' ' });
                }
            }
            Event::Rule => self.flush(),
            Event::Code(_) if self.is_indented_block(&range) => self.indented_block(&range),
            Event::TaskListMarker(ticked) => {
                if let Some(Open::Item(item)) = self.stack.last_mut() {
                    item.ticked = Some(ticked);
                }
            }
            _ => {
                let inline = self.inline.get_or_insert_default();
                inline.begin(range.start);
                inline.reach(range.end);
            }
        }
    }

    /// True for code over several lines that begins like a block: a fence that is indented too far for a block.
    fn is_indented_block(&self, range: &Range<usize>) -> bool {
        let written = &self.source[range.clone()];
        let before = self.source[..range.start]
            .rsplit('\n')
            .next()
            .unwrap_or_default();
        written.starts_with("```") && written.contains('\n') && before.trim().is_empty()
    }

    fn indented_block(&mut self, range: &Range<usize>) {
        self.flush();
        let line = self.line(range.start);
        let mut lines = self.source[range.clone()].lines();
        let first = lines.next().unwrap_or_default();
        let depth = |line: &&str| line.len() - line.trim_start().len();
        let filled = lines.clone().filter(|line| !line.trim().is_empty());
        let least = filled.map(|line| depth(&line)).min().unwrap_or_default();
        let inner = lines.map(|line| line.get(least..).unwrap_or_default().trim_end());
        let text = std::iter::once(first)
            .chain(inner)
            .collect::<Vec<_>>()
            .join("\n");
        self.push(Node::Code { line, text });
    }

    fn push_literal(&mut self, text: &str) {
        if let Some((_, literal)) = &mut self.literal {
            literal.push_str(text);
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. } => {
                self.inline.get_or_insert_default().begin(range.start);
                return;
            }
            Tag::TableCell => {
                self.inline = Some(Inline::default());
                return;
            }
            _ => self.flush(),
        }
        match tag {
            Tag::List(_) => self.open(Open::List(Vec::new())),
            Tag::Item => self.open(Open::Item(Item {
                line: self.line(range.start),
                ..Item::default()
            })),
            Tag::BlockQuote(_) => self.open(Open::Blocks(Vec::new())),
            Tag::CodeBlock(_) | Tag::HtmlBlock => self.literal = Some((range.start, String::new())),
            Tag::Table(_) => self.table = Some((Vec::new(), Vec::new())),
            Tag::TableHead | Tag::TableRow => {
                self.row = Row {
                    line: self.line(range.start),
                    cells: Vec::new(),
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Heading(level) => self.heading(level as usize, range),
            TagEnd::CodeBlock => self.code(range),
            TagEnd::HtmlBlock => {
                if let Some((at, text)) = self.literal.take() {
                    let line = self.line(at);
                    self.push(Node::Html { line, text });
                }
            }
            TagEnd::TableCell => {
                let cell = self.inline_text().map(|(_, text)| text);
                self.row.cells.push(cell.unwrap_or_default());
            }
            TagEnd::TableHead => {
                let cells = std::mem::take(&mut self.row.cells);
                if let Some((head, _)) = &mut self.table {
                    *head = cells;
                }
            }
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                if let Some((_, rows)) = &mut self.table {
                    rows.push(row);
                }
            }
            TagEnd::Table => {
                if let Some((head, rows)) = self.table.take() {
                    self.push(Node::Table { head, rows });
                }
            }
            TagEnd::List(_) | TagEnd::Item | TagEnd::BlockQuote(_) => {
                self.flush();
                self.close();
            }
            TagEnd::Paragraph => self.flush(),
            _ => {
                if let Some(inline) = &mut self.inline {
                    inline.reach(range.end);
                }
            }
        }
    }

    /// A line of dashes below a paragraph makes it a heading, which is seldom meant where it ends a sentence.
    fn heading(&mut self, level: usize, range: &Range<usize>) {
        let Some((at, text)) = self.inline_text() else {
            return;
        };
        let line = self.line(at);
        let is_underlined = !self.source[range.clone()].trim_start().starts_with('#');
        let is_sentence = text.ends_with(['.', '!', '?', ':', ';']) || text.chars().count() > 80;
        self.push(if is_underlined && level == 2 && is_sentence {
            Node::Text { line, text }
        } else {
            Node::Heading { line, level, text }
        });
    }

    /// Code as it is written, without the indentation of its container.
    fn code(&mut self, range: &Range<usize>) {
        let Some((at, text)) = self.literal.take() else {
            return;
        };
        let written = self.source[range.clone()].trim_start();
        let marks = |mark: char| written.len() - written.trim_start_matches(mark).len();
        let fence = match (marks('`'), marks('~')) {
            (ticks @ 3.., _) => "`".repeat(ticks),
            (_, tildes @ 3..) => "~".repeat(tildes),
            _ => String::new(),
        };
        let body = text.trim_end_matches('\n');
        if body.trim().is_empty() {
            return;
        }
        let info = written[fence.len()..].lines().next().unwrap_or_default();
        let text = if fence.is_empty() {
            body.to_owned()
        } else {
            format!("{fence}{}\n{body}\n{fence}", info.trim())
        };
        let line = self.line(at);
        self.push(Node::Code { line, text });
    }

    fn inline_text(&mut self) -> Option<(usize, String)> {
        let mut inline = self.inline.take()?;
        inline.end_line(self.source, None);
        let text = inline.text.trim().to_owned();
        (!text.is_empty()).then_some((inline.start.unwrap_or_default(), text))
    }

    /// Ends the open paragraph, or the text of an item, which has no end of its own.
    fn flush(&mut self) {
        if let Some((at, text)) = self.inline_text() {
            let line = self.line(at);
            self.push(Node::Text { line, text });
        }
    }

    fn push(&mut self, node: Node) {
        match self.stack.last_mut() {
            Some(Open::Blocks(nodes)) => nodes.push(node),
            Some(Open::Item(item)) => item.nodes.push(node),
            Some(Open::List(items)) => {
                let last = items.last_mut();
                last.into_iter()
                    .for_each(|item| item.nodes.push(node.clone()));
            }
            None => {}
        }
    }

    fn open(&mut self, container: Open) {
        // A list needs room for its items.
        let room = 1 + usize::from(matches!(container, Open::List(_)));
        if self.ignored > 0 || self.stack.len() + room > DEPTH_MAX {
            self.ignored += 1;
        } else {
            self.stack.push(container);
        }
    }

    fn close(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        match self.stack.pop() {
            Some(Open::Item(item)) => {
                if let Some(Open::List(items)) = self.stack.last_mut() {
                    items.push(item);
                }
            }
            Some(Open::List(items)) => self.push(Node::List(items)),
            Some(Open::Blocks(nodes)) => self.push(Node::Quote(nodes)),
            None => {}
        }
    }

    fn finish(mut self) -> Vec<Node> {
        self.flush();
        while self.stack.len() > 1 {
            self.close();
        }
        match self.stack.pop() {
            Some(Open::Blocks(nodes)) => nodes,
            _ => Vec::new(),
        }
    }
}
