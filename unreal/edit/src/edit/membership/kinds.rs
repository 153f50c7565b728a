//! The kinds of lists.

/// A list that objects of a class have of what belongs to them.
#[derive(Debug)]
pub(super) struct MemberList {
    /// The property that is the list; behind a dot the field of a struct.
    pub path: &'static str,
    /// The class of the owner, or one that it derives from.
    pub owner: &'static str,
    /// The class of what is listed, or one that it derives from.
    pub member: &'static str,
    /// Whether a new object of that class belongs into it. Of several lists of one class nothing says into which
    /// one: only a copy goes where its original is.
    pub takes_new: bool,
    /// Whether the owner lies beside its members, in what they lie in.
    pub is_beside: bool,
}

impl MemberList {
    /// Whether an object of these classes, its own first, has such a list.
    pub fn is_owner(&self, line: &[String]) -> bool {
        fits(line, self.owner)
    }

    /// Whether an object of these classes, its own first, belongs into it.
    pub fn is_member(&self, line: &[String]) -> bool {
        fits(line, self.member)
    }
}

/// Names that classes of a kind have, as far as it is one: what they derive from is often code of the engine that no
/// package declares.
const NAMES: &[(&str, &[&str])] = &[
    ("Sequence", &["*Sequence"]),
    ("SequenceObject", &["Seq*", "UIAction_*", "UIEvent_*", "*Sequence"]),
    ("InterpGroup", &["InterpGroup*"]),
    ("InterpTrack", &["InterpTrack*"]),
    ("EdGraph", &["*Graph"]),
    (
        "EdGraphNode",
        &["K2Node*", "EdGraphNode*", "*GraphNode", "AnimGraphNode_*", "AnimState*Node"],
    ),
    ("Material", &["Material"]),
    ("MaterialFunction", &["MaterialFunction*"]),
    ("MaterialExpression", &["MaterialExpression*"]),
    ("ActorComponent", &["*Component"]),
    (
        "Widget",
        &["*Widget", "*Panel", "*Box", "*Button", "TextBlock", "Image", "Border", "Overlay"],
    ),
    ("SoundNode", &["SoundNode*"]),
    ("ParticleEmitter", &["*Emitter"]),
];

fn fits(line: &[String], class: &str) -> bool {
    if line.iter().any(|known| known.eq_ignore_ascii_case(class)) {
        return true;
    }
    let (Some(first), Some((_, names))) = (line.first(), NAMES.iter().find(|it| it.0 == class))
    else {
        return false;
    };
    names.iter().any(|pattern| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => first.ends_with(end),
        (_, Some(start)) => first.starts_with(start),
        _ => first == pattern,
    })
}

const fn list(path: &'static str, owner: &'static str, member: &'static str) -> MemberList {
    MemberList { path, owner, member, takes_new: true, is_beside: false }
}

const fn choice(path: &'static str, owner: &'static str, member: &'static str) -> MemberList {
    MemberList { path, owner, member, takes_new: false, is_beside: false }
}

const fn beside(path: &'static str, owner: &'static str, member: &'static str) -> MemberList {
    MemberList { path, owner, member, takes_new: true, is_beside: true }
}

/// All kinds. Measured on the packages of the corpora: of these lists every member lies in the owner (in
/// `ExpressionCollection`, `Modules`, `PathList` beside it), and all that could be in them is: 1,670 elements of
/// `SequenceObjects`, 3,480 of `Nodes`, 1,462 of `Expressions` and `FunctionExpressions`, 982 of `AllWidgets`.
///
/// Lists whose places are counted elsewhere are missing on purpose: materials of a mesh, pages of a font, bodies of
/// a physics asset, levels of detail.
pub(super) const KINDS: &[MemberList] = &[
    // Kismet of UE3.
    list("SequenceObjects", "Sequence", "SequenceObject"),
    list("InterpGroups", "InterpData", "InterpGroup"),
    list("InterpTracks", "InterpGroup", "InterpTrack"),
    list("PrefabArchetypes", "Prefab", "Actor"),
    // Graphs of UE4 and UE5.
    list("Nodes", "EdGraph", "EdGraphNode"),
    list("SubGraphs", "EdGraph", "EdGraph"),
    choice("UbergraphPages", "Blueprint", "EdGraph"),
    choice("FunctionGraphs", "Blueprint", "EdGraph"),
    choice("MacroGraphs", "Blueprint", "EdGraph"),
    choice("DelegateSignatureGraphs", "Blueprint", "EdGraph"),
    choice("Pins", "EdGraphNode", "EdGraphPin"),
    choice("InputPins", "PCGNode", "PCGPin"),
    choice("OutputPins", "PCGNode", "PCGPin"),
    choice("Nodes", "PCGGraph", "PCGNode"),
    // Materials.
    list("EditorComments", "Material", "MaterialExpressionComment"),
    list("Expressions", "Material", "MaterialExpression"),
    list("FunctionEditorComments", "MaterialFunction", "MaterialExpressionComment"),
    list("FunctionExpressions", "MaterialFunction", "MaterialExpression"),
    beside(
        "ExpressionCollection.EditorComments",
        "MaterialEditorOnlyData",
        "MaterialExpressionComment",
    ),
    beside("ExpressionCollection.Expressions", "MaterialEditorOnlyData", "MaterialExpression"),
    beside(
        "ExpressionCollection.EditorComments",
        "MaterialFunctionEditorOnlyData",
        "MaterialExpressionComment",
    ),
    beside(
        "ExpressionCollection.Expressions",
        "MaterialFunctionEditorOnlyData",
        "MaterialExpression",
    ),
    // Components.
    list("Components", "Actor", "ActorComponent"),
    choice("BlueprintCreatedComponents", "Actor", "ActorComponent"),
    list("InstanceComponents", "Actor", "ActorComponent"),
    choice("SerializedComponents", "Actor", "ActorComponent"),
    choice("AllNodes", "SimpleConstructionScript", "SCS_Node"),
    choice("RootNodes", "SimpleConstructionScript", "SCS_Node"),
    choice("ComponentTemplates", "BlueprintGeneratedClass", "ActorComponent"),
    // Widgets.
    list("AllWidgets", "WidgetTree", "Widget"),
    choice("Slots", "PanelWidget", "PanelSlot"),
    choice("Children", "UIScreenObject", "UIObject"),
    choice("Controls", "GUIMultiComponent", "GUIComponent"),
    choice("Animations", "WidgetBlueprint", "WidgetAnimation"),
    // Sounds, particles, animations.
    list("AllNodes", "SoundCue", "SoundNode"),
    list("Emitters", "ParticleSystem", "ParticleEmitter"),
    choice("Emitters", "Emitter", "ParticleEmitter"),
    choice("Modules", "ParticleLODLevel", "ParticleModule"),
    list("Sequences", "AnimSet", "AnimSequence"),
    choice("Sockets", "SkeletalMesh", "SkeletalMeshSocket"),
    choice("Tracks", "MovieScene", "MovieSceneTrack"),
    choice("MasterTracks", "MovieScene", "MovieSceneTrack"),
    choice("Sections", "MovieSceneTrack", "MovieSceneSection"),
    // Paths of UE2 and UE3: an actor's own paths stand beside it.
    choice("PathList", "NavigationPoint", "ReachSpec"),
];
