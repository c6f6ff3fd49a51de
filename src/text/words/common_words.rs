//! Words of everyday language that name no topic alone: "run", "use", "day", "good".
//!
//! A text that shares only one of them with a question seldom answers it, however rare the word is in the memory: a
//! small memory cannot know which words are frequent in the language. Chosen by hand from the most frequent verbs,
//! nouns and adjectives; words of the trade (file, test, service) are left out, as are names.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::folding::folded;
use super::language::Language;

/// English, in any form that stems alike; irregular forms are listed.
#[rustfmt::skip]
const ENGLISH: &[&str] = &[
    "able", "ago", "ask", "bad", "become", "became", "believe", "best", "better", "big", "bit", "came", "come",
    "course", "day", "deal", "different", "do", "done", "easy", "end", "enough", "fact", "far", "feel", "felt", "few",
    "find", "first", "found", "gave", "get", "give", "given", "go", "goes", "going", "gone", "good", "got", "great",
    "guy", "half", "happen", "hard", "have", "help", "here", "high", "hope", "idea", "important", "keep", "kept",
    "kind", "knew", "know", "known", "large", "last", "late", "later", "least", "leave", "left", "let", "life",
    "like", "little", "live", "long", "look", "lot", "low", "made", "make", "man", "many", "matter", "maybe", "mean",
    "meant", "mind", "much", "need", "new", "next", "nice", "old", "past", "people", "place", "possible", "pretty",
    "probably", "put", "ran", "ready", "real", "really", "remember", "right", "run", "said", "same", "saw", "say",
    "see", "seen", "short", "should", "show", "single", "small", "special", "start", "stay", "stop", "sure", "take",
    "taken", "talk", "tell", "thank", "thing", "think", "thought", "time", "today", "together", "told", "took", "try",
    "tried", "turn", "understand", "use", "used", "wait", "want", "watch", "way", "week", "well", "went", "whole",
    "work", "world", "wrong", "year", "young",
];

