//! Classes and packages that have no file: the engine's code registers them itself.

use crate::version::Engine;

/// Classes of `Core` that no script declares.
const CORE: &str = "\
    Class Package Field Struct ScriptStruct State Function Enum Const Property TextBuffer \
    MetaData ObjectRedirector Linker LinkerLoad LinkerSave System Language PackageMap Factory \
    Exporter TextBufferFactory TextBufferExporterTXT ByteProperty IntProperty BoolProperty \
    FloatProperty ObjectProperty ClassProperty NameProperty StringProperty StrProperty \
    StructProperty ArrayProperty FixedArrayProperty MapProperty DelegateProperty \
    InterfaceProperty ComponentProperty PointerProperty StringRefProperty BioMask4Property \
    Interface";

/// Classes of the engine's other packages that no script declares, in UE1 and UE2 (inferred from imports
/// of real packages that their packages do not export: `Viewport` in UT99's UBrowser.u, UWindow.u and two
/// mods; `KMeshProps` in a mod of UT2004, `StaticMeshInstance` and `TerrainSector` in maps of it and of
/// SWAT 4, which have native layouts only, spec: ue1-3/10; `TransBuffer` in UT99's Editor.u).
const CLASSIC: &[(&str, &str)] = &[
    (
        "Engine",
        "\
        Level LevelBase Model Polys Sound Music Palette Font Mesh LodMesh SkeletalMesh Animation \
        Primitive BspNodes BspSurfs Vectors Points Verts NetDriver NetConnection Channel \
        ActorChannel ControlChannel FileChannel Client Engine GameEngine RenderBase RenderDevice \
        AudioSubsystem Input ServerCommandlet DemoRecConnection DemoRecDriver NetPendingLevel \
        PendingLevel DemoPlayPendingLevel MeshAnimation StaticMesh ConvexVolume \
        SkeletalMeshInstance Viewport KMeshProps StaticMeshInstance TerrainSector",
    ),
    ("Editor", "EditorEngine Transactor TransBuffer"),
    ("Fire", "FractalTexture"),
];

/// The same in UE3, which declares nearly all its classes in script (`SoundFactory`: UDK's UnrealEd.u imports
/// it from itself; `ShaderCachePayload`: native layout only, in Mass Effect 3 on consoles, spec: ue1-3/11).
const UE3: &[(&str, &str)] = &[
    (
        "Engine",
        "\
        World Level LevelBase Model Polys ShaderCache ShaderCachePayload StaticMesh NetDriver \
        NetConnection ChildConnection Channel ActorChannel ControlChannel FileChannel \
        VoiceChannel PendingLevel NetPendingLevel DemoRecDriver DemoRecConnection \
        DemoPlayPendingLevel PackageMapLevel LightMapTexture2D ShadowMapTexture2D ShadowMap2D \
        ShadowMap1D",
    ),
    ("UnrealEd", "TransBuffer ByteCodeSerializer SoundFactory"),
];

/// Whether a package has no file by its nature: the code of UE4 and UE5.
#[doc(hidden)]
pub fn is_package(name: &str) -> bool {
    name.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("/Script/"))
        || name.eq_ignore_ascii_case("/Memory")
}

/// By the last engine that has them.
const OTHERS: [(Engine, &[(&str, &str)]); 2] = [(Engine::Ue2, CLASSIC), (Engine::Ue5, UE3)];

/// Whether this object may exist in code alone: a class without script, or the defaults of one.
#[doc(hidden)]
pub fn is_object(package: &str, class: &str, name: &str, engine: Engine) -> bool {
    if is_package(package) {
        return true;
    }
    let default = name.get(..9).filter(|head| head.eq_ignore_ascii_case("Default__"));
    let (name, is_class) = match default {
        Some(_) => (&name[9..], true),
        None => (name, class.eq_ignore_ascii_case("Class")),
    };
    let others = engine.row_of(&OTHERS).unwrap_or_default();
    let mut packages = others.iter().chain(&[("Core", CORE)]);
    is_class
        && packages.any(|(known, names)| {
            known.eq_ignore_ascii_case(package)
                && names.split(' ').any(|known| known.eq_ignore_ascii_case(name))
        })
}
