// The text of a bullet is there once in a memory. The constraint has the name that it always had, so in a database of an
// older engine it can be made only when the older one is gone.

CREATE CONSTRAINT ace_bullet_hash_unique IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.hindlore_hash_key IS UNIQUE;
