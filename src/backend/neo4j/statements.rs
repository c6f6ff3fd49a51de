//! Every statement that this backend sends, one for each file under `cypher/queries`.
//!
//! A statement is compiled in and never assembled from strings; everything that varies is a parameter. The tests walk the
//! table, so a file that is missing in it is found there.

use super::bolt::values::Map;

/// Bytes of the Bolt messages around a statement and its parameters.
const FRAME_BYTES: usize = 160;

/// A compiled-in statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    /// Area and name.
    pub(super) name: &'static str,
    /// The whole file, its header included.
    pub(super) text: &'static str,
}

impl Statement {
    /// The statement without its header, which would only make requests larger.
    pub(super) fn body(&self) -> &'static str {
        let mut rest = self.text;
        while rest.starts_with("//") || rest.starts_with('\n') {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        }
        rest.trim_end()
    }

    /// The statement as sent: also without indentation.
    pub(super) fn sent(&self) -> String {
        let lines: Vec<&str> = self.body().lines().map(str::trim_start).collect();
        lines.join("\n")
    }

    /// Bytes of a request on the wire.
    pub(super) fn bytes(&self, parameters: &Map) -> usize {
        self.sent().len() + FRAME_BYTES + parameters.packed_bytes()
    }
}

/// Declares a constant for each file, and the table of all.
macro_rules! statements {
    ($($area:literal { $($name:ident = $file:literal),+ $(,)? })+) => {
        $($(
            pub(super) const $name: Statement = Statement {
                name: concat!($area, "/", $file),
                text: include_str!(concat!("../../../cypher/queries/", $area, "/", $file, ".cypher")),
            };
        )+)+

        /// All statements.
        #[cfg(test)]
        pub(super) const ALL: &[Statement] = &[$($($name),+),+];
    };
}

