//! Attributes of what rules make.

use crate::archive::layout::Layout;
use crate::archive::private::absent;
use crate::archive::{at_index, in_field};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::fixed;
use crate::primitive::{FString, Map, Name, SoftObjectPath, array};
use crate::{Archive, ArchiveExt, Archived, Described};

/// Attributes of points and of what else rules make, by domain; in the form of 5.6 and 5.7.
///
/// C++: `UPCGMetadata`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PcgMetadata {
    /// The domain that the first one stands for.
    pub default_domain: PcgDomainId,
    /// The domains.
    pub domain_ids: Vec<PcgDomainId>,
    /// What each of them has.
    pub domains: Vec<PcgDomain>,
}

/// A domain: all points, or the whole of them. C++: `FPCGMetadataDomainID`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PcgDomainId {
    /// 0: the default one, 1: the whole, 2: points. C++: `EPCGMetadataDomainFlag`.
    pub flag: u8,
    /// Number of a domain of another kind, else -1.
    pub custom_flag: i32,
}

/// The attributes of a domain. C++: `FPCGMetadataDomain`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PcgDomain {
    /// Whether there are any.
    pub is_valid: bool,
    /// The attributes; of the default domain none, since it stands for another one.
    pub attributes: Map<Name, PcgAttribute>,
    /// The entry that each entry comes from.
    pub parent_keys: Vec<i64>,
}

impl Archived for PcgMetadata {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("default_domain", ar, |ar| self.default_domain.serialize(ar))?;
        in_field("domain_ids", ar, |ar| array::counted_i32(&mut self.domain_ids, ar))?;
        in_field("domains", ar, |ar| self.serialize_domains(ar))
    }
}

impl PcgMetadata {
    /// One for each name.
    fn serialize_domains<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = self.domain_ids.len();
        if ar.is_loading() {
            ar.claim(count as u64, size_of::<PcgDomain>())?;
            self.domains = vec![PcgDomain::default(); count];
        }
        if self.domains.len() != count {
            return Err(ar.error(ErrorKind::OutOfRange { value: count as i128, bits: 32 }));
        }
        let pairs = self.domain_ids.iter().zip(&mut self.domains).enumerate();
        for (index, (id, domain)) in pairs {
            at_index(index, ar, |ar| domain.serialize_for(id.flag == 0, ar))?;
        }
        Ok(())
    }
}

impl PcgDomain {
    fn serialize_for<A: Archive + ?Sized>(&mut self, is_default: bool, ar: &mut A) -> Result<()> {
        in_field("is_valid", ar, |ar| self.is_valid.serialize(ar))?;
        if !self.is_valid || is_default {
            absent(&mut self.attributes, ar, "attributes")?;
            return absent(&mut self.parent_keys, ar, "parent_keys");
        }
        in_field("attributes", ar, |ar| self.attributes.serialize(ar))?;
        in_field("parent_keys", ar, |ar| array::counted_i32(&mut self.parent_keys, ar))
    }
}

/// An attribute. C++: `FPCGMetadataAttribute`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PcgAttribute {
    /// The type of its values. C++: `EPCGMetadataTypes`.
    pub kind: i32,
    /// The value that each entry has, by number.
    pub values_by_entry: Map<i64, i32>,
    /// The attribute that it comes from; -1 for none.
    pub parent: i32,
    /// Its name.
    pub name: Name,
    /// Its number.
    pub attribute_id: i32,
    /// The values.
    pub values: PcgValues,
    /// The value of entries that have none.
    pub default_value: PcgValues,
}

impl Archived for PcgAttribute {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("kind", ar, |ar| ar.serialize_i32(&mut self.kind))?;
        in_field("values_by_entry", ar, |ar| self.values_by_entry.serialize(ar))?;
        in_field("parent", ar, |ar| ar.serialize_i32(&mut self.parent))?;
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("attribute_id", ar, |ar| ar.serialize_i32(&mut self.attribute_id))?;
        let kind = self.kind;
        in_field("values", ar, |ar| {
            let count = self.values.count(kind);
            let count = in_field("count", ar, |ar| array::serialize_i32_count(count, ar))?;
            self.values.serialize_as(kind, count, ar)
        })?;
        in_field("default_value", ar, |ar| self.default_value.serialize_as(kind, 1, ar))
    }
}

/// Values of one type: the list of that type has them, the others are empty.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PcgValues {
    /// Numbers of 32 bits.
    pub floats: Vec<f32>,
    /// Numbers of 64 bits: two to four of points, angles and rotations, ten of transforms.
    pub doubles: Vec<f64>,
    /// Whole numbers of 32 bits.
    pub integers: Vec<i32>,
    /// Whole numbers of 64 bits.
    pub longs: Vec<i64>,
    /// Texts.
    pub strings: Vec<FString>,
    /// Bools.
    pub bools: Vec<bool>,
    /// Names.
    pub names: Vec<Name>,
    /// Paths, as rows of the package's list of them.
    pub paths: Vec<PcgPath>,
}

/// A path, as a row of the package's list of soft paths.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PcgPath {
    /// The row.
    pub row: i32,
}

impl Archived for PcgPath {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("row", ar, |ar| SoftObjectPath::row(&mut self.row, ar))
    }
}

/// The list that has the values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PcgList {
    Floats,
    Doubles,
    Integers,
    Longs,
    Strings,
    Bools,
    Names,
    Paths,
}

impl PcgList {
    /// The list of a type, and how many numbers a value has.
    fn of(kind: i32) -> Option<(Self, usize)> {
        Some(match kind {
            0 => (Self::Floats, 1),
            1 => (Self::Doubles, 1),
            2 => (Self::Integers, 1),
            3 => (Self::Longs, 1),
            4 => (Self::Doubles, 2),
            5 | 11 => (Self::Doubles, 3),
            6 | 7 => (Self::Doubles, 4),
            8 => (Self::Doubles, 10),
            9 => (Self::Strings, 1),
            10 => (Self::Bools, 1),
            12 => (Self::Names, 1),
            13 | 14 => (Self::Paths, 1),
            _ => return None,
        })
    }
}

impl PcgValues {
    /// Values of this type.
    fn count(&self, kind: i32) -> usize {
        let Some((list, parts)) = PcgList::of(kind) else { return 0 };
        let length = match list {
            PcgList::Floats => self.floats.len(),
            PcgList::Doubles => self.doubles.len(),
            PcgList::Integers => self.integers.len(),
            PcgList::Longs => self.longs.len(),
            PcgList::Strings => self.strings.len(),
            PcgList::Bools => self.bools.len(),
            PcgList::Names => self.names.len(),
            PcgList::Paths => self.paths.len(),
        };
        length.checked_div(parts).unwrap_or_default()
    }

    fn serialize_as<A: Archive + ?Sized>(
        &mut self,
        kind: i32,
        count: usize,
        ar: &mut A,
    ) -> Result<()> {
        let Some((list, parts)) = PcgList::of(kind) else {
            return Err(ar.error(ErrorKind::NonCanonical { form: "an attribute of unknown type" }));
        };
        let count = count.saturating_mul(parts);
        macro_rules! list {
            ($($name:ident $kind:ident)*) => { $(match list == PcgList::$kind {
                true => in_field(stringify!($name), ar, |ar| fixed(&mut self.$name, count, ar))?,
                false => absent(&mut self.$name, ar, stringify!($name))?,
            })* };
        }
        list!(floats Floats doubles Doubles integers Integers longs Longs);
        list!(strings Strings bools Bools names Names paths Paths);
        Ok(())
    }
}
