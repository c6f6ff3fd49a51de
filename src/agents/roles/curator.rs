//! The Curator: takeaways and votes to the operations of one delta.

use super::insight::{Kind, Reflection, Takeaway, Vote};
use super::shown::Shown;
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::delta::{BulletRef, NewBullet, Operation, TagCounts};
use hindlore_text::guard::MergeGuard;
use hindlore_text::similarity::jaccard;
use hindlore_text::words::{Tokens, standard_words};

/// Characters of a tag.
const TAG_CHARS: usize = 40;

/// The input of the Curator.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'d> {
    /// The insights of the turn.
    pub reflection: &'d Reflection,
    /// The bullets that the turn was shown.
    pub shown: &'d [Shown],
    /// For each takeaway the bullets of the memory that are about the same.
    pub near: &'d [Vec<Shown>],
    /// Similarity from which a takeaway is a bullet that is there, 0..=1.
    pub similarity: f64,
    /// Topic of the turn.
    pub topic: Option<&'d str>,
    /// The question of the turn and what it was shown, in words.
    pub state: &'d str,
    /// The context before this turn, in words.
    pub progress: &'d str,
}

/// The operations by rule: a takeaway that is there is reinforced, else it is added; a failure that contradicts a shown
/// bullet votes against it; votes are counted.
pub fn by_rules(desk: Desk<'_>) -> Vec<Operation> {
    let mut operations = Vec::new();
    let mut against: Vec<&str> = Vec::new();
    let guard = MergeGuard::standard();
    for (place, takeaway) in desk.reflection.takeaways.iter().enumerate() {
        let near = desk.near.get(place).map(Vec::as_slice).unwrap_or_default();
        match same(takeaway, near, desk.similarity, &guard) {
            Some(bullet) => operations.push(votes(&bullet.id, Vote::Helpful)),
            None => operations.push(added(takeaway, desk.topic)),
        }
        if takeaway.kind == Kind::Failure {
            let features = guard.features(&takeaway.content);
            for bullet in desk.shown {
                let contradicts = guard
                    .contradiction(&features, &guard.features(&bullet.content))
                    .is_some();
                if contradicts
                    && about_the_same(&takeaway.content, &bullet.content)
                    && !against.contains(&&*bullet.id)
                {
                    against.push(&bullet.id);
                    operations.push(votes(&bullet.id, Vote::Harmful));
                }
            }
        }
    }
    let counted = desk.reflection.votes.iter();
    let counted =
        counted.filter(|(id, vote)| !(*vote == Vote::Harmful && against.contains(&id.as_str())));
    operations.extend(counted.map(|(id, vote)| votes(id, *vote)));
    operations
}

/// The most similar bullet at or above the threshold with an equal meaning.
fn same<'n>(
    takeaway: &Takeaway,
    near: &'n [Shown],
    similarity: f64,
    guard: &MergeGuard,
) -> Option<&'n Shown> {
    let features = guard.features(&takeaway.content);
    let words = Tokens::Standard.set(&takeaway.content);
    let alike = near.iter().filter_map(|bullet| {
        let score = jaccard(&words, &Tokens::Standard.set(&bullet.content));
        let differs = || {
            guard
                .check(&features, &guard.features(&bullet.content))
                .is_some()
        };
        (score >= similarity && (score >= 1.0 || !differs())).then_some((score, bullet))
    });
    let best =
        alike.max_by(|(a, one), (b, other)| a.total_cmp(b).then_with(|| other.id.cmp(&one.id)));
    best.map(|(_, bullet)| bullet)
}

/// Two texts contradict each other only about one subject: half of the shorter one's words.
fn about_the_same(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let common = a.intersection(&b).count();
    common * 2 >= a.len().min(b.len()).max(1)
}

fn words(text: &str) -> std::collections::BTreeSet<String> {
    standard_words(text).into_iter().collect()
}

pub(super) fn votes(id: &str, vote: Vote) -> Operation {
    let one = |wanted: Vote| i64::from(vote == wanted);
    Operation::Tag(TagCounts {
        id: BulletRef(id.to_owned()),
        helpful: one(Vote::Helpful),
        harmful: one(Vote::Harmful),
        neutral: one(Vote::Neutral),
    })
}

pub(super) fn added(takeaway: &Takeaway, topic: Option<&str>) -> Operation {
    let mut tags: Vec<String> = takeaway.tags.iter().filter_map(|tag| slug(tag)).collect();
    tags.push(takeaway.kind.word().to_owned());
    let mut unique: Vec<String> = Vec::new();
    for tag in tags {
        if !unique.contains(&tag) {
            unique.push(tag);
        }
    }
    Operation::Add(Box::new(NewBullet {
        content: takeaway.content.clone(),
        tags: unique,
        topic: topic.map(str::to_owned),
        source: Some(Source::Agent),
        helpful: 1,
        ..NewBullet::default()
    }))
}

/// A tag as one word: letters and digits of any script, joined by dashes.
pub fn slug(tag: &str) -> Option<String> {
    let lower = tag.to_lowercase();
    let parts = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty());
    let slug: String = parts
        .collect::<Vec<_>>()
        .join("-")
        .chars()
        .take(TAG_CHARS)
        .collect();
    let slug = slug.trim_matches('-').to_owned();
    (!slug.is_empty()).then_some(slug)
}
