//! Actors and nodes as the editors of UE3 to UE5 copy them.

use unreal_packages::EngineRelease;
use unreal_packages::content::PackageContents;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{PackageValues, ReferenceTexts};
use unreal_packages::object::ue4::asset::material::Material;
use unreal_packages::object::ue4::graph::node::EdGraphNode;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyList;
use unreal_packages::{Result, Versions};

use super::common::{GUID, ue4};
use super::node_graph::{add, blueprint, set};

fn graph_text(package: &Package, graph: &str) -> Result<String> {
    let row = package.find_export(graph)?;
    let made = package.contents().graph_text(row)?;
    assert_eq!(made.left_out, [""; 0]);
    Ok(made.text)
}

/// The lines without what is in parentheses behind the pin's name.
fn outline(text: &str) -> Vec<&str> {
    text.lines().map(|line| line.split(",PinType").next().unwrap_or(line)).collect()
}

#[test]
fn nodes_are_copied_with_their_pins_and_the_wires_between_them() {
    let versions = EngineRelease::new(5, 3).versions();
    let text = graph_text(&blueprint(&versions), "BP.EventGraph").unwrap();
    assert_eq!(
        outline(&text),
        [
            "Begin Object Class=/Script/BlueprintGraph.K2Node_Event Name=\"Begin\"",
            "   NodePosY=16",
            "   CustomProperties Pin (PinId=00000001000000020000000300000004,PinName=\"then\",\
             Direction=\"EGPD_Output\"",
            "End Object",
            "Begin Object Class=/Script/BlueprintGraph.K2Node_CallFunction Name=\"Print\"",
            "   NodePosX=320",
            "   NodePosY=16",
            "   FunctionReference=(MemberName=\"PrintString\")",
            "   CustomProperties Pin (PinId=00000002000000020000000300000004,PinName=\"execute\"",
            "End Object",
            "Begin Object Class=/Script/UnrealEd.EdGraphNode_Comment Name=\"Box\"",
            "   NodeWidth=400",
            "   NodeComment=\"When it begins\"",
            "End Object",
        ]
    );
    assert!(text.contains(",LinkedTo=(Print 00000002000000020000000300000004,),"), "{text}");
    assert!(text.contains(",LinkedTo=(Begin 00000001000000020000000300000004,),"), "{text}");
    assert!(text.contains("PinType.bSerializeAsSinglePrecisionFloat=False"), "{text}");
    assert!(text.contains(",bHidden=False,") && text.contains(",bOrphanedPin=False,)"), "{text}");
}

#[test]
fn references_have_the_form_of_the_release() {
    let of = |versions: &Versions| {
        let mut package = blueprint(versions);
        package
            .edit(|edit| {
                let class = edit.add_import("/Script/Engine.Actor", "/Script/CoreUObject.Class")?;
                let node = "BP.EventGraph.Print";
                let text = edit.reference_text(class);
                set(edit, node, "TargetType", "object", &text)?;
                set(edit, node, "Graph", "object", "BP.EventGraph")
            })
            .unwrap();
        let text = graph_text(&package, "BP.EventGraph").unwrap();
        let line =
            |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
        [line("   TargetType="), line("   Graph=")]
    };
    let short = of(&EngineRelease::new(4, 27).versions());
    assert_eq!(short[0], "   TargetType=Class'\"/Script/Engine.Actor\"'");
    let long = of(&EngineRelease::new(5, 1).versions());
    assert_eq!(long[0], "   TargetType=/Script/CoreUObject.Class'\"/Script/Engine.Actor\"'");
    let quoted = of(&EngineRelease::new(5, 3).versions());
    assert_eq!(quoted[0], "   TargetType=\"/Script/CoreUObject.Class'/Script/Engine.Actor'\"");
    assert!(quoted[1].ends_with("BP:EventGraph'\""), "{}", quoted[1]);
}

