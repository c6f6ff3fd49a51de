//! Programs of the same build: they lie in the folder of the running one.

use std::path::PathBuf;

use super::EvalError;

/// The path of a program next to this one. A test lies in a folder below the programs.
pub(crate) fn next_to_this(name: &str) -> Result<PathBuf, EvalError> {
    let failed = |why: String| EvalError::new(why, "build all programs of the workspace");
    let ours = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let mut places = ours.ancestors().skip(1).take(2).map(|it| it.join(&file));
    places.find(|path| path.exists()).ok_or_else(|| {
        failed(format!(
            "there is no `{name}` in the folder of this program"
        ))
    })
}
