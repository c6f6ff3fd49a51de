//! Standing instructions and preferences: sentences that a person writes once and means for every later task.
//!
//! "Always name the sources", "I prefer tabs", "Bitte nie auf main pushen". They share few words with the tasks that they
//! are about, so a question about doing something gives them more weight than their words earn.

use crate::layout::sentences::sentences;

/// Beginnings of such sentences, in lower case: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish.
#[rustfmt::skip]
const BEGINNINGS: &[&str] = &[
    "always ", "never ", "do not ever ", "don't ever ", "please always ", "please never ", "from now on", "i prefer ",
    "i'd prefer ", "i would prefer ", "i always want ", "i never want ", "i always prefer ", "i generally prefer ",
    "i don't want ", "i do not want ", "i'd rather ", "i would rather ", "i want you to always ", "in the future, ",
    "my preference is ", "make sure to always ", "make sure you always ", "you should always ", "you must always ",
    "you should never ", "you must never ", "we always ", "we never ", "we prefer ", "remember to always ",
    "immer ", "nie ", "niemals ", "bitte immer ", "bitte nie ", "bitte niemals ", "ab jetzt ", "von nun an ",
    "ich bevorzuge ", "ich möchte immer ", "ich möchte nie ", "mir ist lieber ", "wir bevorzugen ",
    "toujours ", "jamais ", "ne jamais ", "dorénavant", "désormais", "je préfère ", "je veux toujours ", "nous préférons ",
    "siempre ", "nunca ", "de ahora en adelante", "a partir de ahora", "prefiero ", "yo prefiero ", "preferimos ",
    "sempre ", "mai ", "non usare mai ", "d'ora in poi", "preferisco ", "io preferisco ", "preferiamo ",
    "daqui em diante", "a partir de agora", "prefiro ", "eu prefiro ", "preferimos ",
    "altijd ", "nooit ", "vanaf nu ", "ik heb liever ", "ik geef de voorkeur aan ", "wij gebruiken altijd ",
    "alltid ", "aldrig ", "från och med nu ", "jag föredrar ", "vi föredrar ",
];

/// Words of a question about the past, which asks for a fact and not for advice.
#[rustfmt::skip]
const PAST: &[&str] = &[
    "did", "was", "were", "had", "ago", "happened", "said", "told", "mentioned",
    "hatte", "hatten", "war", "waren", "wurde", "wurden", "gesagt",
    "était", "étaient", "avait", "avaient", "hizo", "hicieron", "fue", "fueron", "era", "eran", "dijo",
    "erano", "aveva", "avevano", "foi", "foram", "disse", "werd", "werden", "had", "hadden", "zei", "hade", "sade",
];

/// Beginnings of a question for a number or a time, which asks for a fact as well.
#[rustfmt::skip]
const COUNTS: &[&str] = &[
    "when ", "how many ", "how much ", "how long ", "who ", "whose ", "where ", "wann ", "wie viele ", "wer ", "wo ",
    "quand ", "combien ", "qui ", "cuándo ", "cuántos ", "quién ", "dónde ", "quando ", "quanti ", "chi ", "dove ",
    "quantos ", "quem ", "onde ", "wanneer ", "hoeveel ", "wie ", "waar ", "när ", "hur många ", "vem ", "var ",
];

/// Returns true if any sentence of a text is a standing instruction or a preference.
pub fn is_standing(text: &str) -> bool {
    sentences(text).iter().any(|sentence| {
        let begin: String = sentence.trim_start().chars().take(40).collect();
        let begin = begin.to_lowercase().replace('\u{2019}', "'");
        BEGINNINGS.iter().any(|known| begin.starts_with(known))
    })
}

/// Returns true if a question is about doing something, so that standing instructions may apply.
pub fn asks_to_do(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let is_past = words.any(|word| PAST.contains(&word));
    !is_past
        && !COUNTS
            .iter()
            .any(|begin| lower.trim_start().starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standing_instructions_are_told_by_how_they_begin() {
        for text in [
            "Always name the number of guests when I ask about parties.",
            "Thanks for the plan. Never push to main.",
            "I\u{2019}d prefer short answers.",
            "Bitte immer auf Deutsch antworten.",
            "Je préfère les onglets.",
            "Prefiero tabuladores.",
        ] {
            assert!(is_standing(text), "{text}");
        }
        for text in [
            "The build always fails on Friday.",
            "I had a party with ten guests.",
            "Alternatives are listed below.",
        ] {
            assert!(!is_standing(text), "{text}");
        }
    }

    #[test]
    fn a_question_about_the_past_asks_for_no_advice() {
        for (question, expected) in [
            ("Which investment options should I look into first?", true),
            ("Write the release notes", true),
            ("What did Sam eat?", false),
            ("When is the party?", false),
            ("Wie viele Gäste kommen?", false),
        ] {
            assert_eq!(asks_to_do(question), expected, "{question}");
        }
    }
}
