// Lists the constraints with what they are for.
//
// Parameters:
//   none
// Columns:
//   name: name of a constraint
//   sort: what it demands, such as `UNIQUENESS`
//   entity: `NODE` or `RELATIONSHIP`
//   labels: the labels or types that it is for
//   properties: the properties that it is for
// Locks: none

SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties
RETURN name, type AS sort, entityType AS entity, coalesce(labelsOrTypes, []) AS labels,
  coalesce(properties, []) AS properties
