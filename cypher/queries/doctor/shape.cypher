// Lists where the nodes and relationships of a memory do not say what its bullets and events say. Looks at all bullets
// of the server for copies, which nothing else leads to.
//
// Parameters:
//   $memory: key of the memory
//   $place: its `tenant`, `learner` and `scope`
//   $limit: largest number of rows
// Columns:
//   fault: a word for what is wrong
//   id: id of the bullet or event, or what stands for one
//   detail: more about it
// Locks: none

MATCH (s:ContextScope {hindlore_key: $memory})
OPTIONAL MATCH (s)-[:HAS_CHECKPOINT]->(c:Checkpoint)
WITH s, coalesce(max(c.clock), -1) AS since
CALL (s, since) {
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL AND b.hindlore_key IS NOT NULL
    AND NOT EXISTS { (s)-[:HOLDS]->(b) }
  RETURN 'unheld' AS fault, coalesce(toStringOrNull(b.id), '') AS id, '' AS detail
  UNION ALL
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL AND b.hindlore_key IS NOT NULL
    AND any(name IN keys($place) WHERE b[name] IS NULL OR b[name] <> $place[name])
  RETURN 'misnamed' AS fault, coalesce(toStringOrNull(b.id), '') AS id,
    coalesce(toStringOrNull(b.tenant), '') + '/' + coalesce(toStringOrNull(b.learner), '') + '/'
      + coalesce(toStringOrNull(b.scope), '') AS detail
  UNION ALL
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL
    AND b.id STARTS WITH 'b_' AND (b.hindlore_key IS NULL OR b.hindlore_key <> $memory + substring(toStringOrNull(b.id), 2))
    AND NOT EXISTS { MATCH (o:Bullet {hindlore_key: $memory + substring(toStringOrNull(b.id), 2)}) }
  RETURN 'miskeyed' AS fault, b.id AS id, coalesce(toStringOrNull(b.content), '') AS detail
  UNION ALL
  MATCH (b:Bullet)
  WHERE b.hindlore_key IS NULL AND (EXISTS { (s)-[:HOLDS]->(b) } OR b.hindlore_memory = $memory
    OR all(name IN keys($place) WHERE b[name] = $place[name]))
  WITH b, EXISTS { MATCH (o:Bullet {hindlore_key: $memory + substring(toStringOrNull(b.id), 2)}) }
    OR EXISTS { MATCH (s)-[:HOLDS]->(o:Bullet) WHERE o.content = b.content AND o.hindlore_key IS NOT NULL } AS is_copy
  WHERE is_copy OR b.id IS NULL OR b.hindlore_memory IS NULL OR b.changed_tick IS NULL
  RETURN CASE WHEN is_copy THEN 'copy' ELSE 'by_hand' END AS fault, coalesce(toStringOrNull(b.id), '') AS id,
    coalesce(toStringOrNull(b.content), '') AS detail
  UNION ALL
  MATCH (b:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL AND b.hindlore_key IS NOT NULL
  WITH b, [(b)-[:TAGGED]->(t) | coalesce(t.name, '')] AS tags, [(b)-[:ABOUT]->(t) | coalesce(t.name, '')] AS topics,
    [(b)-[:MENTIONS]->(t) | coalesce(t.name, '')] AS concepts
  WITH b, tags + [t IN topics | 'topic ' + t] + [t IN concepts | 'concept ' + t] AS drawn,
    coalesce(b.tags, []) + CASE WHEN b.topic IS NULL THEN [] ELSE ['topic ' + coalesce(toStringOrNull(b.topic), '')] END
      + CASE WHEN b.concept IS NULL THEN [] ELSE ['concept ' + coalesce(toStringOrNull(b.concept), '')] END AS meant
  WHERE size(drawn) <> size(meant) OR any(one IN drawn WHERE NOT one IN meant)
  RETURN 'mislabelled' AS fault, coalesce(toStringOrNull(b.id), '') AS id, 'drawn: ' + reduce(all = '', one IN drawn | all + one + ', ') AS detail
  UNION ALL
  MATCH (n:ContextScope)
  WHERE n.hindlore_key IS NULL AND all(name IN keys($place) WHERE n[name] = $place[name])
  RETURN 'twin' AS fault, n.scope AS id, toString(COUNT { (n)--() }) AS detail
  UNION ALL
  MATCH (n:Learner)
  WHERE n.tenant = $place.tenant AND n.id = $place.learner AND n.learner = $place.learner AND n.hindlore_key IS NULL
  RETURN 'twin learner' AS fault, n.id AS id, toString(COUNT { (n)--() }) AS detail
  UNION ALL
  MATCH (b:Bullet)-[l:FOLLOWS|SIMILAR_TO|CONFLICTS_WITH|MERGED_INTO|SUPERSEDES|RECONCILED_WITH|CONSOLIDATED_FROM|UNLINKED]->(o:Bullet)
  WHERE b.hindlore_memory = $memory AND b.changed_tick IS NOT NULL
    AND (l.hindlore_memory IS NULL OR l.changed_tick IS NULL OR l.kind IS NULL)
  RETURN 'drawn' AS fault, coalesce(toStringOrNull(b.id), '') AS id, type(l) + ' ' + coalesce(toStringOrNull(o.id), '') AS detail
  UNION ALL
  MATCH (d:Delta)
  WHERE d.hindlore_memory = $memory AND d.revision >= 0
  WITH s, d, head(COLLECT {
    MATCH (p:Delta)
    WHERE p.hindlore_memory = $memory AND p.revision = d.revision - 1
    RETURN p
  }) AS p
  WITH d, CASE WHEN p IS NULL THEN EXISTS { (s)-[:HISTORY]->(d) } ELSE EXISTS { (p)-[:NEXT]->(d) } END AS is_chained,
    COUNT { ()-[:NEXT]->(d) } + COUNT { ()-[:HISTORY]->(d) } AS links
  WHERE NOT is_chained OR links <> 1
  RETURN 'unchained' AS fault, coalesce(toStringOrNull(d.id), '') AS id, toString(d.revision) AS detail
  UNION ALL
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick IS NOT NULL AND e:Retrieval AND NOT EXISTS { (s)-[:HAS_RETRIEVAL]->(e) }
  RETURN 'unlisted' AS fault, coalesce(toStringOrNull(e.id), '') AS id, '' AS detail
  UNION ALL
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick > since AND e:Retrieval
  WITH e, [(e)-[x:RETURNED]->() | x.rank] AS ranks
  WHERE size(ranks) = 0 OR any(rank IN range(0, size(ranks) - 1) WHERE NOT rank IN ranks)
  RETURN 'unranked' AS fault, e.id AS id, toString(e.tick) AS detail
  UNION ALL
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick > since AND e:Retrieval
  MATCH (e)-[x:RETURNED]->(b:Bullet)
  WITH e, b, [name IN ['used', 'helped', 'harmed', 'ignored'] WHERE x[name]] AS marks, coalesce(x.told, []) AS told
  WHERE size(marks) <> size(told) OR any(one IN marks WHERE NOT one IN told)
  RETURN 'marked' AS fault, e.id AS id, b.id + ' (marked: ' + reduce(all = '', one IN marks | all + one + ', ') + 'told: '
    + reduce(all = '', one IN told | all + one + ', ') + ')' AS detail
  UNION ALL
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick > since AND e:Retrieval
  MATCH (e)-[x:RETURNED {injected: true}]->(b:Bullet)
  WHERE EXISTS { MATCH (e)-[y:RETURNED]->() WHERE y.rank < x.rank AND NOT coalesce(y.injected, false) }
  RETURN 'injected' AS fault, e.id AS id, b.id AS detail
}
RETURN fault, id, detail
ORDER BY fault, id LIMIT $limit
