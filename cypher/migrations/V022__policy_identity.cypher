// The node of a memory's policy, which people read, is there once.

CREATE CONSTRAINT mnemograph_policy_identity IF NOT EXISTS
FOR (n:Policy) REQUIRE n.mnemograph_key IS UNIQUE;
