//! Actors and brushes in UnrealEd's text.

use super::polygon::MapTextPolygon;

/// Actors as UnrealEd's text has them; `Display` writes the text, `FromStr` reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapText {
    /// The actors, in the order of the text.
    pub actors: Vec<MapTextActor>,
}

/// An actor in UnrealEd's text, or an object that lies in one (UE3).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MapTextActor {
    /// Its class, with or without its package: `Light`, `Engine.Light`.
    pub class: String,
    /// Its name.
    pub name: String,
    /// The name that it has in the default of the actor's class; empty where the text does not say it (UE3).
    pub template: String,
    /// The path of the object that its values start from: `Engine.Default__PointLight:LightComponent0`; empty where the
    /// text does not say it (UE3).
    pub archetype: String,
    /// The objects that lie in it, its components among them (UE3).
    pub objects: Vec<MapTextActor>,
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
