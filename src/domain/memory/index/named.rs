//! Documents by name, as bytes of an image.

use std::collections::HashMap;

use hindlore_topk::{DocId, DocSet, ImageReader, ImageWriter};

/// Writes documents in their order.
pub(super) fn write_docs(image: &mut ImageWriter, docs: impl ExactSizeIterator<Item = DocId>) {
    image.number(docs.len() as u64);
    docs.for_each(|doc| image.number(u64::from(doc)));
}

/// Reads documents.
pub(super) fn read_docs(image: &mut ImageReader<'_>) -> Option<Vec<DocId>> {
    (0..image.count()?).map(|_| image.word()).collect()
}

/// Writes the documents of each name, by name.
pub(super) fn write_names(image: &mut ImageWriter, names: &HashMap<String, Vec<DocId>>) {
    let mut sorted: Vec<_> = names.iter().collect();
    sorted.sort_unstable();
    image.number(sorted.len() as u64);
    for (name, docs) in sorted {
        image.bytes(name.as_bytes());
        write_docs(image, docs.iter().copied());
    }
}

/// Reads the documents of each name.
pub(super) fn read_names(image: &mut ImageReader<'_>) -> Option<HashMap<String, Vec<DocId>>> {
    let names = (0..image.count()?).map(|_| Some((image.text()?.to_owned(), read_docs(image)?)));
    names.collect()
}

/// Writes the sets of each name, by name.
pub(super) fn write_sets(image: &mut ImageWriter, sets: &HashMap<Box<str>, DocSet>) {
    let mut sorted: Vec<_> = sets.iter().collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    image.number(sorted.len() as u64);
    for (name, set) in sorted {
        image.bytes(name.as_bytes());
        set.write(image);
    }
}

/// Reads the sets of each name.
pub(super) fn read_sets(image: &mut ImageReader<'_>) -> Option<HashMap<Box<str>, DocSet>> {
    let sets = (0..image.count()?).map(|_| Some((image.text()?.into(), DocSet::read(image)?)));
    sets.collect()
}
