// Draws what the properties of a memory's bullets and events say, gives back names and keys, and deletes copies. Tags,
// topics and concepts are drawn by `bullets/relabel`.
//
// Parameters:
//   $memory: key of the memory
//   $place: its `tenant`, `learner` and `scope`
// Columns:
//   none
// Locks: the memory

MATCH (s:ContextScope {hindlore_key: $memory})
SET s.lock = $memory
WITH s
CALL () {
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL
    AND b.id STARTS WITH 'b_' AND (b.hindlore_key IS NULL OR b.hindlore_key <> $memory + substring(toStringOrNull(b.id), 2))
    AND NOT EXISTS { MATCH (o:Bullet {hindlore_key: $memory + substring(toStringOrNull(b.id), 2)}) }
  WITH b.id AS id, head(collect(b)) AS b
  SET b.hindlore_key = $memory + substring(id, 2)
}
CALL (s) {
  MATCH (b:Bullet)
  WHERE b.hindlore_key IS NULL AND (EXISTS { (s)-[:HOLDS]->(b) } OR b.hindlore_memory = $memory
    OR all(name IN keys($place) WHERE b[name] = $place[name]))
    AND (EXISTS { MATCH (o:Bullet {hindlore_key: $memory + substring(toStringOrNull(b.id), 2)}) }
      OR EXISTS { MATCH (s)-[:HOLDS]->(o:Bullet) WHERE o.content = b.content AND o.hindlore_key IS NOT NULL })
  DETACH DELETE b
}
CALL (s) {
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL AND b.hindlore_key IS NOT NULL
  SET b += $place
  MERGE (s)-[:HOLDS]->(b)
}
CALL () {
  MATCH (n:ContextScope)
  WHERE n.hindlore_key IS NULL AND all(name IN keys($place) WHERE n[name] = $place[name])
  DETACH DELETE n
}
CALL () {
  MATCH (n:Learner)
  WHERE n.tenant = $place.tenant AND n.id = $place.learner AND n.learner = $place.learner AND n.hindlore_key IS NULL
  DETACH DELETE n
}
CALL () {
  MATCH (b:Bullet)-[l:FOLLOWS|SIMILAR_TO|CONFLICTS_WITH|MERGED_INTO|SUPERSEDES|RECONCILED_WITH|CONSOLIDATED_FROM|UNLINKED]->(:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL
    AND (l.hindlore_memory IS NULL OR l.changed_tick IS NULL OR l.kind IS NULL)
  DELETE l
}
CALL (s) {
  MATCH (d:Delta)
  WHERE d.hindlore_memory = $memory AND d.revision >= 0
  OPTIONAL MATCH (p:Delta)
  WHERE p.hindlore_memory = $memory AND p.revision = d.revision - 1
  CALL (d, p) {
    MATCH (other)-[old:NEXT|HISTORY]->(d)
    WHERE p IS NULL AND type(old) = 'NEXT' OR p IS NOT NULL AND other <> p
    DELETE old
  }
  FOREACH (_ IN CASE WHEN p IS NULL THEN [1] ELSE [] END | MERGE (s)-[:HISTORY]->(d))
  FOREACH (_ IN CASE WHEN p IS NULL THEN [] ELSE [1] END | MERGE (p)-[:NEXT]->(d))
}
CALL (s) {
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick IS NOT NULL AND e:Retrieval
  MERGE (s)-[:HAS_RETRIEVAL]->(e)
}
CALL () {
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick IS NOT NULL AND e:Retrieval
  MATCH (e)-[x:RETURNED]->()
  WITH x, ['used', 'helped', 'harmed', 'ignored'] AS names, coalesce(x.told, []) AS told
  WHERE any(name IN names WHERE coalesce(x[name], false) <> (name IN told))
  FOREACH (name IN names | SET x[name] = CASE WHEN name IN told THEN true END)
}
