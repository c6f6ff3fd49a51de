// Ties lessons to what triggers them, to their tags, and to where they apply, in place of what they were
// tied to.
//
// Parameters:
//   $lessons: of each lesson its key `lesson`; of each of its `triggers` the `key` and the `posting`; of each of its `tags`, `tasks`, `domains` and `tools` the properties `node` and the `posting`
// Columns:
//   triggered: number of triggers that were tied
// Locks: the lessons, and what they are tied to

UNWIND $lessons AS row
MATCH (l:Lesson {mnemograph_key: row.lesson})
CALL (l) {
  MATCH (l)-[old:TRIGGERED_BY|TAGGED|APPLIES_TO]->()
  DELETE old
}
CALL (l, row) {
  UNWIND row.triggers AS trigger
  MATCH (f:Fingerprint {mnemograph_key: trigger.mnemograph_key})
  CREATE (l)-[t:TRIGGERED_BY {mnemograph_posting: trigger.mnemograph_posting}]->(f)
  RETURN count(t) AS ties
}
CALL (l, row) {
  UNWIND row.tags AS tag
  MERGE (n:Tag {mnemograph_key: tag.node.mnemograph_key})
  ON CREATE SET n = tag.node
  CREATE (l)-[:TAGGED {mnemograph_posting: tag.mnemograph_posting}]->(n)
}
CALL (l, row) {
  UNWIND row.tasks AS task
  MERGE (n:Task {mnemograph_key: task.node.mnemograph_key})
  ON CREATE SET n = task.node
  CREATE (l)-[:APPLIES_TO {mnemograph_posting: task.mnemograph_posting}]->(n)
}
CALL (l, row) {
  UNWIND row.domains AS domain
  MERGE (n:Domain {mnemograph_key: domain.node.mnemograph_key})
  ON CREATE SET n = domain.node
  CREATE (l)-[:APPLIES_TO {mnemograph_posting: domain.mnemograph_posting}]->(n)
}
CALL (l, row) {
  UNWIND row.tools AS tool
  MERGE (n:Tool {mnemograph_key: tool.node.mnemograph_key})
  ON CREATE SET n = tool.node
  CREATE (l)-[:APPLIES_TO {mnemograph_posting: tool.mnemograph_posting}]->(n)
}
RETURN sum(ties) AS triggered
