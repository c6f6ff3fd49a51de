// The marks of folded deltas, and the order in which old receipts of operations go.

CREATE CONSTRAINT hindlore_folded_deltas_identity IF NOT EXISTS
FOR (n:FoldedDeltas) REQUIRE n.hindlore_key IS UNIQUE;

CREATE INDEX hindlore_index_operation_by_time IF NOT EXISTS
FOR (n:Operation) ON (n.hindlore_by_time);
