//! Rows of tantivy: a search engine library in the same process and language.

use std::time::Instant;

use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{Field, STORED, Schema, TEXT, Value as _};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument};

use crate::error::EvalError;
use crate::report::{Ratio, Report, Row};
use crate::samples::Samples;
use hindlore_text::words::standard_words;

use super::calls::{add, ask};
use super::fill::{Filled, failed};
use super::texts::Texts;

const BUFFER_BYTES: usize = 64 << 20;
const WHAT: &str =
    "index in main memory; an add is a commit and a reload, as a reader needs to see it";

/// An index over texts, with the parts that adding and asking need.
struct Peer {
    index: Index,
    writer: IndexWriter,
    reader: IndexReader,
    field: Field,
}

/// The rows of one size.
pub(super) async fn rows(filled: &Filled, report: &mut Report) -> Result<(), EvalError> {
    let mut peer = Peer::new(&filled.texts).map_err(failed)?;
    let mut source = Texts::new(96);
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    let (mut adds, mut added) = (Vec::new(), Vec::new());
    for call in 0..60 {
        let question = filled.question(call);
        asked.push(ask(filled, question).await?);
        answered.push(peer.query(question).map_err(failed)?);
        if call % 6 == 0 {
            let text = source.text();
            adds.push(add(filled, &text, &format!("tantivy-{call}")).await?);
            added.push(peer.add(&text).map_err(failed)?);
        }
    }
    for (verb, ours, theirs) in [("query", asked, answered), ("add", adds, added)] {
        report.push(
            Row::measured(
                format!("{verb} beside tantivy"),
                Samples::new(ours).p50(),
                "s",
            )
            .of_size(filled.texts.len() as u64)
            .beside("tantivy", Samples::new(theirs).p50(), Ratio::TheirsToOurs)
            .with_note(WHAT),
        );
    }
    Ok(())
}

impl Peer {
    fn new(texts: &[String]) -> tantivy::Result<Self> {
        let mut schema = Schema::builder();
        let field = schema.add_text_field("content", TEXT | STORED);
        let index = Index::create_in_ram(schema.build());
        let mut writer: IndexWriter = index.writer_with_num_threads(1, BUFFER_BYTES)?;
        for text in texts {
            writer.add_document(document(field, text))?;
        }
        writer.commit()?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let reader = reader.try_into()?;
        Ok(Self {
            index,
            writer,
            reader,
            field,
        })
    }

    /// Finds ten texts and reads them; gives the seconds.
    fn query(&self, question: &str) -> tantivy::Result<f64> {
        // Its query language would read signs as operators.
        let words = standard_words(question).join(" ").replace(['\'', ':'], " ");
        let started = Instant::now();
        let query = QueryParser::for_index(&self.index, vec![self.field]).parse_query(&words)?;
        let searcher = self.reader.searcher();
        let found = searcher.search(&query, &TopDocs::with_limit(10).order_by_score())?;
        for (_, address) in found {
            let document: TantivyDocument = searcher.doc(address)?;
            std::hint::black_box(
                document
                    .get_first(self.field)
                    .and_then(|value| value.as_str()),
            );
        }
        Ok(started.elapsed().as_secs_f64())
    }

    /// Adds a text so that the next query sees it; gives the seconds.
    fn add(&mut self, text: &str) -> tantivy::Result<f64> {
        let started = Instant::now();
        self.writer.add_document(document(self.field, text))?;
        self.writer.commit()?;
        self.reader.reload()?;
        Ok(started.elapsed().as_secs_f64())
    }
}

fn document(field: Field, text: &str) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(field, text);
    document
}
