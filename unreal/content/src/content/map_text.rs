//! Actors of maps as UnrealEd's text (T3D), which its clipboard holds and its File > Export writes (UE1 and UE2).
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

mod add;
mod polygon;
mod read;
mod references;
mod sheer;
mod write;

pub use self::add::{AddedActors, MapTextEdits, MapTextSources};
pub use self::polygon::MapTextPolygon;

/// The name that UnrealEd gives to the package of a map.
const MAP_PACKAGE: &str = "MyLevel";

/// Actors as UnrealEd's text has them; `Display` writes the text, `FromStr` reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapText {
    /// The actors, in the order of the text.
    pub actors: Vec<MapTextActor>,
}

/// An actor in UnrealEd's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapTextActor {
    /// Its class, with or without its package: `Light`, `Engine.Light`.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its properties with their values as text: `Location`, `(X=1.0,Y=2.0,Z=0.0)`; `KeyPos(1)`.
    pub properties: Vec<(String, String)>,
    /// The polygons of its brush, where it is one.
    pub brush: Option<MapTextBrush>,
}

/// The polygons of a brush in UnrealEd's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapTextBrush {
    /// The name of the model.
    pub name: String,
    /// The polygons.
    pub polygons: Vec<MapTextPolygon>,
}
