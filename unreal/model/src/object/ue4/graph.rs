//! Graphs of blueprints: nodes and pins.

use crate::object::registry::classes;

classes! {
    pub mod node {
        "K2Node*" => EdGraphNode(facts);
        "EdGraphNode*" => EdGraphNode(facts);
        // Objects of AnimGraphNodeBinding are none.
        "AnimGraphNode_*" => EdGraphNode(facts);
        "SoundCueGraphNode*" => EdGraphNode(facts);
        "EnvironmentQueryGraphNode*" => EdGraphNode(facts);
        "AnimState*" => EdGraphNode(facts);
        "NiagaraNode*" => EdGraphNode(facts);
        "BehaviorTreeGraphNode*" => EdGraphNode(facts);
        "*GraphNode" => EdGraphNode(facts);
        // Those of plugins.
        "*GraphNode_*" => EdGraphNode(facts);
        "*K2Node_*" => EdGraphNode(facts);
    }
    pub mod pin {}
    pub mod pin_type {}
}
