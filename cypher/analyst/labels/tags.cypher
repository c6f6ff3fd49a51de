// Which tags does a learner use most, and do they help?
//
// Tags belong to the learner, so this looks over all of its memories.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   tag: its name
//   bullets: active bullets that have it
//   memories: memories that these are in
//   helpful: votes for them
//   harmful: votes against them
//   last_used: when one of them was touched last

MATCH (l:Learner {tenant: $tenant, id: $learner})
MATCH (t:Tag)
WHERE t.hindlore_owner = l.hindlore_key
MATCH (t)<-[:TAGGED]-(b:Bullet {status: 'active'})
WITH t.name AS tag, count(b) AS bullets, count(DISTINCT b.scope) AS memories, sum(b.helpful) AS helpful,
  sum(b.harmful) AS harmful, max(b.last_used) AS last_used
RETURN tag, bullets, memories, helpful, harmful,
  last_used
ORDER BY bullets DESC, helpful DESC, tag LIMIT toInteger($limit)
