//! Random values of the primitives, and what the specification says a version has no place for.

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;
use unreal_packages::primitive::{
    Encoding, ExportFlags, NameFlags, NameRemap, ObjectFlags, PackageFlags, WideIndex, array,
    boolean,
};
use unreal_packages::property::PackageContext;
use unreal_packages::table::*;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{
    Archive, Archived, ByteOrder, CompactIndex, FString, Game, Guid, Index, Map, Name,
    PackageIndex, Span, Versions,
};

use crate::common::load;

/// A type under test.
pub trait Sample: Archived + Default + Clone + PartialEq + Debug + Send + Sync + 'static {
    /// Any value, whether or not the version has a place for all of it.
    fn any(versions: &Versions) -> BoxedStrategy<Self>;

    /// Clears what the version has no place for. Written from the specification, with its numbers, so
    /// that a wrong bound in the library shows.
    fn fit(&mut self, _: &Versions) {}
}

pub fn int() -> impl Strategy<Value = i32> + Clone {
    let edges =
        [0, 1, -1, 63, 64, -64, 8191, 8192, 1 << 20, 1 << 27, i32::MAX, i32::MIN, -i32::MAX];
    prop_oneof![3 => 0..200i32, 1 => proptest::sample::select(edges.to_vec()), 1 => any::<i32>()]
}

/// Half of all values are the default, so that every combination of absent fields is met.
pub fn gated<T: Debug + Default + Clone + 'static>(
    s: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<T> {
    prop_oneof![1 => Just(T::default()), 1 => s].boxed()
}

/// One to five bytes that hold a compact index, often in a form that no engine writes.
pub fn compact_bytes() -> impl Strategy<Value = Vec<u8>> {
    (1usize..=5, any::<[u8; 5]>()).prop_map(|(length, mut bytes)| {
        for (at, byte) in bytes.iter_mut().enumerate().take(4) {
            let more = if at == 0 { 0x40 } else { 0x80 };
            *byte = if at + 1 < length { *byte | more } else { *byte & !more };
        }
        bytes[..length].to_vec()
    })
}

/// An index as a file of version 69 may hold it: its odd form is kept.
fn odd<T: Archived + Default + Debug>() -> impl Strategy<Value = T> {
    let classic = Versions::ue1_to_3(69, 0);
    compact_bytes().prop_map(move |bytes| load::<T>(&bytes, &classic).unwrap().0)
}

macro_rules! plain {
    ($($type:ty = $strategy:expr;)*) => { $(
        impl Sample for $type {
            fn any(_: &Versions) -> BoxedStrategy<Self> {
                $strategy.boxed()
            }
        }
    )* };
}

plain! {
    u8 = any::<u8>();
    i8 = any::<i8>();
    u16 = any::<u16>();
    i16 = any::<i16>();
    u32 = any::<u32>();
    i32 = int();
    u64 = any::<u64>();
    i64 = any::<i64>();
    bool = any::<bool>();
    (u8, i8) = any::<(u8, i8)>();
    (u16, i16) = any::<(u16, i16)>();
    (u32, i32) = any::<(u32, i32)>();
    (u64, i64) = any::<(u64, i64)>();
    CompactIndex = prop_oneof![int().prop_map(CompactIndex::new), odd()];
    Index = prop_oneof![int().prop_map(Index::new), odd()];
    PackageIndex = prop_oneof![int().prop_map(PackageIndex::new), odd()];
    Guid = any::<[u32; 4]>().prop_map(|[a, b, c, d]| Guid::new(a, b, c, d));
    PackageFlags = any::<u32>().prop_map(PackageFlags);
    ExportFlags = any::<u32>().prop_map(ExportFlags);
    TextureAllocation = (
        int(), int(), int(), int(), any::<u32>(), vec(int().prop_map(PackageIndex::new), 0..4),
    ).prop_map(
        |(size_x, size_y, num_mips, format, tex_create_flags, export_indices)| TextureAllocation {
            size_x, size_y, num_mips, format, tex_create_flags, export_indices,
        });
    CompressedChunk = any::<[i32; 4]>().prop_map(|[a, b, c, d]| CompressedChunk {
        uncompressed_offset: a, uncompressed_size: b, compressed_offset: c, compressed_size: d,
    });
    DependsRow = vec(int().prop_map(PackageIndex::new), 0..5).prop_map(|objects| DependsRow { objects });
    ExportGuid = (any::<[u32; 4]>(), int()).prop_map(|([a, b, c, d], object)| ExportGuid {
        guid: Guid::new(a, b, c, d), object,
    });
    ThumbnailImage = (int(), int(), vec(any::<u8>(), 0..40)).prop_map(|(width, height, bytes)| {
        ThumbnailImage { width, height, image: Span::owned(bytes) }
    });
    Tag = any::<bool>().prop_map(|killing_floor| Tag { killing_floor });
}

