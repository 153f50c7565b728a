//! Graphs of nodes: places as editors store them, pins, wires.

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{NodeGraph, PackageValues};
use unreal_packages::object::ue3::asset::material::Material;
use unreal_packages::object::ue3::asset::sound::EditorPositions;
use unreal_packages::object::ue4::asset::material as ue4_material;
use unreal_packages::object::ue4::graph::node::EdGraphNode;
use unreal_packages::object::ue4::graph::pin::{OwnedPin, Pin, PinKey, PinReference};
use unreal_packages::package::Package;
use unreal_packages::primitive::{Guid, Map};
use unreal_packages::property::{Naming, PropertyList, Type};
use unreal_packages::{EngineRelease, PackageIndex, Result, Versions};

use super::common::{GUID, ue4};

pub(super) fn set(
    edit: &mut Edit,
    object: &str,
    property: &str,
    kind: &str,
    value: &str,
) -> Result<()> {
    let kind: Type = kind.parse()?;
    edit.add_property_or(object, property, &kind, value).map(drop)
}

fn place(edit: &mut Edit, object: &str, names: [&str; 2], [x, y]: [i32; 2]) -> Result<()> {
    for (name, number) in [(names[0], x), (names[1], y)] {
        // Editors leave out what is as in the class.
        if number != 0 {
            set(edit, object, name, "int", &number.to_string())?;
        }
    }
    Ok(())
}

fn ue3() -> Package {
    Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap()
}

pub(super) fn add(edit: &mut Edit, name: &str, class: &str) -> Result<usize> {
    edit.add_plain_object(name, class, PropertyList::default())
}

/// Wires as `From.output>To.input`.
fn wires(graph: &NodeGraph) -> Vec<String> {
    let name = |node: usize| graph.nodes[node].path.rsplit('.').next().unwrap().to_owned();
    let one = |wire: &unreal_packages::inspect::GraphWire| {
        let output = &graph.nodes[wire.from].outputs[wire.output];
        let input = &graph.nodes[wire.to].inputs[wire.input];
        format!("{}.{output}>{}.{input}", name(wire.from), name(wire.to))
    };
    graph.wires.iter().map(one).collect()
}

fn graph_of(package: &Package, path: &str) -> NodeGraph {
    package.values().node_graph(package.find_export(path).unwrap()).unwrap()
}

#[test]
fn graph_of_a_ue3_material_leads_from_expressions_to_inputs() {
    let mut package = ue3();
    let made = package.edit(|edit| -> Result<()> {
        edit.add_object("M", "Engine.Material", PropertyList::default(), Material::default())?;
        let names = ["MaterialExpressionEditorX", "MaterialExpressionEditorY"];
        add(edit, "M.Tint", "Engine.MaterialExpressionVectorParameter")?;
        place(edit, "M.Tint", names, [250, -30])?;
        set(edit, "M.Tint", "ParameterName", "name", "Colour")?;
        add(edit, "M.Times", "Engine.MaterialExpressionMultiply")?;
        place(edit, "M.Times", names, [120, 0])?;
        set(
            edit,
            "M.Times",
            "A",
            "struct:ExpressionInput",
            "(Expression=M.Tint,Mask=1,MaskR=1,MaskG=1)",
        )?;
        set(edit, "M", "DiffuseColor", "struct:ColorMaterialInput", "(Expression=M.Times)")?;
        set(edit, "M", "EditorX", "int", "8")?;
        add(edit, "M.Note", "Engine.MaterialExpressionComment")?;
        set(edit, "M.Note", "SizeX", "int", "300")?;
        set(edit, "M.Note", "SizeY", "int", "200")?;
        set(edit, "M.Note", "Text", "string", "\"Base colour\"")?;
        // Not in a graph.
        add(edit, "Loose", "Engine.Thing")?;
        Ok(())
    });
    made.unwrap();
    let graph = graph_of(&package, "M");
    assert!(graph.outputs_left);
    let found: Vec<_> = graph.nodes.iter().map(|node| (node.path.as_str(), node.place)).collect();
    assert_eq!(
        found,
        [
            ("M", Some([8.0, 0.0])),
            ("M.Tint", Some([250.0, -30.0])),
            ("M.Times", Some([120.0, 0.0])),
            // What is not stored is as in the class.
            ("M.Note", Some([0.0, 0.0])),
        ]
    );
    assert_eq!(wires(&graph), ["Tint.RG>Times.A", "Times.>M.DiffuseColor"]);
    assert_eq!(graph.nodes[1].title.as_deref(), Some("Colour"));
    let note = &graph.nodes[3];
    assert_eq!((note.is_comment, note.size), (true, Some([300.0, 200.0])));
    assert_eq!(note.title.as_deref(), Some("Base colour"));
    let row = package.find_export("M").unwrap();
    assert_eq!(package.values().node_graphs(None), [row]);
    assert!(package.values().node_graphs(package.find_export("Loose").ok()).is_empty());
    let loose = package.find_export("Loose").unwrap();
    let error = package.values().node_graph(loose).unwrap_err().to_string();
    assert!(error.contains("Loose") && error.contains("no graph"), "{error}");
    assert!(package.values().node_graph(999).is_err());
}

