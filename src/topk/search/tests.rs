//! The search against a scan, over random collections that change: equal to the last bit, ties included.

use super::*;
use crate::{Analyzer, DecayRates, InvertedIndex, LabelIndex, Need, Question, Sentence, Text};

const DOCS: u32 = 1_500;
const RATES: DecayRates = DecayRates {
    rates: [0.01, 0.05, 0.0],
    factor_max: f64::MAX,
};

struct Words;

impl Analyzer for Words {
    fn for_each_token(&self, text: &str, visit: impl FnMut(&str)) {
        text.split_whitespace().for_each(visit);
    }

    fn terms(&self, token: &str) -> Vec<String> {
        vec![token.to_owned()]
    }

    fn counts_repeats(&self) -> bool {
        true
    }

    fn passage_tokens(&self) -> Option<usize> {
        Some(12)
    }
}

fn titled(document: &Document) -> Text<'_> {
    Text {
        title: &document.title,
        body: &document.text,
    }
}

/// A document, as the caller of the crate would keep it.
#[derive(Clone)]
struct Document {
    title: String,
    text: String,
    prior: Prior,
    is_tagged: bool,
    is_live: bool,
}

struct Collection {
    documents: Vec<Document>,
    index: InvertedIndex<Words>,
    labels: LabelIndex,
    order: PriorOrder,
    clock: u64,
}

/// Words by Zipf's law: the n-th is there 1/n as often as the first.
fn sentence(rng: &mut fastrand::Rng, words: usize) -> String {
    let word = |rng: &mut fastrand::Rng| format!("w{}", 400_f64.powf(rng.f64()) as u32);
    let words: Vec<String> = (0..words).map(|_| word(rng)).collect();
    words.join(" ")
}

/// The first labels are frequent, the last rare.
fn label(doc: DocId) -> u32 {
    doc.trailing_zeros()
}

impl Collection {
    fn new(rng: &mut fastrand::Rng) -> Self {
        let index = InvertedIndex::build(Words, std::iter::empty());
        let mut collection = Self {
            documents: Vec::new(),
            index,
            labels: LabelIndex::default(),
            order: PriorOrder::build(RATES, 40, std::iter::empty()),
            clock: 40,
        };
        (0..DOCS).for_each(|_| collection.add(rng));
        let texts = (0..).zip(&collection.documents);
        collection.index = InvertedIndex::build(Words, texts.map(|(doc, one)| (doc, titled(one))));
        (0..DOCS).for_each(|doc| collection.labels.insert(doc, label(doc)));
        let priors = (0..).zip(&collection.documents);
        collection.order = PriorOrder::build(RATES, 40, priors.map(|(doc, one)| (doc, one.prior)));
        collection
    }

    fn add(&mut self, rng: &mut fastrand::Rng) {
        let doc = self.documents.len() as DocId;
        // Most are one passage, some are two to five.
        let words = [rng.usize(1..18), rng.usize(1..60)][rng.usize(..5) / 4];
        let prior = Prior {
            class: rng.u8(..3),
            factor: f64::from(rng.u8(..4)) * 25.0,
            accessed: rng.bool().then(|| rng.u64(..=self.clock)),
            tie: (rng.i64(..3), 0, u64::from(doc)),
        };
        self.documents.push(Document {
            title: [String::new(), sentence(rng, 2)][rng.usize(..4) / 3].clone(),
            text: sentence(rng, words),
            prior,
            is_tagged: rng.u8(..6) == 0,
            is_live: true,
        });
    }

    fn insert(&mut self, doc: DocId) {
        let documents = &self.documents;
        self.labels.insert(doc, label(doc));
        self.index.insert(doc, titled(&documents[doc as usize]));
        self.order.insert(doc, |doc| documents[doc as usize].prior);
    }

    fn remove(&mut self, doc: DocId) {
        let documents = &self.documents;
        self.labels.remove(doc, label(doc));
        self.index.remove(doc, titled(&documents[doc as usize]));
        self.order.remove(doc, |doc| documents[doc as usize].prior);
    }

