//! Texts without the texts: what is compared by text is many, and is held as two keyed hashes each.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Hashes of texts whose letters may be of any case. No input can hold two texts of one hash: the keys are new
/// in each run.
#[derive(Default)]
pub(super) struct TextHasher([RandomState; 2]);

impl TextHasher {
    /// The hash of a text in parts.
    pub fn of(&self, parts: &[&str]) -> u128 {
        let one = |state: &RandomState| {
            let mut hasher = state.build_hasher();
            for part in parts {
                let (words, rest) = part.as_bytes().as_chunks::<8>();
                for word in words {
                    hasher.write(&word.map(|byte| byte.to_ascii_lowercase()));
                }
                rest.iter().for_each(|byte| hasher.write_u8(byte.to_ascii_lowercase()));
                hasher.write_u8(0xff);
            }
            hasher.finish()
        };
        let [first, second] = &self.0;
        u128::from(one(first)) << 64 | u128::from(one(second))
    }

    /// The hash of bytes as they are.
    pub fn of_bytes(&self, bytes: &[u8]) -> u128 {
        let [first, second] = self.0.each_ref().map(|state| state.hash_one(bytes));
        u128::from(first) << 64 | u128::from(second)
    }
}

/// Numbers for texts, the same for the same text.
#[derive(Default)]
pub(super) struct TextNumbers {
    hasher: TextHasher,
    known: HashMap<u128, i32>,
}

impl TextNumbers {
    /// From 1 on.
    pub fn of(&mut self, text: &str) -> i32 {
        let next = i32::try_from(self.known.len() + 1).unwrap_or(i32::MAX);
        *self.known.entry(self.hasher.of(&[text])).or_insert(next)
    }
}
