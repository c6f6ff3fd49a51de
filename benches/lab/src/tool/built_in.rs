//! The tools that come with the program, compiled in; each is a folder under `tools/`.

use super::Files;

type Texts = &'static [(&'static str, &'static str)];

macro_rules! tool {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../tools/", $folder, "/", $name)))),+]
    };
}

/// Two tools of each domain, the first learned first.
pub(super) const ALL: &[Texts] = &[
    tool!("gridtool": "tool.json", "messages.json", "habits.json", "tasks.json", "data/regions.csv", "data/sales.csv"),
    tool!("fluxtool": "tool.json", "messages.json", "habits.json", "tasks.json", "data/sales.csv", "data/sites.csv", "data/stock.csv"),
    tool!("rover": "tool.json", "messages.json", "habits.json", "tasks.json", "data/barn.txt", "data/cellar.txt", "data/yard.txt"),
    tool!("skiff": "tool.json", "messages.json", "habits.json", "tasks.json", "data/dock.txt", "data/tunnel.txt"),
    tool!("workbench": "tool.json", "messages.json", "habits.json", "tasks.json"),
    tool!("cluster": "tool.json", "messages.json", "habits.json", "tasks.json"),
    tool!("shop": "tool.json", "messages.json", "habits.json", "tasks.json", "data/records.json"),
    tool!("helpdesk": "tool.json", "messages.json", "habits.json", "tasks.json", "data/records.json"),
];

/// The texts of one tool by name.
pub(super) fn files(texts: Texts) -> Files {
    texts
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect()
}
