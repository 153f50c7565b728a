//! Actors of maps as UnrealEd's text (T3D), which its clipboard holds and its File > Export writes: written for UE1 and
//! UE2, read for UE3 too (its own form is written by `editor_text`).
//!
//! ```text
//! Begin Map
//! Begin Actor Class=Light Name=Light3
//!     LightBrightness=80
//!     Location=(X=-128.0,Y=64.0,Z=0.0)
//!     Name=Light3
//! End Actor
//! End Map
//! ```
//!
//! The text holds an actor's class, name, stored properties and, of a brush, its polygons. It does not hold what else a
//! package says of an actor: flags of the object, its state frame, whether its class declares a value or the actor.
//! Objects of the map itself are called `MyLevel.Light3`, as UnrealEd calls the package of a map while it is open.

mod actor;
mod add;
mod add_brush;
mod add_objects;
mod add_values;
mod adding;
mod inner_names;
mod known_classes;
mod numbered_list;
mod polygon;
mod read;
mod references;
mod sheer;
mod write;

pub use self::actor::{MapText, MapTextActor, MapTextBrush};
pub use self::add::MapTextEdits;
pub use self::adding::{AddedActors, MapTextSources};
pub use self::polygon::MapTextPolygon;
pub(super) use self::references::elements;
