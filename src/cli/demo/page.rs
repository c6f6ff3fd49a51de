//! The demonstration for people: its steps and their reasons.

use super::failures::Failures;
use super::failures_page;
use super::story::{Learned, RankChange, Story};
use super::texts::{CLEANUP_TEXT, QUERY};
use crate::output::{Page, Tone, explanation};
use crate::shell::quoted;

/// Digits of a digest shown for comparison.
const DIGITS: usize = 16;

/// Writes the whole story.
pub(crate) fn write(page: &mut Page, story: &Story, failures: &Failures) {
    page.prose(
        Tone::Plain,
        0,
        "hindlore keeps what AI agents learn, so that they do not fail the same way twice. \
         This is a memory's first minute: no server, no key, no network.",
    );
    begin(page, story);
    learn(page, story);
    ask(page, story);
    judge(page, story);
    undo(page, story);
    history(page, story);
    failures_page::write(page, failures);
    go_on(page, story);
}

/// Writes the mistake, the lesson, and the run that avoids it.
pub(crate) fn write_short(page: &mut Page, failures: &Failures) {
    page.prose(
        Tone::Plain,
        0,
        "hindlore keeps what AI agents learn, so that they do not fail the same way twice. Here an agent uses a tool that \
         it does not know. No model, no server.",
    );
    failures_page::short(page, failures);
    page.gap();
    page.line(
        Tone::Plain,
        "Next: hindlore install claude-code   (or codex, cursor, opencode, copilot)",
    );
    page.line(Tone::Faint, "More: hindlore demo --full");
}

fn title(page: &mut Page, number: u32, text: &str) {
    page.gap();
    page.line(Tone::Heading, format_args!("{number}  {text}"));
}

fn say(page: &mut Page, text: &str) {
    page.prose(Tone::Faint, 3, text);
}

fn begin(page: &mut Page, story: &Story) {
    title(page, 1, "A memory begins with a playbook");
    say(
        page,
        "A playbook is a list of advice, called bullets. This one was written for agents that \
         use tools; each bullet carries the votes it earned.",
    );
    let added = story.imported.added.len();
    page.prose(
        Tone::Good,
        3,
        &format!(
            "read {} bullets, added {added}; with the general advice that every memory begins with, \
             {} are active",
            story.read, story.active
        ),
    );
}

fn learn(page: &mut Page, story: &Story) {
    title(
        page,
        2,
        "Agents learn, and the memory does not fill with copies",
    );
    say(
        page,
        "What agents learn arrives as deltas. Each new text is compared with what is there.",
    );
    for learned in &story.lessons {
        page.gap();
        lesson(page, learned);
    }
}

fn lesson(page: &mut Page, learned: &Learned) {
    page.prose(Tone::Plain, 3, learned.lesson.told);
    page.hanging(Tone::Plain, "   + ", learned.lesson.text);
    if let Some(met) = &learned.met {
        page.hanging(Tone::Plain, "   = ", met);
    }
    let link = learned.applied.linked.first();
    let kind = link.map(|link| format!(": {} ({})", link.kind, link.reason));
    let tone = if link.is_some() {
        Tone::Bad
    } else {
        Tone::Good
    };
    let verdict = format!(
        "{}{} - {} active bullets",
        learned.lesson.shows,
        kind.unwrap_or_default(),
        learned.active
    );
    page.prose(tone, 3, &verdict);
    say(page, learned.lesson.outcome);
}

fn ask(page: &mut Page, story: &Story) {
    title(page, 3, "A question, and why the answer is what it is");
    say(
        page,
        "An agent asks before it acts. Every score can be recomputed by hand: how well the words \
         fit (relevance), how fresh and how well-judged the bullet is (strength), and whether it \
         says what to do (type).",
    );
    page.gap();
    page.line(Tone::Plain, format_args!("   > {QUERY}"));
    page.gap();
    explanation::answer(page, &story.first);
}

