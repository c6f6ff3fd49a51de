// Reads a page of records from the front of a piece of one order. Each order has an index of its own, and a statement
// cannot name an index by a parameter: of the branches the one of the order is carried out.
//
// Parameters:
//   $order: number of the order, from 1
//   $above: text behind which the piece begins
//   $below: text before which it ends
//   $limit: largest number of records
// Columns:
//   labels: the labels of a record
//   properties: all its properties
// Locks: none

CALL () {
  WITH $order AS order WHERE order = 1
  MATCH (n:Record)
  WHERE n.hindlore_order_1 > $above AND n.hindlore_order_1 < $below
  RETURN n ORDER BY n.hindlore_order_1 LIMIT $limit
  UNION ALL
  WITH $order AS order WHERE order = 2
  MATCH (n:Record)
  WHERE n.hindlore_order_2 > $above AND n.hindlore_order_2 < $below
  RETURN n ORDER BY n.hindlore_order_2 LIMIT $limit
  UNION ALL
  WITH $order AS order WHERE order = 3
  MATCH (n:Record)
  WHERE n.hindlore_order_3 > $above AND n.hindlore_order_3 < $below
  RETURN n ORDER BY n.hindlore_order_3 LIMIT $limit
  UNION ALL
  WITH $order AS order WHERE order = 4
  MATCH (n:Record)
  WHERE n.hindlore_order_4 > $above AND n.hindlore_order_4 < $below
  RETURN n ORDER BY n.hindlore_order_4 LIMIT $limit
  UNION ALL
  WITH $order AS order WHERE order = 5
  MATCH (n:Record)
  WHERE n.hindlore_order_5 > $above AND n.hindlore_order_5 < $below
  RETURN n ORDER BY n.hindlore_order_5 LIMIT $limit
  UNION ALL
  WITH $order AS order WHERE order = 6
  MATCH (n:Record)
  WHERE n.hindlore_order_6 > $above AND n.hindlore_order_6 < $below
  RETURN n ORDER BY n.hindlore_order_6 LIMIT $limit
  UNION ALL
  WITH $order AS order WHERE order = 7
  MATCH (n:Record)
  WHERE n.hindlore_order_7 > $above AND n.hindlore_order_7 < $below
  RETURN n ORDER BY n.hindlore_order_7 LIMIT $limit
  UNION ALL
  WITH $order AS order WHERE order = 8
  MATCH (n:Record)
  WHERE n.hindlore_order_8 > $above AND n.hindlore_order_8 < $below
  RETURN n ORDER BY n.hindlore_order_8 LIMIT $limit
}
RETURN labels(n) AS labels, properties(n) AS properties
