//! Static parameters of materials.

use crate::Archived;
use crate::object::game::is_mass_effect_3;
use crate::primitive::{Guid, Name};

/// The static parameters that a compiled material was made for.
///
/// Spec: ue1-3/11 §11.8. C++: `FStaticParameterSet`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticParameterSet {
    /// The material that the parameters belong to.
    pub base_material: Guid,
    /// Switches.
    pub switches: Vec<StaticParameter<u32>>,
    /// Component masks.
    pub masks: Vec<StaticParameter<[u32; 4]>>,
    /// How normals are compressed.
    #[since(631)]
    pub normals: Vec<StaticParameter<u8>>,
    /// Weight maps of terrain layers.
    #[since(714)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub terrain_weights: Vec<StaticParameter<i32>>,
    /// Number of parameters of a kind that no file has; seen in A Hat in Time, not in 871.
    #[since(888)]
    pub further_count: u32,
}

/// One parameter: name, value, whether it differs from the parent's, and the expression it belongs to.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct StaticParameter<T> {
    /// Name.
    pub name: Name,
    /// Value.
    pub value: T,
    /// Whether the value differs from the parent's.
    pub overrides: u32,
    /// The expression.
    pub expression: Guid,
}