#[test]
fn what_stands_for_a_node_is_copied_within_it() {
    let versions = EngineRelease::new(5, 3).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        add(edit, "BT", "/Script/AIModule.BehaviorTree")?;
        add(edit, "BT.Graph", "/Script/BehaviorTreeEditor.BehaviorTreeGraph")?;
        for (node, task) in [("Outer", "Wait"), ("Inner", "Loop")] {
            let class = "/Script/BehaviorTreeEditor.BehaviorTreeGraphNode_Task";
            let native = EdGraphNode::blank("BehaviorTreeGraphNode_Task");
            let node = format!("BT.Graph.{node}");
            edit.add_object(&node, class, PropertyList::default(), native)?;
            let task = format!("BT.{task}");
            add(edit, &task, "/Script/AIModule.BTTask_Wait")?;
            set(edit, &node, "NodeInstance", "object", &task)?;
        }
        set(edit, "BT.Wait", "Next", "object", "BT.Loop")?;
        set(edit, "BT.Graph.Outer", "Decorators", "array:object", "(BT.Graph.Inner)")
    });
    made.unwrap();
    let text = graph_text(&package, "BT.Graph").unwrap();
    let first: Vec<&str> = text.lines().take(9).collect();
    assert_eq!(
        first,
        [
            "Begin Object Class=/Script/BehaviorTreeEditor.BehaviorTreeGraphNode_Task Name=\"Outer\"",
            "   Begin Object Class=/Script/AIModule.BTTask_Wait Name=\"Wait\"",
            "   End Object",
            "   Begin Object Name=\"Wait\"",
            "      Next=\"/Script/AIModule.BTTask_Wait'Inner.Loop'\"",
            "   End Object",
            "   NodeInstance=\"/Script/AIModule.BTTask_Wait'Wait'\"",
            "   Decorators(0)=\"/Script/BehaviorTreeEditor.BehaviorTreeGraphNode_Task'Inner'\"",
            // Both say so: the second one is within the first.
            "   CopySubNodeIndex=0",
        ]
    );
    assert_eq!(text.matches("CopySubNodeIndex=0").count(), 2);
}

#[test]
fn nodes_without_stored_pins_are_refused_by_name() {
    let versions = EngineRelease::new(5, 3).versions();
    let mut package = Package::from_bytes(ue4::builder(&versions).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        let native = Material::default();
        edit.add_object("M", "/Script/Engine.Material", PropertyList::default(), native)?;
        add(edit, "M.One", "/Script/Engine.MaterialExpressionConstant")?;
        add(edit, "Loose", "/Script/Engine.Thing")?;
        Ok(())
    });
    made.unwrap();
    let error = graph_text(&package, "M").unwrap_err().to_string();
    assert!(error.contains("M: no package stores the pins"), "{error}");
    let error = graph_text(&package, "Loose").unwrap_err().to_string();
    assert!(error.contains("Loose") && error.contains("no graph"), "{error}");
    assert!(package.values().stored_graphs(None).is_empty());
    let ue3 = Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap();
    let error = ue3.contents().graph_text(0).unwrap_err().to_string();
    assert!(error.contains("UE4 and UE5 alone"), "{error}");
}

#[test]
fn objects_deeper_than_any_editor_puts_them_are_refused() {
    let versions = EngineRelease::new(5, 3).versions();
    let mut package = blueprint(&versions);
    let made = package.edit(|edit| -> Result<()> {
        let groups: Vec<String> = (0..80).map(|depth| format!("A{depth}")).collect();
        edit.add_group(&groups.join("."))?;
        edit.move_object("A0", Some("BP.EventGraph.Print"))?;
        Ok(())
    });
    made.unwrap();
    let error = graph_text(&package, "BP.EventGraph").unwrap_err().to_string();
    assert!(error.contains("lies deeper than"), "{error}");
}

#[test]
fn actors_of_ue3_are_copied_with_their_components() {
    let mut package = Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        edit.add_group("TheWorld.PersistentLevel")?;
        let lamp = "TheWorld.PersistentLevel.Lamp";
        add(edit, lamp, "Engine.PointLight")?;
        add(edit, &format!("{lamp}.Glow"), "Engine.Thing")?;
        set(edit, lamp, "Tag", "name", "Bright")?;
        set(edit, lamp, "Light", "object", &format!("{lamp}.Glow"))?;
        set(edit, lamp, "Others", "array:object", &format!("({lamp}.Glow,None)"))?;
        set(edit, &format!("{lamp}.Glow"), "Owner", "object", lamp)
    });
    made.unwrap();
    let row = package.find_export("TheWorld.PersistentLevel.Lamp").unwrap();
    let made = package.contents().level_text(&[row]).unwrap();
    assert_eq!(
        made.text.lines().collect::<Vec<_>>(),
        [
            "Begin Map",
            "   Begin Level",
            "      Begin Actor Class=PointLight Name=Lamp Archetype=PointLight'Engine.Default__PointLight'",
            "         Begin Object Class=Thing Name=Glow ObjName=Glow Archetype=Thing'Engine.Default__Thing'",
            "            Owner=PointLight'Lamp'",
            "            Name=\"Glow\"",
            "            ObjectArchetype=Thing'Engine.Default__Thing'",
            "         End Object",
            "         Tag=\"Bright\"",
            "         Light=Thing'Glow'",
            "         Others(0)=Thing'Glow'",
            "         Others(1)=None",
            "         Name=\"Lamp\"",
            "         ObjectArchetype=PointLight'Engine.Default__PointLight'",
            "      End Actor",
            "   End Level",
            "Begin Surface",
            "End Surface",
            "End Map",
        ]
    );
    assert_eq!(made.left_out, [""; 0]);
}
