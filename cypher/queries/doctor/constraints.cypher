// Lists the constraints with their labels and properties.
//
// Parameters:
//   none
// Columns:
//   name: name of a constraint
//   sort: what it demands, such as `UNIQUENESS`
//   entity: `NODE` or `RELATIONSHIP`
//   labels: its labels or types
//   properties: its properties
// Locks: none

SHOW CONSTRAINTS YIELD name, type, entityType, labelsOrTypes, properties
RETURN name, type AS sort, entityType AS entity, coalesce(labelsOrTypes, []) AS labels,
  coalesce(properties, []) AS properties