    /// A document is rewritten, touched, removed, brought back or added, or time passes.
    fn change(&mut self, rng: &mut fastrand::Rng) {
        let doc = rng.u32(..self.documents.len() as u32);
        let at = doc as usize;
        let is_live = self.documents[at].is_live;
        match rng.u8(..8) {
            0 if is_live => {
                self.remove(doc);
                let words = [12, 40][rng.usize(..2)];
                self.documents[at].text = sentence(rng, words);
                self.insert(doc);
            }
            1..=3 if is_live => {
                let documents = &mut self.documents;
                self.order.remove(doc, |doc| documents[doc as usize].prior);
                documents[at].prior.accessed = Some(self.clock);
                documents[at].prior.factor *= 1.5;
                self.order.insert(doc, |doc| documents[doc as usize].prior);
            }
            4 if is_live => {
                self.remove(doc);
                self.documents[at].is_live = false;
            }
            5 if !is_live => {
                self.insert(doc);
                self.documents[at].is_live = true;
            }
            6 => {
                self.add(rng);
                self.insert(self.documents.len() as DocId - 1);
            }
            _ => {
                self.clock += rng.u64(..4);
                self.order.advance_clock(self.clock);
            }
        }
    }
}

struct TestScorer<'c> {
    collection: &'c Collection,
    text: &'c TextQuery<'c>,
    request: &'c SearchRequest<'c>,
}

impl TestScorer<'_> {
    fn neighbour(&self, doc: DocId) -> Option<DocId> {
        let before = doc.checked_sub(1)?;
        (self.request.lent > 0.0 && doc % 3 == 1).then_some(before)
    }
}

impl Scorer for TestScorer<'_> {
    type Detail = ();
    type Miss = u8;

    fn score(&self, doc: DocId, text: TextScore) -> (Scored<()>, Outcome<u8>) {
        let (request, document) = (self.request, &self.collection.documents[doc as usize]);
        let prior = document.prior;
        let lent = self
            .neighbour(doc)
            .map_or(0.0, |near| self.text.score(near).score);
        let beyond_bounds = if request.first.contains(doc) {
            0.6
        } else {
            0.0
        };
        let relevance = self.relevance(text.score + request.lent * lent) + beyond_bounds;
        let ticks = prior
            .accessed
            .map_or(0, |at| self.collection.clock.saturating_sub(at));
        let rate = RATES.rates[usize::from(prior.class)];
        let strength = prior.factor * libm::pow(1.0 - rate, ticks as f64);
        let bonuses = request.bonuses.iter();
        let bonuses = bonuses.filter(|bonus| bonus.holders.iter().any(|set| set.contains(doc)));
        let score = request.weights.relevance * relevance
            + request.weights.prior * strength
            + request.weights.class[usize::from(prior.class)]
            + bonuses.map(|bonus| bonus.amount).sum::<f64>();
        let admits = request.candidates.is_none() || document.is_tagged;
        let is_hit = admits
            && request.classes[usize::from(prior.class)]
            && strength >= request.least_prior
            && relevance >= request.floor;
        let outcome = match (is_hit, relevance > 0.0) {
            (true, _) => Outcome::Hit,
            (false, true) => Outcome::Miss(1),
            (false, false) => Outcome::Unrelated,
        };
        let scored = Scored {
            doc,
            score,
            tie: prior.tie,
            detail: (),
        };
        (scored, outcome)
    }

    fn relevance(&self, text: f64) -> f64 {
        text.min(0.9)
    }

    fn prior(&self, doc: DocId) -> Prior {
        self.collection.documents[doc as usize].prior
    }

    fn for_each_neighbour(&self, doc: DocId, mut visit: impl FnMut(DocId)) {
        let behind = doc + 1;
        if (behind as usize) < self.collection.documents.len()
            && self.neighbour(behind) == Some(doc)
        {
            visit(behind);
        }
    }
}

/// A word, the forms of a word, or several words that belong together.
fn need(rng: &mut fastrand::Rng, word: &str) -> Need {
    let any = |words: &str, weight| Need::Any {
        terms: words.split(' ').map(str::to_owned).collect(),
        weight,
    };
    let two = |rng: &mut fastrand::Rng| {
        let words = sentence(rng, 2);
        words
            .split(' ')
            .map(|word| any(word, 0.5))
            .collect::<Vec<Need>>()
    };
    match rng.u8(..9) {
        8 => Need::Label {
            labels: vec![rng.u32(..9), rng.u32(..40)],
            weight: 2.0,
        },
        0 => any(&format!("{word} {}", sentence(rng, 1)), 1.0),
        1 => Need::Best(vec![any(word, 1.0), Need::Sum(two(rng))]),
        2 => Need::Best(vec![any(word, 0.2), Need::All(two(rng))]),
        3 => any("unknown", 1.0),
        _ => any(word, 1.0),
    }
}

