// Counts what others keep with the name of a learner in it, and the receipts of its erases. Looks at whole labels on
// purpose: a name in a text is reached in no other way.
//
// Parameters:
//   $tenant: the tenant
//   $learner: the learner
//   $hash: hash of tenant and learner in receipts
// Columns:
//   receipts: number of receipts
//   bullets: number of bullets of others
//   deltas: number of deltas of others
//   records: number of records of others
// Locks: none

RETURN COUNT {
  MATCH (n:Erasure)
  WHERE n.learner_hash = $hash
} AS receipts, COUNT {
  MATCH (n:Bullet)
  WHERE n.tenant = $tenant AND n.learner <> $learner AND n.content IS :: STRING AND n.content CONTAINS $learner
} AS bullets, COUNT {
  MATCH (n:Delta)
  WHERE n.tenant = $tenant AND n.learner <> $learner
    AND any(name IN ['author', 'reasoning', 'body'] WHERE toStringOrNull(n[name]) CONTAINS $learner)
} AS deltas, COUNT {
  MATCH (n:Record)
  WHERE n.tenant = $tenant AND n.learner <> $learner
    AND any(name IN keys(n) WHERE NOT name IN ['hindlore_key'] AND (toStringOrNull(n[name]) CONTAINS $learner
      OR (n[name] IS :: LIST<STRING> AND any(one IN n[name] WHERE one CONTAINS $learner))))
} AS records
