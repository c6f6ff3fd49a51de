// Which constraints are there?
//
// Looks at the schema, not at data. Two constraints guard the record of the migrations. The migrations make the others.
//
// Parameters:
//   :param limit => 100
// Columns:
//   name: its name
//   type: what it demands
//   on: labels or relationship types
//   properties: of which properties
//   index: the index that backs it

SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties, ownedIndex
RETURN name, type, labelsOrTypes AS on, properties, ownedIndex AS index
ORDER BY name LIMIT toInteger($limit)
