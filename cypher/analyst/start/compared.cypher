// What does one learner know that another one does not?
//
// Active bullets of either learner, in all of their memories, whose text the other one has in none.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param other => 'demo'
//   :param limit => 25
// Columns:
//   learner: who knows it
//   scope: in which memory
//   content: the text
//   helpful: votes for it
//   harmful: votes against it

MATCH (o:Learner)
WHERE o.tenant = $tenant AND o.id IN [$learner, $other]
MATCH (o)-[:HAS_SCOPE]->(s:ContextScope)-[:HOLDS]->(b:Bullet)
WHERE b.status = 'active'
WITH b.content_hash AS text, collect({learner: o.id, scope: s.scope, bullet: b}) AS held
WITH held, held[0].learner AS learner
WHERE all(one IN held WHERE one.learner = learner)
UNWIND held AS one
WITH one.learner AS learner, one.scope AS scope, one.bullet AS b
RETURN learner, scope, b.content AS content, b.helpful AS helpful, b.harmful AS harmful
ORDER BY helpful - harmful DESC, learner, scope, content LIMIT toInteger($limit)
