//! The other memories that are measured on the same server, the goals for our figures as multiples of theirs, and notes
//! about theirs.

/// The row of a question.
pub(super) const RETRIEVAL: &str = "retrieval";

/// A row's name, its goal and its note.
pub(super) type Named = (&'static str, (f64, &'static str));

/// A package, the goals for our figures as multiples of its, and notes about its figures.
pub(super) struct Known {
    pub(super) name: &'static str,
    ingest: (f64, &'static str),
    add: (f64, &'static str),
    retrieve: (f64, &'static str),
    /// Another way of asking it, which is shown without a goal: its name in the script, and a note.
    pub(super) also: Option<(&'static str, &'static str)>,
}

/// The packages.
pub(super) const KNOWN: &[Known] = &[
    Known {
        name: "graphiti-core",
        ingest: (
            20.0,
            "its bulk save, 1,000 nodes a call; it looks for no duplicates here",
        ),
        add: (2.0, "its save of one node, without any check"),
        retrieve: (100.0, "its hybrid node search; it records nothing"),
        also: None,
    },
    Known {
        name: "mcp-neo4j-memory",
        ingest: (50.0, "its create_entities, 1,000 items a call"),
        add: (
            3.0,
            "its create_entities of one item; only an equal name is found",
        ),
        retrieve: (
            10.0,
            "its full-text search, which has no limit; it records nothing",
        ),
        also: None,
    },
    Known {
        name: "neo4j-agent-memory",
        ingest: (
            100.0,
            "its add_entity one by one, resolution and duplicate check off; it has no batch call",
        ),
        add: (
            1_000.0,
            "its add_entity with the defaults, which resolve and check for duplicates",
        ),
        retrieve: (
            10.0,
            "its vector search of entities without a threshold, so that it answers with as many as are asked for; \
             it records nothing",
        ),
        also: Some((
            "its own threshold",
            "the same search with the threshold that it has unless told otherwise",
        )),
    },
];

impl Known {
    /// Its rows with a goal.
    pub(super) fn rows(&self) -> [Named; 3] {
        [
            ("batch-ingest-per-item", self.ingest),
            ("add", self.add),
            (RETRIEVAL, self.retrieve),
        ]
    }

    /// The name of the peer when it is asked in a way of its own.
    pub(super) fn asked(&self, way: &str) -> String {
        format!("{}, {way}", self.name)
    }
}
