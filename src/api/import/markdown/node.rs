//! The blocks that a Markdown text consists of.

/// A block.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::import) enum Node {
    /// A heading of a level, 1..=6.
    Heading {
        /// Line, from 1.
        line: u64,
        /// Level.
        level: usize,
        /// Text.
        text: String,
    },
    /// A paragraph, or the text of an item.
    Text {
        /// Line, from 1.
        line: u64,
        /// Text.
        text: String,
    },
    /// A code block, with its fence.
    Code {
        /// Line, from 1.
        line: u64,
        /// Text.
        text: String,
    },
    /// A block of HTML, or a comment.
    Html {
        /// Line, from 1.
        line: u64,
        /// Text.
        text: String,
    },
    /// A table.
    Table {
        /// Cells of the first row.
        head: Vec<String>,
        /// The other rows.
        rows: Vec<Row>,
    },
    /// A list.
    List(Vec<Item>),
    /// A quotation.
    Quote(Vec<Node>),
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::import) struct Row {
    /// Line, from 1.
    pub(in crate::import) line: u64,
    /// Cells.
    pub(in crate::import) cells: Vec<String>,
}

/// An item of a list.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::import) struct Item {
    /// Line, from 1.
    pub(in crate::import) line: u64,
    /// For an item with a box: whether it is ticked.
    pub(in crate::import) ticked: Option<bool>,
    /// Its content.
    pub(in crate::import) nodes: Vec<Node>,
}
