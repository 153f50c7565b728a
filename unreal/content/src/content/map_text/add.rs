//! Actors from text into a map.

use std::collections::HashMap;

use super::actor::{MapText, MapTextActor, MapTextBrush};
use super::known_classes::KnownClasses;
use super::references::{elements, map_package, with_own_paths};
use super::sheer;
use crate::edit::{Edit, FreeNames, Placement, belongs_to_level};
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::inspect::{Inherited, PackageValues};
use crate::object::geometry::{BoundingBox, Primitive, Sphere, Vector};
use crate::object::{ue1, ue2};
use crate::primitive::{Index, ObjectFlags, ObjectRef, PackageIndex};
use crate::property::{PropertyKind, PropertyList};
use crate::version::EngineFacts;

/// Classes of which each map has one of its own.
const ONE_A_MAP: &[&str] = &["LevelInfo", "DefaultPhysicsVolume"];
/// The editor's spheres around brushes are larger than their polygons by this (measured on brushes of the corpora).
const SPHERE_MARGIN: f32 = 1.001;
/// `Transactional`, `LoadForEdit`, `NotForClient`, `NotForServer`: brushes that only the editor needs, since the level
/// holds what was built from them.
const FOR_EDITOR: ObjectFlags = ObjectFlags(0x0034_0001);
/// A state frame stands before the properties, as of every placed actor.
const HAS_STACK: ObjectFlags = ObjectFlags(0x0200_0000);

/// What came of actors from text.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct AddedActors {
    /// The rows of the actors.
    pub rows: Vec<usize>,
    /// What of the text the map has not got, with the reason.
    pub left_out: Vec<String>,
}

/// What the text of a map names and its package need not know.
pub trait MapTextSources {
    /// The path of a class: `Engine.Light` for `Light`.
    fn class_path(&self, class: &str) -> Option<String>;

    /// The path of the class of an object of another package: `Engine.FireTexture` for `Fires.Torch`.
    fn class_of(&self, object: &str) -> Option<String>;
}

/// Nothing but what the package knows.
impl MapTextSources for () {
    fn class_path(&self, _: &str) -> Option<String> {
        None
    }

    fn class_of(&self, _: &str) -> Option<String> {
        None
    }
}

/// Actors from UnrealEd's text.
pub trait MapTextEdits {
    /// Adds the actors of a text to the level of a map, as UnrealEd pastes them: under their names where those are free,
    /// else under the next ones; references among them are references among the new ones. A brush gets a model with its
    /// polygons, and takes part in the level's geometry when that is built the next time. Classes and textures that the
    /// package does not know are asked of `sources`.
    ///
    /// The builder brush of the text, and its `LevelInfo`, are those of its map, and are left out. A reference to an
    /// actor that is neither in the text nor in the map becomes `None`; [`AddedActors::left_out`] says so.
    ///
    /// # Errors
    /// `Unsupported` for UE3 and later; `Invalid` for a class whose package nothing says, for a property whose type
    /// nothing declares, and for a value that does not fit it; `Refused` for an actor that would stand in no level. The
    /// package is as before then.
    fn add_map_text(&mut self, text: &MapText, sources: &dyn MapTextSources)
    -> Result<AddedActors>;
}

impl MapTextEdits for Edit {
    fn add_map_text(
        &mut self,
        text: &MapText,
        sources: &dyn MapTextSources,
    ) -> Result<AddedActors> {
        if !self.versions().has_actor_text() {
            let reason = "UnrealEd's text of actors is read for UE1 and UE2 alone";
            return Err(Error::unsupported(reason));
        }
        self.attempt(|edit| Adding::new(edit, text, sources).run(text))
    }
}

/// An addition of actors that is under way.
struct Adding<'a> {
    edit: &'a mut Edit,
    sources: &'a dyn MapTextSources,
    /// The package of the map, as the text calls it.
    package: String,
    /// The paths that objects of the text have in the map, by their names in lower case.
    paths: HashMap<String, String>,
    /// The models of brushes, with their paths.
    models: HashMap<&'a str, (&'a MapTextBrush, String)>,
    names: FreeNames,
    known: KnownClasses,
    /// Whether an object of the map is an actor of its level.
    actors: HashMap<usize, bool>,
    done: AddedActors,
}

