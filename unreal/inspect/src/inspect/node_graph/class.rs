//! Which classes are nodes.

use crate::Versions;
use crate::version::EngineFacts;

/// A kind of node: what its wires and its place are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NodeClass {
    /// An expression of a material: `MaterialExpressionEditorX`, inputs that name their `Expression`.
    Expression,
    /// A node with pins, of UE4 and UE5: `NodePosX`.
    Pins,
    /// An object of a sequence of UE3: `ObjPosX`, links.
    Sequence,
    /// A node of a sound cue: `ChildNodes`; the cue says where it stands.
    Sound,
    /// A node of an animation tree of UE3: `NodePosX`, `Children`.
    Animation,
    /// A node of procedural generation (PCG) of UE5: `PositionX`, pins that are objects.
    Generation,
}

impl NodeClass {
    /// Of a class and those that it derives from.
    pub fn of(chain: &[String], versions: &Versions) -> Option<Self> {
        let starts = |start: &str| chain.iter().any(|class| class.starts_with(start));
        if starts("MaterialExpression") {
            return Some(Self::Expression);
        }
        if starts("SoundNode") {
            return Some(Self::Sound);
        }
        if versions.has_component_prefixes() {
            // Games have their own, such as `BioSeqAct_`, whose classes stand in other packages.
            let is_sequence = starts("SequenceObject")
                || ["Seq", "UIAction_", "UIEvent_"]
                    .iter()
                    .any(|part| chain.first().is_some_and(|class| class.contains(part)));
            return match is_sequence {
                true => Some(Self::Sequence),
                false => starts("AnimNode").then_some(Self::Animation),
            };
        }
        if ["PCGNode", "PCGSubgraphNode"].iter().any(|name| chain.iter().any(|it| it == name)) {
            return Some(Self::Generation);
        }
        let has_pins = |class: &String| {
            class.contains("K2Node")
                || class.ends_with("GraphNode")
                || class.contains("GraphNode_")
                || class.starts_with("EdGraphNode")
                || class.starts_with("NiagaraNode")
                || class.starts_with("AnimState")
        };
        chain.iter().any(has_pins).then_some(Self::Pins)
    }

    /// The properties of the place, and what they are called in some releases.
    pub fn place(self) -> [[&'static str; 2]; 2] {
        match self {
            Self::Expression => {
                [["MaterialExpressionEditorX", "MaterialExpressionEditorY"], ["PosX", "PosY"]]
            }
            Self::Sequence => [["ObjPosX", "ObjPosY"]; 2],
            Self::Generation => [["PositionX", "PositionY"]; 2],
            Self::Pins | Self::Animation | Self::Sound => [["NodePosX", "NodePosY"]; 2],
        }
    }

    /// The properties that say what a node stands for, the best first.
    pub fn titles(self) -> &'static [&'static str] {
        match self {
            Self::Expression => &[
                "Text",
                "Desc",
                "ParameterName",
                "Texture",
                "MaterialFunction",
                "InputName",
                "OutputName",
                "FunctionInputName",
                "R",
                "Constant",
            ],
            Self::Pins => &[
                "NodeComment",
                "CustomFunctionName",
                "FunctionReference.MemberName",
                "VariableReference.MemberName",
                "EventReference.MemberName",
                "MacroGraphReference.MacroGraph",
                "TargetType",
                "NodeInstance",
                "SoundNode",
                "DelegateReference.MemberName",
                "BoundGraph",
                "StructType",
                "Enum",
            ],
            Self::Sequence => &["ObjComment", "VarName", "EventName", "ObjValue", "ObjName"],
            Self::Sound => &["SoundWave", "SoundWaveAssetPtr"],
            Self::Animation => &["NodeName", "AnimSeqName"],
            Self::Generation => &["NodeTitle", "SettingsInterface", "DefaultSettings"],
        }
    }
}
