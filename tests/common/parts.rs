//! Packages put together from tables, without the library's own layout: the test's second opinion.

use unreal_packages::primitive::{
    ExportFlags, FString, NameFlags, ObjectFlags, PackageFlags, Rare, WideIndex, array,
};
use unreal_packages::table::ExportDetails;
use unreal_packages::table::{
    ComponentEntry, DependsRow, Export, ExportGuid, FileVersions, Generation, Import, ImportGuids,
    NameEntry, Summary, TextureAllocation, Thumbnail, ThumbnailImage,
};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Counter, Guid, Name, PackageIndex, Saver, Span, Versions};

use super::GUID;

/// The tables of a package and its bodies; offsets are settled by [`Parts::assemble`].
#[derive(Debug, Clone, Default)]
pub struct Parts {
    pub versions: Versions,
    pub summary: Summary,
    pub heritage: Vec<Guid>,
    pub names: Vec<NameEntry>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub depends: Vec<DependsRow>,
    pub import_guids: Vec<ImportGuids>,
    pub export_guids: Vec<ExportGuid>,
    pub images: Vec<ThumbnailImage>,
    /// The image of each row, by place in `images`.
    pub thumbnails: Vec<(Thumbnail, usize)>,
    pub bodies: Vec<Vec<u8>>,
}

fn put<T: Archived>(value: &mut T, versions: &Versions, out: &mut Vec<u8>) {
    let mut saver = Saver::new(versions.clone()).at(out.len() as u64);
    value.serialize(&mut saver).unwrap_or_else(|error| panic!("assembling: {error}"));
    out.extend(saver.bytes());
}

fn put_all<T: Archived>(values: &mut [T], versions: &Versions, out: &mut Vec<u8>) {
    values.iter_mut().for_each(|value| put(value, versions, out));
}

impl Parts {
    pub fn name(&mut self, text: &str) -> Name {
        let order = self.versions.byte_order;
        let entry = NameEntry {
            text: FString::new_in(text, order, self.versions.game()),
            flags: NameFlags::ordinary(&self.versions),
        };
        self.names.push(entry);
        Name::new(self.names.len() as i32 - 1)
    }

    pub fn export(&mut self, export: Export, body: impl Into<Vec<u8>>) -> usize {
        self.exports.push(export);
        self.bodies.push(body.into());
        self.exports.len() - 1
    }

    /// Every table that the version has, with rows in each.
    pub fn rich(versions: Versions) -> Self {
        let file = versions.file();
        let mut parts = Self { versions, ..Self::default() };
        let v = parts.versions.clone();
        let names =
            ["None", "Core", "Package", "Class", "Engine", "Texture", "Alpha", "Group", "Skin"]
                .map(|text| parts.name(text));
        let [none, core, package, class, engine, texture, alpha, group, skin] = names;
        let named = |name: Name| if file < 50 { name } else { Name::default() };
        let within = |outer: i32| PackageIndex::new(if file < 50 { 0 } else { outer });
        let import = |class_name, outer, outer_name, object_name| Import {
            class_package: core,
            class_name,
            outer_name: named(outer_name),
            outer_index: within(outer),
            object_name,
            ..Import::default()
        };
        parts.imports = vec![
            import(package, 0, none, engine),
            import(class, -1, engine, texture),
            import(package, 0, none, core),
        ];
        let flags = ObjectFlags(if file < 195 { 0x0007_0004 } else { 0x0007_0004 << 32 });
        let export = |outer: i32, object_name: Name| Export {
            class_index: PackageIndex::new(-2),
            outer_index: within(outer),
            object_name,
            object_flags: flags,
            details: Rare::from(ExportDetails {
                component_map: if (178..543).contains(&file) {
                    vec![ComponentEntry { name: alpha, export: PackageIndex::new(1) }]
                } else {
                    Vec::new()
                },
                export_flags: ExportFlags(u32::from(file >= 247)),
                generation_net_object_count: if file >= 322 { vec![3, 4] } else { Vec::new() },
                package_guid: if file >= 322 { GUID } else { Guid::default() },
            }),
            package_flags: PackageFlags(if file >= 475 { 9 } else { 0 }),
            ..Export::default()
        };
        parts.export(export(0, group), []);
        parts.export(export(1, skin), vec![0x55; 70]);
        parts.export(export(0, alpha), (1..=40).collect::<Vec<u8>>());
        let summary = &mut parts.summary;
        summary.versions = FileVersions::of_file(file as u16, v.licensee() as u16);
        summary.package_flags = PackageFlags::ALLOW_DOWNLOAD;
        if file < 68 {
            parts.heritage = if file < 42 { Vec::new() } else { vec![GUID] };
            summary.heritage_count = 1;
        } else {
            summary.guid = GUID;
            let net = if file >= 322 { 5 } else { 0 };
            summary.generations = vec![
                Generation { export_count: 2, name_count: 5, net_object_count: net },
                Generation { export_count: 3, name_count: 9, net_object_count: net },
            ];
        }
        if file >= 269 {
            summary.folder_name = FString::new("None");
        }
        if file >= 516 {
            summary.additional_packages = vec![FString::new("Startup")];
        }
        if file >= 767 && v.game() != unreal_packages::Game::MassEffect3 {
            let allocation = TextureAllocation {
                size_x: 8,
                size_y: 8,
                export_indices: vec![PackageIndex::new(2)],
                ..Default::default()
            };
            summary.texture_allocations = vec![allocation];
        }
        if file >= 415 {
            let row = |values: &[i32]| DependsRow {
                objects: values.iter().map(|&value| PackageIndex::new(value)).collect(),
            };
            parts.depends = vec![row(&[]), row(&[1, -2]), row(&[2])];
        }
        if file >= 623 {
            parts.export_guids = vec![ExportGuid { guid: GUID, object: 2 }];
            let level = FString::new("Level");
            parts.import_guids = vec![ImportGuids { level, guids: vec![GUID, GUID] }];
        }
        if file >= 584 {
            let image =
                |bytes: Vec<u8>| ThumbnailImage { width: 2, height: 3, image: Span::owned(bytes) };
            parts.images = vec![image(vec![1; 33]), image(vec![2; 9])];
            let row = |path: &str| Thumbnail {
                class_name: FString::new("Texture"),
                object_path: FString::new(path),
                file_offset: 0,
            };
            parts.thumbnails = vec![(row("Group.Skin"), 0), (row("Alpha"), 1), (row("Again"), 1)];
        }
        parts
    }