statements! {
    "memory" {
        LOCK = "lock",
        LOOK = "look",
        BULLETS = "bullets",
        LINKS = "links",
        FIND = "find",
        LEARNER = "learner",
        CREATE_MEMORY = "create",
        POLICY = "policy",
        PUT_POLICY = "put_policy",
        ADVANCE = "advance",
    }
    "bullets" {
        CREATE_BULLETS = "create",
        ADD_BULLETS = "add",
        NAME = "name",
        PUT_BULLETS = "put",
        RELEASE_HASHES = "release",
        RELABEL = "relabel",
        LINK = "link",
    }
    "events" {
        CREATE_DELTAS = "create_deltas",
        EXTEND_DELTA = "extend_delta",
        CREATE_RETRIEVALS = "create_retrievals",
        MARK = "mark",
        TOUCH = "touch",
        TOUCHED = "touched",
    }
    "history" {
        DELTAS = "deltas",
        DELTA = "delta",
        ORIGINS = "origins",
        LATER_CHANGES = "later_changes",
        EVENTS = "events",
        RETRIEVAL = "retrieval",
        RETRIEVALS = "retrievals",
        USAGE = "usage",
        USAGE_OF = "usage_of",
        COMPACTED = "compacted",
        PUT_COMPACTED = "put_compacted",
        COMPACT = "compact",
        COMPACTABLE = "compactable",
        PUT_CHECKPOINT = "put_checkpoint",
        ADD_PIECE = "add_piece",
        CHECKPOINTS = "checkpoint",
        PIECES = "pieces",
        THIN_CHECKPOINTS = "thin_checkpoints",
        OLDEST_DELTAS = "oldest_deltas",
        FOLD_DELTAS = "fold_deltas",
        FOLDED = "folded",
        PUT_FOLDED = "put_folded",
    }
    "lessons" {
        LESSON_HOLD = "hold",
        LESSON_RELEASE = "release",
        LESSON_POSTINGS = "postings",
        LESSONS_BY_ID = "by_id",
        LESSONS_TRIGGERED_BY = "triggered_by",
        LESSONS_OF_WRONG_FORMS = "of_wrong_forms",
        LESSON_ACTIVATIONS_FOR = "activations_for",
        LESSON_HISTORY = "history",
        LESSON_KNOWN = "known",
        KNOW_FINGERPRINTS = "know",
        PUT_RUNS = "put_runs",
        JOIN_RUNS = "join_runs",
        ADD_RUN_STEPS = "add_steps",
        STRIP_RUNS = "strip_runs",
        EMPTY_ERRORS = "empty_errors",
        ADD_LESSON_ERRORS = "add_errors",
        PUT_LESSONS = "put_lessons",
        PLACE_LESSONS = "place_lessons",
        REFRESH_SIBLINGS = "refresh_siblings",
        ADD_LESSON_SOURCES = "add_sources",
        ADD_LESSON_CONFLICTS = "add_conflicts",
        ADD_LESSON_ACTIVATIONS = "add_activations",
        ADD_LESSON_DECISIONS = "add_decisions",
        LESSON_DECISIONS = "decisions",
        REVISE_ACTIVATIONS = "revise_activations",
        ADD_LESSON_REVIEWS = "add_reviews",
        ADD_LESSON_RECEIPTS = "add_receipts",
        DELETE_RECEIPTS = "delete_receipts",
        LESSON_RUN = "run",
        LESSON_RUNS = "runs",
        LESSON_RUNS_OF = "runs_of",
        RELEARNING_QUEUE = "relearning_queue",
        DUE_RUNS = "due_runs",
        LESSON_IDLE_RUNS = "idle_runs",
        LESSONS = "list",
        LESSONS_OF_STATUS = "list_of_status",
        LESSON_RECORDS = "records",
        LESSON_FINGERPRINTS = "fingerprints",
        LESSON_ERRORS = "errors",
        LESSON_ERRORS_OF_RUN = "errors_of_run",
        LESSON_ERRORS_OF_TASK = "errors_of_task",
        LESSON_ERRORS_OF_DOMAIN = "errors_of_domain",
        LESSON_ERRORS_OF_FINGERPRINT = "errors_of_fingerprint",
        LESSON_ACTIVATIONS = "activations",
        LESSON_CONFLICTS = "conflicts",
        LESSON_CONFLICTS_OF = "conflicts_of",
        LESSON_TOTALS = "totals",
        LESSON_LEARNERS = "learners",
        LESSON_NEIGHBOURHOOD = "neighbourhood",
        COPY_LESSONS = "copy",
        BEGIN_LESSONS_COPY = "begin_copy",
        HOLD_LESSONS_COPY = "hold_copy",
        END_LESSONS_COPY = "end_copy",
        ERASE_LESSONS = "erase",
        ERASE_LESSONS_PIECE = "erase_piece",
        LESSON_STANDING = "standing",
        UNTIE_LESSONS = "untie",
        SETTLE_LESSONS = "settle",
        CHECK_LESSONS = "check",
    }
    "records" {
        HOLD_RECORDS = "hold",
        GET_RECORDS = "get",
        SCAN_RECORDS = "scan",
        PUT_RECORDS = "put",
        LINK_RECORDS = "link",
        UNLINK_RECORDS = "unlink",
        REFER_RECORDS = "refer",
        REFER_ALL_RECORDS = "refer_all",
        DELETE_RECORDS = "delete",
        COPY_RECORDS = "copy",
        ERASE_RECORDS = "erase",
        RECORD_OWNERS = "owners",
        CHECK_RECORDS = "check",
    }
    "maintenance" {
        ACE_STATES = "ace_states",
        TENANTS = "tenants",
        MEMORIES = "memories",
        MEMORIES_OF = "memories_of",
        COSTS = "costs",
        LOST = "lost",
        REHANG = "rehang",
        UNFINISHED = "unfinished",
        LOCK_LEARNER = "lock_learner",
        LOCK_SCOPES = "lock_scopes",
        BEGIN_COPY = "begin_copy",
        HOLD_COPY = "hold_copy",
        END_COPY = "end_copy",
        ERASE_PIECE = "erase_piece",
        NOTE_ERASED = "note_erased",
        TAKE_ERASED = "take_erased",
        ERASE_EVENTS = "erase_events",
        ERASE_BULLETS = "erase_bullets",
        ERASE_SCOPE = "erase_scope",
        ERASE_LABELS = "erase_labels",
        SWEEP_NODES = "sweep_nodes",
        SWEEP_RELATIONSHIPS = "sweep_relationships",
        HELD = "held",
        MENTIONS = "mentions",
        ORPHANS = "orphans",
        RECORD_ERASURE = "record_erasure",
        ERASURE = "erasure",
        ERASURES = "erasures",
        ERASURES_OF = "erasures_of",
    }
    "doctor" {
        CONSTRAINTS = "constraints",
        INDEXES = "indexes",
        SETTINGS = "settings",
        HEAP = "heap",
        CLOCK = "clock",
        SHAPE = "shape",
        BULLET_VALUES = "bullet_values",
        VALUES_OF_BULLET = "values_of_bullet",
        REPAIR = "repair",
        RENAME_LABELS = "rename_labels",
        UNLINK = "unlink",
        MIGRATION_LOCK = "migration_lock",
    }
    "schema" {
        SERVER = "server",
        DATABASE = "database",
        LEDGER = "ledger",
        LEDGER_IDENTITY = "ledger_identity",
        LOCK_IDENTITY = "lock_identity",
        TAKE_LOCK = "take_lock",
        RELEASE_LOCK = "release_lock",
        RECORD = "record",
        ROUTING = "routing",
        TAKE_LEAD = "take_lead",
        TELL_REQUESTS = "tell_requests",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::ALL;

    #[test]
    fn every_file_is_a_statement_and_has_a_body() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../cypher/queries");
        let mut files = 0;
        for area in fs::read_dir(root).unwrap() {
            files += fs::read_dir(area.unwrap().path()).unwrap().count();
        }
        assert_eq!(files, ALL.len());
        for statement in ALL {
            let body = statement.body();
            assert!(
                !body.contains("//") && body.len() > 20,
                "{}",
                statement.name
            );
        }
    }
}
