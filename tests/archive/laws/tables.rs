//! Random rows of the tables, and what the specification says a version has no place for.

use farchive::primitive::{Bool32, NameFlags, PackageFlags};
use farchive::table::*;
use farchive::{EngineRelease, FString, Game, Guid, Name, PackageIndex, Versions};
use proptest::collection::vec;
use proptest::prelude::*;

use super::sample::{Sample, gated, int, terminated};

impl Sample for NameEntry {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let text = if versions.file < 64 { terminated() } else { FString::any(versions) };
        (text, NameFlags::any(versions)).prop_map(|(text, flags)| Self { text, flags }).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        self.flags.fit(versions);
        let none = matches!(versions.game, Game::MassEffect3 | Game::MassEffectLegendary);
        // Hashes stand in their place from UE4 504.
        if none || (1..504).contains(&versions.ue4) {
            self.flags = NameFlags(0);
        }
    }
}

impl Sample for Import {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let name = || Name::any(versions);
        let outer = gated(int().prop_map(PackageIndex::new));
        let modern = (gated(name()), gated(any::<u32>().prop_map(Bool32)));
        (name(), name(), gated(name()), outer, name(), modern)
            .prop_map(|(class_package, class_name, outer_name, outer_index, object_name, more)| {
                Self {
                    class_package,
                    class_name,
                    outer_name,
                    outer_index,
                    object_name,
                    package_name: more.0,
                    import_optional: more.1,
                }
            })
            .boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        for name in [
            &mut self.class_package,
            &mut self.class_name,
            &mut self.outer_name,
            &mut self.object_name,
            &mut self.package_name,
        ] {
            name.fit(versions);
        }
        if versions.ue4 < 520 || versions.filter_editor_only && !is_5_8(versions) {
            self.package_name = Name::default();
        }
        if versions.ue5 < 1003 {
            self.import_optional = Bool32::FALSE;
        }
        if versions.file < 50 {
            self.outer_index = PackageIndex::NULL;
        } else {
            self.outer_name = Name::default();
        }
    }
}

/// Cooked imports name their package from 5.8 on, which no version tells.
fn is_5_8(versions: &Versions) -> bool {
    versions.release.map_or(versions.ue5 >= 1018, |release| release >= EngineRelease::new(5, 8))
}

impl Sample for ComponentEntry {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        (Name::any(versions), int())
            .prop_map(|(name, export)| Self { name, export: PackageIndex::new(export) })
            .boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        self.name.fit(versions);
    }
}

impl Sample for Generation {
    fn any(_: &Versions) -> BoxedStrategy<Self> {
        (int(), int(), gated(int()))
            .prop_map(|(export_count, name_count, net_object_count)| Self {
                export_count,
                name_count,
                net_object_count,
            })
            .boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        if versions.file < 322 || versions.ue4 > 0 {
            self.net_object_count = 0;
        }
    }
}

impl Sample for ImportGuids {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        (FString::any(versions), vec(Guid::any(versions), 0..4))
            .prop_map(|(level, guids)| Self { level, guids })
            .boxed()
    }
}

impl Sample for Thumbnail {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        (FString::any(versions), FString::any(versions), int())
            .prop_map(|(class_name, object_path, file_offset)| Self {
                class_name,
                object_path,
                file_offset,
            })
            .boxed()
    }
}

/// The word says the versions, so it is theirs.
impl Sample for VersionWord {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        Just(Self { file: versions.file as u16, licensee: versions.licensee as u16 }).boxed()
    }
}

impl Sample for Summary {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let number = || gated(int());
        let numbers = (any::<[i32; 6]>(), [number(), number(), number(), number(), number()]);
        let more = [number(), number(), number(), number(), number()];
        let games = (gated(any::<[i32; 7]>()), gated(any::<[i32; 6]>()), gated(any::<[i32; 2]>()));
        let lists = (
            gated(Vec::<Generation>::any(versions)),
            gated(Vec::<CompressedChunk>::any(versions)),
            gated(vec(FString::any(versions), 0..3)),
            gated(Vec::<TextureAllocation>::any(versions)),
        );
        let head = (
            VersionWord::any(versions),
            gated(FString::any(versions)),
            PackageFlags::any(versions),
            gated(Guid::any(versions)),
            (gated(any::<u32>()), gated(any::<u32>())),
        );
        (head, numbers, more, games, lists)
            .prop_map(|(head, (counts, a), b, games, lists)| Self {
                tag: Tag,
                version: head.0,
                total_header_size: a[0],
                folder_name: head.1,
                package_flags: head.2,
                mass_effect_3_cooked: a[1],
                name_count: counts[0],
                name_offset: counts[1],
                export_count: counts[2],
                export_offset: counts[3],
                import_count: counts[4],
                import_offset: counts[5],
                heritage_count: a[2],
                heritage_offset: a[3],
                depends_offset: a[4],
                import_export_guids_offset: b[0],
                import_guids_count: b[1],
                export_guids_count: b[2],
                thumbnail_table_offset: b[3],
                guid: head.3,
                generations: lists.0,
                engine_version: b[4],
                cooker_version: a[0],
                mass_effect_1: games.0,
                mass_effect_2: games.1,
                mass_effect_3: games.2,
                compression_flags: head.4.0,
                compressed_chunks: lists.1,
                package_source: head.4.1,
                mass_effect_tail: a[1],
                additional_packages: lists.2,
                texture_allocations: lists.3,
            })
            .boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        fn keep<T: Default>(field: &mut T, present: bool) {
            if !present {
                *field = T::default();
            }
        }
        let (file, game) = (versions.file, versions.game);
        let third = matches!(game, Game::MassEffect3 | Game::MassEffectLegendary);
        let cooked = self.package_flags.0 & 8 != 0 && versions.licensee >= 194;
        self.generations.fit(versions);
        keep(&mut self.total_header_size, file >= 249);
        keep(&mut self.folder_name, file >= 269);
        keep(&mut self.mass_effect_3_cooked, third && cooked);
        keep(&mut self.heritage_count, file < 68);
        keep(&mut self.heritage_offset, file < 68);
        keep(&mut self.depends_offset, file >= 415);
        keep(&mut self.import_export_guids_offset, file >= 623);
        keep(&mut self.import_guids_count, file >= 623);
        keep(&mut self.export_guids_count, file >= 623);
        keep(&mut self.thumbnail_table_offset, file >= 584);
        keep(&mut self.guid, file >= 68);
        keep(&mut self.generations, file >= 68);
        keep(&mut self.engine_version, file >= 245);
        keep(&mut self.cooker_version, file >= 277);
        keep(&mut self.mass_effect_1, game == Game::MassEffect1);
        keep(&mut self.mass_effect_2, game == Game::MassEffect2);
        keep(&mut self.mass_effect_3, third);
        keep(&mut self.compression_flags, file >= 334);
        keep(&mut self.compressed_chunks, file >= 334);
        keep(&mut self.package_source, file >= 482);
        keep(&mut self.mass_effect_tail, matches!(game, Game::MassEffect1 | Game::MassEffect2));
        keep(&mut self.additional_packages, file >= 516 || game == Game::MassEffect2);
        keep(&mut self.texture_allocations, file >= 767 && game != Game::MassEffect3);
    }
}
