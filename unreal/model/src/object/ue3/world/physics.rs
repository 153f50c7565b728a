//! Cooked physics.

use crate::object::game::is_killing_floor_2;
use crate::object::optional::rest;
use crate::primitive::BulkArray;
use crate::{Archived, Span};

/// Cooked convex bodies, one stream of the physics engine each.
///
/// Spec: ue1-3/11 §11.4. C++: `FKCachedConvexData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ConvexData {
    /// The bodies.
    pub elements: Vec<BulkArray<1>>,
}

/// A brush: its collision, cooked.
///
/// Spec: ue1-3/11 §11.3. C++: `UBrushComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct BrushComponent {
    /// Cooked collision.
    pub cached_physics: ConvexData,
}

/// The physical form of a mesh, cooked for several scales.
///
/// Spec: ue1-3/11 §11.4. C++: `URB_BodySetup`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RbBodySetup {
    /// One for every scale.
    pub cached_physics: Vec<ConvexData>,
    /// The part that Killing Floor 2 adds.
    #[archive(when = is_killing_floor_2(ar), with = rest)]
    pub killing_floor_2: Span,
}

/// A physics asset at work: pairs of bodies that do not collide.
///
/// Spec: ue1-3/11 §11.3. C++: `UPhysicsAssetInstance`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PhysicsAssetInstance {
    /// The pairs.
    pub disabled_collisions: Vec<CollisionPair>,
}

/// Two bodies that do not collide. Spec: ue1-3/11 §11.3. C++: `FRigidBodyIndexPair`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct CollisionPair {
    /// First body.
    pub first: i32,
    /// Second body.
    pub second: i32,
    /// The value of the pair, 0.
    pub value: i32,
}