#[test]
fn graph_without_stored_places_has_none() {
    let mut package = ue3();
    let made = package.edit(|edit| -> Result<()> {
        edit.add_object("M", "Engine.Material", PropertyList::default(), Material::default())?;
        add(edit, "M.One", "Engine.MaterialExpressionConstant")?;
        set(edit, "M", "Opacity", "struct:ScalarMaterialInput", "(Expression=M.One)")
    });
    made.unwrap();
    let graph = graph_of(&package, "M");
    assert_eq!(graph.nodes.len(), 2);
    assert!(graph.nodes.iter().all(|node| node.place.is_none()));
    assert_eq!(wires(&graph), ["One.>M.Opacity"]);
}

#[test]
fn inputs_of_later_materials_lie_without_tags_and_in_what_only_the_editor_has() {
    let versions = EngineRelease::new(5, 3).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        let native = ue4_material::Material::default();
        edit.add_object("M", "/Script/Engine.Material", PropertyList::default(), native)?;
        let only = "M.MEditorOnlyData";
        let native = ue4_material::MaterialEditorOnlyData::default();
        let class = "/Script/Engine.MaterialEditorOnlyData";
        edit.add_object(only, class, PropertyList::default(), native)?;
        for (name, class, x) in [("A", "Constant", -400), ("B", "OneMinus", -200)] {
            let object = format!("{only}.{name}");
            add(edit, &object, &format!("/Script/Engine.MaterialExpression{class}"))?;
            set(edit, &object, "MaterialExpressionEditorX", "int", &x.to_string())?;
        }
        let input = "Expression=M.MEditorOnlyData.A,OutputIndex=2,InputName=None,Mask=0,MaskR=0,MaskG=0,\
                     MaskB=0,MaskA=0";
        set(edit, &format!("{only}.B"), "Input", "struct:ExpressionInput", &format!("({input})"))?;
        let input = "(Expression=M.MEditorOnlyData.B,OutputIndex=0,InputName=None,Mask=0,MaskR=0,MaskG=0,\
                     MaskB=0,MaskA=0)";
        set(edit, only, "MaterialAttributes", "struct:MaterialAttributesInput", input)
    });
    made.unwrap();
    let graph = graph_of(&package, "M");
    assert!(!graph.outputs_left);
    assert_eq!(wires(&graph), ["A.2>B.Input", "B.>M.MaterialAttributes"]);
    assert_eq!(graph.nodes[1].place, Some([-400.0, 0.0]));
}

