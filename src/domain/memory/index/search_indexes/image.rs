//! The search indexes of a memory as bytes: those that cost the analysis of every text.
//!
//! The indexes that only a new text needs come later. Until then the changes of texts are noted, and put into them when
//! they come.

use std::sync::OnceLock;

use hindlore_topk::{DocId, DocSet, ImageReader, ImageWriter, InvertedIndex};

use super::{SearchIndexes, Speakers};
use crate::memory::index::facet_index::FacetIndex;
use crate::memory::index::opposites::Opposites;
use crate::memory::index::statements::Statements;
use crate::memory::rank::relevance::Vocabulary;
use hindlore_text::guard::MergeGuard;
use hindlore_text::similar::SimilarityIndex;
use hindlore_text::words::Tokens;

/// Changes noted at most; then the indexes are built when they are needed.
const NOTED_MAX: usize = 4_096;

/// A change of a text that the indexes for new texts do not have yet.
#[derive(Debug)]
pub(super) enum TextChange {
    Removed(DocId, String),
    Inserted(DocId, String),
}

/// The state of the indexes against the image that they came from.
#[derive(Default, Debug)]
pub(super) struct Imaged {
    /// Which indexes the image held.
    held: [bool; 5],
    /// The changes of texts since the image, while its part for new texts is not read.
    noted: Option<Vec<TextChange>>,
}

impl Imaged {
    /// Notes a change of a text.
    pub(super) fn note(&mut self, change: impl FnOnce() -> TextChange) {
        let Some(noted) = &mut self.noted else {
            return;
        };
        noted.push(change());
        if noted.len() > NOTED_MAX {
            self.noted = None;
        }
    }
}

impl SearchIndexes {
    /// Writes the indexes for questions that are built, each after a 1, and a 0 for each of the others.
    pub(crate) fn write_asking(&self, image: &mut ImageWriter) {
        put(image, &self.terms, |image, terms| terms.write(image));
        put(image, &self.classic_words, |image, words| {
            words.write(image)
        });
        put(image, &self.facets, |image, facets| facets.write(image));
        put(image, &self.standing, |image, docs| docs.write(image));
        put(image, &self.speakers, |image, speakers| {
            speakers.write(image)
        });
        let learning = [
            self.similar.get().is_some(),
            self.opposites.get().is_some(),
            self.statements.get().is_some(),
        ];
        image.number(u64::from(learning.contains(&true)));
    }

    /// Writes the indexes for new texts in the same way.
    pub(crate) fn write_learning(&self, image: &mut ImageWriter, guard: &MergeGuard) {
        put(image, &self.similar, |image, (tokens, similar)| {
            image.number(u64::from(*tokens == Tokens::Standard));
            similar.write(image);
        });
        image.bytes(guard.digest().as_bytes());
        put(image, &self.opposites, |image, index| index.write(image));
        put(image, &self.statements, |image, index| index.write(image));
    }

    /// Reads the indexes for questions; `None` if the bytes are of something else.
    pub(crate) fn read_asking(image: &mut ImageReader<'_>) -> Option<Self> {
        let mut indexes = Self {
            terms: get(image, |image| {
                InvertedIndex::read(Vocabulary::SearchTerms, image)
            })?,
            classic_words: get(image, |image| {
                InvertedIndex::read(Vocabulary::ClassicWords, image)
            })?,
            facets: get(image, FacetIndex::read)?,
            standing: get(image, DocSet::read)?,
            speakers: get(image, Speakers::read)?,
            ..Self::default()
        };
        indexes.note_imaged();
        let has_more = image.number()? != 0;
        indexes.imaged.noted = has_more.then(Vec::new);
        Some(indexes)
    }

    /// Returns true if the indexes for new texts are still to be read.
    pub(crate) fn is_detached(&self) -> bool {
        self.imaged.noted.is_some()
    }

    /// Adds the indexes for new texts of an image, with the changes since then. Those that were built meanwhile stay.
    pub(crate) fn attach(&mut self, image: Option<ImageReader<'_>>, guard: &MergeGuard) {
        let noted = self.imaged.noted.take().unwrap_or_default();
        let Some(read) = image.and_then(|image| Self::read_learning(image, guard)) else {
            return;
        };
        let Self {
            similar,
            opposites,
            statements,
            ..
        } = read;
        let held = [
            similar.get().is_some(),
            opposites.get().is_some(),
            statements.get().is_some(),
        ];
        self.imaged.held[2..].copy_from_slice(&held);
        let mut late = Self {
            similar,
            opposites,
            statements,
            ..Self::default()
        };
        for change in noted {
            match change {
                TextChange::Removed(doc, text) => late.remove_learning(doc, &text),
                TextChange::Inserted(doc, text) => late.insert_learning(doc, &text, None),
            }
        }
        fill(&mut self.similar, late.similar);
        fill(&mut self.opposites, late.opposites);
        fill(&mut self.statements, late.statements);
    }

    fn read_learning(mut image: ImageReader<'_>, guard: &MergeGuard) -> Option<Self> {
        let image = &mut image;
        let similar = get(image, |image| {
            let tokens = match image.number()? {
                0 => Tokens::Classic,
                _ => Tokens::Standard,
            };
            Some((tokens, SimilarityIndex::read(image)?))
        })?;
        let has_same_guard = image.text()? == guard.digest();
        let opposites = get(image, |image| Opposites::read(guard, image))?;
        let statements = get(image, Statements::read)?;
        image.is_at_end().then(|| Self {
            similar,
            opposites: if has_same_guard {
                opposites
            } else {
                OnceLock::new()
            },
            statements,
            ..Self::default()
        })
    }

    /// Returns true if an index was built that the image of this memory did not hold.
    pub(crate) fn has_built(&self) -> bool {
        let mut both = self.built().into_iter().zip(self.imaged.held);
        both.any(|(built, held)| built && !held)
    }

    /// Notes that an image holds all indexes that are built.
    pub(crate) fn note_imaged(&mut self) {
        self.imaged.held = self.built();
    }

    /// Returns which of the indexes are built that take long.
    fn built(&self) -> [bool; 5] {
        [
            self.terms.get().is_some(),
            self.classic_words.get().is_some(),
            self.similar.get().is_some(),
            self.opposites.get().is_some(),
            self.statements.get().is_some(),
        ]
    }
}

fn fill<T>(cell: &mut OnceLock<T>, index: OnceLock<T>) {
    if cell.get().is_none() {
        *cell = index;
    }
}

fn put<T>(image: &mut ImageWriter, cell: &OnceLock<T>, write: impl Fn(&mut ImageWriter, &T)) {
    image.number(u64::from(cell.get().is_some()));
    if let Some(index) = cell.get() {
        write(image, index);
    }
}

fn get<T>(
    image: &mut ImageReader<'_>,
    read: impl Fn(&mut ImageReader<'_>) -> Option<T>,
) -> Option<OnceLock<T>> {
    match image.number()? {
        0 => Some(OnceLock::new()),
        _ => read(image).map(OnceLock::from),
    }
}
