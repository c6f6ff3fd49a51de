-- Decisions about all lessons, newest first: what has changed of late.

CREATE INDEX decisions_newest ON decisions (learner, at DESC, id);
