// What was a consolidated bullet made of, and what does it lack?
//
// One row for each source. It is archived with its importance and votes, and a rollback brings it back. Words are
// compared as they are written, so another form of a word counts as missing here. The consolidation itself compares
// stems.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param limit => 25
// Columns:
//   bullet: the consolidated bullet
//   content: its text
//   status: its status, archived after a rollback, or when it was consolidated again
//   source: a bullet that it was made of
//   source_content: the text of that one
//   missing: words of that text that do not occur in the other
//   tick: event that consolidated them

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (a:Bullet)-[x:CONSOLIDATED_FROM]->(b:Bullet)
WHERE x.hindlore_memory = s.hindlore_key AND x.changed_tick >= 0
RETURN a.id AS bullet, a.content AS content, a.status AS status, b.id AS source, b.content AS source_content,
  [word IN split(replace(toLower(b.content), '.', ''), ' ') WHERE NOT toLower(a.content) CONTAINS word] AS missing,
  x.changed_tick AS tick
ORDER BY tick DESC, bullet, source LIMIT toInteger($limit)
