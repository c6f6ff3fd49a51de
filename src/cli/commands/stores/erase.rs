//! Command `erase`: destroys a learner's memories, or one record of its lessons, and shows receipts.

use crate::args::memory::EraseArgs;
use crate::commands::CommandResult;
use crate::confirm;
use crate::output::{Outcome, Page, Tone};
use crate::session::{Session, id};
use crate::spool::Spool;
use hindlore::Record;
use hindlore_api::problem::Problem;
use hindlore_api::responses::{
    CountsResponse, EraseReceiptResponse, EraseReceiptsResponse, ErasedResponse, NotWipedResponse,
    WipedResponse,
};
use hindlore_api::verbs::erase::{EraseLearner, EraseMemory};

/// Erases one memory of a learner, everything of a learner, or one record.
pub(crate) async fn run(session: &Session, args: EraseArgs) -> CommandResult {
    if args.receipts {
        return receipts(session).await;
    }
    if args.wipe {
        return wipe(session).await;
    }
    if !session.settings.is_flag("learner") {
        return Err(Problem::new("needs_learner", "erase needs --learner")
            .with_hint("name the learner on the command line; no setting replaces it"));
    }
    match record(&args)? {
        Some(record) => one_record(session, record, args.yes).await,
        None => memories(session, args).await,
    }
}

fn record(args: &EraseArgs) -> Result<Option<Record>, Problem> {
    if let Some(run) = &args.run {
        return Ok(Some(Record::Run(run.clone())));
    }
    if let Some(raw) = &args.error {
        return Ok(Some(Record::Error(id("error", raw)?)));
    }
    let lesson = args.lesson.as_deref().map(|raw| id("lesson", raw));
    Ok(lesson.transpose()?.map(Record::Lesson))
}

async fn memories(session: &Session, args: EraseArgs) -> CommandResult {
    let access = session.access_there()?;
    let key = access.key();
    let (tenant, learner) = (key.tenant(), key.learner());
    let scope = (!args.all_scopes).then(|| key.scope());
    let what = match scope {
        Some(_) => format!("the memory {key}"),
        None => format!("all memories and lessons of {tenant}/{learner}"),
    };
    if !args.yes {
        let held = access.engine()?.held(tenant, learner, scope).await?;
        if !held.is_nothing() {
            let held = CountsResponse::from(held).told();
            confirm::ask(format!("erasing {what} ({held})"), false).await?;
        }
    }
    let learner = learner.to_owned();
    let shown = match scope.map(str::to_owned) {
        Some(scope) => {
            let work = EraseMemory {
                learner: learner.into(),
                scope: scope.into(),
            };
            session.wait("erasing", access.answer(work)).await?
        }
        None => {
            let work = EraseLearner {
                learner: learner.into(),
            };
            session.wait("erasing", access.answer(work)).await?
        }
    };
    forget_in_process();
    if let (true, Some(spool)) = (args.all_scopes, Spool::from_settings(&session.settings)) {
        spool.forget(tenant, key.learner());
    }
    answer(session, &shown, &what)
}

async fn one_record(session: &Session, record: Record, yes: bool) -> CommandResult {
    let opened = session.open_lessons_there()?;
    let what = match &record {
        Record::Run(id) => format!("the run {id}, its steps and its errors"),
        Record::Error(id) => format!("the error {id} and its step"),
        Record::Lesson(id) => format!("the lesson {id} and what is kept about it"),
    };
    confirm::ask(format!("erasing {what}"), yes).await?;
    let work = opened.engine.erase_record(&opened.owner, record);
    let gone = session.wait("erasing", work).await?;
    forget_in_process();
    let mut shown = ErasedResponse::from(gone.erasure);
    shown.resting = gone.resting;
    answer(session, &shown, &what)
}

/// Ends the processes that keep memories loaded, so that no erased text stays there. The next call starts a new one.
fn forget_in_process() {
    #[cfg(unix)]
    for process in crate::resident::running(&std::env::vars_os().collect::<Vec<_>>()) {
        crate::resident::stop(process);
    }
}

