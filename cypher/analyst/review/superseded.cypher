// Which values changed, and what holds today?
//
// A statement that gives another value to the same attribute supersedes the older one by rule on the words. The older
// one stays active and ranks below. When both hold at the same time, take the link away: it is one of `LINK`, and the
// delta that made it can be undone.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: the one that holds today
//   content: its text
//   older: the one whose value it replaced
//   older_content: its text
//   status: status of the older one
//   reason: the two values
//   tick: event that linked them

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (a:Bullet)-[x:SUPERSEDES]->(b:Bullet)
WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0 AND a.status = 'active'
RETURN a.id AS bullet, a.content AS content, b.id AS older, b.content AS older_content, b.status AS status,
  x.reason AS reason, x.changed_tick AS tick
ORDER BY tick DESC, bullet, older LIMIT toInteger($limit)