/// Other languages, in the order of [`Language::MARKED`]; folded forms.
#[rustfmt::skip]
const OTHERS: [&str; 7] = [
    "antwort arbeit arbeiten art bald beginn beginnen beispiel bekommen bereit besser beste besten bleiben brauchen \
     brauche bringen dank denken ding dinge einfach ende erste ersten fall fehlen finden fragen frage ganz ganze geben \
     gehen geht genau genug gerade gern gestern gibt gleich grosse grossen gross grund gut gute guten halten heute \
     jahr jahre jahren kennen klein kleine kommen kommt kurz lang lange lassen laufen lauft leben leicht letzte letzten \
     leute liegen machen macht mag mensch menschen minute monat morgen mochte nachste name nehmen neu neue neuen nutzen \
     nutze nutzt problem richtig sache sachen sagen sagt schnell schreiben sehen seite setzen spater stehen stelle \
     stellen stunde stunden suchen tag tage tagen teil tun uhr verwenden verwendet viel viele weg weise weiter wenig \
     wichtig wirklich wissen woche wochen wollen wort zeigen zeit ziel zusammen zweite",
    "aller aide aimer ajouter an annee annees annees apres aujourd beau besoin bien bon bonne cas chose choses chercher \
     commencer connaitre cote coup croire debut demander dernier derniere devenir dire dit donner ecrire exemple facile \
     faire fait fin fois grand grande gros gens heure heures hier homme important jour jours laisser lieu long maintenant \
     manger mauvais meilleur mettre mieux mois moment monde mot nom nombre nouveau nouvelle parler partie passer penser \
     petit petite place point possible premier premiere prendre probleme question raison reponse reste rester savoir \
     semaine seul suivre temps tenir travail trouver utiliser utilise utilisons venir vie voir vouloir vrai vraiment",
    "ahora algo alguien ano anos ayer ayuda bien bueno buena buscar cada casa caso comenzar cosa cosas creer dar decir \
     dejar dia dias ejemplo empezar encontrar entender escribir facil fin forma gente gran grande haber hablar hacer \
     hecho hora horas hoy idea importante ir lado largo lugar llamar llegar llevar malo manana manera mayor mejor mes \
     meses mismo momento mucho mundo nombre nuevo nueva numero pagina palabra parte parecer pasar pedir pensar pequeno \
     persona personas poder poner posible pregunta primera primero problema punto querer quedar razon respuesta saber \
     seguir semana sentir si tener tiempo tipo tomar trabajo trabajar usar usamos utilizar uso venir ver vez veces vida",
    "aiuto altro andare anno anni bello bene bisogno buon buona cambiare capire caso cercare chiamare chiedere cominciare \
     cosa cose credere dare dire domani domanda dovere esempio facile fare fatto fine forma gente giorno giorni giusto \
     grande ieri importante lasciare lato lavoro lavorare lungo luogo male meglio mese mesi mettere minuto modo molto \
     momento mondo nome numero nuovo nuova oggi ora ore parlare parola parte passare pensare persona persone piccolo \
     possibile posto potere prendere primo prima problema punto ragione rispondere risposta sapere scrivere secondo \
     seguire settimana stare tempo tenere tipo trovare ultimo usare usiamo utilizzare vedere venire vero vita volere volta",
    "achar agora ajuda ano anos bem bom boa buscar caso chamar chegar coisa coisas colocar comecar conhecer dar deixar \
     dia dias dizer encontrar entender escrever exemplo facil falar fazer ficar fim forma gente grande haver hoje hora \
     horas ideia importante ir lado levar longo lugar maior maneira melhor mes meses mesmo momento muito mundo nome novo \
     nova numero ontem palavra parte passar pedir pensar pequeno pergunta pessoa pessoas poder ponto por possivel precisar \
     primeiro primeira problema querer razao responder resposta saber segundo seguir semana tempo ter tipo tomar trabalho \
     trabalhar usar usamos uso utilizar vez vezes ver vida vir",
    "beginnen belangrijk beste beter bijvoorbeeld blijven brengen dag dagen deel denken ding dingen doen doet duidelijk \
     dingen echt eerste eind einde gaan gaat gebruik gebruiken geven gewoon goed goede groot grote half halen hebben \
     helpen horen houden huis idee jaar jaren juist keer kijken klein kleine komen komt krijgen laat laatste land lang \
     leven lezen liggen lopen maand maken maakt man manier mens mensen minuut moment morgen naam nemen nieuw nieuwe nodig \
     nummer plaats praten probleem punt reden schrijven snel soort staan stellen tijd uur vandaag veel verder vinden vraag \
     vragen vrouw week weg werk werken weten willen woord zaak zeggen zetten zien zoeken",
    "anvanda anvander arbete barn bast battre behova behover bero borja bra bara dag dagar del delen dricka enkel exempel \
     fa fall fast finna folk forsta forsoka fraga fragor ga gang ganger ge god gora gor halla hand handa hela hitta hjalp \
     hjalpa idag igar ide jobb komma kommer kunna lang lata leva lite liten liv lagga lasa manad mal manniska manniskor \
     mena minut morgon namn natt ny nya nummer ofta olika ord plats problem punkt ratt saga sak saker satt se ser sida \
     sista skriva sluta snabb stor stora svar stalla sedan ta tag tala tanka tid timme tro veta vecka veckor vilja viktig \
     visa ar varld vag vanta",
];

/// Returns true if a lower-case word of a text in this language is one of everyday language.
pub(super) fn is_common(language: Language, word: &str) -> bool {
    static STEMS: OnceLock<HashSet<(usize, String)>> = OnceLock::new();
    let stems = STEMS.get_or_init(|| {
        let others = Language::MARKED.into_iter().zip(OTHERS);
        let others = others.flat_map(|(language, words)| {
            let words = words.split_whitespace();
            words.map(move |word| (language, word))
        });
        let english = ENGLISH.iter().map(|word| (Language::English, *word));
        let all = english.chain(others);
        all.map(|(language, word)| (place(language), language.stem(word)))
            .collect()
    });
    stems.contains(&(place(language), language.stem(&folded(word))))
}

fn place(language: Language) -> usize {
    let marked = Language::MARKED.iter().position(|other| *other == language);
    marked.map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyday_words_are_common_in_their_language_only() {
        for (language, word, expected) in [
            (Language::English, "run", true),
            (Language::English, "running", true),
            (Language::English, "days", true),
            (Language::English, "linter", false),
            (Language::English, "database", false),
            (Language::English, "service", false),
            (Language::English, "tage", false),
            (Language::German, "Tage", true),
            (Language::German, "Datenbank", false),
            (Language::French, "utiliser", true),
        ] {
            assert_eq!(
                is_common(language, &word.to_lowercase()),
                expected,
                "{word}"
            );
        }
    }
}
