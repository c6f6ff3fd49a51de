//! Circles: files of one crate that need each other, directly or by way of others.
//!
//! A reader of one file of a circle has to read them all. An arrow is a path in code outside tests, followed through
//! `use` to the file that holds the item. A path from the head of a module to an item below it does not count: the head
//! declares these files and hands out work, and they share its types. Methods and macros leave no path and are not
//! seen.

use std::collections::{BTreeMap, BTreeSet};

use crate::floors::MEMBERS;
use crate::path::{NamedPath, paths};
use crate::source::Source;

/// Names that are looked up in a row before a path counts as one that leads outside.
const HOPS_MAX: usize = 12;

/// Module path that contains the crate, such as `src/domain::memory::key`.
type Module = Vec<String>;

/// Reports every set of files that need each other.
pub(crate) fn complaints(sources: &[Source]) -> Vec<String> {
    let files = Files::new(sources);
    let arrows = files.arrows();
    components(&arrows)
        .into_iter()
        .map(|circle| {
            let names: Vec<&str> = circle
                .iter()
                .map(|at| files.all[*at].source.path.as_str())
                .collect();
            format!(
                "{} files need each other: {}",
                names.len(),
                names.join(", ")
            )
        })
        .collect()
}

struct File<'a> {
    source: &'a Source,
    module: Module,
    paths: Vec<NamedPath>,
}

struct Files<'a> {
    all: Vec<File<'a>>,
    by_module: BTreeMap<Module, usize>,
}

impl<'a> Files<'a> {
    fn new(sources: &'a [Source]) -> Self {
        let mut all = Vec::new();
        for source in sources
            .iter()
            .filter(|source| source.is_product() && !source.in_test(0))
        {
            let Some(module) = module_of(source) else {
                continue;
            };
            let paths = paths(source);
            all.push(File {
                source,
                module,
                paths,
            });
        }
        let by_module = all
            .iter()
            .enumerate()
            .map(|(at, file)| (file.module.clone(), at))
            .collect();
        Self { all, by_module }
    }

    fn arrows(&self) -> Vec<BTreeSet<usize>> {
        let mut arrows = vec![BTreeSet::new(); self.all.len()];
        for (from, file) in self.all.iter().enumerate() {
            let used = file
                .paths
                .iter()
                .filter(|path| !file.source.in_test(path.token));
            let targets = used.filter_map(|path| self.target(from, &path.segments, HOPS_MAX));
            let counted = targets.filter(|to| *to != from && !self.is_below(*to, from));
            arrows[from] = counted.collect();
        }
        arrows
    }

    /// Returns true if a file is part of the module that another one heads.
    fn is_below(&self, inner: usize, outer: usize) -> bool {
        self.all[inner].module.starts_with(&self.all[outer].module)
    }

    /// Finds the file with the item of a path in `from`; nothing when it leads out of the crate.
    fn target(&self, from: usize, segments: &[String], hops: usize) -> Option<usize> {
        let hops = hops.checked_sub(1)?;
        let file = &self.all[from];
        let first = segments.first()?;
        let mut at: Module = match first.as_str() {
            "crate" => vec![file.module[0].clone()],
            "self" => file.module.clone(),
            "super" => parent(&file.module)?,
            name => {
                let child = joined(&file.module, name);
                if !self.by_module.contains_key(&child) {
                    let imported = file.import(name)?;
                    let whole: Vec<String> =
                        imported.iter().chain(&segments[1..]).cloned().collect();
                    return self.target(from, &whole, hops);
                }
                child
            }
        };
        for (index, segment) in segments.iter().enumerate().skip(1) {
            let next = match segment.as_str() {
                "super" => parent(&at)?,
                "self" | "*" => continue,
                name => joined(&at, name),
            };
            if self.by_module.contains_key(&next) {
                at = next;
                continue;
            }
            // The rest is an item of this file, or one that the file shows under its own name.
            let holder = *self.by_module.get(&at)?;
            let Some(imported) = self.all[holder].import(segment) else {
                return Some(holder);
            };
            let whole: Vec<String> = imported
                .iter()
                .chain(&segments[index + 1..])
                .cloned()
                .collect();
            return self.target(holder, &whole, hops).or(Some(holder));
        }
        self.by_module.get(&at).copied()
    }
}

