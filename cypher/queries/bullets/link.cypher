// Creates or replaces links. A removed link becomes UNLINKED, so
// that other instances see the removal and no pattern takes it for a link.
//
// Parameters:
//   $links: of each link the keys `from` and `to` of its bullets, its relationship `type`, and its properties `link`
// Columns:
//   linked: number of links whose two bullets exist
// Locks: the bullets

UNWIND $links AS row
WITH row,
  head(COLLECT { MATCH (n:Bullet {hindlore_key: row.from}) RETURN n }) AS a,
  head(COLLECT { MATCH (n:Bullet {hindlore_key: row.to}) RETURN n }) AS b
WHERE a IS NOT NULL AND b IS NOT NULL
CALL (a, b, row) {
  MATCH (a)-[old:FOLLOWS|SIMILAR_TO|CONFLICTS_WITH|MERGED_INTO|SUPERSEDES|RECONCILED_WITH|CONSOLIDATED_FROM|UNLINKED]->(b)
  WHERE old.kind = row.link.kind
  DELETE old
}
CREATE (a)-[l:$(row.type)]->(b)
SET l = row.link
RETURN count(l) AS linked
