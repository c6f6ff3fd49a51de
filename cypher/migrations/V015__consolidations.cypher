// One more kind of links between bullets, found by what changed since a tick like the others: from a consolidated bullet
// to the bullets that it was made of.

CREATE INDEX hindlore_consolidated_from_changed IF NOT EXISTS
FOR ()-[r:CONSOLIDATED_FROM]-() ON (r.memory, r.changed_tick);
