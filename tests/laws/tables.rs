//! Random rows of the tables, and what the specification says a version has no place for.

use proptest::collection::vec;
use proptest::prelude::*;
use unreal_packages::primitive::{Bool32, NameFlags};
use unreal_packages::table::*;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, FString, Game, Guid, Name, PackageIndex, Versions};

use super::sample::{Sample, gated, int, terminated};

impl Sample for NameEntry {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let text = if versions.file() < 64 { terminated() } else { FString::any(versions) };
        (text, NameFlags::any(versions)).prop_map(|(text, flags)| Self { text, flags }).boxed()
    }

    fn fit(&mut self, versions: &Versions) {
        self.flags.fit(versions);
        let none = matches!(versions.game(), Game::MassEffect3 | Game::MassEffectLegendary);
        // Hashes stand in their place from UE4 504.
        if none || (1..504).contains(&versions.ue4()) {
            self.flags = NameFlags(0);
        }
    }
}

impl Sample for Import {
    fn any(versions: &Versions) -> BoxedStrategy<Self> {
        let name = || Name::any(versions);
        let outer = gated(int().prop_map(PackageIndex::new));
        let further = (gated(name()), gated(any::<u32>().prop_map(Bool32)));
        (name(), name(), gated(name()), outer, name(), further)
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
        if versions.ue4() < 520 || versions.filter_editor_only() && !is_5_8(versions) {
            self.package_name = Name::default();
        }
        if versions.ue5() < 1003 {
            self.import_optional = Bool32::FALSE;
        }
        if versions.file() < 50 {
            self.outer_index = PackageIndex::NULL;
        } else {
            self.outer_name = Name::default();
        }
    }
}

/// Cooked imports name their package from 5.8 on, which no version tells.
fn is_5_8(versions: &Versions) -> bool {
    versions.release().map_or(versions.ue5() >= 1018, |release| release >= EngineRelease::new(5, 8))
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
        if versions.file() < 322 || versions.ue4() > 0 {
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
