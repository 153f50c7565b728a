//! Nodes.

use super::pin::OwnedPin;
use super::pin_type::{PinName, PinType};
use crate::Archived;
use crate::object::Facts;
use crate::object::ue4::prepared::Prepared;
use crate::primitive::{FString, PackageIndex};
use crate::version::{UE4, custom};

/// A node of a graph.
///
/// Spec: ue4-5/05 §4, 09 §9. C++: `UEdGraphNode`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct EdGraphNode {
    /// Its pins.
    #[since(custom = custom::BLUEPRINTS, custom::blueprints::ED_GRAPH_PIN_OPTIMIZED)]
    pub pins: Vec<OwnedPin>,
    /// Pins that the user named.
    pub user_pins: Prepared<Vec<UserPin>>,
    /// Whether a cast is pure.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::DYNAMIC_CAST_NODES_USE_PURE_STATE_ENUM)]
    pub purity: Prepared<u8>,
}

impl EdGraphNode {
    /// An empty node of this class.
    pub fn blank(class: &str) -> Self {
        Self {
            user_pins: Prepared::when(EDITABLE.contains(&class)),
            purity: Prepared::when(
                class == "K2Node_DynamicCast" || class == "K2Node_ClassDynamicCast",
            ),
            ..Self::default()
        }
    }

    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        Self::blank(facts.class)
    }
}

/// Nodes whose pins the user names: those that derive from `K2Node_EditablePinBase`.
const EDITABLE: &[&str] = &[
    "K2Node_EditablePinBase",
    "K2Node_FunctionTerminator",
    "K2Node_FunctionEntry",
    "K2Node_FunctionResult",
    "K2Node_Event",
    "K2Node_CustomEvent",
    "K2Node_ActorBoundEvent",
    "K2Node_ComponentBoundEvent",
    "K2Node_GeneratedBoundEvent",
    "K2Node_InputActionEvent",
    "K2Node_InputAxisEvent",
    "K2Node_InputAxisKeyEvent",
    "K2Node_InputKeyEvent",
    "K2Node_InputTouchEvent",
    "K2Node_InputVectorAxisEvent",
    "K2Node_WidgetAnimationEvent",
    "K2Node_InputActionValue",
    "K2Node_Tunnel",
    "K2Node_TunnelBoundary",
    "K2Node_Composite",
    "K2Node_MathExpression",
    "K2Node_MacroInstance",
];

/// A pin that the user named.
///
/// Spec: ue4-5/09 §9. C++: `FUserPinInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UserPin {
    /// Its name.
    pub name: PinName,
    /// The type of values that flow through it.
    #[since(ue4 = 456)]
    pub pin_type: PinType,
    /// 0 input, 1 output.
    #[since(ue4 = 456)]
    pub direction: u8,
    /// The same below UE4 version 456.
    #[until(ue4 = 456)]
    pub old_type: OldPinType,
    /// Its value where nothing flows in.
    pub default_value: FString,
}

/// The type of values that flow through a [`UserPin`] below UE4 version 456.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct OldPinType {
    /// Whether it is an array.
    pub is_array: bool,
    /// Whether it is a reference.
    pub is_reference: bool,
    /// `exec`, `bool`, `object`...
    pub category: FString,
    /// More about it.
    pub sub_category: FString,
    /// Its class, struct or enum.
    pub sub_category_object: PackageIndex,
}