fn judge(page: &mut Page, story: &Story) {
    title(page, 4, "Feedback changes the next answer");
    say(
        page,
        "The agent says what became of the advice: one bullet helped, the opposite one did harm. \
         Then the same question is asked again.",
    );
    page.line(Tone::Good, format_args!("   helped  {}", story.helped));
    page.line(Tone::Bad, format_args!("   harmed  {}", story.harmed));
    page.gap();
    page.line(Tone::Heading, "   before      after       bullet");
    for change in &story.ranks {
        rank(page, change);
    }
    say(
        page,
        "What helped rose, what did harm fell. Returned bullets were touched, so they stay fresh; what nobody \
         needs fades with every event.",
    );
}

fn rank(page: &mut Page, change: &RankChange) {
    let place = |place: Option<(usize, f64)>| match place {
        Some((rank, score)) => format!("{rank}  {score:.4}"),
        None => "-".to_owned(),
    };
    let number = |place: Option<(usize, f64)>| place.map_or(usize::MAX, |place| place.0);
    let tone = match number(change.before).cmp(&number(change.after)) {
        std::cmp::Ordering::Less => Tone::Bad,
        std::cmp::Ordering::Equal => Tone::Plain,
        std::cmp::Ordering::Greater => Tone::Good,
    };
    let (before, after) = (place(change.before), place(change.after));
    let text = page.beginning(&change.content, 27);
    page.line(tone, format_args!("   {before:<10}  {after:<10}  {text}"));
}

fn undo(page: &mut Page, story: &Story) {
    let undo = &story.undo;
    title(page, 5, "A mistake is taken back");
    say(
        page,
        &format!(
            "Somebody tidies up: a whole section is removed and the best bullet becomes \
             \"{CLEANUP_TEXT}\". One delta did that, so one undo takes it back. The content \
             digest, a fingerprint of all that the memory says, proves it."
        ),
    );
    for (name, digest) in [
        ("before", &undo.before),
        ("after the clean-up", &undo.changed),
        ("after the undo", &undo.restored),
    ] {
        page.line(Tone::Plain, format_args!("   {name:<20}{}", short(digest)));
    }
    if undo.is_restored() {
        page.prose(Tone::Good, 3, "the same content as before")
    } else {
        page.prose(Tone::Bad, 3, "NOT the same content as before")
    }
}

fn history(page: &mut Page, story: &Story) {
    title(page, 6, "Nothing happened in silence");
    say(
        page,
        "Every event took one tick of the memory's clock and is on record. The state can be \
         rebuilt from this list, on any machine, to the last bit.",
    );
    page.line(Tone::Heading, "   tick  revision  event");
    for event in &story.events {
        let revision = event.revision.map(|revision| revision.to_string());
        let revision = revision.unwrap_or_default();
        let text = page.beginning(&event.text, 30);
        page.line(
            Tone::Plain,
            format_args!(
                "   {:<4}  {revision:<8}  {:<9}  {text}",
                event.tick, event.what
            ),
        );
    }
    page.line(
        Tone::Faint,
        format_args!("   state digest {}", short(&story.undo.digest)),
    );
}

fn go_on(page: &mut Page, story: &Story) {
    title(page, 9, "Go on");
    let Some(store) = &story.store else {
        say(
            page,
            "This memory is gone now. With a store it stays, and these look into it:",
        );
        page.line(Tone::Plain, "   hindlore demo --store demo.db");
        commands(page, "demo.db", &story.scope);
        return;
    };
    say(page, "The memory is in the store. These look into it:");
    commands(page, store, &story.scope);
}

fn commands(page: &mut Page, store: &str, scope: &str) {
    let store = quoted(store);
    let whose = format!("--store {store} --learner demo --scope {scope}");
    for command in [
        "retrieve --peek \"a timeout on a write\"",
        "analyze",
        "delta log",
        "doctor verify",
    ] {
        page.line(Tone::Plain, format_args!("   hindlore {command} \\"));
        page.line(Tone::Plain, format_args!("     {whose}"));
    }
    page.line(Tone::Plain, "   hindlore lessons list \\");
    page.line(
        Tone::Plain,
        format_args!("     --store {store} --learner demo-{scope}"),
    );
    say(
        page,
        "And a memory of your own, from a playbook that you have:",
    );
    page.line(
        Tone::Plain,
        "   hindlore import --format ace-playbook FILE --learner NAME",
    );
}

fn short(digest: &str) -> &str {
    digest.get(..DIGITS).unwrap_or(digest)
}
