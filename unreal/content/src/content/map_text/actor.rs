//! Actors and brushes in UnrealEd's text.

use super::polygon::MapTextPolygon;

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
