// Reads the head of a memory and its changes since a tick, without a lock: for databases that
// nobody may write to.
//
// Parameters:
//   $memory: key of the memory
//   $clock: tick after which changes are wanted
//   $deltas: `key`, `id`, and key of the `bucket` and `mark` when folded, of deltas whose receipts to read
// Columns:
//   head: the properties of the memory
//   bullets: the properties of the bullets that changed since, in no order
//   links: ends and properties of the links that changed since, in no order
//   receipts: id of those deltas that are applied, with body digest and receipt, or of a folded one with its mark
// Locks: none

MATCH (s:ContextScope {hindlore_key: $memory})
WITH s
RETURN properties(s) AS head,
  COLLECT {
    MATCH (b:Bullet)
    WHERE b.hindlore_memory = $memory AND b.changed_tick > $clock
    RETURN properties(b)
  } AS bullets,
  CASE WHEN s.linked_tick > $clock THEN COLLECT {
    MATCH (a:Bullet)-[l:FOLLOWS]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
    UNION ALL
    MATCH (a:Bullet)-[l:SIMILAR_TO]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
    UNION ALL
    MATCH (a:Bullet)-[l:CONFLICTS_WITH]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
    UNION ALL
    MATCH (a:Bullet)-[l:MERGED_INTO]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
    UNION ALL
    MATCH (a:Bullet)-[l:SUPERSEDES]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
    UNION ALL
    MATCH (a:Bullet)-[l:RECONCILED_WITH]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
    UNION ALL
    MATCH (a:Bullet)-[l:CONSOLIDATED_FROM]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
    UNION ALL
    MATCH (a:Bullet)-[l:UNLINKED]->(b:Bullet)
    WHERE l.hindlore_memory = $memory AND l.changed_tick > $clock
    RETURN {from: CASE WHEN a.id IS :: STRING THEN a.id ELSE 'b_' + substring(a.hindlore_key, 32) END, to: CASE WHEN b.id IS :: STRING THEN b.id ELSE 'b_' + substring(b.hindlore_key, 32) END, link: properties(l)} AS link
  } ELSE [] END AS links,
  COLLECT {
    UNWIND $deltas AS delta
    MATCH (d:Delta {hindlore_key: delta.key})
    RETURN {delta: delta.id, body_digest: d.body_digest, receipt: d.receipt} AS receipt
    UNION ALL
    UNWIND $deltas AS delta
    MATCH (f:FoldedDeltas {hindlore_key: delta.bucket})
    WHERE f.marks CONTAINS delta.mark
    RETURN {delta: delta.id, marks: delta.mark + last(split(f.marks, delta.mark))} AS receipt
  } AS receipts