/// A blueprint of two nodes whose pins lead to each other, as both of them store it.
pub(super) fn blueprint(versions: &Versions) -> Package {
    let mut package = Package::from_bytes(ue4::builder(versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        add(edit, "BP", "/Script/Engine.Blueprint")?;
        add(edit, "BP.EventGraph", "/Script/Engine.EdGraph")?;
        let first = edit.exports().len();
        let key = |at: usize| PinKey {
            owning_node: PackageIndex::export(first + at),
            id: Guid::new(at as u32 + 1, 2, 3, 4),
        };
        for (at, (name, class)) in
            [("Begin", "K2Node_Event"), ("Print", "K2Node_CallFunction")].into_iter().enumerate()
        {
            let mut node = EdGraphNode::blank(class);
            let other = PinReference(Some(key(1 - at)));
            let pin = Pin {
                key: key(at),
                own_key: key(at),
                direction: 1 - at as u8,
                name: unreal_packages::object::ue4::graph::pin_type::PinName {
                    name: edit.name(if at == 0 { "then" } else { "execute" })?.into(),
                    ..Default::default()
                },
                linked_to: vec![other],
                ..Pin::default()
            };
            node.pins = vec![OwnedPin(Some(Box::new(pin)))];
            let object = format!("BP.EventGraph.{name}");
            let class = format!("/Script/BlueprintGraph.{class}");
            edit.add_object(&object, &class, PropertyList::default(), node)?;
            place(edit, &object, ["NodePosX", "NodePosY"], [320 * at as i32, 16])?;
        }
        let print = "BP.EventGraph.Print";
        set(
            edit,
            print,
            "FunctionReference",
            "struct:MemberReference",
            "(MemberName:name=PrintString)",
        )?;
        let class = "/Script/UnrealEd.EdGraphNode_Comment";
        let comment = EdGraphNode::blank("EdGraphNode_Comment");
        edit.add_object("BP.EventGraph.Box", class, PropertyList::default(), comment)?;
        set(edit, "BP.EventGraph.Box", "NodeWidth", "int", "400")?;
        set(edit, "BP.EventGraph.Box", "NodeComment", "string", "\"When it begins\"")
    });
    made.unwrap();
    package
}

#[test]
fn pins_of_blueprints_are_wired_once() {
    let package = blueprint(&EngineRelease::new(4, 27).versions());
    let graph = graph_of(&package, "BP.EventGraph");
    assert_eq!(wires(&graph), ["Begin.then>Print.execute"]);
    let found: Vec<_> =
        graph.nodes.iter().map(|node| (node.place, node.title.as_deref())).collect();
    assert_eq!(
        found,
        [
            (Some([0.0, 16.0]), None),
            (Some([320.0, 16.0]), Some("PrintString")),
            (Some([0.0, 0.0]), Some("When it begins")),
        ]
    );
    assert_eq!((graph.nodes[2].is_comment, graph.nodes[2].size), (true, Some([400.0, 0.0])));
    // A blueprint has its graphs in it.
    let row = |path: &str| package.find_export(path).unwrap();
    assert_eq!(package.values().node_graphs(Some(row("BP"))), [row("BP.EventGraph")]);
    assert!(package.values().node_graph(row("BP")).is_err());
    // Whatever the bytes say, reading ends.
    let bytes = package.to_bytes().unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        let Ok(package) = Package::from_bytes(damaged) else { continue };
        for row in package.values().node_graphs(None) {
            let graph = package.values().node_graph(row);
            let Ok(graph) = graph else { continue };
            assert!(graph.nodes.len() <= package.exports().len() + 1);
            for wire in &graph.wires {
                assert!(wire.output < graph.nodes[wire.from].outputs.len());
                assert!(wire.input < graph.nodes[wire.to].inputs.len());
            }
        }
    }
}

