//! The same rows through the derives of binrw and deku, at one fixed version: ours decides every
//! version gate at run time, theirs has none.

use std::hint::black_box;
use std::io::Cursor;
use std::sync::Arc;

use binrw::{BinRead, BinWrite, binrw};
use bytes::Bytes;
use deku::{DekuContainerRead, DekuContainerWrite, DekuRead, DekuWrite};
use unreal_packages::archive::Context;
use unreal_packages::primitive::array;
use unreal_packages::property::PackageContext;
use unreal_packages::table::{Export, NameEntry};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Loader, Saver, Versions};

use super::{Case, Scale, sample, timed};

/// At least twice as fast.
const BAR: f64 = 0.5;
const FILE: u32 = 684;

#[binrw]
#[brw(little)]
struct BinrwExport {
    class_index: i32,
    super_index: i32,
    outer_index: i32,
    object_name: (i32, i32),
    archetype_index: i32,
    object_flags: u64,
    serial_size: i32,
    serial_offset: i32,
    export_flags: u32,
    #[br(temp)]
    #[bw(calc = net_object_count.len() as u32)]
    count: u32,
    #[br(count = count)]
    net_object_count: Vec<i32>,
    package_guid: [u32; 4],
    package_flags: u32,
}

#[binrw]
#[brw(little)]
struct BinrwName {
    #[br(temp)]
    #[bw(calc = text.len() as i32 + 1)]
    length: i32,
    #[br(count = length - 1)]
    text: Vec<u8>,
    zero: u8,
    flags: u64,
}

#[binrw]
#[brw(little)]
struct BinrwExports {
    #[br(temp)]
    #[bw(calc = rows.len() as u32)]
    count: u32,
    #[br(count = count)]
    rows: Vec<BinrwExport>,
}

#[binrw]
#[brw(little)]
struct BinrwNames {
    #[br(temp)]
    #[bw(calc = rows.len() as u32)]
    count: u32,
    #[br(count = count)]
    rows: Vec<BinrwName>,
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "little")]
struct DekuExport {
    class_index: i32,
    super_index: i32,
    outer_index: i32,
    name_index: i32,
    name_number: i32,
    archetype_index: i32,
    object_flags: u64,
    serial_size: i32,
    serial_offset: i32,
    export_flags: u32,
    #[deku(update = "self.net_object_count.len()")]
    count: u32,
    #[deku(count = "count")]
    net_object_count: Vec<i32>,
    package_guid: [u32; 4],
    package_flags: u32,
}

#[derive(DekuRead, DekuWrite)]
#[deku(endian = "little")]
struct DekuName {
    #[deku(update = "self.text.len() + 1")]
    length: i32,
    #[deku(count = "length - 1")]
    text: Vec<u8>,
    zero: u8,
    flags: u64,
}

#[derive(DekuRead, DekuWrite)]
struct DekuExports {
    #[deku(endian = "little", update = "self.rows.len()")]
    count: u32,
    #[deku(count = "count")]
    rows: Vec<DekuExport>,
}

#[derive(DekuRead, DekuWrite)]
struct DekuNames {
    #[deku(endian = "little", update = "self.rows.len()")]
    count: u32,
    #[deku(count = "count")]
    rows: Vec<DekuName>,
}

/// A table that another derive reads and writes.
trait Rival: Sized + 'static {
    const NAME: &'static str;

    fn read(bytes: &[u8]) -> Self;

    fn write(&self) -> Vec<u8>;
}

macro_rules! rivals {
    ($($binrw:ty, $deku:ty);*) => { $(
        impl Rival for $binrw {
            const NAME: &'static str = "binrw";

            fn read(bytes: &[u8]) -> Self {
                <$binrw as BinRead>::read(&mut Cursor::new(bytes)).expect("binrw reads")
            }

            fn write(&self) -> Vec<u8> {
                let mut out = Cursor::new(Vec::new());
                BinWrite::write(self, &mut out).expect("binrw writes");
                out.into_inner()
            }
        }

        impl Rival for $deku {
            const NAME: &'static str = "deku";

            fn read(bytes: &[u8]) -> Self {
                Self::from_bytes((bytes, 0)).expect("deku reads").1
            }

            fn write(&self) -> Vec<u8> {
                self.to_bytes().expect("deku writes")
            }
        }
    )* };
}
rivals!(BinrwExports, DekuExports; BinrwNames, DekuNames);

pub fn exports(scale: Scale) -> Vec<Case> {
    let versions = Versions::ue1_to_3(FILE, 0);
    let bytes = sample::saved(&mut sample::exports(FILE, scale.fresh_rows), &versions);
    let bytes = counted(&bytes, scale.fresh_rows);
    [
        cases::<Export, BinrwExports>("exports", &bytes),
        cases::<Export, DekuExports>("exports", &bytes),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub fn names(scale: Scale) -> Vec<Case> {
    let bytes = sample::name_bytes(&Versions::ue1_to_3(FILE, 0), scale.fresh_rows);
    let bytes = counted(&bytes, scale.fresh_rows);
    [
        cases::<NameEntry, BinrwNames>("names", &bytes),
        cases::<NameEntry, DekuNames>("names", &bytes),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A table with its count before it.
fn counted(table: &[u8], rows: usize) -> Bytes {
    [&(rows as u32).to_le_bytes(), table].concat().into()
}

/// Reading and writing; each side keeps rows of its own in memory.
fn cases<T: Archived + Default + 'static, R: Rival>(what: &str, bytes: &Bytes) -> [Case; 2] {
    let versions = Versions::ue1_to_3(FILE, 0);
    let context = Arc::new(Context::new(bytes.clone(), Vec::new()));
    let mut list: Vec<T> = Vec::new();
    array::counted_u32(&mut list, &mut Loader::new(bytes, versions.clone())).expect("reads");
    let table = R::read(bytes);
    assert!(table.write() == *bytes, "the rival writes what it has read");
    let mut saver = Saver::new(versions.clone()).with_context(context.clone());
    array::counted_u32(&mut list, &mut saver).expect("writes");
    assert!(saver.bytes() == *bytes, "we write what we have read");
    let (input, rival_input) = (bytes.clone(), bytes.clone());
    let read_versions = versions.clone();
    [
        Case {
            title: format!("read {what}, version {FILE}"),
            rival: R::NAME,
            bar: BAR,
            ours: Box::new(move || {
                let mut loader = Loader::new(&input, black_box(read_versions.clone()));
                timed(|| {
                    let mut list: Vec<T> = Vec::new();
                    array::counted_u32(&mut list, &mut loader).map(|()| list)
                })
            }),
            other: Box::new(move || timed(|| R::read(&rival_input))),
        },
        Case {
            title: format!("write {what}, version {FILE}"),
            rival: R::NAME,
            bar: BAR,
            ours: Box::new(move || {
                let mut saver =
                    Saver::new(black_box(versions.clone())).with_context(context.clone());
                timed(|| array::counted_u32(black_box(&mut list), &mut saver).is_ok())
            }),
            other: Box::new(move || timed(|| black_box(&table).write())),
        },
    ]
}
