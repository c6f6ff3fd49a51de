// Ways in: what changed in a memory since a tick, whose memories there are, and what a learner owns.
//
// No text of a bullet, a query or a delta is in any index: it may be longer than an index takes.

CREATE INDEX bullet_changed IF NOT EXISTS
FOR (n:Bullet) ON (n.memory, n.changed_tick);

CREATE INDEX learner_tenant IF NOT EXISTS
FOR (n:Learner) ON (n.tenant);

CREATE INDEX tag_owner IF NOT EXISTS
FOR (n:Tag) ON (n.owner);

CREATE INDEX topic_owner IF NOT EXISTS
FOR (n:Topic) ON (n.owner);

CREATE INDEX concept_owner IF NOT EXISTS
FOR (n:Concept) ON (n.owner);

CREATE INDEX follows_changed IF NOT EXISTS
FOR ()-[r:FOLLOWS]-() ON (r.memory, r.changed_tick);

CREATE INDEX similar_to_changed IF NOT EXISTS
FOR ()-[r:SIMILAR_TO]-() ON (r.memory, r.changed_tick);

CREATE INDEX conflicts_with_changed IF NOT EXISTS
FOR ()-[r:CONFLICTS_WITH]-() ON (r.memory, r.changed_tick);

CREATE INDEX merged_into_changed IF NOT EXISTS
FOR ()-[r:MERGED_INTO]-() ON (r.memory, r.changed_tick);

CREATE INDEX unlinked_changed IF NOT EXISTS
FOR ()-[r:UNLINKED]-() ON (r.memory, r.changed_tick);