fn answer(session: &Session, shown: &ErasedResponse, what: &str) -> CommandResult {
    session.output.show(shown, |page| told(page, shown, what))?;
    Ok(match (&shown.not_wiped, &shown.receipt) {
        (Some(_), _) => Outcome::Unfinished,
        (None, receipt) => Outcome::found(receipt.is_some()),
    })
}

fn told(page: &mut Page, shown: &ErasedResponse, what: &str) {
    match &shown.receipt {
        None => page.line(Tone::Plain, format_args!("there is nothing of {what}")),
        Some(receipt) => {
            let gone = shown.counts.told();
            page.line(Tone::Good, format_args!("erased: {gone}"));
            page.field("receipt", &receipt.id);
        }
    }
    if let Some(remains) = &shown.remains {
        let left = remains.counts.told();
        page.line(Tone::Plain, format_args!("of this learner remain: {left}"));
        page.line(
            Tone::Plain,
            format_args!("to erase them: {}", remains.command),
        );
    }
    for lesson in &shown.resting {
        let line = format_args!(
            "{lesson} was learned from it, stays, and may quote it; erase it with --lesson"
        );
        page.line(Tone::Plain, line);
    }
    if let Some(not_wiped) = &shown.not_wiped {
        warned(page, not_wiped);
    }
    for kept in &shown.kept {
        let (kind, count) = (kept.kind, kept.count);
        page.line(
            Tone::Plain,
            format_args!("stays on purpose: {count} {kind}"),
        );
    }
    noted(page, &shown.notes);
}

fn noted(page: &mut Page, notes: &[String]) {
    for note in notes {
        page.line(Tone::Faint, format_args!("note: {note}"));
    }
}

fn warned(page: &mut Page, not_wiped: &NotWipedResponse) {
    page.line(
        Tone::Bad,
        format_args!("erased, and not yet wiped: {}", not_wiped.reason),
    );
    page.line(Tone::Plain, format_args!("do: {}", not_wiped.advice));
}

async fn wipe(session: &Session) -> CommandResult {
    let memory = session.open_there()?;
    let not_wiped = session.wait("wiping", memory.engine.wipe()).await?;
    let notes = memory.engine.beyond_reach().await?;
    let shown = WipedResponse {
        wiped: not_wiped.is_none() && notes.is_empty(),
        not_wiped: not_wiped.map(Into::into),
        notes,
    };
    session.output.show(&shown, |page| {
        match &shown.not_wiped {
            Some(not_wiped) => warned(page, not_wiped),
            None if shown.wiped => page.line(
                Tone::Good,
                "wiped: neither the file nor its log holds erased bytes",
            ),
            None => {}
        }
        noted(page, &shown.notes);
    })?;
    Ok(if shown.not_wiped.is_none() {
        Outcome::Done
    } else {
        Outcome::Unfinished
    })
}

async fn receipts(session: &Session) -> CommandResult {
    let memory = session.open_there()?;
    let of_learner = session.settings.is_flag("learner");
    let learner = of_learner.then(|| memory.key.learner());
    let work = memory.engine.erase_receipts(memory.key.tenant(), learner);
    let found = session.wait("reading receipts", work).await?;
    let shown = EraseReceiptsResponse {
        receipts: found.into_iter().map(Into::into).collect(),
    };
    session.output.show(&shown, |page| {
        let rows: Vec<Vec<String>> = shown.receipts.iter().map(row).collect();
        page.table(&["RECEIPT", "AT", "BY", "EXTENT", "ERASED", "WIPED"], &rows);
    })?;
    Ok(Outcome::found(!shown.receipts.is_empty()))
}

fn row(receipt: &EraseReceiptResponse) -> Vec<String> {
    let wiped = if receipt.wiped { "yes" } else { "no" };
    vec![
        receipt.id.clone(),
        receipt.at.clone(),
        receipt.author.clone().unwrap_or_default(),
        receipt.extent.to_owned(),
        receipt.erased.told(),
        wiped.to_owned(),
    ]
}
