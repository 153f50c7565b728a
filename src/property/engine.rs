//! Arrays that the engines' own classes declare: what packages that only import those classes can't say.

use super::{FieldLayout, Layouts, PropertyKind, StructLayout, Type};
use crate::version::{Engine, Versions};

/// Element type and the properties that have it: o object, n name, i int, f float, b byte, s string,
/// v vector, p plane, g GUID. Arrays of tagged structs are not listed: they describe themselves.
type ElementTable = &'static [(char, &'static [&'static str])];

const UE1: ElementTable =
    &[('s', &["EditPackages", "Paths", "Suppress", "ServerPackages", "ServerActors"])];

/// UE2 with SWAT 4.
const UE2: ElementTable = &[
    (
        'o',
        &[
            "PathList",
            "OwnerGroups",
            "Actions",
            "AwarenessPointList",
            "AlternateLeftStackupPoints",
            "AlternateRightStackupPoints",
            "LeftStackupPoints",
            "RightStackupPoints",
            "LeftClearPoints",
            "RightClearPoints",
            "Skins",
            "DamagedHandlers",
            "Reactions",
            "Rosters",
            "ZonePropagationNodes",
            "DoorsInBetween",
            "DependsOnDoors",
        ],
    ),
    ('b', &["RicochetMaterials", "SupportedModes"]),
    ('v', &["StackupPathToDoor", "ClearPathLocations"]),
    (
        's',
        &[
            "ExtraAnimationSets",
            "EditPackages",
            "Paths",
            "Suppress",
            "ServerPackages",
            "ServerActors",
        ],
    ),
];

const UE3: ElementTable = &[
    (
        'o',
        &[
            "CustomActionClasses",
            "Textures",
            "Bodies",
            "BodySetup",
            "Constraints",
            "ConstraintSetup",
            "LightComponents",
            "aDecalMaterialParameters",
            "ReferencedTextures",
            "Types",
            "LinkedEvents",
            "m_aEffects",
            "SupportedCustomReachSpecs",
            "m_aBioDynAnimSets",
            "LifetimePolicies",
            "AntiMatRifle",
            "AssaultRifle",
            "AutoPistol",
            "ComboDetonators",
            "FlakGun",
            "HandCannon",
            "HeavyPistol",
            "HeavyShotgun",
            "Machinegun",
            "MassCannon",
            "MeshMaterials",
            "Needler",
            "ParticleBeam",
            "SMG",
            "Shotgun",
            "SniperRifle",
            "TerrainComponents",
        ],
    ),
    (
        'n',
        &[
            "AnimName",
            "BoneNames",
            "ColorParams",
            "AimNodes",
            "SupportedSyncActions",
            "lstTags",
            "lstAffectedActors",
            "LevelNames",
        ],
    ),
    ('s', &["VarLinkDescs", "HelpParamDescriptions", "HelpParamNames"]),
    ('f', &["TargetWeight", "ResolutionTestTable"]),
    ('i', &["BoundsBodies", "LODMaterialMap"]),
    ('b', &["TriangleSorting", "Reactions", "Data"]),
    ('g', &["IrrelevantLights"]),
    (
        'o',
        &[
            "Modules",
            "Components",
            "Expressions",
            "SequenceObjects",
            "LODLevels",
            "PathList",
            "Emitters",
            "Materials",
            "m_lstModules",
            "WeaponProjectiles",
            "AnimSets",
            "WeaponFireSnd",
            "LocationSpeech",
            "Wheels",
            "ClothingAssets",
            "DefaultMaterials",
            "EditorComments",
            "TeamMaterials",
            "ChildNodes",
            "Sequences",
            "EnemyVehicleSound",
            "InstantHitDamageTypes",
            "ProjectileElements",
            "InterpTracks",
            "MenuObjects",
            "ReferencedObjects",
            "StreamingLevels",
            "AltFireSndQue",
            "MidfieldHighSpeech",
            "MidfieldLowSpeech",
            "MorphSets",
            "NearLocationSpeech",
            "References",
            "defaultAnimSet",
            "FireCameraAnim",
            "InterpGroups",
            "Targets",
            "UITextures",
            "Sockets",
            "GameTypesSupportedOnThisMap",
            "InactiveStates",
            "LinkedVariables",
            "Children",
            "LFMaterials",
            "ParticleModuleEventsToSendToGame",
        ],
    ),
    (
        'n',
        &[
            "UseTranslationBoneNames",
            "TrackBoneNames",
            "FireTriggerTags",
            "MaterialParameters",
            "FiringStatesArray",
            "MuzzleFlashSocketList",
            "AltFireTriggerTags",
            "WeaponFireAnim",
            "EffectsRemovedOnCombo",
            "ClothBones",
            "DamagePropNames",
            "GunSocket",
            "TurretControls",
            "AnimSeqs",
            "LoadChunkNames",
            "VisibleChunkNames",
            "GunPivotPoints",
        ],
    ),
    (
        'f',
        &[
            "FireInterval",
            "InstantHitDamage",
            "InstantHitMomentum",
            "AltFireEndTimes",
            "AltFireLaunchTimes",
            "AltFireQueueTimes",
            "LookupTable",
            "LODDistances",
            "ClothMovementScale",
        ],
    ),
    (
        'i',
        &[
            "ContrailEffectIndices",
            "DamageStatsColumns",
            "PlayerStatsColumns",
            "TeamStatsColumns",
            "PawnStatsColumns",
            "WeaponStatsColumns",
            "HighlightEvents",
            "GroundEffectIndices",
            "JetEffectIndices",
            "ClothIndexBuffer",
            "ClothWeldedIndices",
            "ClothToGraphicsVertMap",
            "ClothWeldingMap",
            "CompressedTrackOffsets",
            "FaceTriData",
        ],
    ),
    ('b', &["WeaponFireTypes", "ShouldFireOnRelease", "RawData", "bEnableShadowCasting"]),
    ('v', &["VertexData", "EdgeDirections", "FaceNormalDirections"]),
    ('p', &["FacePlaneData", "PermutedVertexData"]),
    ('s', &["Formats", "MapPrefixes", "Commands", "m_aObjComment"]),
    ('g', &["ReferencedTextureGuids"]),
];

/// Structs that are stored without tags, with their fields in one type each.
const UE3_STRUCTS: &[(&str, PropertyKind, &[&str])] =
    &[("RwVector3", PropertyKind::Float, &["X", "Y", "Z"])];

/// Characters of fonts, which only cooked packages store without tags.
const FONT_CHARACTER: &[(&str, PropertyKind)] = &[
    ("StartU", PropertyKind::Int),
    ("StartV", PropertyKind::Int),
    ("USize", PropertyKind::Int),
    ("VSize", PropertyKind::Int),
    ("TextureIndex", PropertyKind::Byte),
    ("VerticalOffset", PropertyKind::Int),
];

fn declare_structs(layouts: &mut Layouts, cooked: bool) {
    let field = |name: &str, kind: PropertyKind| FieldLayout {
        name: name.into(),
        property: Type::new(kind),
        dimension: 1,
    };
    for (name, kind, fields) in UE3_STRUCTS {
        let fields = fields.iter().map(|name| field(name, *kind)).collect();
        layouts.declare_struct(name, StructLayout { fields, immutable: true });
    }
    if cooked {
        let fields = FONT_CHARACTER.iter().map(|(name, kind)| field(name, *kind)).collect();
        layouts.declare_struct("FontCharacter", StructLayout { fields, immutable: true });
        layouts.declare("Characters", Type::array(Type::structure("FontCharacter")));
    }
}

/// Declares what the engine of these versions declares.
pub(super) fn declare(layouts: &mut Layouts, versions: &Versions) {
    let table = match versions.engine() {
        Engine::Ue1 => UE1,
        Engine::Ue2 => UE2,
        _ => {
            declare_structs(layouts, versions.cooked);
            UE3
        }
    };
    for (code, names) in table {
        let element = match code {
            'o' => Type::new(PropertyKind::Object),
            'n' => Type::new(PropertyKind::Name),
            'i' => Type::new(PropertyKind::Int),
            'f' => Type::new(PropertyKind::Float),
            'b' => Type::new(PropertyKind::Byte),
            's' => Type::new(PropertyKind::Str),
            'v' => Type::structure("Vector"),
            'p' => Type::structure("Plane"),
            _ => Type::structure("Guid"),
        };
        let array = Type::array(element);
        for name in *names {
            layouts.declare(name, array.clone());
        }
    }
}
