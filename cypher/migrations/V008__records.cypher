// Records: the nouns that come after memories and lessons, each with its own label beside the label `Record`.
//
// Their identity and their orders are properties that no other program has, so that a database may hold other nodes
// with any of these labels. An order is one text: whose it is, the kind, what it is sorted by, and an id. A record that
// is in no such list lacks the text. A kind numbers its orders, and no value of a record is in any index.

CREATE CONSTRAINT hindlore_record_key_unique IF NOT EXISTS
FOR (n:Record) REQUIRE n.hindlore_key IS UNIQUE;

CREATE INDEX hindlore_record_order_1 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_1);

CREATE INDEX hindlore_record_order_2 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_2);

CREATE INDEX hindlore_record_order_3 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_3);

CREATE INDEX hindlore_record_order_4 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_4);

CREATE INDEX hindlore_record_order_5 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_5);

CREATE INDEX hindlore_record_order_6 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_6);

CREATE INDEX hindlore_record_order_7 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_7);

CREATE INDEX hindlore_record_order_8 IF NOT EXISTS
FOR (n:Record) ON (n.hindlore_order_8);