#[test]
fn pins_that_are_objects_are_wired_too() {
    let versions = EngineRelease::new(4, 8).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        add(edit, "Graph", "/Script/Engine.EdGraph")?;
        for (name, direction) in [("From", "EGPD_Output"), ("To", "EGPD_Input")] {
            let node = format!("Graph.{name}");
            let class = "K2Node_Knot";
            let native = EdGraphNode::blank(class);
            let class = format!("/Script/BlueprintGraph.{class}");
            edit.add_object(&node, &class, PropertyList::default(), native)?;
            set(edit, &node, "NodePosX", "int", "64")?;
            let pin = format!("{node}.Pin");
            add(edit, &pin, "/Script/Engine.EdGraphPin")?;
            set(edit, &pin, "PinName", "string", "\"value\"")?;
            set(edit, &pin, "Direction", "byte-enum:EEdGraphPinDirection", direction)?;
        }
        set(edit, "Graph.From.Pin", "LinkedTo", "array:object", "(Graph.To.Pin)")?;
        set(edit, "Graph.To.Pin", "LinkedTo", "array:object", "(Graph.From.Pin)")
    });
    made.unwrap();
    assert_eq!(wires(&graph_of(&package, "Graph")), ["From.value>To.value"]);
}

#[test]
fn links_of_sequences_lead_to_operations_and_variables() {
    let mut package = ue3();
    let made = package.edit(|edit| -> Result<()> {
        add(edit, "Main_Sequence", "Engine.Sequence")?;
        for (name, class, x) in [
            ("Touched", "SeqEvent_Touch", 40),
            ("Log", "SeqAct_Log", 300),
            ("Hero", "SeqVar_Object", 310),
            // A game's own, of whose class nothing more is known.
            ("Own", "BioSeqAct_Own", 500),
        ] {
            let object = format!("Main_Sequence.{name}");
            add(edit, &object, &format!("Engine.{class}"))?;
            place(edit, &object, ["ObjPosX", "ObjPosY"], [x, 96])?;
        }
        let links = "((Links:array:struct:SeqOpOutputInputLink=((LinkedOp:object=Main_Sequence.Log,\
                     InputLinkIdx:int=0)),LinkDesc:string=\"Touched\"))";
        set(edit, "Main_Sequence.Touched", "OutputLinks", "array:struct:SeqOpOutputLink", links)?;
        let links = "((LinkDesc:string=\"In\"))";
        set(edit, "Main_Sequence.Log", "InputLinks", "array:struct:SeqOpInputLink", links)?;
        let links =
            "((LinkedVariables:array:object=(Main_Sequence.Hero),LinkDesc:string=\"Target\"))";
        set(edit, "Main_Sequence.Log", "VariableLinks", "array:struct:SeqVarLink", links)
    });
    made.unwrap();
    let graph = graph_of(&package, "Main_Sequence");
    assert!(!graph.outputs_left);
    assert_eq!(wires(&graph), ["Touched.Touched>Log.In", "Hero.>Log.Target"]);
    assert_eq!(graph.nodes[1].place, Some([300.0, 96.0]));
    assert_eq!(graph.nodes.len(), 4);
}

#[test]
fn nodes_within_another_stand_below_it() {
    let versions = EngineRelease::new(4, 27).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        add(edit, "Tree", "/Script/AIModule.BehaviorTreeGraph")?;
        for name in ["Composite", "Decorator", "Service"] {
            let class = format!("BehaviorTreeGraphNode_{name}");
            let native = EdGraphNode::blank(&class);
            let class = format!("/Script/BehaviorTreeEditor.{class}");
            edit.add_object(&format!("Tree.{name}"), &class, PropertyList::default(), native)?;
        }
        place(edit, "Tree.Composite", ["NodePosX", "NodePosY"], [100, 200])?;
        set(edit, "Tree.Service", "NodePosX", "int", "9000")?;
        set(edit, "Tree.Composite", "Decorators", "array:object", "(Tree.Decorator)")?;
        set(edit, "Tree.Composite", "SubNodes", "array:object", "(Tree.Service,Tree.Decorator)")
    });
    made.unwrap();
    let places: Vec<_> = graph_of(&package, "Tree").nodes.iter().map(|node| node.place).collect();
    assert_eq!(places, [[100.0, 200.0], [124.0, 240.0], [124.0, 280.0]].map(Some));
}

