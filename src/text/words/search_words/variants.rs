//! Forms of a word that its stem does not undo: spellings of two countries, irregular plurals and past tenses, short
//! forms of the trade, the prefix for "again", and the ending of a person's state.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Endings by which British and American spellings differ; a pair applies to words of at least [`SPELLED_MIN`] letters.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &str)] = &[
    ("our", "or"), ("ours", "ors"), ("oured", "ored"), ("ouring", "oring"), ("ourful", "orful"), ("ourite", "orite"),
    ("ourites", "orites"), ("oural", "oral"), ("ourhood", "orhood"), ("ourable", "orable"),
    ("ise", "ize"), ("ises", "izes"), ("ised", "ized"), ("ising", "izing"), ("iser", "izer"), ("isers", "izers"),
    ("isation", "ization"), ("isations", "izations"), ("yse", "yze"), ("yses", "yzes"), ("ysed", "yzed"),
    ("ysing", "yzing"), ("yser", "yzer"), ("tre", "ter"), ("tres", "ters"), ("bre", "ber"), ("logue", "log"),
    ("logues", "logs"), ("ence", "ense"), ("ences", "enses"), ("elled", "eled"), ("elling", "eling"),
    ("eller", "eler"), ("ellers", "elers"), ("alled", "aled"), ("alling", "aling"), ("amme", "am"), ("ammes", "ams"),
];
const SPELLED_MIN: usize = 4;

/// Words of equal meaning: irregular forms of one word, spellings of one, and short forms.
#[rustfmt::skip]
const GROUPS: &[&str] = &[
    "child children", "person people", "man men", "woman women", "foot feet", "tooth teeth", "mouse mice",
    "goose geese", "ox oxen", "life lives", "wife wives", "knife knives", "leaf leaves", "half halves", "shelf shelves",
    "index indices indexes", "matrix matrices", "vertex vertices", "appendix appendices", "axis axes",
    "criterion criteria", "phenomenon phenomena", "datum data", "medium media", "schema schemata schemas",
    "analysis analyses", "basis bases", "crisis crises", "thesis theses", "hypothesis hypotheses", "diagnosis diagnoses",
    "stimulus stimuli", "radius radii", "cactus cacti", "syllabus syllabi",
    "begin began begun", "break broke broken", "bring brought", "build built", "buy bought", "catch caught",
    "choose chose chosen", "cut cutting", "deal dealt", "draw drew drawn", "drink drank drunk", "drive drove driven",
    "eat ate eaten", "fall fell fallen", "feed fed", "feel felt", "fight fought", "find found", "fly flew flown",
    "forget forgot forgotten", "freeze froze frozen", "grow grew grown", "hang hung", "hear heard", "hide hid hidden",
    "hold held", "keep kept", "know knew known", "lead led", "leave left", "lend lent", "lose lost", "mean meant",
    "meet met", "pay paid", "ride rode ridden", "ring rang rung", "rise rose risen", "run ran", "sell sold",
    "send sent", "shake shook shaken", "shoot shot", "show shown", "sing sang sung", "sink sank sunk", "sit sat",
    "sleep slept", "speak spoke spoken", "spend spent", "split splitting", "stand stood", "steal stole stolen",
    "stick stuck", "strike struck", "swim swam swum", "take took taken", "teach taught", "tell told",
    "think thought", "throw threw thrown", "understand understood", "wake woke woken", "wear wore worn",
    "win won", "write wrote written",
    "grey gray", "tyre tire", "aluminium aluminum", "aeroplane airplane", "mould mold", "plough plow", "cheque check",
    "sceptical skeptical", "draught draft", "judgement judgment",
    "ad ads advert advertisement advertising", "app application", "arg argument", "async asynchronous",
    "auth authentication authorization", "config configuration", "cfg configuration", "db database", "dep dependency",
    "dev development", "dir directory", "doc docs documentation", "env environment", "exec execute", "fn function",
    "img image", "info information", "init initialize", "k8s kubernetes", "lib library", "mem memory", "msg message",
    "param parameter", "perf performance", "postgres postgresql", "pr pullrequest", "prod production", "repo repository",
    "req request", "res response", "spec specification", "sync synchronize", "temp temporary", "tmp temporary",
    "util utility", "var variable", "vm virtualmachine",
];

/// The other words of each word's groups, since every word of a query is looked up.
static GROUPED: LazyLock<HashMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let mut grouped: HashMap<&str, Vec<&str>> = HashMap::new();
    for group in GROUPS {
        for word in group.split(' ') {
            let others = group.split(' ').filter(|other| *other != word);
            grouped.entry(word).or_default().extend(others);
        }
    }
    grouped
});

/// Letters that a word keeps at least without its prefix or ending.
const BASE_MIN: usize = 5;
/// Prefix of a word for doing something again.
const AGAIN: &str = "re";
/// Ending of the state of a person: a member has a membership.
const STATE: &str = "ship";

/// Returns the other forms of a folded word, all of which mean it.
pub(super) fn other_forms(form: &str) -> Vec<String> {
    let grouped = GROUPED.get(form).into_iter().flatten();
    let mut forms: Vec<String> = grouped.map(|other| (*other).to_owned()).collect();
    let person = form.strip_suffix(STATE);
    if person.unwrap_or(form).len() >= BASE_MIN {
        let state = || format!("{form}{STATE}");
        forms.push(person.map_or_else(state, str::to_owned));
    }
    if form.len() >= SPELLED_MIN {
        for (british, american) in SPELLINGS {
            for (one, other) in [(british, american), (american, british)] {
                // An ending alone is no word.
                let stem = form.strip_suffix(one).filter(|stem| stem.len() >= 2);
                forms.extend(stem.map(|stem| format!("{stem}{other}")));
            }
        }
    }
    forms
}

/// Returns the word for doing something once, or again, as which a text may name it.
pub(super) fn once_or_again(form: &str) -> [Option<String>; 2] {
    let base = form
        .strip_prefix(AGAIN)
        .map(|base| base.trim_start_matches('-'));
    let base = base.filter(|base| base.len() >= BASE_MIN);
    let again = (form.len() >= BASE_MIN && base.is_none()).then(|| format!("{AGAIN}{form}"));
    [base.map(str::to_owned), again]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_and_irregular_forms_meet() {
        for (one, other) in [
            ("grey", "gray"),
            ("colour", "color"),
            ("organise", "organize"),
            ("centre", "center"),
            ("catalogue", "catalog"),
            ("licence", "license"),
            ("cancelled", "canceled"),
            ("children", "child"),
            ("indices", "index"),
            ("wrote", "write"),
            ("ads", "advertisement"),
            ("repo", "repository"),
            ("citizenship", "citizen"),
        ] {
            assert!(other_forms(one).iter().any(|form| form == other), "{one}");
            assert!(other_forms(other).iter().any(|form| form == one), "{other}");
        }
    }

    #[test]
    fn again_is_a_prefix_of_words_only() {
        assert_eq!(once_or_again("regenerate")[0].as_deref(), Some("generate"));
        assert_eq!(once_or_again("generate")[1].as_deref(), Some("regenerate"));
        assert_eq!(once_or_again("read"), [None, None]);
    }
}
