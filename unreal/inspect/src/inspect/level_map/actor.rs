//! Actors of a level and the paths between them, as they are seen from above.

/// The actors of a package's levels and what lies between them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelMap {
    /// The actors, in the order of their levels' lists.
    pub actors: Vec<MapActor>,
    /// The paths between navigation points.
    pub paths: Vec<MapPath>,
}

/// An actor of a level.
#[derive(Debug, Clone, PartialEq)]
pub struct MapActor {
    /// Its row in the table of exports.
    pub row: usize,
    /// Its path.
    pub path: String,
    /// The path of its class.
    pub class: String,
    /// Where it stands in the world, in Unreal's units: forwards, to the right, up. `None` for one that has no place.
    pub place: Option<[f64; 3]>,
    /// How a brush is used.
    pub brush: Option<BrushUse>,
    /// The polygons of a brush as they are seen from above; those that stand upright are left
    /// out, unless there are no others.
    pub outline: Vec<Vec<[f64; 2]>>,
}

/// How a level uses a brush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BrushUse {
    /// The brush of the editor, with which others are made.
    Builder,
    /// It is solid.
    Add,
    /// It is hollow.
    Subtract,
    /// It is another one: semisolid, intersecting.
    Other,
    /// It moves.
    Mover,
    /// It only says where something is the case.
    Volume,
}

impl BrushUse {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Builder => "builder",
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Other => "other",
            Self::Mover => "mover",
            Self::Volume => "volume",
        }
    }
}

/// A path between two navigation points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapPath {
    /// The row of the actor where it begins.
    pub from: usize,
    /// The row of the actor where it ends.
    pub to: usize,
}
