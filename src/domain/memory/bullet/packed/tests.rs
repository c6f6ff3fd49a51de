//! Packing and unpacking, over bullets with every combination of fields.

use super::*;
use crate::memory::content::CONTENT_MAX_CHARS;

fn plain(text: &str) -> Bullet {
    let content = Content::parse(text, CONTENT_MAX_CHARS).unwrap();
    Bullet {
        id: BulletId([7; 10]),
        other_hash: None,
        content,
        holds_hash: true,
        legacy_id: None,
        memory_type: MemoryType::Episodic,
        kind: Kind::MetaStrategy,
        status: Status::Rejected,
        pinned: false,
        counts: Counts::default(),
        strength: 100.0,
        access_index: Some(3),
        last_access: Some(Timestamp::from_millis(1_700_000_000_000)),
        last_used: Some(Timestamp::from_millis(1_700_000_000_000)),
        created_at: Timestamp::from_millis(1_700_000_000_000),
        created_tick: 3,
        changed_tick: 3,
        position: 0,
        tags: vec!["api".to_owned()],
        section: None,
        topic: None,
        concept: None,
        ttl_days: None,
        importance: 0.5,
        source: Source::Person,
        merged_into: None,
        embedding: None,
    }
}

fn number(rng: &mut fastrand::Rng) -> u64 {
    let number = rng.u64(..);
    number >> rng.u32(..64)
}

fn moment(rng: &mut fastrand::Rng) -> Option<Timestamp> {
    rng.bool().then(|| Timestamp::from_millis(rng.i64(..)))
}

fn name(rng: &mut fastrand::Rng) -> Option<String> {
    let names = ["", "files", "größe", &"long ".repeat(60)];
    rng.bool()
        .then(|| names[rng.usize(..names.len())].to_owned())
}

fn any(rng: &mut fastrand::Rng) -> Bullet {
    let strengths = [
        0.0,
        -0.0,
        100.0,
        0.1,
        f64::MAX,
        1e16,
        9_007_199_254_740_991.0,
    ];
    let bullet = plain(["short", "Größe der Datei", "a\nb\tc"][rng.usize(..3)]);
    Bullet {
        other_hash: (rng.u8(..4) == 0).then(|| ContentHash([rng.u8(..); 32])),
        holds_hash: rng.bool(),
        legacy_id: name(rng),
        memory_type: MemoryType::ALL[rng.usize(..MemoryType::ALL.len())],
        kind: Kind::ALL[rng.usize(..Kind::ALL.len())],
        status: Status::ALL[rng.usize(..Status::ALL.len())],
        source: Source::ALL[rng.usize(..Source::ALL.len())],
        pinned: rng.bool(),
        counts: Counts {
            helpful: number(rng),
            harmful: number(rng),
            neutral: number(rng),
        },
        strength: strengths[rng.usize(..strengths.len())],
        access_index: rng.bool().then(|| number(rng)),
        last_access: moment(rng),
        last_used: if rng.bool() {
            bullet.last_access
        } else {
            moment(rng)
        },
        created_at: Timestamp::from_millis(rng.i64(..)),
        created_tick: number(rng),
        changed_tick: number(rng),
        position: number(rng),
        tags: (0..rng.usize(..4)).filter_map(|_| name(rng)).collect(),
        section: name(rng),
        topic: name(rng),
        concept: name(rng),
        ttl_days: rng.bool().then(|| rng.u32(..)),
        importance: [0.5, 0.8, 0.0][rng.usize(..3)],
        merged_into: rng.bool().then(|| BulletId([rng.u8(..); 10])),
        embedding: rng.bool().then(|| vec![0.5, -1.25, f32::MIN]),
        ..bullet
    }
}

#[test]
fn a_touch_in_place_is_a_touch_and_nothing_else() {
    let mut rng = fastrand::Rng::with_seed(12);
    let mut strings = StringInterner::default();
    for _ in 0..20_000 {
        let bullet = any(&mut rng);
        let (tick, at) = (number(&mut rng), Timestamp::from_millis(rng.i64(..)));
        let bytes = pack(&bullet, &mut strings);
        let touched = Bullet {
            access_index: Some(tick),
            changed_tick: tick,
            last_access: Some(at),
            last_used: Some(at),
            ..bullet
        };
        assert_eq!(
            Packed::new(&bytes, &strings).touched(tick, at),
            pack(&touched, &mut strings)
        );
    }
}

#[test]
fn what_was_packed_comes_back_to_the_last_bit() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut strings = StringInterner::default();
    for _ in 0..20_000 {
        let bullet = any(&mut rng);
        let bytes = pack(&bullet, &mut strings);
        let packed = Packed::new(&bytes, &strings);
        let back = packed.bullet(bullet.id);
        assert_eq!(back, bullet);
        assert_eq!(back.strength.to_bits(), bullet.strength.to_bits());
        assert_eq!(packed.header(), bullet.header());
        assert_eq!(packed.text(), bullet.content.as_str());
        assert_eq!(packed.content_hash(), bullet.content_hash());
        let labels = packed.labels();
        let tags: Vec<&str> = bullet.tags.iter().map(String::as_str).collect();
        assert_eq!(labels.tags, tags);
        let names = [labels.topic, labels.section, labels.concept];
        let own = [&bullet.topic, &bullet.section, &bullet.concept];
        assert_eq!(names, own.map(Option::as_deref));
    }
}

#[test]
fn a_usual_bullet_takes_few_bytes_beside_its_text() {
    let bullet = plain("Ask for the file before you sum its columns");
    let bytes = pack(&bullet, &mut StringInterner::default());
    let beyond = bytes.len() - bullet.content.as_str().len();
    assert!(beyond <= 28, "{beyond}");
}
