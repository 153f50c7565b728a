//! Render data of a static mesh: its levels of detail, and the parts of all of them.

use crate::object::registry::classes;

classes! {
    mod distance_field { also DistanceField; }
    mod lod {}
    mod nanite {}
    mod ray_tracing {}
    mod render_data {}
    mod section {}
    mod sized_payload {}
}
