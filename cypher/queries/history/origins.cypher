// Reads who wrote each delta of a memory since its newest checkpoint, when and with which engine, and the seal on that.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   origin: id, time, author, instance, engine and seal of a delta
// Locks: none

MATCH (s:ContextScope {hindlore_key: $memory})
OPTIONAL MATCH (s)-[:HAS_CHECKPOINT]->(c:Checkpoint)
WITH coalesce(max(c.clock), -1) AS since
MATCH (e:Event)
WHERE e.hindlore_memory = $memory AND e.tick > since AND e:Delta
RETURN e { .id, .at, .author, .instance, .engine_version, .seal } AS origin
ORDER BY e.tick
