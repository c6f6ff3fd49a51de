// Reads the existing rows that a commit of lessons is compared with.
//
// Parameters:
//   $runs: keys of the runs of its steps and errors
//   $events: keys of its errors
//   $fingerprints: keys of the fingerprints that it names
//   $meetings: keys of the meetings of its errors
//   $lessons: keys of its lessons
//   $live: prefix of the postings of live lessons
// Columns:
//   runs: of each run its key, its name and when it ended
//   events: ids of the errors that are there
//   fingerprints: of each its properties, and whether it triggers a live lesson
//   meetings: the properties of the meetings that are there
//   lessons: of each lesson its id, its triggers, and what its relationships were made from
// Locks: none; the caller holds the learner's lock

RETURN
  COLLECT {
    UNWIND $runs AS run
    MATCH (r:Run {hindlore_key: run})
    WHERE r.started_at IS NOT NULL
    RETURN {key: r.hindlore_key, id: r.id, ended_at: r.ended_at}
  } AS runs,
  COLLECT {
    UNWIND $events AS event
    MATCH (e:ErrorEvent {hindlore_key: event})
    RETURN e.id
  } AS events,
  COLLECT {
    UNWIND $fingerprints AS print
    MATCH (f:Fingerprint {hindlore_key: print})
    RETURN {
      known: properties(f),
      live: EXISTS {
        MATCH ()-[t:TRIGGERED_BY]->()
        WHERE t.hindlore_posting STARTS WITH print + $live
      }
    }
  } AS fingerprints,
  COLLECT {
    UNWIND $meetings AS meeting
    MATCH ()-[m:MET {hindlore_key: meeting}]->()
    RETURN properties(m)
  } AS meetings,
  COLLECT {
    UNWIND $lessons AS lesson
    MATCH (l:Lesson {hindlore_key: lesson})
    RETURN {id: l.id, triggers: l.triggers, placed: l.placed}
  } AS lessons