#[test]
fn edges_of_procedural_generation_lead_from_pin_to_pin() {
    let versions = EngineRelease::new(5, 4).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        add(edit, "Graph", "/Script/PCG.PCGGraph")?;
        for (name, x) in [("Sample", -300), ("Spawn", 200)] {
            let node = format!("Graph.{name}");
            add(edit, &node, "/Script/PCG.PCGNode")?;
            place(edit, &node, ["PositionX", "PositionY"], [x, 16])?;
            for (list, pins) in
                [("InputPins", ["In", "Overrides"]), ("OutputPins", ["Out", "Rest"])]
            {
                for pin in pins {
                    let is_more = ["Overrides", "Rest"].contains(&pin);
                    let status = if is_more { "Advanced" } else { "Normal" };
                    let facts =
                        format!("(Label:name={pin},PinStatus:name=EPCGPinStatus::{status})");
                    let object = format!("{node}.{pin}");
                    add(edit, &object, "/Script/PCG.PCGPin")?;
                    set(edit, &object, "Properties", "struct:PCGPinProperties", &facts)?;
                }
                let pins = pins.map(|pin| format!("{node}.{pin}")).join(",");
                set(edit, &node, list, "array:object", &format!("({pins})"))?;
            }
        }
        // A pin that is shown only when it is asked for has a wire.
        for (edge, [from, to]) in [
            ("One", ["Graph.Sample.Out", "Graph.Spawn.In"]),
            ("Two", ["Graph.Sample.Out", "Graph.Spawn.Overrides"]),
        ] {
            let edge = format!("Graph.Sample.Out.{edge}");
            add(edit, &edge, "/Script/PCG.PCGEdge")?;
            set(edit, &edge, "InputPin", "object", from)?;
            set(edit, &edge, "OutputPin", "object", to)?;
        }
        Ok(())
    });
    made.unwrap();
    let graph = graph_of(&package, "Graph");
    assert_eq!(wires(&graph), ["Sample.Out>Spawn.In", "Sample.Out>Spawn.Overrides"]);
    assert_eq!(graph.nodes[0].inputs, ["In"]);
    assert_eq!(graph.nodes[1].inputs, ["In", "Overrides"]);
    assert_eq!(graph.nodes[1].place, Some([200.0, 16.0]));
}

#[test]
fn sound_cues_say_where_their_nodes_stand() {
    let mut package = ue3();
    let made = package.edit(|edit| -> Result<()> {
        let first = edit.exports().len();
        let index = |at: usize| PackageIndex::export(first + at);
        let positions = Map(vec![(index(1), (150, -20)), (index(2), (300, 5))]);
        let positions = EditorPositions { positions };
        edit.add_object("Cue", "Engine.SoundCue", PropertyList::default(), positions)?;
        add(edit, "Cue.Random", "Engine.SoundNodeRandom")?;
        add(edit, "Cue.Loop", "Engine.SoundNodeLooping")?;
        set(edit, "Cue", "FirstNode", "object", "Cue.Random")?;
        set(edit, "Cue.Random", "ChildNodes", "array:object", "(Cue.Loop)")?;
        // A sound in a package is no node of a graph.
        add(edit, "Group", "Core.Package")?;
        add(edit, "Group.Random", "Engine.SoundNodeRandom").map(drop)
    });
    made.unwrap();
    let graph = graph_of(&package, "Cue");
    assert_eq!(wires(&graph), ["Random.>Cue.[0]", "Loop.>Random.[0]"]);
    let places: Vec<_> = graph.nodes.iter().map(|node| node.place).collect();
    assert_eq!(places, [Some([0.0, 0.0]), Some([150.0, -20.0]), Some([300.0, 5.0])]);
    assert_eq!(package.values().node_graphs(None), [graph.row]);
}
