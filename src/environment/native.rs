//! Classes and packages that have no file: the engine's code registers them itself.

/// Classes of `Core` that no script declares.
const CORE: &[&str] = &[
    "Class",
    "Package",
    "Field",
    "Struct",
    "ScriptStruct",
    "State",
    "Function",
    "Enum",
    "Const",
    "Property",
    "TextBuffer",
    "MetaData",
    "ObjectRedirector",
    "Linker",
    "LinkerLoad",
    "LinkerSave",
    "System",
    "Language",
    "PackageMap",
    "Factory",
    "Exporter",
    "TextBufferFactory",
    "TextBufferExporterTXT",
    "ByteProperty",
    "IntProperty",
    "BoolProperty",
    "FloatProperty",
    "ObjectProperty",
    "ClassProperty",
    "NameProperty",
    "StringProperty",
    "StrProperty",
    "StructProperty",
    "ArrayProperty",
    "FixedArrayProperty",
    "MapProperty",
    "DelegateProperty",
    "InterfaceProperty",
    "ComponentProperty",
    "PointerProperty",
    "StringRefProperty",
    "BioMask4Property",
    "Interface",
];

/// Classes of the engine's other packages that no script declares, as far as they are known.
const OTHERS: &[(&str, &[&str])] = &[
    (
        "Engine",
        &[
            "Level",
            "LevelBase",
            "Model",
            "Polys",
            "Sound",
            "Music",
            "Palette",
            "Font",
            "Mesh",
            "LodMesh",
            "SkeletalMesh",
            "Animation",
            "Primitive",
            "BspNodes",
            "BspSurfs",
            "Vectors",
            "Points",
            "Verts",
            "NetDriver",
            "NetConnection",
            "Channel",
            "ActorChannel",
            "ControlChannel",
            "FileChannel",
            "Client",
            "Engine",
            "GameEngine",
            "RenderBase",
            "RenderDevice",
            "AudioSubsystem",
            "Input",
            "ServerCommandlet",
            "DemoRecConnection",
            "DemoRecDriver",
            "NetPendingLevel",
            "PendingLevel",
            "DemoPlayPendingLevel",
            "MeshAnimation",
            "StaticMesh",
            "ConvexVolume",
            "World",
            "ShaderCache",
            "Texture2D",
        ],
    ),
    ("Editor", &["EditorEngine", "BrushBuilder", "Transactor", "TransBuffer", "TransactionBuffer"]),
    ("Fire", &["FractalTexture"]),
];

/// Whether a package has no file by its nature: the code of UE4 and UE5.
pub(super) fn is_package(name: &str) -> bool {
    name.get(..8).is_some_and(|head| head.eq_ignore_ascii_case("/Script/"))
        || name.eq_ignore_ascii_case("/Memory")
}

/// Whether this object may exist in code alone: a class without script, or the defaults of one.
pub(super) fn is_object(package: &str, class: &str, name: &str) -> bool {
    if is_package(package) {
        return true;
    }
    let default = name.get(..9).filter(|head| head.eq_ignore_ascii_case("Default__"));
    let (name, is_class) = match default {
        Some(_) => (&name[9..], true),
        None => (name, class.eq_ignore_ascii_case("Class")),
    };
    let is = |known: &&str| known.eq_ignore_ascii_case(name);
    if !is_class {
        return false;
    }
    if package.eq_ignore_ascii_case("Core") {
        return CORE.iter().any(|known| is(&known));
    }
    OTHERS.iter().any(|(known, names)| {
        known.eq_ignore_ascii_case(package) && names.iter().any(|known| is(known))
    })
}
