// Are revisions and ticks without a gap?
//
// Looks at everything that the server holds, all tenants included. Every row is damage, none is the good
// answer. Records of retrievals may be compacted up to a checkpoint, so ticks are counted from the newest
// one, or from the origin without any. Old deltas may be folded, so revisions are counted from the first.
//
// Parameters:
//   :param limit => 25
// Columns:
//   tenant: the tenant
//   learner: the learner
//   scope: the memory
//   revision: number of its last delta
//   first: number of the first delta that is kept after the creation
//   deltas: deltas that are there, with the creation
//   clock: number of its last event
//   since: tick from which events are counted
//   events: events that are there, as many as ticks since then
//   chain: deltas in the chain from the memory, as many as deltas

MATCH (l:Learner)
WHERE l.tenant >= ''
MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)
OPTIONAL MATCH (s)-[:HAS_CHECKPOINT]->(c:Checkpoint)
WITH l, s, coalesce(max(c.clock), s.origin_clock) AS since
WITH l, s, since,
  COUNT { MATCH (d:Delta) WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0 } AS deltas,
  coalesce(head(COLLECT {
    MATCH (d:Delta) WHERE d.hindlore_memory = s.hindlore_key AND d.revision > 0
    RETURN d.revision ORDER BY d.hindlore_memory, d.revision LIMIT 1
  }), s.revision + 1) AS first,
  COUNT { MATCH (e:Event) WHERE e.hindlore_memory = s.hindlore_key AND e.tick > since } AS events,
  COUNT { (s)-[:HISTORY]->() }
    + COUNT { MATCH (d:Delta) WHERE d.hindlore_memory = s.hindlore_key AND d.revision >= 0 MATCH ()-[:NEXT]->(d) } AS chain
WHERE deltas <> s.revision + 2 - first OR first > 1 AND NOT EXISTS { (s)-[:HAS_FOLDED]->() } OR events <> s.access_clock - since OR chain <> deltas
RETURN l.tenant AS tenant, l.id AS learner, s.scope AS scope, s.revision AS revision, first, deltas,
  s.access_clock AS clock, since, events, chain
ORDER BY tenant, learner, scope LIMIT toInteger($limit)
