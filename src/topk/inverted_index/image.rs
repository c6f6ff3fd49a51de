//! An inverted index as bytes.

use super::passages::Passage;
use super::{InvertedIndex, PostingList, Postings, Repeats};
use crate::DocSet;
use crate::image::{ImageReader, ImageWriter, read_pairs, write_pairs};
use crate::term_interner::TermInterner;

impl<A> InvertedIndex<A> {
    /// Writes the index, all but its analyzer.
    pub fn write(&self, image: &mut ImageWriter) {
        self.postings.write(image);
    }

    /// Reads an index that was built with an equal analyzer; `None` if the bytes are of something else.
    pub fn read(analyzer: A, image: &mut ImageReader<'_>) -> Option<Self> {
        let postings = Postings::read(image)?;
        Some(Self { analyzer, postings })
    }
}

impl Postings {
    fn write(&self, image: &mut ImageWriter) {
        self.terms.write(image);
        self.lists.iter().for_each(|list| list.write(image));
        image.number(self.unused as u64);
        image.number(self.lengths.len() as u64);
        let lengths = self.lengths.iter();
        lengths.for_each(|length| image.number(u64::from(*length)));
        image.number(self.long.len() as u64);
        let mut long: Vec<_> = self.long.iter().collect();
        long.sort_unstable_by_key(|(doc, _)| **doc);
        for (doc, passages) in long {
            image.number(u64::from(*doc));
            image.number(passages.len() as u64);
            for passage in passages {
                image.number(u64::from(passage.length));
                write_pairs(image, &passage.terms);
            }
        }
        image.number(self.documents);
        image.number(self.passages);
        image.number(self.total_length);
        image.number(u64::from(self.longest));
    }

    fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let terms = TermInterner::read(image)?;
        let numbers = 0..terms.numbers();
        let lists = numbers.map(|_| PostingList::read(image));
        let lists = lists.collect::<Option<_>>()?;
        let unused = usize::try_from(image.number()?).ok()?;
        let count = image.count()?;
        let lengths = (0..count).map(|_| image.word());
        let lengths = lengths.collect::<Option<_>>()?;
        let count = image.count()?;
        let long = (0..count).map(|_| {
            let doc = image.word()?;
            let count = image.count()?;
            let passages = (0..count).map(|_| {
                let length = image.word()?;
                let terms = read_pairs(image)?.into_boxed_slice();
                Some(Passage { length, terms })
            });
            Some((doc, passages.collect::<Option<_>>()?))
        });
        Some(Self {
            terms,
            lists,
            unused,
            lengths,
            long: long.collect::<Option<_>>()?,
            documents: image.number()?,
            passages: image.number()?,
            total_length: image.number()?,
            longest: image.word()?,
        })
    }
}

impl PostingList {
    fn write(&self, image: &mut ImageWriter) {
        self.docs.write(image);
        image.number(u64::from(self.shortest));
        image.number(u64::from(self.repeats.is_some()));
        if let Some(repeats) = &self.repeats {
            repeats.docs.write(image);
            write_pairs(image, &repeats.frequent);
            image.number(u64::from(repeats.most));
        }
    }

    fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let docs = DocSet::read(image)?;
        let shortest = image.word()?;
        let mut list = Self {
            docs,
            shortest,
            repeats: None,
        };
        if image.number()? != 0 {
            list.repeats = Some(Box::new(Repeats {
                docs: DocSet::read(image)?,
                frequent: read_pairs(image)?,
                most: image.word()?,
            }));
        }
        Some(list)
    }
}
