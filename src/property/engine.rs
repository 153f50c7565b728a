//! Arrays that the engines' own classes declare: what packages that only import those classes can't say.

use std::sync::Arc;

use super::{FieldLayout, Layouts, PropertyType, StructLayout};
use crate::version::{Engine, Versions};

/// Element type and the properties that have it: o object, n name, i int, f float, b byte, s string,
/// v vector, p plane, g GUID. Arrays of tagged structs are not listed: they describe themselves.
type Table = &'static [(char, &'static [&'static str])];

const UE1: Table =
    &[('s', &["EditPackages", "Paths", "Suppress", "ServerPackages", "ServerActors"])];

/// UE2 with SWAT 4.
const UE2: Table = &[
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

const UE3: Table = &[
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
const UE3_STRUCTS: &[(&str, PropertyType, &[&str])] =
    &[("RwVector3", PropertyType::Float, &["X", "Y", "Z"])];

/// Characters of fonts, which only cooked packages store without tags.
const FONT_CHARACTER: &[(&str, PropertyType)] = &[
    ("StartU", PropertyType::Int),
    ("StartV", PropertyType::Int),
    ("USize", PropertyType::Int),
    ("VSize", PropertyType::Int),
    ("TextureIndex", PropertyType::Byte),
    ("VerticalOffset", PropertyType::Int),
];

fn declare_structs(layouts: &mut Layouts, cooked: bool) {
    let field = |name: &str, property: &PropertyType| FieldLayout {
        name: name.into(),
        property: property.clone(),
        dimension: 1,
    };
    for (name, property, fields) in UE3_STRUCTS {
        let fields = fields.iter().map(|name| field(name, property)).collect();
        layouts.declare_struct(name, StructLayout { fields, immutable: true });
    }
    if cooked {
        let fields = FONT_CHARACTER.iter().map(|(name, property)| field(name, property)).collect();
        layouts.declare_struct("FontCharacter", StructLayout { fields, immutable: true });
        let element = Arc::new(PropertyType::Struct("FontCharacter".into()));
        layouts.declare("Characters", PropertyType::Array(Some(element)));
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
            'o' => PropertyType::Object,
            'n' => PropertyType::Name,
            'i' => PropertyType::Int,
            'f' => PropertyType::Float,
            'b' => PropertyType::Byte,
            's' => PropertyType::Str,
            'v' => PropertyType::Struct("Vector".into()),
            'p' => PropertyType::Struct("Plane".into()),
            _ => PropertyType::Struct("Guid".into()),
        };
        let array = PropertyType::Array(Some(Arc::new(element)));
        for name in *names {
            layouts.declare(name, array.clone());
        }
    }
}
