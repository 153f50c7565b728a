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
/// let layouts = farchive::layouts();
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
        all.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
        all.into_iter().map(|(_, _, link)| link).collect()
    });
    &ALL
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
    {
        use crate::table::*;
        links![
            AssetDependencies,
            AssetRegistryData,
            CellExport,
            CellImport,
            CustomVersion,
            CustomVersions,
            DataResources,
            DependsRow,
            Export,
            ExportGuid,
            FileVersions,
            GatherableText,
            Import,
            ImportGuids,
            MetaData,
            NameEntry,
            NamedVersion,
            ObjectMetaData,
            SearchableNames,
            SoftPackageReference,
            Summary,
            TaggedVersion,
            Thumbnail,
            ThumbnailImage,
            Trailer,
            TypeHierarchy,
            WorldTileInfo
        ]
    },
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
            Properties,
            Properties,
            PropertyList,
            TypeNode,
            Value,
            unversioned::UnversionedList,
            unversioned::header::UnversionedHeader
        ]
    },
    {
        use crate::script::*;
        links![Script, kismet::PropertyReference, kismet::Kismet]
    },
    {
        use crate::object::*;
        links![
            Body,
            ComponentPrefix,
            SerializationControl,
            StateFrame,
            geometry::Bounds,
            geometry::Color,
            geometry::Coords,
            geometry::IndexPair,
            geometry::Matrix,
            geometry::PointRegion,
            geometry::Primitive,
            geometry::Rotator,
            geometry::Vector2D,
            prefix::PushedState,
            prefix::VengeanceStateFrame,
            url::Url
        ]
    },
    {
        use crate::object::script_object::*;
        links![Class, Const, Enum, Function, ScriptObject, ScriptStruct, UProperty]
    },
    {
        use crate::object::ue3::*;
        links![
            asset::expression::TextureOperand,
            asset::material::InstanceResource,
            asset::shader::ShaderCode,
            asset::shader::ShaderHead,
            asset::shader::ShaderMapBody,
            asset::shader::ShaderMapHead,
            asset::skeletal_lod::SkeletalLodHead,
            asset::skeletal_lod::SkeletalLodTail,
            asset::skeletal_mesh::SkeletalMeshHead,
            asset::skeletal_mesh::SkeletalMeshTail,
            world::bio_2da::Cell,
            world::navigation_mesh::MeshHead,
            world::polys::Poly
        ]
    },
    {
        use crate::object::ue4::*;
        links![
            asset::mesh_buffer::IndexBuffer,
            asset::mesh_buffer::IndexContainer,
            asset::mesh_buffer::PositionBuffer,
            asset::mesh_buffer::VertexBuffer,
            asset::mesh_buffer::WeightedSampler,
            asset::shader_map::HashedName,
            asset::shader_map::ResourceLocation,
            asset::skeletal_lod::Chunk,
            asset::skeletal_lod::Colors,
            asset::skeletal_lod::Section,
            asset::skeletal_lod::SkinWeights,
            asset::skeletal_lod::VertexBuffer,
            asset::small::Blueprint,
            asset::small::UnknownNumber,
            asset::sound::StreamedAudio,
            asset::sound::StreamedChunk,
            asset::static_mesh::SourceModel,
            asset::static_mesh_lod::CardData,
            asset::static_mesh_lod::DistanceField,
            asset::static_mesh_lod::Lod,
            asset::static_mesh_lod::Nanite,
            asset::static_mesh_lod::ProxyLod,
            asset::static_mesh_lod::RayTracingProxy,
            asset::static_mesh_lod::ScreenSize,
            asset::static_mesh_lod::StreamedBuffers,
            bulk::OpaqueBulk,
            class_defaults::ClassDefaults,
            component::reflection_capture::CapturedData,
            geometry::BoundingBox3f,
            geometry::Rotator,
            graph::node::EdGraphNode,
            graph::pin::Pin,
            graph::pin_type::TerminalType,
            remainder::Remainder,
            structure::Declared,
            structure::uproperty::UProperty,
            world::polys::Polygon
        ]
    },
    {
        use crate::compression::*;
        links![CompressedBuffer, Framing, WideFraming, lineage::Footer, redirect::Uz2Block]
    },
    {
        use crate::environment::*;
        links![Digest]
    },
];
