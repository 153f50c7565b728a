//! Looking at packages: values, uses, explanations, payloads.

#[doc(hidden)]
pub mod access;
mod ancestry;
#[doc(hidden)]
pub mod assembly;
mod byte_enums;
mod conformance;
mod coverage;
mod curve;
mod damage;
mod declarations;
mod editor_reference;
mod effective;
mod expectation;
mod explain;
mod formula;
mod level_map;
mod listing;
mod map_facts;
#[doc(hidden)]
pub mod meaning;
mod near_names;
mod newness;
mod node_graph;
mod object_bytes;
mod object_class;
mod object_dependency;
mod opaque_part;
#[doc(hidden)]
pub mod own_path;
mod payload;
mod plain_values;
mod positions;
mod property_texts;
mod query;
mod rebuild;
mod references;
mod referrers;
#[doc(hidden)]
pub mod rows_by_name;
mod shares;
mod siblings;
#[doc(hidden)]
pub mod table_rows;
mod texels;
mod texts;
#[doc(hidden)]
pub mod values;

pub use assembly::CodeTexts;
pub use byte_enums::PackageEnums;
#[doc(hidden)]
pub use conformance::stored_generations;
pub use conformance::{Mismatch, mismatches};
pub use coverage::coverage;
pub use curve::{Curve, CurveInterpolation, CurveKey};
pub use damage::{Damage, DamageLine};
#[doc(hidden)]
pub use editor_reference::{EditorScope, editor_default, editor_path, editor_reference};
pub use effective::{Defaults, EffectiveValues, Inherited, ObjectSubject};
pub use expectation::Expectation;
pub use explain::Explanation;
pub use formula::{Answer, Formula, FormulaNumber, Subject};
pub use level_map::{
    ActorPlaces, ActorTransform, BrushUse, LevelMap, MapActor, MapPath, each_level, level_model,
    polygons_of,
};
#[doc(hidden)]
pub use listing::script_lines_with;
pub use listing::{operand_text, script_lines};
pub use map_facts::{MapFacts, game_type_of};
#[doc(hidden)]
pub use meaning::ReferenceTexts;
pub use newness::is_newer_than_known;
pub use node_graph::{GraphNode, GraphWire, NodeGraph};
#[doc(hidden)]
pub use node_graph::{StoredGraph, StoredNode, StoredNodeReader};
pub use object_bytes::{ObjectBytes, object_bytes};
pub use object_dependency::ObjectDependency;
pub use opaque_part::OpaquePart;
pub use own_path::{folder_name, main_asset, package_path};
pub use payload::{PayloadPlace, editor_payload, payload, payload_place};
#[doc(hidden)]
pub use positions::PositionVisitor;
pub use positions::{MissingFile, PositionFault, Positions, WrongPosition};
pub use query::{Condition, Selection, has_wildcards, matches_file, matches_path};
pub use rebuild::{BodyBytes, Rebuilt};
pub use references::ReferencePlace;
#[doc(hidden)]
pub use references::plain;
pub use referrers::{Referrer, references};
pub use shares::{Share, ShareKey, Shares};
pub use texels::{BulkPlace, Texels, bulk_bytes, texels};
pub use texts::{FoundText, TextKind, each_text};
pub use values::{PackageValues, PropertyValue, Values};
