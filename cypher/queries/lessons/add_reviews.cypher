// Adds reviews of lessons; existing ones stay as they are.
//
// Parameters:
//   $reviews: of each the key of its `lesson`, and all its properties `review`
// Columns:
//   kept: number of those whose lesson exists
// Locks: the lessons and the new reviews

UNWIND $reviews AS row
MATCH (l:Lesson {hindlore_key: row.lesson})
MERGE (v:Review {hindlore_key: row.review.hindlore_key})
ON CREATE SET v = row.review
MERGE (l)-[:REVIEWED]->(v)
RETURN count(v) AS kept
