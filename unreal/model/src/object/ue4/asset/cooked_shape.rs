//! Shapes that were cooked for a physics engine and for navigation.

use crate::object::registry::classes;

classes! {
    pub mod body { also BodyShapes; }
    pub mod bulk {}
    pub mod chaos { also ChaosShapes, ChaosShape; }
    pub mod chaos_convex {}
    pub mod chaos_mesh {}
    pub mod height_field { also CookedHeightField; }
    pub mod navigation { also NavShapes; }
    pub mod part {}
    pub mod physx { also PhysxShapes; }
    pub mod physx_convex {}
    pub mod physx_mesh { also PhysxTree; }
}
