// Adds the marks of the retrievals up to a clock to the folded counts of their bullets.
//
// Parameters:
//   $memory: key of the memory
//   $clock: tick of the last retrieval that is folded
//   $none: the count of a bullet without counts
// Columns:
//   none
// Locks: the memory, the bullets

MATCH (e:Event)
WHERE e.memory = $memory AND e.tick <= $clock AND e:Retrieval
MATCH (e)-[x:RETURNED]->(b:Bullet)
WITH b, count(x) AS retrieved, sum(toInteger(x.injected)) AS injected, sum(toInteger(x.used)) AS used, sum(toInteger(x.helped)) AS helped, sum(toInteger(x.harmed)) AS harmed, sum(toInteger(x.ignored)) AS ignored
MATCH (b)<-[h:HOLDS]-(:ContextScope)
SET h.retrieved = coalesce(h.retrieved, $none) + retrieved,
    h.injected = coalesce(h.injected, $none) + injected,
    h.used = coalesce(h.used, $none) + used,
    h.helped = coalesce(h.helped, $none) + helped,
    h.harmed = coalesce(h.harmed, $none) + harmed,
    h.ignored = coalesce(h.ignored, $none) + ignored
