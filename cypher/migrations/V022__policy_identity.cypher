// The node of a memory's policy, which people read, is there once.

CREATE CONSTRAINT hindlore_policy_identity IF NOT EXISTS
FOR (n:Policy) REQUIRE n.hindlore_key IS UNIQUE;