impl<'a> Adding<'a> {
    fn new(edit: &'a mut Edit, text: &MapText, sources: &'a dyn MapTextSources) -> Self {
        let properties = text.actors.iter().flat_map(|actor| &actor.properties);
        let package = map_package(properties.map(|(name, value)| (name.as_str(), value.as_str())));
        let package = package.to_owned();
        let known = KnownClasses::of(edit);
        let (paths, models, names, actors, done) = Default::default();
        Self { edit, sources, package, paths, models, names, known, actors, done }
    }

    fn run(mut self, text: &'a MapText) -> Result<AddedActors> {
        let mut added: Vec<(usize, &'a MapTextActor)> = Vec::new();
        for actor in &text.actors {
            let class = self.class_of(actor)?;
            if self.is_of_its_map(actor, &class) {
                continue;
            }
            let name = self.free_name(&actor.name, &class);
            let row = self.edit.add_blank_object(&name, &class)?;
            if !matches!(self.edit.placement(row), Placement::Placed(_)) {
                let reason =
                    format!("'{class}' is not known as a class of actors, or there is no level");
                return Err(Error::refused(reason, vec![actor.name.clone()]));
            }
            if class.eq_ignore_ascii_case("Engine.Brush") {
                self.edit.set_object_flags(row, FOR_EDITOR.with(HAS_STACK))?;
            }
            self.known.add_class(&class);
            self.paths.insert(actor.name.to_ascii_lowercase(), name);
            added.push((row, actor));
        }
        let declared = self.declared(&added)?;
        for ((row, actor), properties) in added.iter().zip(declared) {
            if let Some(brush) = &actor.brush {
                // Brushes may share a model.
                let known =
                    self.models.get(brush.name.as_str()).filter(|(known, _)| *known == brush);
                let model = match known.map(|(_, model)| model.clone()) {
                    Some(model) => model,
                    None => self.add_model(brush)?,
                };
                self.models.insert(&brush.name, (brush, model.clone()));
                self.paths.insert(brush.name.to_ascii_lowercase(), model.clone());
                let text = format!("Model'{model}'");
                self.edit.set_property(&format!("#{row}"), "Brush", &text)?;
            }
            self.set_properties(*row, actor, properties)?;
            self.done.rows.push(*row);
        }
        Ok(self.done)
    }

    /// The path of an actor's class.
    fn class_of(&self, actor: &MapTextActor) -> Result<String> {
        let class = &actor.class;
        if class.contains('.') {
            return Ok(class.clone());
        }
        let known = self.known.paths.get(&class.to_ascii_lowercase()).cloned();
        known.or_else(|| self.sources.class_path(class)).ok_or_else(|| {
            Error::invalid(format!(
                "{}: nothing says in which package the class '{class}' is: write it with its package, as in Engine.Light",
                actor.name
            ))
        })
    }

    /// Whether an actor is the one of its kind in the map that the text is of.
    fn is_of_its_map(&mut self, actor: &MapTextActor, class: &str) -> bool {
        let kind = class.rsplit('.').next().unwrap_or_default();
        let is_builder = kind.eq_ignore_ascii_case("Brush")
            && !actor.properties.iter().any(|(name, _)| name.eq_ignore_ascii_case("CsgOper"));
        let is_single = ONE_A_MAP.iter().any(|one| one.eq_ignore_ascii_case(kind));
        if !is_builder && !is_single {
            return false;
        }
        let own = self.known.first_rows.get(&kind.to_ascii_lowercase()).filter(|_| is_single);
        if let Some(&row) = own {
            let path = self.edit.exports().path(row);
            self.paths.insert(actor.name.to_ascii_lowercase(), path);
        }
        let what = if is_builder { "builder brush" } else { kind };
        self.done.left_out.push(format!("{}: the map has a {what} of its own", actor.name));
        true
    }

    /// The name itself where no object has it, or else the next one of its kind: `Light7`.
    fn free_name(&mut self, name: &str, class: &str) -> String {
        loop {
            // Also not that of an import, which a path of one name might mean.
            let free = self.names.pick(self.edit, PackageIndex::NULL, name, class);
            if self.edit.find(&free).is_none() {
                return free;
            }
        }
    }

    /// The model of a brush, with its polygons; says its path.
    fn add_model(&mut self, brush: &MapTextBrush) -> Result<String> {
        let mut polys = ue1::Polys::default();
        let has_pan = ue1::Poly::has_pan(self.edit.versions());
        let has_scale = ue1::Poly::has_light_map_scale(self.edit.versions());
        for polygon in &brush.polygons {
            if polygon.pan != (0, 0) && !has_pan {
                let reason = "polygons of this version have no Pan, their Origin says where the texture lies";
                return Err(Error::invalid(format!("{}: {reason}", brush.name)));
            }
            let texture = match polygon.texture.as_str() {
                "" => PackageIndex::NULL,
                path => self.texture(path, brush)?,
            };
            let item = if polygon.item.is_empty() { "None" } else { &polygon.item };
            polys.polys.items.push(ue1::Poly {
                shape: ue1::PolyShape {
                    base: polygon.origin,
                    normal: polygon.normal,
                    texture_u: polygon.texture_u,
                    texture_v: polygon.texture_v,
                    vertices: polygon.vertices.clone(),
                },
                poly_flags: polygon.flags,
                actor: PackageIndex::NULL,
                texture,
                item_name: self.edit.needed_name(item)?,
                link: Index::new(polygon.link),
                brush_poly: Index::new(-1),
                pan_u: polygon.pan.0,
                pan_v: polygon.pan.1,
                light_map_scale: if has_scale { polygon.light_map_scale } else { 0.0 },
            });
        }
        let count = polys.polys.items.len();
        polys.polys.maximum = i32::try_from(count).unwrap_or(i32::MAX);
        let primitive = bounds(brush);
        let name = self.free_name("Polys0", "Engine.Polys");
        let list = PropertyList::new(Vec::new(), self.edit.none_name());
        let row = self.edit.add_object(&name, "Engine.Polys", list, polys)?;
        self.edit.set_object_flags(row, FOR_EDITOR)?;
        let polys = PackageIndex::export(row);
        let wanted = if brush.name.is_empty() { "Model0" } else { &brush.name };
        let name = self.free_name(wanted, "Engine.Model");
        let list = PropertyList::new(Vec::new(), self.edit.none_name());
        let row = match self.edit.versions().has_light_map_textures() {
            false => {
                let model = ue1::Model {
                    primitive,
                    polys,
                    root_outside: 1,
                    linked: 1,
                    ..ue1::Model::default()
                };
                self.edit.add_object(&name, "Engine.Model", list, model)?
            }
            true => {
                let model = ue2::Model {
                    primitive,
                    polys,
                    root_outside: 1,
                    linked: 1,
                    ..ue2::Model::default()
                };
                self.edit.add_object(&name, "Engine.Model", list, model)?
            }
        };
        self.edit.set_object_flags(row, FOR_EDITOR)?;
        Ok(name)
    }

    /// The texture of a polygon: by its path, or by its name alone, as UnrealEd of UE1 writes it.
    fn texture(&mut self, path: &str, brush: &MapTextBrush) -> Result<PackageIndex> {
        let own =
            path.split_once('.').filter(|(first, _)| first.eq_ignore_ascii_case(&self.package));
        let path = own.map_or(path, |(_, own)| own);
        if let Some(index) = self.edit.find(path) {
            return Ok(index);
        }
        if let Some(class) = self.sources.class_of(path).filter(|_| own.is_none()) {
            let import = self.edit.add_import(path, &class)?;
            let name = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
            self.known.imports.entry(name).or_insert(import);
            return Ok(import);
        }
        match self.known.imports.get(&path.to_ascii_lowercase()) {
            Some(&import) => Ok(import),
            None => {
                let name = format!("{path} (texture of {})", brush.name);
                let hint = ": nothing says of which class it is; upk add-import says it".to_owned();
                Err(ErrorKind::NotFound { what: noun::OBJECT, name, hint }.into())
            }
        }
    }

    /// The properties of the text that actors get, with what their classes say of them: asked of all before the first
    /// is set, since each change makes what is known of classes anew.
    fn declared(&self, added: &[(usize, &'a MapTextActor)]) -> Result<Vec<Vec<ActorProperty<'a>>>> {
        let values = self.edit.values();
        let effective = values.effective();
        let of_actor = |(row, actor): &(usize, &'a MapTextActor)| {
            let is_own = |name: &str| {
                belongs_to_level(name)
                    || (name.eq_ignore_ascii_case("Brush") && actor.brush.is_some())
            };
            let properties = actor.properties.iter().filter(|(name, _)| !is_own(name));
            let known = properties.map(|(name, value)| {
                let name = name.replace('(', "[").replace(')', "]");
                let base = name.split('[').next().unwrap_or_default();
                let kind = effective.type_of(*row, base).map(|known| known.kind());
                let default = match kind {
                    Some(PropertyKind::Struct) => match effective.value(*row, &name)? {
                        Inherited::Value(value) => Some(value.text),
                        _ => place_default(&name).map(str::to_owned),
                    },
                    _ => None,
                };
                Ok(ActorProperty { name, value, kind, default })
            });
            known.collect()
        };
        added.iter().map(of_actor).collect()
    }

    fn set_properties(
        &mut self,
        row: usize,
        actor: &MapTextActor,
        properties: Vec<ActorProperty<'_>>,
    ) -> Result<()> {
        let mut lists: Vec<(String, Vec<String>)> = Vec::new();
        for ActorProperty { name, value, kind, default } in properties {
            let value = self.own_value(actor, &name, value);
            let base = name.split('[').next().unwrap_or_default();
            match kind {
                Some(PropertyKind::Array) if name != base => {
                    match lists.iter_mut().find(|(list, _)| list.eq_ignore_ascii_case(base)) {
                        Some((_, values)) => values.push(value),
                        None => lists.push((base.to_owned(), vec![value])),
                    }
                }
                Some(PropertyKind::Name) => {
                    self.set(row, actor, &name, value.trim_matches('"'))?;
                }
                Some(PropertyKind::Struct) => {
                    let value = sheer::with_number(&value);
                    match default {
                        // Fields that the text leaves out are those of the class's default, which UnrealEd does not
                        // write.
                        Some(default) => {
                            self.set(row, actor, &name, &default)?;
                            self.set_fields(row, actor, &name, &value)?;
                        }
                        None => self.set(row, actor, &name, &value)?,
                    }
                }
                _ => self.set(row, actor, &name, &value)?,
            }
        }
        for (name, values) in lists {
            self.set(row, actor, &name, &format!("({})", values.join(",")))?;
        }
        Ok(())
    }

    fn set_fields(
        &mut self,
        row: usize,
        actor: &MapTextActor,
        path: &str,
        value: &str,
    ) -> Result<()> {
        // No deeper than the text is long.
        let mut open = vec![(path.to_owned(), value.to_owned())];
        while let Some((path, value)) = open.pop() {
            let fields: Option<Vec<_>> =
                elements(&value).into_iter().map(|field| field.split_once('=')).collect();
            match fields {
                Some(fields) if value.starts_with('(') => open.extend(
                    fields
                        .into_iter()
                        .rev()
                        .map(|(field, value)| (format!("{path}.{field}"), value.to_owned())),
                ),
                _ => self.set(row, actor, &path, &value)?,
            }
        }
        Ok(())
    }

    fn set(&mut self, row: usize, actor: &MapTextActor, name: &str, value: &str) -> Result<()> {
        let done = self.edit.set_property(&format!("#{row}"), name, value);
        done.map(drop)
            .map_err(|error| Error::invalid(format!("{}.{name}={value}: {error}", actor.name)))
    }

    /// A value with the paths that objects have in this map.
    fn own_value(&mut self, actor: &MapTextActor, name: &str, value: &str) -> String {
        let package = self.package.clone();
        let mut lost = Vec::new();
        let text = with_own_paths(value, &package, |path| {
            let found = self.local(path);
            if found.is_none() {
                lost.push(path.to_owned());
            }
            found
        });
        let text = text.into_owned();
        for path in lost {
            let line = format!(
                "{}.{name}: {path} is neither in the text nor an actor of the map",
                actor.name
            );
            self.done.left_out.push(line);
        }
        text
    }

    /// The path in this map of an object that the text calls `path`. What is no actor belongs to another one.
    fn local(&mut self, path: &str) -> Option<String> {
        if let Some(known) = self.paths.get(&path.to_ascii_lowercase()) {
            return Some(known.clone());
        }
        let ObjectRef::Export(row) = self.edit.find(path)?.target() else { return None };
        let edit = &mut self.edit;
        let is_actor = *self
            .actors
            .entry(row)
            .or_insert_with(|| matches!(edit.placement(row), Placement::Placed(_)));
        is_actor.then(|| path.to_owned())
    }
}

/// A property of the text, with what the class of its actor says of it.
struct ActorProperty<'a> {
    /// With indices in brackets: `Skins[1]`.
    name: String,
    value: &'a str,
    kind: Option<PropertyKind>,
    /// The class's value, of structs alone.
    default: Option<String>,
}

/// The default that every class of the engine leaves to a property of an actor's place, where no package says it:
/// UnrealEd leaves fields out that are at the default.
fn place_default(name: &str) -> Option<&'static str> {
    const ZERO: &str = "(X=0.0,Y=0.0,Z=0.0)";
    const SCALE: &str = "(Scale=(X=1.0,Y=1.0,Z=1.0),SheerRate=0.0,SheerAxis=0)";
    const DEFAULTS: &[(&str, &str)] = &[
        ("Location", ZERO),
        ("OldLocation", ZERO),
        ("ColLocation", ZERO),
        ("PrePivot", ZERO),
        ("Rotation", "(Pitch=0,Yaw=0,Roll=0)"),
        ("MainScale", SCALE),
        ("PostScale", SCALE),
        ("TempScale", SCALE),
        ("DrawScale3D", "(X=1.0,Y=1.0,Z=1.0)"),
    ];
    DEFAULTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, text)| *text)
}

/// The box and the sphere around the polygons of a brush.
fn bounds(brush: &MapTextBrush) -> Primitive {
    let corners = || brush.polygons.iter().flat_map(|polygon| &polygon.vertices);
    let Some(&first) = corners().next() else { return Primitive::default() };
    let (mut min, mut max) = (first, first);
    for corner in corners() {
        min = Vector { x: min.x.min(corner.x), y: min.y.min(corner.y), z: min.z.min(corner.z) };
        max = Vector { x: max.x.max(corner.x), y: max.y.max(corner.y), z: max.z.max(corner.z) };
    }
    let half = |low: f32, high: f32| low + (high - low) / 2.0;
    let centre = Vector { x: half(min.x, max.x), y: half(min.y, max.y), z: half(min.z, max.z) };
    let distance = |corner: &Vector| {
        let (x, y, z) = (corner.x - centre.x, corner.y - centre.y, corner.z - centre.z);
        (x * x + y * y + z * z).sqrt()
    };
    let radius = corners().map(distance).fold(0.0, f32::max) * SPHERE_MARGIN;
    Primitive {
        bounding_box: BoundingBox { min, max, is_valid: 1 },
        bounding_sphere: Sphere { centre, radius },
    }
}
