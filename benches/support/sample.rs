//! Table rows as real packages have them: mostly small references, sizes of kilobytes, short names.

use unreal_packages::primitive::{ExportFlags, NameFlags, ObjectFlags, Rare, array};
use unreal_packages::table::{Export, ExportDetails, NameEntry};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, FString, Guid, Name, PackageIndex, Saver, Versions};

/// A small generator of numbers that look random and are the same in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: i32) -> i32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit as u64) as i32
    }
}

/// Exports as this version stores them.
pub fn exports(file: u32, rows: usize) -> Vec<Export> {
    let mut numbers = Numbers::new();
    let mut offset = 60_000;
    let ue3 = file >= 195;
    (0..rows)
        .map(|_| {
            // One export in eight has no body, one in eight is a child class.
            let size = if numbers.below(8) == 0 { 0 } else { 12 + numbers.below(3_000) };
            let parent = if numbers.below(8) == 0 { -1 - numbers.below(200) } else { 0 };
            let mut export = Export {
                class_index: PackageIndex::new(-1 - numbers.below(200)),
                super_index: PackageIndex::new(parent),
                outer_index: PackageIndex::new(numbers.below(5_600)),
                object_name: Name::new(numbers.below(3_600)),
                object_flags: ObjectFlags(0x0007_0004),
                serial_size: size.into(),
                serial_offset: (if size > 0 || ue3 { offset } else { 0 }).into(),
                ..Export::default()
            };
            if ue3 {
                export.object_name.number = numbers.below(20);
                export.archetype_index = PackageIndex::new(-numbers.below(200));
                export.object_flags = ObjectFlags(0x0007_0004_0000_0000);
                // One export in a hundred is forced into this package.
                if numbers.below(100) == 0 {
                    export.details = Rare::from(ExportDetails {
                        export_flags: ExportFlags(1),
                        generation_net_object_count: vec![1, 2, 3],
                        package_guid: Guid::new(1, 2, 3, 4),
                        ..ExportDetails::default()
                    });
                }
            }
            offset = (offset + size) % 60_000_000;
            export
        })
        .collect()
}

/// Texts of names: 3 to 26 characters.
pub fn texts(rows: usize) -> Vec<String> {
    let mut numbers = Numbers::new();
    (0..rows)
        .map(|row| {
            let word = "TextureAnimationMaterial";
            format!("{}{}", &word[..2 + numbers.below(20) as usize], row % 10_000)
        })
        .collect()
}

/// A name table as this version stores it.
pub fn name_bytes(versions: &Versions, rows: usize) -> Vec<u8> {
    let flags = NameFlags(if versions.file() < 195 { 0x0407_0010 } else { 0x0407_0010_0000_0000 });
    let mut names: Vec<NameEntry> = texts(rows)
        .into_iter()
        .map(|text| NameEntry { text: FString::new(&text), flags })
        .collect();
    saved(&mut names, versions)
}

/// Rows without a count, as tables have them.
pub fn saved<T: Archived + Default>(rows: &mut Vec<T>, versions: &Versions) -> Vec<u8> {
    let mut saver = Saver::new(versions.clone());
    array::elements(rows, 0, &mut saver).expect("the sample can be saved");
    saver.into_bytes()
}
