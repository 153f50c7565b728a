//! The header before the values of an unversioned list: which properties have values.

use crate::archive::{Counter, Keyed, Step, at_index};
use crate::error::Result;
use crate::{Archive, ArchiveExt, Archived};

/// Properties that one fragment can pass over, or give values to.
const MOST: u16 = 127;
/// Bits of the mask belong to the fragment.
const HAS_ZEROS: u16 = 1 << 7;
/// The last fragment.
const LAST: u16 = 1 << 8;

/// Fragments, and a mask of the values that are zero.
///
/// | bits of a fragment | meaning |
/// |---|---|
/// | 0 to 6 | properties passed over |
/// | 7 | the mask has bits for this fragment |
/// | 8 | last |
/// | 9 to 15 | properties that have values |
///
/// The mask has a bit for each value of such fragments: one byte for up to 8, two for up to 16, else
/// whole words of four bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnversionedHeader {
    fragments: Vec<u16>,
    mask: Vec<u32>,
}

impl UnversionedHeader {
    fn mask_bits(&self) -> usize {
        let masked = self.fragments.iter().filter(|fragment| **fragment & HAS_ZEROS != 0);
        masked.map(|fragment| usize::from(fragment >> 9)).sum()
    }

    /// The properties that have values, and whether they are zero.
    pub fn slots(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let (mut slot, mut bit) = (0_u32, 0_usize);
        self.fragments.iter().flat_map(move |&fragment| {
            slot += u32::from(fragment & MOST);
            let first = slot;
            let count = u32::from(fragment >> 9);
            slot += count;
            let masked = fragment & HAS_ZEROS != 0;
            let first_bit = bit;
            bit += if masked { count as usize } else { 0 };
            (0..count).map(move |at| {
                let bit = first_bit + at as usize;
                let word = self.mask.get(bit / 32).copied().unwrap_or(0);
                (first + at, masked && word >> (bit % 32) & 1 != 0)
            })
        })
    }

    /// Whether it is as the engine would write it.
    pub fn is_usual(&self) -> bool {
        Self::default().describing(self.slots().collect::<Vec<_>>().into_iter()) == *self
    }

    /// Passes over it in an archive whose keys say the same.
    pub fn follows<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut counter = Counter::new(ar.versions().clone());
        self.serialize(&mut counter)?;
        ar.step(Step::Keyed(Keyed::Follows(counter.length())));
        Ok(())
    }

    /// The stored header, if it says the same, else one as the engine would write it.
    pub fn describing(&self, slots: impl Iterator<Item = (u32, bool)> + Clone) -> Self {
        if !self.fragments.is_empty() && self.slots().eq(slots.clone()) {
            return self.clone();
        }
        let mut made = Self::default();
        let mut zeros: Vec<bool> = Vec::new();
        let mut skip = 0;
        let mut values: Vec<bool> = Vec::new();
        let mut next = 0_u32;
        for (slot, zero) in slots {
            let mut gap = slot.saturating_sub(next);
            if gap > 0 || values.len() == usize::from(MOST) {
                made.push(skip, &mut values, &mut zeros);
                while gap > u32::from(MOST) {
                    made.fragments.push(MOST);
                    gap -= u32::from(MOST);
                }
                skip = gap as u16;
            }
            values.push(zero);
            next = slot + 1;
        }
        made.push(skip, &mut values, &mut zeros);
        if made.fragments.is_empty() {
            made.fragments.push(0);
        }
        if let Some(last) = made.fragments.last_mut() {
            *last |= LAST;
        }
        made.mask = vec![0; zeros.len().div_ceil(32)];
        for (bit, zero) in zeros.iter().enumerate() {
            made.mask[bit / 32] |= u32::from(*zero) << (bit % 32);
        }
        made
    }

    /// One fragment that passes over `skip` properties and gives values to the next.
    fn push(&mut self, skip: u16, values: &mut Vec<bool>, zeros: &mut Vec<bool>) {
        if skip == 0 && values.is_empty() {
            return;
        }
        let any = values.iter().any(|zero| *zero);
        let flag = if any { HAS_ZEROS } else { 0 };
        self.fragments.push(skip | flag | (values.len() as u16) << 9);
        if any {
            zeros.append(values);
        }
        values.clear();
    }
}

impl Archived for UnversionedHeader {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            self.fragments.clear();
            self.mask.clear();
            let mut fragment = 0_u16;
            while fragment & LAST == 0 {
                let index = self.fragments.len();
                ar.claim(1, size_of::<u16>())?;
                at_index(index, ar, |ar| fragment.serialize(ar))?;
                self.fragments.push(fragment);
            }
            self.mask = vec![0; self.mask_bits().div_ceil(32)];
        } else {
            u16::serialize_slice(&mut self.fragments, ar)?;
        }
        match (self.mask_bits(), self.mask.first_mut()) {
            (1..=8, Some(word)) => {
                let mut narrow = *word as u8;
                ar.serialize_u8(&mut narrow)?;
                *word = narrow.into();
            }
            (9..=16, Some(word)) => {
                let mut narrow = *word as u16;
                ar.serialize_u16(&mut narrow)?;
                *word = narrow.into();
            }
            _ => u32::serialize_slice(&mut self.mask, ar)?,
        }
        Ok(())
    }
}
