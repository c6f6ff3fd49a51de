// Compacts the oldest retrievals between two ticks: adds their marks to the compacted counts of their bullets, and
// deletes them.
//
// Parameters:
//   $memory: key of the memory
//   $after: tick after which to read
//   $clock: tick of the last retrieval that may be compacted
//   $limit: largest number of rows
//   $none: the count of a bullet without counts
// Columns:
//   last: the tick of the last one that was compacted; null when there was none
// Locks: the memory, the retrievals, the bullets

MATCH (e:Event)
WHERE e.hindlore_memory = $memory AND e.tick > $after AND e.tick <= $clock AND e:Retrieval
WITH e ORDER BY e.hindlore_memory, e.tick LIMIT $limit
WITH collect(e) AS old, max(e.tick) AS last
CALL (old) {
  UNWIND old AS e
  MATCH (e)-[x:RETURNED]->(b:Bullet)
  WITH b, count(x) AS retrieved, sum(toInteger(x.injected)) AS injected, sum(toInteger(x.used)) AS used, sum(toInteger(x.helped)) AS helped, sum(toInteger(x.harmed)) AS harmed, sum(toInteger(x.ignored)) AS ignored
  MATCH (b)<-[h:HOLDS]-(:ContextScope)
  SET h.retrieved = coalesce(h.retrieved, $none) + retrieved,
      h.injected = coalesce(h.injected, $none) + injected,
      h.used = coalesce(h.used, $none) + used,
      h.helped = coalesce(h.helped, $none) + helped,
      h.harmed = coalesce(h.harmed, $none) + harmed,
      h.ignored = coalesce(h.ignored, $none) + ignored
  RETURN count(b) AS counted
}
FOREACH (e IN old | DETACH DELETE e)
RETURN last