/// Floating point numbers by their bits: a NaN must come back as it was.
#[derive(Clone, Default, unreal_packages::Archived)]
pub struct Floats(pub f32, pub f64);

impl Floats {
    fn bits(&self) -> (u32, u64) {
        (self.0.to_bits(), self.1.to_bits())
    }
}

impl PartialEq for Floats {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Debug for Floats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:x?}", self.bits())
    }
}

impl Sample for Floats {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        any::<(u32, u64)>().prop_map(|(a, b)| Self(f32::from_bits(a), f64::from_bits(b))).boxed()
    }
}

/// Everything that is reached through `with` only.
#[derive(Clone, Default, PartialEq, Debug, unreal_packages::Archived)]
pub struct With {
    #[archive(with = boolean::byte)]
    flag: bool,
    #[archive(with = FString::terminated)]
    text: FString,
    #[archive(with = PackageIndex::fixed)]
    fixed: PackageIndex,
    #[archive(with = array::counted_i32)]
    signed: Vec<u16>,
    #[archive(with = array::counted_u32)]
    unsigned: Vec<Name>,
    #[archive(with = by_fixed)]
    by: Vec<PackageIndex>,
}

fn by_fixed<A: Archive + ?Sized>(
    values: &mut Vec<PackageIndex>,
    ar: &mut A,
) -> unreal_packages::Result<()> {
    array::counted_i32_by(values, ar, PackageIndex::fixed)
}

impl Sample for With {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let names = vec(Name::any(versions), 0..4);
        let objects = vec(int().prop_map(PackageIndex::new), 0..4);
        (any::<bool>(), terminated(), int(), vec(any::<u16>(), 0..4), names, objects)
            .prop_map(|(flag, text, fixed, signed, unsigned, by)| Self {
                flag,
                text,
                fixed: PackageIndex::new(fixed),
                signed,
                unsigned,
                by,
            })
            .boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        self.unsigned.fit(versions);
    }
}

/// A number of one of the three widths, sometimes in a form that no engine writes.
impl Sample for WideIndex {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        let small = prop_oneof![1 => Just(0), 3 => int()].prop_map(WideIndex::from);
        prop_oneof![4 => small, 2 => odd(), 1 => any::<i64>().prop_map(WideIndex::new)].boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        if versions.ue4() < 511 {
            self.set((self.value() as i32).into());
        }
    }
}

/// A list with an element at least, so that the default of the list is not all there is.
impl<T: Sample> Sample for Vec<T> {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        vec(T::any(versions), 0..6).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        self.iter_mut().for_each(|value| value.fit(versions));
    }
}

impl<K: Sample, V: Sample> Sample for Map<K, V> {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        vec((K::any(versions), V::any(versions)), 0..5).prop_map(Map).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        for (key, value) in &mut self.0 {
            key.fit(versions);
            value.fit(versions);
        }
    }
}

/// Tuples of each length, fixed arrays and a box.
pub type Composite = (Box<Name>, ([i32; 3], [u8; 5]), (i64, u8, Guid), (u8, u16, u32, u64));

