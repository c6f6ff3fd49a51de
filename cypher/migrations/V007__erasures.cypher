// Receipts of what was destroyed: one for each id, listed by whose they are, newest first.
//
// No name of a tenant, a learner or a memory is on them: hashes stand for them, so that a receipt holds
// nothing of what it is about.

CREATE CONSTRAINT hindlore_erasure_key_unique IF NOT EXISTS
FOR (n:Erasure) REQUIRE n.key IS UNIQUE;

CREATE INDEX hindlore_erasure_by_tenant IF NOT EXISTS
FOR (n:Erasure) ON (n.by_tenant);

CREATE INDEX hindlore_erasure_by_learner IF NOT EXISTS
FOR (n:Erasure) ON (n.by_learner);