    /// The file: all sections in the engine's order (spec: ue1-3/03 §3.9), offsets settled.
    pub fn assemble(&self) -> Vec<u8> {
        let mut parts = self.clone();
        let mut before = Vec::new();
        // Offsets have a width of their own below version 178; a few rounds settle them.
        for _ in 0..8 {
            let bytes = parts.round();
            if bytes == before {
                return bytes;
            }
            before = bytes;
        }
        panic!("offsets do not settle");
    }

    fn round(&mut self) -> Vec<u8> {
        let v = self.versions.clone();
        let classic = v.file() < 178;
        let mut out = Vec::new();
        put(&mut self.summary, &v, &mut out);
        let at = |out: &Vec<u8>| out.len() as i32;
        self.summary.name_count = self.names.len() as i32;
        self.summary.import_count = self.imports.len() as i32;
        self.summary.export_count = self.exports.len() as i32;
        if v.file() < 68 {
            self.summary.heritage_offset = at(&out);
            put_all(&mut self.heritage, &v, &mut out);
        }
        self.summary.name_offset = at(&out);
        put_all(&mut self.names, &v, &mut out);
        if classic {
            self.put_bodies(&mut out);
        }
        self.summary.import_offset = at(&out);
        put_all(&mut self.imports, &v, &mut out);
        self.summary.export_offset = at(&out);
        put_all(&mut self.exports, &v, &mut out);
        if classic {
            return out;
        }
        if v.file() >= 415 {
            self.summary.depends_offset = at(&out);
            put_all(&mut self.depends, &v, &mut out);
        }
        if v.file() >= 623 {
            self.summary.import_export_guids_offset = at(&out);
            self.summary.import_guids_count = self.import_guids.len() as i32;
            self.summary.export_guids_count = self.export_guids.len() as i32;
            put_all(&mut self.import_guids, &v, &mut out);
            put_all(&mut self.export_guids, &v, &mut out);
        }
        if v.file() >= 584 && !self.thumbnails.is_empty() {
            let mut offsets = Vec::new();
            for image in &mut self.images {
                offsets.push(at(&out));
                put(image, &v, &mut out);
            }
            self.summary.thumbnail_table_offset = at(&out);
            let rows = self.thumbnails.iter_mut().map(|(row, image)| {
                row.file_offset = offsets[*image];
                row.clone()
            });
            let mut rows: Vec<Thumbnail> = rows.collect();
            let mut saver = Saver::new(v.clone()).at(out.len() as u64);
            array::counted_i32(&mut rows, &mut saver).unwrap();
            out.extend(saver.bytes());
        }
        if v.file() >= 249 {
            self.summary.total_header_size = at(&out);
        }
        self.put_bodies(&mut out);
        out
    }

    fn put_bodies(&mut self, out: &mut Vec<u8>) {
        let always = self.versions.file() >= 249;
        for (export, body) in self.exports.iter_mut().zip(&self.bodies) {
            let offset = if always || !body.is_empty() { out.len() as i32 } else { 0 };
            export.serial_size = WideIndex::new(body.len() as i64);
            export.serial_offset = WideIndex::from(offset);
            out.extend(body);
        }
    }

    /// Where the summary ends.
    pub fn summary_size(&self) -> usize {
        let mut counter = Counter::new(self.versions.clone());
        self.summary.clone().serialize(&mut counter).unwrap();
        counter.length() as usize
    }
}
