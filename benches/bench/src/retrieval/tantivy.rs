//! Rankings by tantivy with its English tokenizer.

use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{
    Field, INDEXED, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value as _,
};
use tantivy::{Index, IndexWriter, TantivyDocument};

use hindlore_text::words::standard_words;

use super::collection::Collection;
use super::measures::{KEPT, Rankings};

const BUFFER_BYTES: usize = 32 << 20;

/// The best texts for each question of a collection.
pub(super) fn rankings(collection: &Collection) -> tantivy::Result<Rankings> {
    let (index, content, place) = indexed(&collection.texts)?;
    let searcher = index.reader()?.searcher();
    let parser = QueryParser::for_index(&index, vec![content]);
    let ranked = |question: &str| -> tantivy::Result<Vec<Vec<usize>>> {
        // Its query language would read signs as operators.
        let words = standard_words(question).join(" ").replace(['\'', ':'], " ");
        let query = parser.parse_query(&words)?;
        let found = searcher.search(&query, &TopDocs::with_limit(KEPT).order_by_score())?;
        let mut places = Vec::new();
        for (_, address) in found {
            let document: TantivyDocument = searcher.doc(address)?;
            let stored = document.get_first(place).and_then(|value| value.as_u64());
            places.extend(stored.map(|stored| vec![stored as usize]));
        }
        Ok(places)
    };
    let questions = collection.questions.iter();
    questions.map(|question| ranked(&question.text)).collect()
}

/// An index in main memory, with the fields of the texts and of their places.
fn indexed(texts: &[String]) -> tantivy::Result<(Index, Field, Field)> {
    let mut schema = Schema::builder();
    let english = TextFieldIndexing::default()
        .set_tokenizer("en_stem")
        .set_index_option(IndexRecordOption::WithFreqs);
    let content = TextOptions::default().set_indexing_options(english);
    let content = schema.add_text_field("content", content);
    let place = schema.add_u64_field("place", INDEXED | STORED);
    let index = Index::create_in_ram(schema.build());
    let mut writer: IndexWriter = index.writer_with_num_threads(1, BUFFER_BYTES)?;
    for (at, text) in texts.iter().enumerate() {
        let mut document = TantivyDocument::default();
        document.add_text(content, text);
        document.add_u64(place, at as u64);
        writer.add_document(document)?;
    }
    writer.commit()?;
    Ok((index, content, place))
}
