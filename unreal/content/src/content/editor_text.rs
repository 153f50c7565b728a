//! Objects as the text that the editors of UE3 to UE5 copy and paste: actors of levels, nodes of graphs.
//!
//! ```text
//! Begin Object Class=/Script/BlueprintGraph.K2Node_CallFunction Name="K2Node_CallFunction_0"
//!    FunctionReference=(MemberName="Explode",bSelfContext=True)
//!    NodePosX=256
//!    CustomProperties Pin (PinId=9A…,PinName="then",Direction="EGPD_Output",…)
//! End Object
//! ```
//!
//! The text holds classes, names, archetypes and stored properties, of what lies in an object as well, and the pins of
//! nodes, and the polygons of brushes. It does not hold what else a body has (flags, compiled code, geometry that was
//! built, how polygons are lit).

mod block;
mod brush;
mod graph;
mod level;
mod pin;
mod text;
mod writer;

pub use self::graph::GraphTexts;
pub use self::text::EditorText;
