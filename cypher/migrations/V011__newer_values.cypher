// Two more kinds of links between bullets, found by what changed since a tick like the others: a newer value that
// supersedes an older one, and two texts that a person reconciled.

CREATE INDEX hindlore_supersedes_changed IF NOT EXISTS
FOR ()-[r:SUPERSEDES]-() ON (r.memory, r.changed_tick);

CREATE INDEX hindlore_reconciled_with_changed IF NOT EXISTS
FOR ()-[r:RECONCILED_WITH]-() ON (r.memory, r.changed_tick);
