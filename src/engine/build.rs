//! Stamps the build: a hash of all code that decides how texts are analysed and bullets packed, and of the versions of
//! its libraries. An image of a memory is read only by a build with the same stamp.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    for part in [
        "../domain",
        "../text",
        "../topk",
        "../primitives",
        "../../Cargo.lock",
    ] {
        let path = here.join(part);
        println!("cargo:rerun-if-changed={}", path.display());
        collect(&path, &mut files)?;
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::read(file)?.hash(&mut hasher);
    }
    println!(
        "cargo:rustc-env=HINDLORE_IMAGE_STAMP={:016x}",
        hasher.finish()
    );
    Ok(())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.exists() {
        files.push(path.to_owned());
    }
    Ok(())
}
