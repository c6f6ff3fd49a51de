// Does each text have one holder?
//
// Looks at everything that the server holds, all tenants included. Every row is damage, none is the good
// answer: an active bullet must hold its hash, and no text may be active twice in a memory.
//
// Parameters:
//   :param limit => 25
// Columns:
//   tenant: the tenant
//   learner: the learner
//   scope: the memory
//   content_hash: hash of the text
//   bullets: active bullets that have it
//   holding: how many of them hold the hash

MATCH (l:Learner)
WHERE l.tenant >= ''
MATCH (l)-[:HAS_SCOPE]->(s:ContextScope)-[:HOLDS]->(b:Bullet {status: 'active'})
WITH l, s, b.content_hash AS content_hash, collect(b.id) AS bullets, count(b.hindlore_hash_key) AS holding
WHERE size(bullets) > 1 OR holding <> size(bullets)
RETURN l.tenant AS tenant, l.id AS learner, s.scope AS scope, content_hash, bullets, holding
ORDER BY tenant, learner, scope, content_hash LIMIT toInteger($limit)
