-- Settlements: what a person decided about two lessons that contradict each other, as JSON.

ALTER TABLE conflicts ADD COLUMN settled TEXT;