impl Sample for Composite {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let name = Name::any(versions).prop_map(Box::new);
        let small = (any::<i64>(), any::<u8>(), Guid::any(versions));
        (name, any::<([i32; 3], [u8; 5])>(), small, any::<(u8, u16, u32, u64)>()).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        self.0.fit(versions);
    }
}

impl Sample for ObjectFlags {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        prop_oneof![any::<u32>().prop_map(u64::from), any::<u64>()].prop_map(Self).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        if versions.file() < 195 || versions.ue4() > 0 {
            self.0 &= 0xffff_ffff;
        }
    }
}

impl Sample for NameFlags {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        prop_oneof![any::<u32>().prop_map(u64::from), any::<u64>()].prop_map(Self).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        if versions.file() < 195 || versions.game() == Game::MassEffect2 || versions.ue4() > 0 {
            self.0 &= 0xffff_ffff;
        }
    }
}

impl Sample for Name {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        let index = prop_oneof![int().prop_map(Index::new), odd()];
        (index, gated(int())).prop_map(|(index, number)| Self { index, number }).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        if versions.file() < 343 {
            self.number = 0;
        }
    }
}

/// A name's text below version 64: no length, no zero inside.
pub fn terminated() -> BoxedStrategy<FString> {
    vec(1..=255u8, 0..12).prop_map(|bytes| FString::from_bytes(bytes, Encoding::Ansi)).boxed()
}

/// Strings in every form that a file of this version can hold: built as bytes, then loaded.
impl Sample for FString {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let versions = versions.clone();
        let new = ".{0,6}";
        let parts = (vec(any::<u16>(), 0..8), any::<bool>(), any::<bool>(), 0usize..3);
        let stored = parts.prop_map({
            let versions = versions.clone();
            move |(mut units, wide, terminated, longer)| {
                if terminated {
                    units.push(0);
                }
                let bytes = string_bytes(&units, wide, longer, &versions);
                let (mut string, used) = load::<Self>(&bytes, &versions).unwrap();
                assert_eq!(used, bytes.len());
                own(&mut string, &bytes, &versions);
                string
            }
        });
        let made =
            new.prop_map(move |text| Self::new_in(&text, versions.byte_order, versions.game()));
        prop_oneof![1 => made, 3 => stored].boxed()
    }
}

/// A string as the specification (ue1-3/01 §1.2) says it is stored; `longer` bytes are wasted on the
/// length where it is compact.
fn string_bytes(units: &[u16], wide: bool, longer: usize, versions: &Versions) -> Vec<u8> {
    let count = units.len() as u8;
    let mut bytes = Vec::new();
    if versions.file() < 178 {
        let sign = if wide && count > 0 { 0x80 } else { 0 };
        bytes.push(count | sign | if longer > 0 { 0x40 } else { 0 });
        bytes.extend((1..=longer).map(|at| if at < longer { 0x80 } else { 0 }));
    } else {
        let length = if wide { -i32::from(count) } else { i32::from(count) };
        match versions.byte_order {
            ByteOrder::Little => bytes.extend(length.to_le_bytes()),
            ByteOrder::Big => bytes.extend(length.to_be_bytes()),
        }
    }
    for unit in units {
        match (wide, versions.byte_order) {
            (false, _) => bytes.push(*unit as u8),
            (true, ByteOrder::Big) if versions.game() != Game::MassEffect3 => {
                bytes.extend(unit.to_be_bytes());
            }
            (true, _) => bytes.extend(unit.to_le_bytes()),
        }
    }
    bytes
}

/// Makes every span own its bytes.
pub fn own<T: Archived>(value: &mut T, source: &[u8], versions: &Versions) {
    use unreal_packages::Remap;
    use unreal_packages::archive::Context;
    let context = Context::new(source.to_vec().into(), Vec::new());
    let mut remap = Remap::names_and_objects(versions.clone(), &Some, &Some)
        .with_context(context.into())
        .materializing();
    value.serialize(&mut remap).unwrap();
}
