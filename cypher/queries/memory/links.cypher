// Reads all links of a memory, removed ones too.
//
// Parameters:
//   $memory: key of the memory
// Columns:
//   from_bullet: id of the bullet where it begins
//   to_bullet: id of the bullet where it ends
//   link: the properties of the link
// Locks: none; the caller holds the memory's lock

MATCH (a:Bullet)-[l:FOLLOWS]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
UNION ALL
MATCH (a:Bullet)-[l:SIMILAR_TO]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
UNION ALL
MATCH (a:Bullet)-[l:CONFLICTS_WITH]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
UNION ALL
MATCH (a:Bullet)-[l:MERGED_INTO]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
UNION ALL
MATCH (a:Bullet)-[l:SUPERSEDES]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
UNION ALL
MATCH (a:Bullet)-[l:RECONCILED_WITH]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
UNION ALL
MATCH (a:Bullet)-[l:CONSOLIDATED_FROM]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
UNION ALL
MATCH (a:Bullet)-[l:UNLINKED]->(b:Bullet)
WHERE l.hindlore_memory = $memory AND l.changed_tick IS NOT NULL
RETURN CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END AS from_bullet, CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END AS to_bullet, properties(l) AS link
