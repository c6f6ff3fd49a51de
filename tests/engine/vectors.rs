//! The vectors: inputs with the outputs of the original programs, reproduced in classic mode.
//!
//! `HINDLORE_VECTORS` names another folder with files of the same names and form; a missing or empty
//! file is a failure. Differences that the engine wants are tests named `opposite_…` in the domain.

use std::path::PathBuf;

use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::{BulletId, Counts, MemoryType};
use hindlore_domain::memory::content::{self, CONTENT_MAX_CHARS, Content};
use hindlore_domain::memory::decay::baseline;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, Removal, TagCounts};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::{Policy, Weights};
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::rank;
use hindlore_domain::memory::touch::touch;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_text::similarity::jaccard;
use hindlore_text::words::Tokens;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The original rounded nothing; another power function may differ in the last digits.
const TOLERANCE: f64 = 1e-9;

fn vectors<T: DeserializeOwned>(name: &str) -> T {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors");
    let folder = std::env::var_os("HINDLORE_VECTORS").map_or(default, PathBuf::from);
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read the vectors {}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[derive(Deserialize)]
struct Sequence {
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    name: String,
    max_bullets: u64,
    weights: Weights,
    operations: Vec<Step>,
    r#final: Final,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Step {
    Delta {
        new_bullets: Vec<NewRow>,
        update_bullets: Vec<UpdateRow>,
        remove_bullets: Vec<String>,
        clock: u64,
        live: Vec<String>,
    },
    Retrieve {
        query: String,
        #[serde(default)]
        facets: Facets,
        top_k: usize,
        #[serde(default)]
        memory_types: Option<Vec<MemoryType>>,
        result: Vec<ResultRow>,
        clock: u64,
    },
}

#[derive(Deserialize, Default)]
struct Facets {
    #[serde(default)]
    needs_visual: bool,
    #[serde(default)]
    persona_request: Option<String>,
    #[serde(default)]
    next_step: bool,
}

#[derive(Deserialize)]
struct NewRow {
    content: String,
    #[serde(default)]
    tags: Vec<String>,
    memory_type: MemoryType,
    helpful_count: u64,
    harmful_count: u64,
    created_at: Timestamp,
}

#[derive(Deserialize)]
struct UpdateRow {
    content: String,
    helpful: i64,
    harmful: i64,
}

#[derive(Deserialize)]
struct ResultRow {
    content: String,
    combined: f64,
    relevance: f64,
    score: f64,
    bonus: f64,
    unique: bool,
}

#[derive(Deserialize)]
struct Final {
    clock: u64,
    bullets: Vec<FinalRow>,
}

#[derive(Deserialize)]
struct FinalRow {
    content: String,
    memory_type: MemoryType,
    tags: Vec<String>,
    helpful_count: u64,
    harmful_count: u64,
    strength: f64,
    access_index: u64,
    content_hash: String,
    legacy_id: String,
}

/// One sequence being replayed.
struct Player {
    name: String,
    memory: Memory,
    tables: Tables,
    step: usize,
}

impl Player {
    fn new(sequence: &Sequence) -> Self {
        let name = if sequence.name.is_empty() {
            format!("seed {}", sequence.seed)
        } else {
            sequence.name.clone()
        };
        let policy = Policy {
            max_bullets: Some(sequence.max_bullets),
            weights: Some(sequence.weights),
            ..Policy::classic()
        };
        let key = MemoryKey::new("t", "learner", "s").unwrap();
        Self {
            name,
            memory: Memory::new(key, policy),
            tables: Tables::standard(),
            step: 0,
        }
    }

    /// The id of the live bullet with a text; an id that nothing has otherwise.
    fn id(&self, content: &str) -> BulletId {
        let mut active = self.memory.active_bullets();
        let found = active.find(|b| b.content.as_str() == content);
        found.map_or(BulletId([0; 10]), |bullet| bullet.id)
    }

    fn delta(&mut self, new: &[NewRow], updates: &[UpdateRow], removals: &[String]) {
        let adds = new.iter().map(|row| {
            Operation::Add(Box::new(NewBullet {
                content: row.content.clone(),
                tags: row.tags.clone(),
                memory_type: Some(row.memory_type),
                helpful: row.helpful_count,
                harmful: row.harmful_count,
                created_at: Some(row.created_at),
                ..NewBullet::default()
            }))
        });
        let tags = updates.iter().map(|row| {
            let (helpful, harmful) = (row.helpful, row.harmful);
            Operation::Tag(TagCounts {
                id: self.id(&row.content).into(),
                helpful,
                harmful,
                neutral: 0,
            })
        });
        let removes = removals.iter().map(|content| {
            Operation::Remove(Removal {
                id: self.id(content).into(),
                reason: None,
            })
        });
        let operations: Vec<Operation> = adds.chain(tags).chain(removes).collect();
        let id = DeltaId::derive(&[&self.name, &self.step.to_string()]);
        let now = Timestamp::from_millis(0);
        apply_delta(
            &mut self.memory,
            &Delta::new(id, operations),
            now,
            &self.tables,
        )
        .unwrap_or_else(|refusal| panic!("{} step {}: {refusal}", self.name, self.step));
    }

    fn live(&self) -> Vec<String> {
        let active = self.memory.active_bullets();
        let mut live: Vec<String> = active
            .map(|bullet| bullet.content.as_str().to_owned())
            .collect();
        live.sort();
        live
    }

    fn retrieve(&mut self, query: &Query, expected: &[ResultRow]) {
        let place = format!("{} step {}", self.name, self.step);
        let now = Timestamp::from_millis(0);
        let ranking = rank(&self.memory, query, now);
        assert_eq!(
            ranking.hits.len(),
            expected.len(),
            "{place}: number of results"
        );
        for (hit, row) in ranking.hits.iter().zip(expected) {
            let bullet = self.memory.get(hit.id).unwrap();
            if row.unique {
                assert_eq!(bullet.content.as_str(), row.content, "{place}");
            }
            let decayed = hit.parts.strength * self.memory.policy().base_strength;
            close(hit.score, row.combined, &format!("{place}: combined"));
            if row.unique {
                close(
                    hit.parts.relevance,
                    row.relevance,
                    &format!("{place}: relevance"),
                );
                close(decayed, row.score, &format!("{place}: decayed score"));
                close(hit.parts.bonus, row.bonus, &format!("{place}: bonus"));
            }
        }
        let ids: Vec<BulletId> = ranking.hits.iter().map(|hit| hit.id).collect();
        touch(&mut self.memory, &ids, now);
    }

    fn check_final(&mut self, expected: &Final) {
        assert_eq!(
            self.memory.clock(),
            expected.clock,
            "{}: final clock",
            self.name
        );
        assert_eq!(
            self.live().len(),
            expected.bullets.len(),
            "{}: final size",
            self.name
        );
        for row in &expected.bullets {
            let place = format!("{}: `{}`", self.name, row.content);
            let id = self.id(&row.content);
            let bullet = self
                .memory
                .get(id)
                .unwrap_or_else(|| panic!("{place} is missing"));
            let (helpful, harmful) = (row.helpful_count, row.harmful_count);
            assert_eq!(bullet.memory_type, row.memory_type, "{place}");
            assert_eq!(
                bullet.counts,
                Counts {
                    helpful,
                    harmful,
                    neutral: 0
                },
                "{place}"
            );
            assert_eq!(bullet.tags_with_type(), row.tags, "{place}");
            assert_eq!(
                bullet.access_index,
                Some(row.access_index),
                "{place}: access index"
            );
            assert_eq!(bullet.content_hash().to_hex(), row.content_hash, "{place}");
            assert_eq!(
                bullet.legacy_id.as_deref(),
                Some(row.legacy_id.as_str()),
                "{place}"
            );
            close(bullet.strength, row.strength, &place);
        }
    }
}

fn close(ours: f64, theirs: f64, what: &str) {
    assert!(
        (ours - theirs).abs() <= TOLERANCE * theirs.abs().max(1.0),
        "{what}: {ours} is not {theirs}"
    );
}

fn play(sequences: &[Sequence]) {
    assert!(!sequences.is_empty(), "the file holds no sequence");
    for sequence in sequences {
        assert!(
            !sequence.operations.is_empty(),
            "a sequence without operations"
        );
        let mut player = Player::new(sequence);
        for (step, operation) in sequence.operations.iter().enumerate() {
            player.step = step;
            let expected_clock = match operation {
                Step::Delta {
                    new_bullets,
                    update_bullets,
                    remove_bullets,
                    clock,
                    live,
                } => {
                    player.delta(new_bullets, update_bullets, remove_bullets);
                    assert_eq!(
                        player.live(),
                        *live,
                        "{} step {step}: live bullets",
                        player.name
                    );
                    clock
                }
                Step::Retrieve {
                    query,
                    facets,
                    top_k,
                    memory_types,
                    result,
                    clock,
                } => {
                    let query = Query {
                        top_k: *top_k,
                        memory_types: memory_types.clone().unwrap_or_default(),
                        needs_visual: facets.needs_visual,
                        persona_request: facets.persona_request.clone(),
                        next_step: facets.next_step,
                        ..Query::new(query.clone())
                    };
                    player.retrieve(&query, result);
                    clock
                }
            };
            assert_eq!(
                player.memory.clock(),
                *expected_clock,
                "{} step {step}: clock",
                player.name
            );
        }
        player.check_final(&sequence.r#final);
    }
}

#[test]
fn sequences_with_default_weights_are_reproduced() {
    play(&vectors::<Vec<Sequence>>("classic_default_weights.json"));
}

#[test]
fn sequences_with_cl_bench_weights_are_reproduced() {
    play(&vectors::<Vec<Sequence>>("classic_cl_bench_weights.json"));
}

#[derive(Deserialize)]
struct SingleCases {
    identity: Vec<Identity>,
    jaccard: Vec<Pair>,
    strength: Vec<Votes>,
    sequences: Vec<Sequence>,
}

#[derive(Deserialize)]
struct Identity {
    content: String,
    legacy_id: String,
    content_hash: String,
}

#[derive(Deserialize)]
struct Pair {
    a: String,
    b: String,
    jaccard: f64,
}

#[derive(Deserialize)]
struct Votes {
    helpful: u64,
    harmful: u64,
    strength: f64,
}

#[test]
fn single_cases_are_reproduced() {
    let cases: SingleCases = vectors("classic_single_cases.json");
    for list in [
        cases.identity.len(),
        cases.jaccard.len(),
        cases.strength.len(),
    ] {
        assert!(list > 0, "a list of cases is empty");
    }
    for case in &cases.identity {
        let content = Content::parse(&case.content, CONTENT_MAX_CHARS).unwrap();
        assert_eq!(content.legacy_id(), case.legacy_id, "{:?}", case.content);
        assert_eq!(
            content.hash_in(self::content::Identity::Folded).to_hex(),
            case.content_hash,
            "{:?}",
            case.content
        );
    }
    for case in &cases.jaccard {
        let similarity = jaccard(&Tokens::Classic.set(&case.a), &Tokens::Classic.set(&case.b));
        close(
            similarity,
            case.jaccard,
            &format!("{:?} and {:?}", case.a, case.b),
        );
    }
    for case in &cases.strength {
        let counts = Counts {
            helpful: case.helpful,
            harmful: case.harmful,
            neutral: 0,
        };
        close(baseline(100.0, counts), case.strength, "baseline");
    }
    play(&cases.sequences);
}
