//! Command `hindlore-lab new-tool`: writes a generated tool as a folder that `lab --tool` reads.

use std::fs;

use serde_json::json;

use crate::args::LabNewToolArgs;
use crate::generate;
use hindlore_api::problem::Problem;
use hindlore_cli::program::CommandResult;
use hindlore_cli::program::Session;
use hindlore_cli::program::quoted;
use hindlore_cli::program::{Outcome, Tone, file};

/// Writes the folder.
pub(super) fn run(session: &Session, args: &LabNewToolArgs) -> CommandResult {
    let folder = &args.dir;
    let is_taken = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_taken {
        let message = format!("`{}` is not empty", folder.display());
        return Err(Problem::new("folder_in_use", message)
            .with_hint("name a folder that does not exist yet"));
    }
    let files = generate::files(args.seed)?;
    file::private_folder(&folder.join("data")).map_err(|error| {
        let message = format!("`{}` cannot be made: {error}", folder.display());
        Problem::new("unwritten_output", message).with_hint("name a folder that you may write to")
    })?;
    for (name, text) in &files {
        file::replace(&folder.join(name), text.as_bytes())?;
    }
    let names: Vec<&String> = files.keys().collect();
    let shown = json!({"folder": folder.to_string_lossy(), "seed": args.seed, "files": names});
    session.output.show(&shown, |page| {
        page.line(Tone::Good, format_args!("wrote {}", folder.display()));
        page.field(
            "try",
            format_args!(
                "hindlore-lab --tool {}",
                quoted(&folder.display().to_string())
            ),
        );
    })?;
    Ok(Outcome::Done)
}
