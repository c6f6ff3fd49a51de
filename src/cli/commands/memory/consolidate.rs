//! Command `memory consolidate`: makes one bullet of several similar ones.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::consolidation::{
    ConsolidatedResponse, GroupResponse, LostResponse, MemoryConsolidation, RefusedGroupResponse,
};
use hindlore_api::verbs::consolidation::ConsolidateMemory;

pub(crate) const FORM: Form = Form::new(
    "memory.consolidate",
    &[
        (
            "preserve_high_importance",
            Typed::Unless(
                "ignore-threshold",
                "Merge bullets at or above the threshold, too",
            ),
        ),
        ("texts", Typed::Hidden),
    ],
)
.with_after_help(
    "Examples:\n  hindlore memory consolidate --dry-run\n  hindlore memory consolidate --min-importance 0.4 \
     --kind fact\n\nTexts of a model: hindlore call memory.consolidate '{\"texts\": [{\"sources\": [\"b_…\", \
     \"b_…\"], \"content\": \"…\"}]}'",
);

/// Consolidates.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: ConsolidateMemory = request.read(session)?;
    let access = session.access_of::<ConsolidateMemory>().await?;
    let work = access.answer(request);
    let done = session
        .wait_counting("consolidating", || access.progress(), work)
        .await?;
    session.output.show(&done, |page| write(page, &done))?;
    Ok(Outcome::Done)
}

fn write(page: &mut Page, done: &ConsolidatedResponse) {
    for memory in &done.memories {
        if done.memories.len() > 1 {
            let name = format!("{}/{}/{}", memory.tenant, memory.learner, memory.scope);
            page.line(Tone::Heading, name);
        }
        memory.groups.iter().for_each(|one| group(page, one));
        for one in &memory.refused_groups {
            refused(page, one);
        }
        of_memory(page, memory);
    }
    total(page, done);
}

fn group(page: &mut Page, group: &GroupResponse) {
    let sources: Vec<String> = group.sources.iter().map(|id| page.id(id)).collect();
    let from = sources.join(" ");
    match group.bullet {
        Some(bullet) => {
            let bullet = page.id(bullet);
            page.line(Tone::Good, format_args!("{bullet} from {from}"));
        }
        None => page.line(Tone::Good, format_args!("from {from}")),
    }
    page.block(&group.content);
    let saved = group.bytes_before.saturating_sub(group.bytes_after);
    let loss = group.loss * 100.0;
    let lost = words(&group.lost);
    page.line(
        Tone::Faint,
        format_args!("saves {saved} bytes, loses {loss:.1} %{lost}"),
    );
    page.gap();
}

fn refused(page: &mut Page, group: &RefusedGroupResponse) {
    let sources: Vec<String> = group.sources.iter().map(|id| page.id(id)).collect();
    let from = sources.join(" ");
    page.line(Tone::Faint, format_args!("apart: {from}: {}", group.reason));
}

fn words(lost: &[LostResponse]) -> String {
    let words: Vec<&str> = lost.iter().map(|one| one.value.as_str()).collect();
    if words.is_empty() {
        return String::new();
    }
    format!(": {}", words.join(", "))
}

fn of_memory(page: &mut Page, memory: &MemoryConsolidation) {
    if let Some(reason) = &memory.left_out {
        page.line(Tone::Faint, format_args!("left out: {reason}"));
        return;
    }
    let (groups, apart) = (
        memory.groups.len() as u64,
        memory.refused_groups.len() as u64,
    );
    if memory.made > groups || memory.refused > apart {
        page.line(Tone::Faint, "there are more; raise --limit");
    }
    let kept: Vec<String> = memory
        .kept
        .iter()
        .map(|one| format!("{} {}", one.bullets, one.reason))
        .collect();
    if !kept.is_empty() {
        page.field("kept as they are", kept.join(", "));
    }
}

fn total(page: &mut Page, done: &ConsolidatedResponse) {
    let Some(run) = &done.run else {
        page.line(Tone::Faint, "there is no memory");
        return;
    };
    let merged = plural(usize::try_from(done.merged).unwrap_or(usize::MAX), "bullet");
    let verb = if done.dry_run {
        "would become"
    } else {
        "became"
    };
    page.line(
        Tone::Heading,
        format_args!(
            "{merged} {verb} {}, {} preserved, {} refused, {} bytes saved",
            done.made, done.preserved, done.refused, done.space_saved_bytes
        ),
    );
    if !done.dry_run && done.merged > 0 {
        page.line(
            Tone::Faint,
            format_args!("to take it back: memory rollback {run}"),
        );
    }
}
