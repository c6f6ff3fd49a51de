// What happened to one bullet, from first to last?
//
// Every event that touched it, in order: made, changed, merged, archived, rejected, returned. Retrievals that
// were compacted into counts are left out.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param bullet => 'b_…'
//   :param limit => 25
// Columns:
//   tick: number of the event
//   event: what happened
//   at: when
//   by: delta or retrieval
//   revision: number of the delta
//   author: who sent the delta
//   helpful: votes for it that came with it
//   harmful: votes against it that came with it
//   rank: place among what was returned, 1 is the first
//   score: score there
//   why: reasoning of the delta, or the query

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (b:Bullet {hindlore_key: s.hindlore_key + substring($bullet, 2)})
CALL (b) {
  MATCH (b)<-[c:ADDED|CHANGED|MERGED|ARCHIVED|REJECTED]-(d:Delta)
  RETURN d.tick AS tick, type(c) AS event, d.at AS at, d.id AS by, d.revision AS revision, d.author AS author,
    c.helpful AS helpful, c.harmful AS harmful, null AS rank, null AS score, d.reasoning AS why
  UNION ALL
  MATCH (b)<-[x:RETURNED]-(r:Retrieval)
  RETURN r.tick AS tick, type(x) AS event, r.at AS at, r.id AS by, null AS revision, null AS author,
    null AS helpful, null AS harmful, x.rank + 1 AS rank, x.score AS score, r.query AS why
}
RETURN tick, event, at, by, revision, author, helpful, harmful, rank, score, why
ORDER BY tick, event LIMIT toInteger($limit)
