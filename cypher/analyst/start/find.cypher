// Which bullets have these words?
//
// All words must stand in the text, in any order, as parts of words and in either case. This is no ranking: the engine
// finds by more than words.
//
// Parameters:
//   :param tenant => 'default'
//   :param learner => 'tutor'
//   :param scope => 'default'
//   :param words => 'retry backoff'
//   :param limit => 25
// Columns:
//   bullet: its id
//   content: its text
//   status: `active`, `archived` or `rejected`
//   helpful: votes for it
//   harmful: votes against it
//   tags: its tags

MATCH (l:Learner {tenant: $tenant, id: $learner})-[:HAS_SCOPE]->(s:ContextScope {scope: $scope})
MATCH (s)-[:HOLDS]->(b:Bullet)
WHERE all(word IN split(toLower(trim($words)), ' ') WHERE toLower(b.content) CONTAINS word)
RETURN b.id AS bullet, b.content AS content, b.status AS status, b.helpful AS helpful, b.harmful AS harmful, b.tags AS tags
ORDER BY b.status, b.helpful - b.harmful DESC, b.id LIMIT toInteger($limit)
