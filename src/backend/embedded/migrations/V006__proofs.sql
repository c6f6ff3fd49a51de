-- Proofs: what a lesson carries of its proof from one decision to the next, and what a run attempted.
--
-- A lesson that was never written since has no state: the rules judge its status anew once. A run that ended before
-- its subjects were noted has none, and is compared with nothing.

ALTER TABLE lessons ADD COLUMN proof TEXT NOT NULL DEFAULT '{}';
ALTER TABLE runs ADD COLUMN subjects TEXT;
