// Which texts do several memories of a tenant hold?
//
// What several learners found out by themselves is worth sharing. Equal means equal but for case and white
// space. Planted bullets are left out.
//
// Parameters:
//   :param tenant => 'default'
//   :param limit => 25
// Columns:
//   content: the text
//   memories: how many hold it
//   where: learner and scope of each
//   helpful: votes for it in all of them
//   harmful: votes against it

MATCH (l:Learner {tenant: $tenant})-[:HAS_SCOPE]->(s:ContextScope)-[:HOLDS]->(b:Bullet {status: 'active'})
WHERE b.kind <> 'meta_strategy'
WITH l, s, b ORDER BY l.id, s.scope
WITH b.content_hash AS text, head(collect(b.content)) AS content, collect(l.id + ' / ' + s.scope) AS where,
  sum(b.helpful) AS helpful, sum(b.harmful) AS harmful
WHERE size(where) > 1
RETURN content, size(where) AS memories, where, helpful, harmful
ORDER BY memories DESC, helpful - harmful DESC, content LIMIT toInteger($limit)
