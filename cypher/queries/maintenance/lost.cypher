// Says whether the node of a memory or of its learner is gone while something still names it, and where the memory stood.
//
// Parameters:
//   $memory: key of the memory
//   $owner: key of its learner
// Columns:
//   lacks_learner: true if the learner is gone and something names it
//   lacks_memory: true if the memory is gone and something names it
//   events: number of its events
//   clock: tick of the last of them
//   first: tick of the first after the creation
//   revision: revision of its last delta
//   bullets: number of its bullets
// Locks: none

CALL () {
  MATCH (e:Event)
  WHERE e.hindlore_memory = $memory AND e.tick >= 0
  RETURN count(e) AS events, max(e.tick) AS clock, min(CASE WHEN e.tick > 0 THEN e.tick END) AS first,
    max(CASE WHEN e:Delta THEN e.revision END) AS revision
}
WITH events, clock, first, revision,
  COUNT { MATCH (b:Bullet) WHERE b.hindlore_memory = $memory AND b.changed_tick >= 0 } AS bullets,
  EXISTS { MATCH (l:Learner {hindlore_key: $owner}) } AS has_learner,
  EXISTS { MATCH (s:ContextScope {hindlore_key: $memory}) } AS has_memory,
  EXISTS { MATCH (n:Lesson) WHERE n.hindlore_key STARTS WITH $owner }
    OR EXISTS { MATCH (n:Run) WHERE n.hindlore_key STARTS WITH $owner } AS has_lessons
RETURN NOT has_learner AND (has_memory OR events > 0 OR has_lessons) AS lacks_learner,
  NOT has_memory AND events > 0 AS lacks_memory,
  events, coalesce(clock, 0) AS clock, coalesce(first, clock + 1, 1) AS first, coalesce(revision, 0) AS revision, bullets
