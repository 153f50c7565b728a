//! The list of all types that are [`Archived`].

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::archive::layout::{Layout, Link};
use crate::environment::near::distance;
use crate::object::class_links;

/// Every type of this library that is [`Archived`](crate::Archived), by name, each with its
/// [`LAYOUT`](crate::Archived::LAYOUT): those listed here, the data of classes, and all that they contain.
///
/// A type with parameters stands there once for each that another one contains.
///
/// ```
/// let layouts = unreal_packages::layouts();
/// assert!(layouts.iter().any(|link| link.layout().is_some_and(|it| it.name() == "Generation")));
/// ```
pub fn layouts() -> &'static [Link] {
    static ALL: LazyLock<Vec<Link>> = LazyLock::new(|| {
        let mut all: Vec<(String, &str, Link)> = Vec::new();
        let mut seen = HashSet::new();
        let mut waiting: Vec<Link> =
            ROOTS.iter().flat_map(|room| room.iter()).copied().chain(class_links()).collect();
        while let Some(link) = waiting.pop() {
            let Some(layout) = link.layout() else { continue };
            if seen.insert((layout.path)()) {
                all.push((layout.name(), (layout.path)(), link));
                waiting.extend(layout.fields().flat_map(|field| field.links).copied());
            }
        }
        // Which crate holds a type is no part of what it is.
        let in_crate = |path: &'static str| path.split_once("::").map_or(path, |(_, rest)| rest);
        all.sort_by(|a, b| (&a.0, in_crate(a.1)).cmp(&(&b.0, in_crate(b.1))));
        all.into_iter().map(|(_, _, link)| link).collect()
    });
    &ALL
}

/// The crates that types of this library are defined in.
const LIBRARIES: [&str; 6] = [
    "farchive",
    "unreal_model",
    "unreal_package",
    "unreal_environment",
    "unreal_content",
    "unreal_packages",
];

/// Whether a type is one of this library's, and not of a program's own.
pub fn is_own_layout(layout: &Layout) -> bool {
    let place = layout.place();
    let library = place.split("::").next().unwrap_or(place);
    LIBRARIES.contains(&library)
}

/// The types of this name, in any case: `export`, `ue3::polys::Polys`. The modules before it may be any part
/// of the type's path.
pub fn find_layouts(name: &str) -> Vec<Link> {
    let wanted: Vec<String> = name.split("::").map(str::to_ascii_lowercase).collect();
    let is = |link: &&Link| {
        let place = link.layout().map_or("", Layout::place).to_ascii_lowercase();
        let mut parts = place.rsplit("::");
        let mut wanted = wanted.iter().rev();
        // The name itself, then each module somewhere before the one behind it.
        wanted.next().is_some_and(|it| parts.next() == Some(it))
            && wanted.all(|it| parts.any(|part| part == it))
    };
    let mut seen = HashSet::new();
    let found = layouts().iter().filter(is);
    found.filter(|link| seen.insert(link.layout().map(Layout::place))).copied().collect()
}

/// Names of types that may be meant by one that is not there, nearest first.
pub fn near_layouts(name: &str) -> Vec<String> {
    const SHOWN: usize = 3;
    let name = name.rsplit("::").next().unwrap_or(name).to_ascii_lowercase();
    let mut near: Vec<(usize, &str)> = Vec::new();
    for place in layouts().iter().filter_map(Link::layout).map(Layout::place) {
        let other = place.rsplit("::").next().unwrap_or(place);
        let lower = other.to_ascii_lowercase();
        let within = name.len() > 2 && lower.contains(&name);
        let steps = if within { 1 } else { distance(&name, &lower) };
        if steps <= 2 && steps < name.len() {
            near.push((steps, other));
        }
    }
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(SHOWN).map(|(_, name)| name.to_owned()).collect()
}

macro_rules! links {
    ($($type:ty),* $(,)?) => { &[$(Link::of::<$type>()),*] };
}

/// The types that no other one contains, and that are no class's data, by room.
const ROOTS: &[&[Link]] = &[
    {
        use crate::primitive::*;
        links![Bool32, BulkArray<4>, BulkData, CompactIndex, EngineVersion, LazyArray<Guid>, LazyPayload<4>, LongPosition, Map<Name, PackageIndex>, NameFlags, Payload<4>, Position, Real, SoftObjectPath, SoftPath, TransArray<PackageIndex>, Utf8String]
    },
    crate::table::LINKS[0],
    crate::table::LINKS[1],
    {
        use crate::property::*;
        links![
            mappings::Compression,
            mappings::MappingData,
            mappings::MappingEnum,
            mappings::MappingExtension,
            mappings::MappingName,
            mappings::MappingProperty,
            mappings::MappingStruct,
            mappings::MappingValue,
            mappings::MappingVersions,
            mappings::Usmap,
            Delegate,
            Extensions,
            FieldPath,
            PropertyList,
            TypeNode,
            UnversionedHeader,
            Value
        ]
    },
    {
        use crate::script::*;
        links![PropertyReference]
    },
    {
        use crate::object::*;
        links![Body, SerializationControl, script_object::ScriptObject]
    },
    {
        use crate::object::ue4::asset::mesh_description::*;
        links![MeshDescription]
    },
    {
        // In bulk data.
        use crate::object::ue4::asset::skeletal_buffers::*;
        links![SkeletalBuffers]
    },
    {
        use crate::object::ue4::asset::pcg_metadata::*;
        // Of a domain, whose form another field says.
        links![PcgAttribute, PcgPath]
    },
    {
        use crate::compression::*;
        links![CompressedBuffer, Framing, WideFraming, lineage::Footer, redirect::Uz2Block, Uz]
    },
    #[cfg(feature = "container")]
    {
        use crate::container::{iostore::*, pak::*};
        links![
            ContainerHeader,
            DirectoryIndex,
            EncodedEntry,
            FlatDirectoryIndex,
            IoDirectoryIndex,
            PakIndex,
            PakTrailer,
            PathHashIndex,
            PrimaryIndex,
            Toc,
        ]
    },
    #[cfg(feature = "content")]
    {
        use crate::mesh::actor_x::*;
        links![
            ActorXBone,
            ActorXChunk,
            ActorXFace<u16>,
            ActorXFace<u32>,
            ActorXKey,
            ActorXMaterial,
            ActorXMorph,
            ActorXMorphPoint,
            ActorXScaleKey,
            ActorXSequence,
            ActorXWedge,
            ActorXWeight,
        ]
    },
    {
        use crate::container::zen::*;
        links![ScriptObjects, ZenHeader]
    },
    {
        use crate::related::*;
        links![AssetRegistry, LocalizationMeta, LocalizedTexts, PackedSave, SaveHeader]
    },
    {
        use crate::environment::*;
        links![Digest]
    },
];
