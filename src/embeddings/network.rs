//! The model and its tokenizer, loaded: tokens in, the mean of the last layer out.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use ort::environment::Environment;
use ort::session::Session;
use ort::value::Tensor;
use tokenizers::{Encoding, Tokenizer, TruncationParams};

use super::files::ModelFiles;

/// Tokens of a text that are read, as the model was trained; the passages of the engine are shorter.
const TOKENS_MAX: usize = 256;

/// A loaded model.
pub(crate) struct Network {
    session: Session,
    tokenizer: Tokenizer,
}

impl Network {
    /// Loads the runtime, the model and the tokenizer.
    pub(crate) fn load(files: &ModelFiles) -> Result<Self, String> {
        let named = |path: &Path, error: &dyn std::fmt::Display| {
            format!("`{}` cannot be loaded: {error}", path.display())
        };
        let environment = environment(&files.runtime);
        let environment = environment.map_err(|error| named(&files.runtime, &error))?;
        let unusable = |error: ort::Error| named(&files.model, &error);
        let builder = Session::builder(&environment).map_err(unusable)?;
        // More threads wait for each other by spinning, which is slow wherever others work on the machine.
        let builder = builder.with_intra_threads(1);
        let mut builder = builder.map_err(|error| named(&files.model, &error))?;
        let session = builder.commit_from_file(&files.model).map_err(unusable)?;
        let mut tokenizer = Tokenizer::from_file(&files.tokenizer)
            .map_err(|error| named(&files.tokenizer, &error))?;
        tokenizer.with_padding(None);
        let truncation = TruncationParams {
            max_length: TOKENS_MAX,
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(|error| named(&files.tokenizer, &error))?;
        Ok(Self { session, tokenizer })
    }

    /// Makes a vector of each text. The longest text decides the cost of all.
    pub(crate) fn vectors(&mut self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let read = |text: &String| self.tokenizer.encode(text.as_str(), true);
        let read: Result<Vec<Encoding>, _> = texts.iter().map(read).collect();
        let read = read.map_err(|error| format!("a text cannot be read: {error}"))?;
        self.run(&read)
    }

    fn run(&mut self, texts: &[Encoding]) -> Result<Vec<Vec<f32>>, String> {
        let failed = |error: ort::Error| format!("the model failed: {error}");
        let width = texts.iter().map(|text| text.get_ids().len()).max();
        let width = width.unwrap_or_default();
        let table = |of: &dyn Fn(&Encoding) -> &[u32]| {
            let mut cells = Vec::with_capacity(texts.len() * width);
            for text in texts {
                let own = of(text).iter().map(|one| i64::from(*one));
                cells.extend(own);
                cells.resize(cells.len().next_multiple_of(width.max(1)), 0);
            }
            Tensor::from_array(([texts.len(), width], cells)).map_err(failed)
        };
        let mut inputs = Vec::new();
        for input in self.session.inputs() {
            let tensor = match input.name() {
                "input_ids" => table(&|text| text.get_ids())?,
                "attention_mask" => table(&|text| text.get_attention_mask())?,
                "token_type_ids" => table(&|text| text.get_type_ids())?,
                other => return Err(format!("the model wants `{other}`, which no text has")),
            };
            inputs.push((input.name().to_owned(), tensor));
        }
        let outputs = self.session.run(inputs).map_err(failed)?;
        let last = outputs.iter().next();
        let (_, last) = last.ok_or("the model has no output")?;
        let (shape, cells) = last.try_extract_tensor::<f32>().map_err(failed)?;
        let [_, _, dimension] = shape[..] else {
            return Err("the model makes no vector for each token".to_owned());
        };
        let dimension = usize::try_from(dimension).unwrap_or_default().max(1);
        let of_text = cells.chunks(width * dimension).zip(texts);
        Ok(of_text
            .map(|(cells, text)| mean(cells, dimension, text.get_ids().len()))
            .collect())
    }
}

/// The environment of the runtime. A process has one, by the first library that was loaded.
fn environment(runtime: &Path) -> Result<Environment, String> {
    static LOADED: Mutex<Option<Environment>> = Mutex::new(None);
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(environment) = loaded.as_ref() {
        return Ok(environment.clone());
    }
    let builder = ort::init_from(runtime).map_err(|error| error.to_string())?;
    let environment = builder.build().map_err(|error| error.to_string())?;
    Ok(loaded.insert(environment).clone())
}

/// The mean over the tokens of a text, with length 1.
fn mean(cells: &[f32], dimension: usize, tokens: usize) -> Vec<f32> {
    let mut sum = vec![0.0_f32; dimension];
    for token in cells.chunks(dimension).take(tokens) {
        for (sum, cell) in sum.iter_mut().zip(token) {
            *sum += cell;
        }
    }
    let length = sum.iter().map(|one| one * one).sum::<f32>().sqrt();
    if length > 0.0 {
        sum.iter_mut().for_each(|one| *one /= length);
    }
    sum
}
