//! Readers of foreign input: four times the input is about four times the work, for every form of input.

use std::time::Duration;

use hindlore_api::delta_input::parse_delta;
use hindlore_api::import::{Format, parse, read_classic_lessons};
use hindlore_api::steps::{Numbering, StepDefaults, read_steps};
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::memory::bullet::normal_tags;
use hindlore_domain::memory::delta::DeltaId;
use hindlore_primitives::timestamp::Timestamp;

use super::cpu_time::cpu;
use super::world::key;

/// A reader of a text.
#[derive(Clone, Copy, Debug)]
enum Reader {
    Import(Format),
    Lessons,
    Delta,
    Steps,
    Tags,
}

impl Reader {
    fn read(self, text: &str) {
        match self {
            Self::Import(format) => {
                let delta = DeltaId::parse("d").unwrap();
                drop(parse(format, text.as_bytes(), &key(), &delta));
            }
            Self::Lessons => drop(read_classic_lessons(text, Timestamp::default())),
            Self::Delta => drop(parse_delta(text)),
            Self::Steps => {
                let defaults = StepDefaults {
                    run: Some("r".to_owned()),
                    place: Place::default(),
                    at: Timestamp::default(),
                    numbering: Numbering::Place,
                };
                drop(read_steps(text.as_bytes(), &defaults));
            }
            Self::Tags => drop(normal_tags(text.split(','))),
        }
    }

    /// The shortest of a few times.
    fn takes(self, text: &str) -> Duration {
        let once = || {
            let began = cpu();
            self.read(text);
            cpu() - began
        };
        (0..3).map(|_| once()).min().unwrap()
    }
}

fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

/// Bullets of a playbook or a saved memory.
fn bullets(count: usize, one: impl Fn(usize) -> String) -> String {
    format!("{{\"bullets\":[{}]}}", list(count, one))
}

type Input = (&'static str, Reader, String);

/// Texts and files that a careless reader goes through again for each of their parts.
#[rustfmt::skip]
fn files(n: usize) -> Vec<Input> {
    let ace = Reader::Import(Format::AcePlaybook);
    let kayba = Reader::Import(Format::Kayba);
    let own = Reader::Import(Format::Hindlore);
    let event = |at: usize| {
        format!("{{\"error\":\"E{at}\",\"fingerprint\":\"ef_1\",\"channel\":\"hard_failure\"}}\n")
    };
    let events: String = (0..n / 8).map(event).collect();
    let named = list(n, |_| "\"ef_1\"".to_owned());
    vec![
        ("fences without end", ace, format!("[a-00001] x\n{}", "```a\n".repeat(n))),
        ("bullets that open blocks", ace, "[a-00001] ```a\n".repeat(n)),
        ("blocks and hashes", ace, format!("[a-00001] x\n{}", "```\n# a\n".repeat(n))),
        ("text of no bullet", ace, format!("{}[a-00001] x", "lost\n".repeat(n))),
        ("ids that are taken", kayba, bullets(n, |at| match at % 2 {
            0 => format!("{{\"content\":\"c\",\"id\":\"general-{:05}\"}}", at / 2),
            _ => "{\"content\":\"c\"}".to_owned(),
        })),
        ("nested lists", kayba, format!("{{\"bullets\":[{}{}]}}", "[".repeat(n), "]".repeat(n))),
        ("saved bullets", Reader::Import(Format::Classic), bullets(n, |at| {
            format!("{{\"content\":\"c{at}\",\"tags\":[\"a\",\"b\"]}}")
        })),
        ("names", Reader::Import(Format::SessionPlaybook), format!(
            "{{\"strategies\":{{{}}}}}", list(n, |at| format!("\"s{at}\":{{\"content\":\"c\"}}"))
        )),
        ("lines that are none", own, format!("{{\"hindlore_export\":1}}\n{}", "{}\n".repeat(n))),
        ("one name of many", Reader::Lessons, format!(
            "{events}{{\"rule_text\":\"Do it so.\",\"trigger_fingerprints\":[{named}]}}\n"
        )),
    ]
}

/// The readers of agents' input.
#[rustfmt::skip]
fn messages(n: usize) -> Vec<Input> {
    let tags = list(n, |at| format!("\"t{at}\""));
    vec![
        ("operations", Reader::Delta, format!(
            "[{}]", list(n, |at| format!("{{\"op\":\"ADD\",\"content\":\"c{at}\"}}"))
        )),
        ("tags", Reader::Delta, format!("[{{\"op\":\"ADD\",\"content\":\"c\",\"tags\":[{tags}]}}]")),
        ("unknown fields", Reader::Delta, format!(
            "[{{\"op\":\"ADD\",{}}}]", list(n, |at| format!("\"f{at}\":1"))
        )),
        ("updates by id", Reader::Delta, format!(
            "{{\"update_bullets\":{{{}}}}}", list(n, |at| format!("\"u{at}\":{{\"helpful\":1}}"))
        )),
        ("escapes", Reader::Delta, format!("[{{\"op\":\"ADD\",\"content\":\"{}\"}}]", "\\u0041".repeat(n))),
        ("steps", Reader::Steps, "{\"error\":\"e\",\"action\":\"a\"}\n".repeat(n)),
        ("tags of a step", Reader::Steps, format!("{{\"error\":\"e\",\"tags\":[{tags}]}}")),
        ("a list of steps", Reader::Steps, format!("[{}]", list(n, |_| "{\"error\":\"e\"}".to_owned()))),
        ("tags alone", Reader::Tags, list(n, |at| format!("t{at}"))),
    ]
}

fn inputs(n: usize) -> impl Iterator<Item = Input> {
    files(n).into_iter().chain(messages(n))
}

#[test]
fn four_times_the_input_is_about_four_times_the_work() {
    let size: usize = std::env::var("READER_INPUTS").map_or(4_000, |given| given.parse().unwrap());
    let small = inputs(size);
    for ((what, reader, little), (_, _, much)) in small.zip(inputs(4 * size)) {
        let (less, more) = (reader.takes(&little), reader.takes(&much));
        println!("{what}, {reader:?}: {less:?} and {more:?}");
        // Five milliseconds more: processor time is counted in steps of up to four.
        let allowed = (less + Duration::from_millis(5)) * 10;
        assert!(more < allowed, "{what}, {reader:?}: {less:?} and {more:?}");
    }
}

#[test]
fn a_text_of_too_many_steps_is_not_read_to_its_end() {
    let mut text = "{\"error\":\"e\"}\n".repeat(10_001);
    text.push_str("this is no JSON");
    let defaults = StepDefaults {
        run: Some("r".to_owned()),
        place: Place::default(),
        at: Timestamp::default(),
        numbering: Numbering::Place,
    };
    let refused = read_steps(text.as_bytes(), &defaults).unwrap_err();
    assert_eq!(refused.code, "too_many_steps");
}