fn query<'c>(rng: &mut fastrand::Rng, collection: &'c Collection) -> TextQuery<'c> {
    let count = [1, 3, 9, 90][rng.usize(..4)];
    let words = sentence(rng, count) + [" unknown", ""][rng.usize(..2)];
    let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    if rng.bool() {
        words.sort_unstable();
        words.dedup();
        return TextQuery::jaccard(&collection.index, words);
    }
    let needs: Vec<Need> = words.iter().map(|word| need(rng, word)).collect();
    let sentence = |rng: &mut fastrand::Rng, needs: &[Need]| {
        let (needs, helpers) = needs.split_at(needs.len() - rng.usize(..=needs.len() / 2));
        Sentence {
            needs: needs.to_vec(),
            helpers: helpers.to_vec(),
            weight: [0.75, 1.0][rng.usize(..2)],
        }
    };
    let mut question = Question {
        whole: sentence(rng, &needs),
        ..Question::default()
    };
    if rng.bool() {
        let sentences = needs.chunks(rng.usize(1..8));
        let sentences = sentences.map(|needs| sentence(rng, needs));
        question.sentences = sentences.collect();
    }
    TextQuery::bm25(&collection.index, Some(&collection.labels), &question)
}

fn request<'c>(
    rng: &mut fastrand::Rng,
    clock: u64,
    tagged: &'c DocSet,
    visual: &'c DocSet,
) -> SearchRequest<'c> {
    let bonus = Bonus {
        amount: 0.2,
        holders: vec![visual, tagged],
    };
    SearchRequest {
        top_k: [1, 10, 40][rng.usize(..3)],
        near_misses: 5,
        clock,
        weights: Weights {
            relevance: [0.0, 0.2, 0.7, 0.95][rng.usize(..4)],
            prior: [0.001, 0.01][rng.usize(..2)],
            class: [0.1, 0.07, 0.04],
        },
        floor: [0.0, 0.1][rng.usize(..2)],
        least_prior: [0.0, 0.0, 20.0][rng.usize(..3)],
        classes: [true, rng.bool(), true],
        bonuses: if rng.u8(..3) == 0 {
            vec![bonus]
        } else {
            Vec::new()
        },
        candidates: (rng.u8(..5) == 0).then(|| vec![tagged]),
        first: [&DocSet::default(), visual, tagged][rng.usize(..3)].clone(),
        lent: [0.0, 0.0, 0.3][rng.usize(..3)],
    }
}

#[test]
fn a_search_finds_what_a_scan_finds_while_the_collection_changes() {
    let mut rng = fastrand::Rng::with_seed(33);
    for _ in 0..4 {
        let mut collection = Collection::new(&mut rng);
        for round in 0..250 {
            let (mut tagged, mut visual) = (DocSet::default(), DocSet::default());
            for (doc, document) in (0..).zip(&collection.documents) {
                if document.is_live && document.is_tagged {
                    tagged.insert(doc);
                } else if document.is_live && doc % 5 == 0 {
                    visual.insert(doc);
                }
            }
            let text = query(&mut rng, &collection);
            let request = request(&mut rng, collection.clock, &tagged, &visual);
            let scorer = TestScorer {
                collection: &collection,
                text: &text,
                request: &request,
            };
            let mut scan = TopK::new(request.top_k, request.near_misses);
            for (doc, _) in (0..)
                .zip(&collection.documents)
                .filter(|(_, one)| one.is_live)
            {
                let (scored, outcome) = scorer.score(doc, text.score(doc));
                scan.offer(scored, outcome);
            }
            let found = search(&text, &collection.order, &request, &scorer);
            let bits = |all: &Scored<()>| (all.doc, all.score.to_bits());
            let (expected, found) = (scan.into_sorted(), found.into_sorted());
            let hits = |of: &[Scored<()>]| of.iter().map(bits).collect::<Vec<_>>();
            assert_eq!(hits(&found.0), hits(&expected.0), "{round}: {request:?}");
            let misses = |of: &[(Scored<()>, Option<u8>)]| {
                let of = of.iter().map(|(scored, why)| (bits(scored), *why));
                of.collect::<Vec<_>>()
            };
            assert_eq!(
                misses(&found.1),
                misses(&expected.1),
                "{round}: {request:?}"
            );
            (0..rng.usize(..12)).for_each(|_| collection.change(&mut rng));
        }
    }
}
