//! Sets as bytes: documents that fit inline one by one, others block by block in the form that they have in process.

use super::container::Container;
use super::{Block, Blocks, DocSet, Form, INLINE};
use crate::image::{ImageReader, ImageWriter};

/// Forms of a container.
const ARRAY: u64 = 0;
const BITMAP: u64 = 1;

impl DocSet {
    /// Writes the set.
    pub fn write(&self, image: &mut ImageWriter) {
        match &self.0 {
            Form::Inline(len, docs) => {
                image.number(u64::from(*len));
                let docs = &docs[..usize::from(*len)];
                docs.iter().for_each(|doc| image.number(u64::from(*doc)));
            }
            Form::Blocks(blocks) => {
                // Counts above those of an inline set.
                image.number((INLINE + blocks.blocks.len()) as u64);
                for block in &blocks.blocks {
                    image.number(u64::from(block.high));
                    block.container.write(image);
                }
            }
        }
    }

    /// Reads a set; `None` if the bytes are of something else.
    pub fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        let count = usize::try_from(image.number()?).ok()?;
        if count <= INLINE {
            let mut docs = [0; INLINE];
            for doc in &mut docs[..count] {
                *doc = image.word()?;
            }
            return Some(Self(Form::Inline(count as u8, docs)));
        }
        let mut blocks = Blocks::default();
        for _ in 0..count - INLINE {
            let high = image.number()?.try_into().ok()?;
            let container = Container::read(image)?;
            blocks.len += container.len();
            blocks.blocks.push(Block { high, container });
        }
        Some(Self(Form::Blocks(Box::new(blocks))))
    }
}

impl Container {
    fn write(&self, image: &mut ImageWriter) {
        match self {
            Self::Array(lows) => {
                image.number(ARRAY);
                image.shorts(lows);
            }
            Self::Bitmap(words, _) => {
                image.number(BITMAP);
                image.longs(words);
            }
        }
    }

    fn read(image: &mut ImageReader<'_>) -> Option<Self> {
        match image.number()? {
            ARRAY => image.shorts().map(Self::Array),
            BITMAP => {
                let words = image.longs()?;
                let count = words.iter().map(|word| word.count_ones()).sum();
                Some(Self::Bitmap(words, count))
            }
            _ => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Array(lows) => lows.len(),
            Self::Bitmap(_, count) => *count as usize,
        }
    }
}
