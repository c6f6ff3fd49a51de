// Which topics and concepts does a learner know something about?
//
// A bullet has at most one of each. They belong to the learner, so this looks over all of its memories.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param limit => 25
// Columns:
//   sort: Topic or Concept
//   name: its name
//   bullets: active bullets about it
//   memories: memories that these are in
//   helpful: votes for them
//   harmful: votes against them

MATCH (l:Learner {tenant: $tenant, id: $learner})
CALL (l) {
  MATCH (t:Topic)
  WHERE t.hindlore_owner = l.hindlore_key
  MATCH (t)<-[:ABOUT]-(b:Bullet {status: 'active'})
  RETURN 'Topic' AS sort, t.name AS name, b
  UNION ALL
  MATCH (c:Concept)
  WHERE c.hindlore_owner = l.hindlore_key
  MATCH (c)<-[:MENTIONS]-(b:Bullet {status: 'active'})
  RETURN 'Concept' AS sort, c.name AS name, b
}
RETURN sort, name, count(b) AS bullets, count(DISTINCT b.scope) AS memories, sum(b.helpful) AS helpful,
  sum(b.harmful) AS harmful
ORDER BY bullets DESC, sort DESC, name LIMIT toInteger($limit)
