// Gives activations another outcome in place of the one that they have; unknown ones are left out.
//
// Parameters:
//   $activations: of each its `key`, and the properties of its `outcome`
// Columns:
//   none
// Locks: the activations

UNWIND $activations AS row
MATCH ()-[a:ACTIVATED {hindlore_key: row.hindlore_key}]->()
SET a += row.outcome
