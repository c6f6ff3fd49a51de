// Reads the ids around a question: what its fingerprints trigger, what lies behind the rarest of its tags,
// and what applies to its place. Every list is read from the front of an index and stops at its limit.
// Finds nothing while a copy into the learner's lessons is unfinished.
//
// Parameters:
//   $owner: key of the learner
//   $starts: keys of the fingerprints of the question
//   $tags: keys of its tags
//   $without: names of tags that are not followed
//   $places: prefixes of the live lessons of its task, its domain and its tool
//   $live: prefix of the postings of live lessons
//   $of_lesson: separator between the key of a tag and the posting of a live lesson
//   $of_sibling: separator between the key of a tag and the id of a sibling
//   $id_length: length of the id at the end of a posting of a fingerprint
//   $tags_limit: most tags that are followed
//   $per_start: most lessons of a fingerprint of the question
//   $siblings: most siblings of a tag
//   $per_sibling: most lessons of a sibling
//   $per_tag: most lessons of a tag
//   $per_place: most lessons of a task, a domain or a tool
// Columns:
//   fingerprints: number of fingerprints of the learner
//   starts: of each known fingerprint its id, its tags with their counts, and the postings of its lessons
//   tags: of each followed tag its name and count, its siblings with the postings of their lessons, and the postings of its own
//   places: the postings of the lessons of each place
// Locks: none

MATCH (o:Learner {hindlore_key: $owner})
WHERE o.copying IS NULL
CALL (o) {
  UNWIND $starts AS start
  MATCH (f:Fingerprint {hindlore_key: start})
  CALL (f) {
    WITH f.tags AS names, f.tag_keys AS keys
    UNWIND range(0, size(keys) - 1) AS at
    WITH names[at] AS name, keys[at] AS key
    MATCH (t:Tag {hindlore_key: key})
    RETURN collect({key: key, tag: name, fingerprints: t.fingerprints}) AS own
  }
  CALL (start) {
    MATCH ()-[r:TRIGGERED_BY]->()
    WHERE r.hindlore_posting STARTS WITH start + $live
    WITH r.hindlore_posting AS posting
    ORDER BY posting LIMIT $per_start
    RETURN collect(posting) AS lessons
  }
  RETURN collect({id: f.id, tags: own, lessons: lessons}) AS starts
}
CALL (starts) {
  CALL (starts) {
    UNWIND starts AS start
    UNWIND start.tags AS tag
    RETURN tag
    UNION
    UNWIND $tags AS key
    MATCH (t:Tag {hindlore_key: key})
    WHERE t.fingerprints > 0
    RETURN {key: t.hindlore_key, tag: t.name, fingerprints: t.fingerprints} AS tag
  }
  WITH tag
  WHERE NOT tag.tag IN $without
  WITH tag
  ORDER BY tag.fingerprints, tag.tag LIMIT $tags_limit
  CALL (tag) {
    MATCH (f)-[g:TAGGED]->()
    WHERE g.hindlore_posting STARTS WITH tag.key + $of_sibling
    WITH f, g.hindlore_posting AS sibling
    ORDER BY sibling LIMIT $siblings
    CALL (sibling) {
      MATCH ()-[r:TRIGGERED_BY]->()
      WHERE r.hindlore_posting STARTS WITH $owner + right(sibling, $id_length) + $live
      WITH r.hindlore_posting AS posting
      ORDER BY posting LIMIT $per_sibling
      RETURN collect(posting) AS lessons
    }
    RETURN collect({id: right(sibling, $id_length), normalised: f.normalised, lessons: lessons}) AS siblings
  }
  CALL (tag) {
    MATCH ()-[g:TAGGED]->()
    WHERE g.hindlore_posting STARTS WITH tag.key + $of_lesson
    WITH g.hindlore_posting AS posting
    ORDER BY posting LIMIT $per_tag
    RETURN collect(posting) AS lessons
  }
  RETURN collect({tag: tag.tag, fingerprints: tag.fingerprints, siblings: siblings, lessons: lessons}) AS tags
}
CALL (o) {
  UNWIND $places AS place
  CALL (place) {
    MATCH ()-[r:APPLIES_TO]->()
    WHERE r.hindlore_posting STARTS WITH place
    WITH r.hindlore_posting AS posting
    ORDER BY posting LIMIT $per_place
    RETURN collect(posting) AS lessons
  }
  RETURN collect(lessons) AS places
}
RETURN coalesce(o.fingerprints, 0) AS fingerprints, starts, tags, places
