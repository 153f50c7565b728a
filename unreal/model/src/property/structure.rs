//! Structs that are stored without tags: native serialisers of the engine, by name.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use crate::Versions;
use crate::property::PropertyKind;
use crate::version::UnrealVersions;
use crate::version::custom::{
    self, ANIM_PHYS, CORE, EDITOR, FORTNITE_MAIN, NIAGARA, NIAGARA_OBJECT, SEQUENCER, anim_phys,
    editor, fortnite_main, sequencer,
};

/// First UE5 version whose vectors have 64 bits a component (spec: ue4-5/01 §10).
const LARGE_WORLD: u32 = 1004;

/// A struct that the engine stores in a form of its own; the default is any other struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Structure(u8);

/// How values of a struct are stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum StructStorage {
    /// As a list of tags.
    Tagged,
    /// So many numbers of 32 bits, or of 64 bits from UE5 1004.
    Reals(u8),
    /// So many numbers of 32 bits.
    Floats(u8),
    /// So many numbers of 64 bits.
    Doubles(u8),
    /// So many whole numbers of 32 bits.
    Ints(u8),
    /// Four bytes.
    Color,
    /// A GUID.
    Guid,
    /// One value after the other, a letter each: b u8, h u16, i i32, u u32, q i64, Q u64, f f32, d f64,
    /// r f32 or f64, n name, o object, s string, t text, p soft path, g GUID, c colour, T a list of tags; a group in
    /// brackets is counted by an i32 before it.
    Fields(&'static str),
    /// As its own fields say.
    Special(Special),
    /// As the versions say.
    By(fn(&Versions) -> StructStorage),
}

/// Structs whose layout depends on their own values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// u32 cooked, a default, then values by platform.
    PerPlatform(char),
    /// i32 size; where there is one, a name and a string.
    UniqueNetId,
    /// The type of a pin in a graph.
    PinType,
    /// A struct with its type.
    Instanced,
    /// A curve of 32 or 64 bits.
    Channel(char),
    /// An input of a material, then the letters of its constant.
    Input(&'static str),
    /// A string that names a struct, and where it is not empty, the struct.
    Named,
    /// u32 cooked, then a list of tags, or what cooked fonts have.
    FontData,
    /// u32 whether there is one, then descriptions of properties and their values.
    PropertyBag,
    /// u8 version, the structs, then a value of each behind its size.
    StructContainer,
    /// Times, the struct of their values, and a list of tags for each time.
    AttributeCurve,
    /// A symbol, a class, and from the Niagara version 55 the functions that were made for them.
    GpuParameters,
    /// So many arrays, each with the size of an element and its count before the bytes.
    KeyArrays(u8),
}

impl StructStorage {
    /// Whether no byte says which of two forms follows.
    pub fn has_two_forms(self) -> bool {
        matches!(self, Self::Special(Special::PerPlatform(_) | Special::UniqueNetId))
    }
}

impl Structure {
    /// Any struct but those that the engine stores in a form of their own.
    pub const OTHER: Self = Self(0);

    /// The known struct of this name.
    pub fn of_name(name: impl AsRef<[u8]>) -> Self {
        BY_NAME.find(name.as_ref())
    }

    /// Its layout in these versions.
    pub(super) fn layout(self, versions: &Versions) -> StructStorage {
        let known = usize::from(self.0).checked_sub(1).and_then(|at| STRUCTS.get(at));
        let mut layout = known.map_or(StructStorage::Tagged, |(_, layout)| *layout);
        if let StructStorage::By(choose) = layout {
            layout = choose(versions);
        }
        if let StructStorage::Reals(count) = layout {
            layout = if has_large_world(versions) {
                StructStorage::Doubles(count)
            } else {
                StructStorage::Floats(count)
            };
        }
        layout
    }
}

/// Whether a struct of this name is stored in a form of its own in these versions.
#[doc(hidden)]
pub fn is_native(name: &str, versions: &Versions) -> bool {
    !matches!(Structure::of_name(name).layout(versions), StructStorage::Tagged)
}

#[doc(hidden)]
pub fn has_large_world(versions: &Versions) -> bool {
    versions.ue5() >= LARGE_WORLD
}

