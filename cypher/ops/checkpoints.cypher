// How far back would a replay have to go?
//
// Looks at everything that the server holds, all tenants included. A replay starts from the newest checkpoint
// that it can use, or from the beginning where there is none.
//
// Parameters:
//   :param limit => 25
// Columns:
//   tenant: the tenant
//   learner: the learner
//   scope: the memory
//   clock: number of its last event
//   checkpoints: how many it has
//   newest: clock of the newest, none without one
//   behind: events since the newest, or since the beginning
//   bytes: characters that the checkpoints take

MATCH (l:Learner)
WHERE l.tenant >= ''
MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)
OPTIONAL MATCH (s)-[:HAS_CHECKPOINT]->(c:Checkpoint)
OPTIONAL MATCH (c)-[:HAS_PIECE]->(p:CheckpointPiece)
WITH l, s, c, sum(size(p.body)) AS pieces
WITH l, s, count(c) AS checkpoints, max(c.clock) AS newest,
  sum(pieces + size(c.bullets) + size(c.links)) AS bytes
RETURN l.tenant AS tenant, l.id AS learner, s.scope AS scope, s.access_clock AS clock, checkpoints, newest,
  s.access_clock - coalesce(newest, s.origin_clock) AS behind, bytes
ORDER BY behind DESC, tenant, learner, scope LIMIT toInteger($limit)