impl File<'_> {
    /// The path that a `use` of this file gives a name to.
    fn import(&self, name: &str) -> Option<&[String]> {
        let is_it = |path: &&NamedPath| path.imported_as.as_deref() == Some(name);
        self.paths
            .iter()
            .find(is_it)
            .map(|path| path.segments.as_slice())
    }
}

fn module_of(source: &Source) -> Option<Module> {
    let benches = ["benches/bench/src", "benches/lab/src"].into_iter();
    let members = MEMBERS.iter().map(|(folder, _, _)| *folder);
    let root = benches
        .chain(members)
        .find(|root| !root.is_empty() && source.within(root))?;
    let inside = source
        .path
        .strip_prefix(root)?
        .trim_matches('/')
        .trim_end_matches(".rs");
    let mut module = vec![root.to_owned()];
    module.extend(inside.split('/').map(str::to_owned));
    let is_folder_file = matches!(module.last()?.as_str(), "mod" | "lib" | "main");
    if is_folder_file {
        module.pop();
    }
    Some(module)
}

fn joined(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

fn parent(module: &Module) -> Option<Module> {
    let (_, rest) = module.split_last()?;
    (!rest.is_empty()).then(|| rest.to_vec())
}

/// Finds the sets of more than one file in which each reaches each, by Tarjan's algorithm.
fn components(arrows: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let mut search = Search {
        arrows,
        index: vec![None; arrows.len()],
        low: vec![0; arrows.len()],
        on_stack: vec![false; arrows.len()],
        stack: Vec::new(),
        count: 0,
        found: Vec::new(),
    };
    for at in 0..arrows.len() {
        if search.index[at].is_none() {
            search.visit(at);
        }
    }
    search.found
}

struct Search<'a> {
    arrows: &'a [BTreeSet<usize>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    count: usize,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn visit(&mut self, at: usize) {
        let own = self.count;
        self.index[at] = Some(own);
        self.low[at] = own;
        self.count += 1;
        self.stack.push(at);
        self.on_stack[at] = true;
        for &to in &self.arrows[at] {
            match self.index[to] {
                None => {
                    self.visit(to);
                    self.low[at] = self.low[at].min(self.low[to]);
                }
                Some(index) if self.on_stack[to] => self.low[at] = self.low[at].min(index),
                Some(_) => {}
            }
        }
        if self.low[at] == own {
            self.close(at);
        }
    }

    fn close(&mut self, root: usize) {
        let mut component = Vec::new();
        while let Some(at) = self.stack.pop() {
            self.on_stack[at] = false;
            component.push(at);
            if at == root {
                break;
            }
        }
        if component.len() > 1 {
            component.sort_unstable();
            self.found.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(path, text)| Source::new(path, text))
            .collect();
        complaints(&sources)
    }

    #[test]
    fn a_circle_is_found_in_every_form() {
        for back in [
            "use super::a::A;",
            "use crate::a::A;",
            "fn f() { super::a::f() }",
            "use super::A;",
            "use crate::a; fn f() { a::f() }",
        ] {
            let files = [
                ("src/engine/lib.rs", "mod a; mod b; pub use a::A;"),
                ("src/engine/a.rs", "use super::b::B; pub struct A;"),
                ("src/engine/b.rs", back),
            ];
            let found = found(&files);
            assert!(
                found.len() == 1 && found[0].contains("src/engine/a.rs, src/engine/b.rs"),
                "{back}: {found:?}"
            );
        }
    }

    #[test]
    fn the_head_of_a_module_may_name_what_is_below_and_be_named_by_it() {
        let files = [
            (
                "src/cli/lib.rs",
                "mod a; pub struct Shared; fn f() { a::run() }",
            ),
            ("src/cli/a.rs", "use super::Shared;"),
        ];
        assert_eq!(found(&files), Vec::<String>::new());
    }

    #[test]
    fn order_tests_and_other_crates_pass() {
        let files = [
            ("src/domain/lib.rs", "pub mod a; pub mod b; pub use a::A;"),
            (
                "src/domain/a.rs",
                "pub struct A; #[cfg(test)] mod tests { use crate::b::B; }",
            ),
            ("src/domain/b.rs", "use crate::a::A; use super::a::A as C;"),
            ("src/store/lib.rs", "use hindlore_domain::a::A;"),
        ];
        assert_eq!(found(&files), Vec::<String>::new());
    }
}
