//! Vectors of texts by an ONNX model in this process: nothing is sent anywhere.
//!
//! The user brings a folder with three files: the model, its tokenizer, and the shared library of ONNX Runtime, which is
//! loaded when the first text is asked for. A vector is the mean of the model's last layer over the tokens of the text,
//! with length 1, as sentence-transformers makes it.

mod files;
mod local;
mod network;

pub use files::ModelFiles;
pub use local::LocalEmbedder;
