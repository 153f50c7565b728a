//! Facts about engines that no file version says.

use super::threshold::ue5;
use super::{Engine, UnrealVersions, Versions};

/// Facts about engines: questions to [`Versions`] of packages.
pub trait EngineFacts: UnrealVersions {
    /// The most characters of a name: UE1 and UE2 keep names in 64 bytes, their end included.
    #[inline]
    fn longest_name(&self) -> usize {
        if self.engine() <= Engine::Ue2 { 63 } else { 1023 }
    }

    /// Whether UnrealEd writes actors as a text without objects within them (UE1, UE2).
    #[inline]
    fn has_actor_text(&self) -> bool {
        self.engine() <= Engine::Ue2
    }

    /// Whether names stand in quotes in the text of actors (UE2).
    #[inline]
    fn quotes_names_of_actors(&self) -> bool {
        self.engine() == Engine::Ue2
    }

    /// Whether the editor copies nodes of graphs as text (UE4, UE5).
    #[inline]
    fn has_node_text(&self) -> bool {
        self.has_object_versions()
    }

    /// Whether the editor copies references with the whole path of the class (UE5.1 on).
    #[inline]
    fn names_classes_by_path(&self) -> bool {
        self.ue5() >= ue5::REMOVE_OBJECT_EXPORT_PACKAGE_GUID
    }

    /// Whether the quotes of such a reference stand around all of it (UE5.2 on).
    #[inline]
    fn quotes_whole_references(&self) -> bool {
        self.ue5() >= ue5::DATA_RESOURCES
    }

    /// Whether models keep light in textures and what is drawn at once in sections (UE2), and not in bits.
    #[inline]
    fn has_light_map_textures(&self) -> bool {
        self.engine() == Engine::Ue2
    }

    /// Whether the flags of the name `None` are those of a name that the engine's code has (UE1, UE2).
    #[inline]
    fn has_hardcoded_names(&self) -> bool {
        self.engine() <= Engine::Ue2
    }

    /// Whether saving takes the last of several rows called `None` (spec: ue1-3/05 §5.7), and not the first.
    #[inline]
    fn takes_last_none(&self) -> bool {
        self.engine() <= Engine::Ue3
    }

    /// Whether the defaults of classes are objects of their own (spec: ue1-3/08 §8.4).
    #[inline]
    fn has_default_objects(&self) -> bool {
        self.engine() >= Engine::Ue3
    }

    /// Whether something stands before the properties of components (spec: ue1-3/11 §11.0 R3).
    #[inline]
    fn has_component_prefixes(&self) -> bool {
        self.engine() == Engine::Ue3
    }

    /// Whether a package flag says that the package was cooked (spec: ue1-3/03 §3.7).
    #[inline]
    fn has_cooked_flag(&self) -> bool {
        self.engine() == Engine::Ue3
    }

    /// Whether textures and sounds are bulk data of any size (UE3), where older engines have mips whose sides
    /// are powers of two, and a sound as one file (spec: ue1-3/11).
    #[inline]
    fn has_bulk_content(&self) -> bool {
        self.engine() == Engine::Ue3
    }

    /// Whether there are tables of rows: data, curve and string tables.
    #[inline]
    fn has_data_tables(&self) -> bool {
        self.engine() >= Engine::Ue4
    }

    /// Whether tags say what containers hold, but for structs in sets and maps (spec: ue4-5/04 §4).
    #[inline]
    fn has_types_of_elements(&self) -> bool {
        self.engine() >= Engine::Ue4
    }

    /// Whether packages hold music, as modules.
    #[inline]
    fn has_music(&self) -> bool {
        self.engine() == Engine::Ue1
    }

    /// Whether textures say the colours of their smallest and their largest mip. C++: `MipZero`, `MaxColor`.
    #[inline]
    fn has_mip_colors(&self) -> bool {
        self.engine() == Engine::Ue1
    }

    /// The fields of `Color` in the order in which they are stored: UE1 as it names them, later engines as
    /// their memory has them.
    #[inline]
    fn color_fields(&self) -> &'static str {
        if self.engine() == Engine::Ue1 { "R G B A" } else { "B G R A" }
    }

    /// Whether places in code take four bytes, as in Kismet, and not two, of which the largest number means none.
    #[inline]
    fn has_wide_labels(&self) -> bool {
        self.engine() >= Engine::Ue4
    }

    /// Whether strings of 8-bit characters in code are ASCII alone: compilers before take all that one byte says.
    #[inline]
    fn has_ascii_code(&self) -> bool {
        self.engine() >= Engine::Ue4
    }

    /// Whether the code of events is one function that they enter at places (spec: ue4-5/13 §13.1).
    #[inline]
    fn has_event_graphs(&self) -> bool {
        self.engine() >= Engine::Ue4
    }

    /// Whether code is that of Kismet, which blueprints are compiled to (spec: ue4-5/13).
    #[inline]
    fn has_kismet(&self) -> bool {
        self.has_object_versions()
    }

    /// Whether packages end with their tag: what stands before it is their own, whatever it is.
    #[inline]
    fn has_closing_tag(&self) -> bool {
        self.has_object_versions()
    }

    /// Whether packages of one GUID meet on the net by what their generations count (spec: ue1-3/07 §7.5).
    #[inline]
    fn has_generations(&self) -> bool {
        self.engine() <= Engine::Ue3
    }

    /// How an import that is not there yet is written, for messages.
    #[inline]
    fn example_import(&self) -> &'static str {
        match self.has_object_versions() {
            true => "/Script/Engine.Texture2D'/Game/Folder/Name.Name'",
            false => "Engine.Texture'Package.Group.Name'",
        }
    }
}

impl EngineFacts for Versions {}