/// The structs by the length of their names: every name of a package is looked up, and hardly any is found.
struct ByName {
    known: [Vec<(&'static [u8], Structure)>; LONGEST + 1],
    /// By the lower bits of the first letter: a bit for each length.
    lengths: [u64; 32],
}

/// Longer than any name of theirs.
const LONGEST: usize = 63;

impl ByName {
    fn find(&self, name: &[u8]) -> Structure {
        let first = name.first().map_or(0, |first| usize::from(first & 31));
        match self.known.get(name.len()) {
            Some(known) if self.lengths[first] >> name.len() & 1 != 0 => {
                let found = known.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                found.map_or(Structure::OTHER, |(_, structure)| *structure)
            }
            _ => Structure::OTHER,
        }
    }
}

static BY_NAME: LazyLock<ByName> = LazyLock::new(|| {
    let mut known = ByName { known: [const { Vec::new() }; LONGEST + 1], lengths: [0; 32] };
    for ((names, _), at) in STRUCTS.iter().zip(1..) {
        for name in names.split_whitespace() {
            known.known[name.len()].push((name.as_bytes(), Structure(at)));
            known.lengths[usize::from(name.as_bytes()[0] & 31)] |= 1 << name.len();
        }
    }
    known
});

use StructStorage::{By, Doubles, Fields, Floats, Ints, Reals};

/// The structs of each layout (spec: ue4-5/04 §6, 09 §12).
const STRUCTS: &[(&str, StructStorage)] = &[
    (
        "Vector Vector_NetQuantize Vector_NetQuantize10 Vector_NetQuantize100 \
         Vector_NetQuantizeNormal Rotator",
        Reals(3),
    ),
    ("Vector2D", Reals(2)),
    ("Vector4 Quat Plane Sphere", Reals(4)),
    ("TwoVectors", Reals(6)),
    ("Matrix", Reals(16)),
    ("Vector3f Rotator3f", Floats(3)),
    ("Vector2f DeprecateSlateVector2D SimpleCurveKey", Floats(2)),
    ("Vector4f Quat4f Plane4f Sphere3f LinearColor", Floats(4)),
    ("Matrix44f", Floats(16)),
    ("Vector3d Rotator3d", Doubles(3)),
    ("Vector4d Quat4d Plane4d Sphere3d", Doubles(4)),
    ("Matrix44d", Doubles(16)),
    ("Box", Fields("rrrrrrb")),
    ("Box2D", Fields("rrrrb")),
    ("Box3f", Fields("ffffffb")),
    ("Box2f", Fields("ffffb")),
    ("Box3d", Fields("ddddddb")),
    ("Color", StructStorage::Color),
    ("Guid", StructStorage::Guid),
    ("DateTime Timespan", Fields("q")),
    ("FrameNumber MovieSceneSegmentIdentifier", Ints(1)),
    (
        "IntPoint IntVector2 UintPoint UintVector2 Int32Vector2 Int32Point Uint32Vector2 \
         Uint32Point",
        Ints(2),
    ),
    ("IntVector UintVector Int32Vector Uint32Vector", Ints(3)),
    ("IntVector4 UintVector4 Int32Vector4 Uint32Vector4 IntRect Int32Rect", Ints(4)),
    ("TopLevelAssetPath", Fields("nn")),
    ("Int64Vector", Fields("qqq")),
    ("Int64Vector2 Int64Point", Fields("qq")),
    ("Int64Vector4", Fields("qqqq")),
    ("Uint64Vector", Fields("QQQ")),
    ("Uint64Vector2 Uint64Point", Fields("QQ")),
    ("Uint64Vector4", Fields("QQQQ")),
    ("SoftObjectPath SoftClassPath StringAssetReference StringClassReference", Fields("p")),
    ("GameplayTagContainer", Fields("[n]")),
    ("RichCurveKey", Fields("bbbffffff")),
    ("StringCurveKey", Fields("fs")),
    ("NameCurveKey", Fields("fn")),
    ("PerPlatformFloat", StructStorage::Special(Special::PerPlatform('f'))),
    ("PerPlatformInt", StructStorage::Special(Special::PerPlatform('i'))),
    ("PerPlatformBool", StructStorage::Special(Special::PerPlatform('u'))),
    ("PerPlatformFrameRate", StructStorage::Special(Special::PerPlatform('F'))),
    ("PerQualityLevelInt", Fields("ui[ii]")),
    ("PerQualityLevelFloat", Fields("uf[if]")),
    ("UniqueNetIdRepl", StructStorage::Special(Special::UniqueNetId)),
    ("EdGraphPinType", StructStorage::Special(Special::PinType)),
    ("InstancedStruct", StructStorage::Special(Special::Instanced)),
    ("InstancedPropertyBag", StructStorage::Special(Special::PropertyBag)),
    ("InstancedStructContainer", StructStorage::Special(Special::StructContainer)),
    // Interpolation and tangent modes; tangents, how they are weighted, their weights; the value.
    ("MovieSceneFloatValue", Fields("bbffbfff")),
    // Version, depth, GUID, and the compressed voxels.
    ("VoxelCompressedWorldSave", Fields("iig[b]")),
    ("RawAnimSequenceTrack", StructStorage::Special(Special::KeyArrays(3))),
    ("NiagaraDataInterfaceGPUParamInfo", StructStorage::Special(Special::GpuParameters)),
    ("AnimationAttributeIdentifier", Fields("nnip")),
    ("AttributeCurve", StructStorage::Special(Special::AttributeCurve)),
    // Chances, what they stand for otherwise, and their sum.
    ("SkeletalMeshSamplingLODBuiltData", Fields("[f][i]f")),
    ("SkeletalMeshSamplingRegionBuiltData", By(sampling_region)),
    ("NiagaraVariableBase", By(|versions| niagara(versions, "nT"))),
    ("NiagaraVariable", By(|versions| niagara(versions, "nT[b]"))),
    ("NiagaraVariableWithOffset", By(|versions| niagara(versions, "nTi"))),
    ("NavAgentSelector MovieSceneTrackIdentifier MovieSceneSequenceID", Fields("u")),
    ("MovieSceneFrameRange", Fields("bibi")),
    ("MovieSceneFloatChannel", By(|versions| channel(versions, 'f'))),
    ("MovieSceneDoubleChannel", By(|versions| channel(versions, 'd'))),
    ("SmartName", By(smart_name)),
    (
        "ExpressionInput MaterialAttributesInput SubstrateMaterialInput StrataMaterialInput",
        By(|versions| input(versions, "")),
    ),
    ("ColorMaterialInput", By(color_input)),
    ("ScalarMaterialInput", By(|versions| input(versions, "uf"))),
    ("VectorMaterialInput", By(|versions| input(versions, "ufff"))),
    ("Vector2MaterialInput", By(|versions| input(versions, "uff"))),
    ("ShadingModelMaterialInput", By(|versions| input(versions, "uu"))),
    ("FontCharacter", Fields("iiiibi")),
    ("FontData", By(font_data)),
    ("LevelSequenceObjectReferenceMap", Fields("[ggs]")),
    ("MovieSceneEvaluationKey", Fields("uuu")),
    ("MovieSceneSegment", By(segment)),
    (
        "MovieSceneEvalTemplatePtr MovieSceneTrackImplementationPtr",
        StructStorage::Special(Special::Named),
    ),
    // Parent, next sibling, first child, unused; layer and blend; root. Empty in every known file.
    ("MaterialLayersFunctionsTree", Fields("[iiii][ii]i")),
    ("MovieSceneEvaluationFieldEntityTree", Fields("bibiiiii[iii][bibiiiii][iii][ii]")),
];

fn channel(versions: &Versions, letter: char) -> StructStorage {
    match versions.custom(&SEQUENCER) {
        // Unversioned packages know nothing, but are newer.
        sequencer::SERIALIZE_FLOAT_CHANNEL.. => StructStorage::Special(Special::Channel(letter)),
        _ if versions.ue5() > 0 => StructStorage::Special(Special::Channel(letter)),
        _ => StructStorage::Tagged,
    }
}

fn smart_name(versions: &Versions) -> StructStorage {
    let version = versions.custom(&ANIM_PHYS);
    Fields(
        match (
            version < anim_phys::REMOVE_UID_FROM_SMART_NAME_SERIALIZE,
            version < anim_phys::SMART_NAME_REFACTOR_FOR_DETERMINISTIC_COOKING
                && versions.has_editor_only_data(),
        ) {
            (true, true) => "nhg",
            (true, false) => "nh",
            (false, true) => "ng",
            (false, false) => "n",
        },
    )
}

/// A variable of Niagara: its name, its type as a list of tags, then `letters`.
fn niagara(versions: &Versions, letters: &'static str) -> StructStorage {
    match versions.custom(&NIAGARA) {
        custom::niagara::VARIABLES_USE_TYPE_DEF_REGISTRY.. => Fields(letters),
        _ => StructStorage::Tagged,
    }
}

/// The input of a material; below this version of the core it is a list of tags.
fn input(versions: &Versions, constant: &'static str) -> StructStorage {
    match versions.custom(&CORE) {
        custom::core::MATERIAL_INPUT_NATIVE_SERIALIZE.. => {
            StructStorage::Special(Special::Input(constant))
        }
        _ => StructStorage::Tagged,
    }
}

fn color_input(versions: &Versions) -> StructStorage {
    let linear = versions.custom(&FORTNITE_MAIN) >= fortnite_main::MATERIAL_INPUT_USES_LINEAR_COLOR;
    input(versions, if linear { "uffff" } else { "uc" })
}

/// Triangles and bones of a region, how triangles are chosen, and in later versions its vertices.
fn sampling_region(versions: &Versions) -> StructStorage {
    Fields(match versions.custom(&NIAGARA_OBJECT) {
        custom::niagara_object::SKELETAL_MESH_VERTEX_SAMPLING.. => "[i][i][f][i]f[i]",
        _ => "[i][i][f][i]f",
    })
}

fn font_data(versions: &Versions) -> StructStorage {
    match versions.custom(&EDITOR) {
        editor::ADDED_FONT_FACE_ASSETS.. => StructStorage::Special(Special::FontData),
        _ => StructStorage::Tagged,
    }
}

/// Range, then what later versions have, then lists of tags.
fn segment(versions: &Versions) -> StructStorage {
    Fields(if versions.custom(&SEQUENCER) >= sequencer::WHEN_FINISHED_DEFAULTS_TO_PROJECT_DEFAULT {
        "bibiiu[T]"
    } else {
        "bibi[T]"
    })
}

/// The role of a name for properties.
#[derive(Debug, Clone, Copy, Default)]
#[doc(hidden)]
pub struct NameRole {
    kind: PropertyKind,
    structure: Structure,
    /// It ends lists.
    is_none: bool,
}

/// The roles of a name table's rows for properties: found once, so that no text is looked at later.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Roles(Arc<Vec<NameRole>>);

impl Roles {
    /// Of the names in their order.
    pub fn new<'a>(texts: impl Iterator<Item = Cow<'a, [u8]>>) -> Self {
        Self(Arc::new(texts.map(|text| NameRole::of(&text)).collect()))
    }

    /// The rows of names that end lists, ascending.
    pub fn none_rows(&self) -> impl Iterator<Item = i32> {
        self.0.iter().zip(0..).filter_map(|(role, row)| role.is_none.then_some(row))
    }

    /// A row is new, behind the others, or means something else now.
    pub fn put(&mut self, row: usize, role: NameRole) {
        let roles = Arc::make_mut(&mut self.0);
        match roles.get_mut(row) {
            Some(known) => *known = role,
            None => roles.push(role),
        }
    }

    #[inline]
    pub fn kind(&self, row: i32) -> PropertyKind {
        self.get(row).kind
    }

    #[inline]
    pub fn structure(&self, row: i32) -> Structure {
        self.get(row).structure
    }

    #[inline]
    pub fn is_none(&self, row: i32) -> bool {
        self.get(row).is_none
    }

    #[inline]
    fn get(&self, row: i32) -> NameRole {
        usize::try_from(row).ok().and_then(|row| self.0.get(row)).copied().unwrap_or_default()
    }
}

impl NameRole {
    pub fn of(text: &[u8]) -> Self {
        Self {
            kind: PropertyKind::of_class(text).unwrap_or_default(),
            structure: Structure::of_name(text),
            is_none: text.eq_ignore_ascii_case(b"None"),
        }
    }

    pub fn is_none(self) -> bool {
        self.is_none
    }
}
