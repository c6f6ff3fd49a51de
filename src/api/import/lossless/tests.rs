//! Exports that come back unchanged, and damaged ones.

use super::*;
use crate::export::samples::{bullet, key};
use crate::export::{Manifest, write_export};
use hindlore_domain::memory::bullet::Status;
use hindlore_domain::memory::link::{Link, LinkId, LinkKind};
use hindlore_domain::memory::policy::Policy;

/// An export of three bullets, a link, and a removed link.
fn exported() -> (Vec<Bullet>, String) {
    let mut bullets = vec![
        bullet(1, "one\n\"x\""),
        bullet(2, "two"),
        bullet(3, "drei ü"),
    ];
    bullets[1].status = Status::Archived;
    bullets[1].merged_into = Some(bullets[0].id);
    bullets[2].strength = 0.1 + 0.2;
    let link = |from: usize, to: usize, removed| Link {
        id: LinkId::new(LinkKind::MergedInto, bullets[from].id, bullets[to].id),
        reason: Some("same".to_owned()),
        similarity: Some(0.93),
        changed_tick: 4,
        removed,
    };
    let links = [link(1, 0, false), link(2, 0, true)];
    let (mut contents, mut states) = (DigestTree::default(), DigestTree::default());
    for bullet in &bullets {
        if let Some(leaf) = content_leaf(bullet) {
            contents.put(bullet.id, leaf);
        }
        states.put(bullet.id, state_leaf(bullet));
    }
    let manifest = Manifest {
        key: key(),
        revision: 2,
        clock: 5,
        digest: state_digest(5, 2, &Policy::default(), states.root()),
        content_digest: content_digest(contents.root()),
        policy: Policy::default(),
        bullets: 3,
        links: 1,
        has_memory: true,
        learned: None,
    };
    let mut out = Vec::new();
    write_export(&mut out, &manifest, bullets.iter(), links.iter()).unwrap();
    (bullets, String::from_utf8(out).unwrap())
}

#[test]
fn an_export_is_read_back_whole() {
    let (bullets, text) = exported();
    assert!(text.starts_with("{\"hindlore_export\":1,\"memory\":{\"tenant\":\"t\","));
    let import = read(&text, &key()).unwrap();
    assert_eq!(
        (import.read, import.bad.len(), import.foreign_learners),
        (3, 0, 0)
    );
    assert_eq!(
        (import.clock, import.policy),
        (Some(5), Some(Policy::default()))
    );
    let lines: Vec<u64> = import.records.iter().map(|record| record.line).collect();
    assert_eq!(lines, [2, 3, 4, 5]);
    for (record, bullet) in import.records.iter().zip(&bullets) {
        let Operation::Insert(insertion) = &record.operation else {
            panic!("{record:?}");
        };
        assert_eq!(insertion.bullet.to_bullet(100).unwrap(), *bullet);
        assert_eq!(insertion.bullet.learner_id.as_deref(), Some("ann"));
        assert_eq!(insertion.clock, 5);
    }
    let Operation::Link(link) = &import.records[3].operation else {
        panic!("{import:?}", import = import.records);
    };
    assert_eq!(link.from.0, bullets[1].id.to_string());
    assert_eq!(
        (link.kind, link.similarity),
        (LinkKind::MergedInto, Some(0.93))
    );
    let stranger = MemoryKey::new("t", "bob", "s").unwrap();
    assert_eq!(read(&text, &stranger).unwrap().foreign_learners, 3);
}

#[test]
fn what_happened_to_a_file_is_noticed() {
    let (_, text) = exported();
    let lines: Vec<&str> = text.lines().collect();
    let without_last = lines[..4].join("\n");
    let twice = format!("{text}{}\n", lines[3]);
    for (changed, code) in [
        (without_last, "export_incomplete"),
        (twice, "export_incomplete"),
        (
            text.replacen("\"helpful_count\":2", "\"helpful_count\":3", 1),
            "export_damaged",
        ),
        (
            text.replace("\"revision\":2", "\"revision\":3"),
            "export_damaged",
        ),
        (
            text.replace("hindlore_export\":1", "hindlore_export\":2"),
            "newer_export",
        ),
        (text.replace("{\"link\":", "{\"poem\":"), "newer_export"),
        (text.replace("{\"link\":", "{\"lesson\":"), "export_damaged"),
        (text.replace("hindlore_export", "export"), "wrong_format"),
        (
            text.replace("\"clock\":5,\"digest", "\"clock\":-5,\"digest"),
            "wrong_format",
        ),
        (
            text.replace(
                "\"clock\":5,\"digest",
                "\"clock\":18446744073709551615,\"digest",
            ),
            "wrong_format",
        ),
        (
            text.replace("\"links\":1", "\"links\":18446744073709551615"),
            "export_incomplete",
        ),
        ("[1]".to_owned(), "wrong_format"),
        ("hello".to_owned(), "wrong_format"),
    ] {
        let problem = read(&changed, &key()).unwrap_err();
        assert_eq!(problem.code, code, "{problem}");
    }
    let poem = read(&text.replace("{\"link\":", "{\"poem\":"), &key()).unwrap_err();
    assert!(
        poem.message.contains("line 5") && poem.message.contains("`poem`"),
        "{poem}"
    );
    assert!(poem.message.contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_broken_line_is_bad_with_its_number() {
    let (_, text) = exported();
    let lines: Vec<&str> = text.lines().collect();
    let cut = &lines[2][..30];
    let strange = lines[3].replace("\"pinned\":false", "\"pinned\":3");
    let late = lines[1].replace("\"changed_tick\":5", "\"changed_tick\":6");
    let link = lines[4].replace("0.93", "9.3");
    let import = read(
        &[lines[0], &late, lines[2], lines[3], lines[4]].join("\n"),
        &key(),
    )
    .unwrap();
    assert!(
        import.bad[0].reason.contains("after the clock 5"),
        "{:?}",
        import.bad
    );
    let broken = [lines[0], "", lines[1], cut, &strange, &link, ""].join("\n");
    let import = read(&broken, &key()).unwrap();
    let bad: Vec<u64> = import.bad.iter().map(|bad| bad.line).collect();
    assert_eq!(bad, [4, 5, 6]);
    assert_eq!((import.records.len(), import.read), (1, 3));
}
