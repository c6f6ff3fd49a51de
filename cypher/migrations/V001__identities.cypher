// Identities: what can be there once only.
//
// Each label has one derived key that is always present, since a constraint over several properties
// skips nodes that lack one of them. `hash_key` is the exception on purpose: only the bullet that a text
// leads to has it. The two pairs below are always complete.

CREATE CONSTRAINT learner_key_unique IF NOT EXISTS
FOR (n:Learner) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT scope_key_unique IF NOT EXISTS
FOR (n:ContextScope) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT bullet_key_unique IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT ace_bullet_hash_unique IF NOT EXISTS
FOR (n:Bullet) REQUIRE n.hash_key IS UNIQUE;

CREATE CONSTRAINT delta_key_unique IF NOT EXISTS
FOR (n:Delta) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT retrieval_key_unique IF NOT EXISTS
FOR (n:Retrieval) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT checkpoint_key_unique IF NOT EXISTS
FOR (n:Checkpoint) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT tag_key_unique IF NOT EXISTS
FOR (n:Tag) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT topic_key_unique IF NOT EXISTS
FOR (n:Topic) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT concept_key_unique IF NOT EXISTS
FOR (n:Concept) REQUIRE n.key IS UNIQUE;

CREATE CONSTRAINT delta_revision_unique IF NOT EXISTS
FOR (n:Delta) REQUIRE (n.memory, n.revision) IS UNIQUE;

CREATE CONSTRAINT event_tick_unique IF NOT EXISTS
FOR (n:Event) REQUIRE (n.memory, n.tick) IS UNIQUE;
