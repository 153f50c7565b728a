//! Texts of Mass Effect 1 in a language.

use crate::Archived;
use crate::primitive::{Map, Name, PackageIndex, Payload};

/// Texts by number, packed with Huffman's code. C++: `UBioTlkFile`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BioTlkFile {
    /// A hash table of texts by number.
    pub texts: Vec<TlkText>,
    /// The code: a tree whose root comes first.
    pub nodes: Vec<TlkNode>,
    /// The packed texts.
    pub strings: Vec<TlkString>,
}

/// A place of the hash table.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TlkText {
    /// The number that scripts use; 0 for none.
    pub id: i32,
    /// 1 where there is a text.
    pub flags: i32,
    /// The packed text; -1 for an empty one.
    pub index: i32,
}

/// A node of the code.
#[derive(Archived, Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum TlkNode {
    /// Two nodes: for a bit that is set, and for one that is not.
    Inner {
        /// The node for a bit that is set.
        left: u16,
        /// The node for a bit that is not set.
        right: u16,
    },
    /// A character.
    Leaf {
        /// In UTF-16.
        character: u16,
    },
}

impl Default for TlkNode {
    fn default() -> Self {
        Self::Leaf { character: 0 }
    }
}

/// A packed text.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TlkString {
    /// Its characters, with the zero behind them.
    pub length: i32,
    /// The bits, lowest first.
    pub bits: Payload<1>,
}

/// The files of texts by language. C++: `UBioTlkFileSet`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BioTlkFileSet {
    /// Texts for a man and a woman as the hero.
    pub files: Map<Name, Vec<PackageIndex>>,
}
