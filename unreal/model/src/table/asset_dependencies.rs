//! How the package depends on others.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::ErrorKind;
use crate::primitive::{Name, array};
use crate::version::UE5;
use crate::version::threshold::ue5;
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// How the package depends on others, from UE4 object version 521.
///
/// Spec: ue4-5/03 §12.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetDependencies {
    /// C++: `ImportUsedInGame`.
    pub import_used_in_game: BitArray,
    /// C++: `SoftPackageUsedInGame`.
    pub soft_package_used_in_game: BitArray,
    /// C++: `ExtraPackageDependencies`.
    #[since(ue5 = ue5::ASSETREGISTRY_PACKAGEBUILDDEPENDENCIES)]
    pub extra_package_dependencies: Vec<PackageDependency>,
}

/// A further package that is depended on.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackageDependency {
    /// The package.
    pub package: Name,
    /// 1 for building, 2 for management.
    pub flags: u32,
}

/// `TBitArray`: i32 number of bits, then as many u32 words as they fill; bit i is bit i % 32 of word
/// i / 32 (spec: ue4-5/01 §5). Bits behind the last one are kept.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct BitArray {
    length: u32,
    words: Vec<u32>,
}

impl BitArray {
    /// Number of bits.
    #[inline]
    pub fn len(&self) -> usize {
        self.length as usize
    }

    /// Whether there are no bits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// One bit.
    #[inline]
    pub fn get(&self, at: usize) -> Option<bool> {
        let word = self.words.get(at / 32)?;
        (at < self.len()).then_some(word >> (at % 32) & 1 != 0)
    }

    /// How many bits are set.
    pub fn count_ones(&self) -> usize {
        let last = self.len() / 32;
        let behind = !(u32::MAX << (self.len() % 32));
        let words = self.words.iter().enumerate().take(last + 1);
        let seen = words.map(|(at, word)| if at == last { word & behind } else { *word });
        seen.map(|word| word.count_ones() as usize).sum()
    }

    /// The places of the bits that are set, in order.
    pub fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        let length = self.len();
        let of_word = |(at, word): (usize, &u32)| {
            let word = *word;
            (0..32).filter(move |bit| word >> bit & 1 != 0).map(move |bit| at * 32 + bit)
        };
        let words = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(of_word).take_while(move |at| *at < length)
    }

    /// Keeps the bits at these places; those behind the others move up.
    pub fn keep(&mut self, mut keeps: impl FnMut(usize) -> bool) {
        let old = std::mem::take(self);
        let bits = (0..old.len()).filter(|at| keeps(*at)).filter_map(|at| old.get(at));
        bits.for_each(|bit| self.push(bit));
    }

    /// Appends a bit; at most `i32::MAX` are kept.
    pub fn push(&mut self, bit: bool) {
        let at = self.len();
        if at >= i32::MAX as usize {
            return;
        }
        if at.is_multiple_of(32) {
            self.words.push(0);
        }
        if let Some(word) = self.words.get_mut(at / 32) {
            *word = *word & !(1 << (at % 32)) | u32::from(bit) << (at % 32);
        }
        self.length += 1;
    }
}

impl Archived for BitArray {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        // Never more than `i32::MAX`: loading and pushing see to it.
        let mut length = self.length as i32;
        in_field("length", ar, |ar| ar.serialize_i32(&mut length))?;
        self.length = u32::try_from(length)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: length.into() }))?;
        let words = self.length.div_ceil(32) as usize;
        in_field("words", ar, |ar| array::elements(&mut self.words, words, ar))
    }
}
