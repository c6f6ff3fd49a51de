//! Asks for confirmation before anything is destroyed.

use std::io::{self, IsTerminal, Write};

use hindlore_api::problem::Problem;

/// Asks on the terminal; without one, only `--yes` confirms.
pub(crate) async fn ask(question: String, yes: bool) -> Result<(), Problem> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Problem::new(
            "needs_consent",
            format!("{question} needs --yes without a terminal"),
        )
        .with_hint("add --yes to confirm"));
    }
    let answer = tokio::task::spawn_blocking(move || {
        write!(io::stderr(), "{question}? [y/N] ")?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer).map(|_| answer)
    });
    let answer = answer.await.ok().and_then(Result::ok).unwrap_or_default();
    match answer.trim().to_lowercase().as_str() {
        "y" | "yes" => Ok(()),
        _ => Err(Problem::new("declined", "nothing was changed")),
    }
}
