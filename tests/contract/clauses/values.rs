//! Values come back as they went in: none is rounded, trimmed or taken for another.

use hindlore_domain::memory::bullet::{
    Bullet, COUNT_MAX, Counts, Kind, MemoryType, Source, Status,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_primitives::timestamp::Timestamp;

use crate::subject::{Subject, bullet, creation, fresh, full_bullet};

/// Plants bullets, numbered and with texts of their own, and reads them back.
async fn seeded(
    subject: &Subject,
    make: impl Fn(&MemoryKey) -> Vec<Bullet>,
) -> (Vec<Bullet>, Vec<Bullet>) {
    let key = subject.key("learner", &fresh("scope"));
    let mut creation = creation(&key, &[]);
    creation.bullets = make(&key);
    let written = creation.bullets.clone();
    subject.store.create(creation).await.unwrap();
    (written, subject.loaded(&key).await.bullets)
}

pub(crate) async fn extreme_counts_come_back(subject: &Subject) {
    let (written, read) = seeded(subject, |key| {
        vec![Bullet {
            counts: Counts {
                helpful: COUNT_MAX,
                harmful: COUNT_MAX - 1,
                neutral: 1,
            },
            access_index: Some((1 << 53) + 1),
            created_tick: 1 << 40,
            position: 1 << 52,
            ttl_days: Some(u32::MAX),
            ..bullet(key, 0, "much")
        }]
    })
    .await;
    assert_eq!(read, written);
}

pub(crate) async fn floats_keep_their_bits(subject: &Subject) {
    let strengths = [
        0.0,
        -0.0,
        f64::from_bits(1),
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::EPSILON,
        0.1 + 0.2,
        1.0 / 3.0,
        9_007_199_254_740_993.0,
        100.0,
        -1e300,
    ];
    let (written, read) = seeded(subject, |key| {
        let made = (0..).zip(strengths).map(|(ordinal, strength)| Bullet {
            strength,
            importance: strength / 7.0,
            ..bullet(key, ordinal, &format!("text {ordinal}"))
        });
        made.collect()
    })
    .await;
    assert_eq!(read.len(), written.len());
    for (read, written) in read.iter().zip(&written) {
        let bits = |bullet: &Bullet| (bullet.strength.to_bits(), bullet.importance.to_bits());
        assert_eq!(bits(read), bits(written), "{}", written.strength);
    }
}

pub(crate) async fn embeddings_keep_their_bits(subject: &Subject) {
    let numbers = vec![0.1, -0.0, f32::MAX, f32::from_bits(1), f32::EPSILON];
    let (written, read) = seeded(subject, |key| {
        let with = |ordinal, embedding| Bullet {
            embedding,
            ..bullet(key, ordinal, &format!("text {ordinal}"))
        };
        vec![
            with(0, Some(numbers.clone())),
            with(1, Some(Vec::new())),
            with(2, None),
        ]
    })
    .await;
    assert_eq!(read, written);
    let bits = |bullet: &Bullet| -> Vec<u32> {
        let numbers = bullet.embedding.iter().flatten();
        numbers.map(|number| number.to_bits()).collect()
    };
    assert_eq!(bits(&read[0]), bits(&written[0]));
}

pub(crate) async fn texts_of_every_script_come_back(subject: &Subject) {
    let texts = [
        "plain",
        "Größe naïve façade",
        "書類を読む前に開く",
        "لا تفتح الملف",
        "🦀🧠 \u{1F469}\u{200D}\u{1F680}",
        "tab\tand\nnewline",
        "quotes ' \" ` and -- ; DROP TABLE bullets",
        "{\"json\": [1, null]} \\ \\u0000 %s $1 ?1 {}",
        "  leading and trailing  ",
        "cafe\u{301} and caf\u{e9}s",
        "\u{FEFF}byte order mark, \u{202E}turned",
    ];
    let (written, read) = seeded(subject, |key| {
        let made = (0..).zip(texts).map(|(ordinal, text)| Bullet {
            section: Some(text.to_owned()),
            tags: vec![text.trim().to_owned()],
            ..bullet(key, ordinal, text)
        });
        made.collect()
    })
    .await;
    assert_eq!(read, written);
}

pub(crate) async fn a_very_long_text_comes_back(subject: &Subject) {
    let long = "é🦀x ".repeat(256 * 1024);
    let (written, read) = seeded(subject, |key| vec![bullet(key, 0, &long)]).await;
    assert_eq!(read, written);
}

pub(crate) async fn absent_and_empty_stay_different(subject: &Subject) {
    let (written, read) = seeded(subject, |key| {
        let empty = Bullet {
            section: Some(String::new()),
            topic: Some(String::new()),
            concept: Some(String::new()),
            legacy_id: Some(String::new()),
            access_index: Some(0),
            ttl_days: Some(0),
            ..bullet(key, 0, "empty")
        };
        vec![empty, bullet(key, 1, "absent"), full_bullet(key, 2, "full")]
    })
    .await;
    assert_eq!(read, written);
}

pub(crate) async fn every_word_comes_back(subject: &Subject) {
    let (written, read) = seeded(subject, |key| {
        let mut bullets = Vec::new();
        for memory_type in MemoryType::ALL {
            for kind in Kind::ALL {
                for (status, source) in Status::ALL.iter().cycle().zip(Source::ALL) {
                    let ordinal = bullets.len() as u64;
                    bullets.push(Bullet {
                        memory_type: *memory_type,
                        kind: *kind,
                        status: *status,
                        source: *source,
                        ..bullet(key, ordinal, &format!("text {ordinal}"))
                    });
                }
            }
        }
        bullets
    })
    .await;
    assert_eq!(read, written);
}

pub(crate) async fn moments_at_the_ends_of_time_come_back(subject: &Subject) {
    let (written, read) = seeded(subject, |key| {
        vec![Bullet {
            created_at: Timestamp::from_millis(i64::MIN),
            last_access: Some(Timestamp::from_millis(i64::MAX)),
            last_used: Some(Timestamp::from_millis(-1)),
            ..bullet(key, 0, "long ago")
        }]
    })
    .await;
    assert_eq!(read, written);
}
