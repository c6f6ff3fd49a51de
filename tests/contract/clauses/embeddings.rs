//! Embeddings: batches of vectors come in the order of their numbers, by scope, bit for bit.

use hindlore_domain::memory::content::ContentHash;
use hindlore_domain::memory::content::vectors::{Heading, PackedVector};
use hindlore_store::records::Scan;
use hindlore_store::records::embedding::{
    BATCH_MAX, BY_SERIAL, EMBEDDING, EMBEDDING_VERSION, EmbeddedText, EmbeddingBatch,
    EmbeddingModelRow, embedding_model_key, embeddings_after,
};

use crate::subject::Subject;

const DIMENSION: usize = 384;

/// A batch as large as they come, with vectors of every byte.
fn batch(scope: &str, serial: i64) -> EmbeddingBatch {
    let vector = |seed: usize| {
        let component = |at: usize| ((at * 7 + seed) % 255) as f32 - 127.0;
        PackedVector::pack(&(0..DIMENSION).map(component).collect::<Vec<_>>()).unwrap()
    };
    let text = |number: usize| EmbeddedText {
        text: ContentHash([number as u8; 32]),
        heading: Heading::of((number.is_multiple_of(2)).then_some("Tests")),
        passages: (0..=number % 3).map(|part| vector(number + part)).collect(),
    };
    EmbeddingBatch {
        scope: scope.to_owned(),
        serial,
        texts: (0..BATCH_MAX).map(text).collect(),
    }
}

pub(crate) async fn vectors_come_back_in_order_by_scope(subject: &Subject) {
    let owner = subject.owner("l");
    let model = EmbeddingModelRow {
        scope: "shop".to_owned(),
        model: "all-MiniLM-L6-v2".to_owned(),
        dimension: DIMENSION as u32,
        version: EMBEDDING_VERSION,
        draw: "em_1".to_owned(),
        serial: 12,
    };
    // Longer, so that its keys begin like those of the other scope.
    let elsewhere = batch("shop-2", 2);
    let written = [batch("shop", 12), batch("shop", 2), elsewhere.clone()];
    let mut records = vec![model.to_record()];
    records.extend(written.iter().map(EmbeddingBatch::to_record));
    subject.put(&owner, &records).await.unwrap();
    let after = async |scope: &str, serial| {
        let scan = Scan {
            kind: &EMBEDDING,
            order: BY_SERIAL,
            range: embeddings_after(scope, serial),
            limit: 9,
        };
        let page = subject.store.scan_records(&owner, scan).await.unwrap();
        let rows = page.iter().map(EmbeddingBatch::from_record);
        rows.collect::<Result<Vec<_>, _>>().unwrap()
    };
    assert_eq!(
        after("shop", 0).await,
        [batch("shop", 2), batch("shop", 12)]
    );
    assert_eq!(after("shop", 2).await, [batch("shop", 12)]);
    assert_eq!(after("shop", 12).await, []);
    let key = embedding_model_key("shop");
    let found = subject
        .store
        .records(&owner, std::slice::from_ref(&key))
        .await
        .unwrap();
    assert_eq!(EmbeddingModelRow::from_record(&found[0]), Ok(model));
    let dropped = [key, batch("shop", 2).key(), batch("shop", 12).key()];
    subject.delete(&owner, &dropped).await.unwrap();
    assert_eq!(after("shop", 0).await, []);
    assert_eq!(after("shop-2", 0).await, [elsewhere]);
}
