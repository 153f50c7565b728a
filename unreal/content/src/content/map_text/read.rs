//! Text to actors.

use std::str::FromStr;

use super::actor::{MapText, MapTextActor, MapTextBrush};
use super::polygon::MapTextPolygon;
use super::references::first_reference;
use crate::error::{Error, Result};
use crate::object::geometry::Vector;

/// Objects lie in each other this deep.
const DEEPEST: usize = 64;

/// Where a line of the text stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum LinePlace {
    #[default]
    Outside,
    Map,
    /// A level of a map (UE3).
    Level,
    Actor,
    /// An object that lies in an actor (UE3).
    Object,
    Brush,
    PolyList,
    Polygon,
    /// The surfaces that the editor had chosen: not of any actor.
    Surface,
}

impl FromStr for MapText {
    type Err = Error;

    /// Reads what UnrealEd of UE1, UE2 or UE3 has written. `Begin Map` and `Begin Level` may be left out, and what is
    /// chosen of the surfaces of the level is passed over.
    ///
    /// # Errors
    /// `Invalid`, with the line.
    fn from_str(text: &str) -> Result<Self> {
        let mut reader = MapTextReader::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim().trim_start_matches('\u{feff}');
            let read = if line.is_empty() { Ok(()) } else { reader.line(line) };
            read.map_err(|reason| Error::invalid(format!("line {}: {reason}", at + 1)))?;
        }
        match reader.place {
            LinePlace::Outside => Ok(reader.found),
            _ => Err(Error::invalid("the text ends before what it has begun")),
        }
    }
}

#[derive(Default)]
struct MapTextReader {
    found: MapText,
    place: LinePlace,
    /// What the actors stand in: `Begin Map`, `Begin Level`.
    around: Vec<LinePlace>,
    /// The actor that has begun, with the objects in it that have.
    open: Vec<MapTextActor>,
}

impl MapTextReader {
    fn line(&mut self, line: &str) -> std::result::Result<(), String> {
        let mut words = line.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if first.eq_ignore_ascii_case("Begin") {
            let head = line.get(first.len()..).unwrap_or_default().trim_start();
            return self.begin(second, head.get(second.len()..).unwrap_or_default());
        }
        if first.eq_ignore_ascii_case("End") {
            return self.end(second);
        }
        match self.place {
            LinePlace::Surface => Ok(()),
            LinePlace::Actor | LinePlace::Object => self.property(line),
            LinePlace::Polygon => self.polygon_line(first, line),
            _ => Err(format!("'{line}' stands in no actor")),
        }
    }

    fn begin(&mut self, block: &str, rest: &str) -> std::result::Result<(), String> {
        let is = |name: &str| block.eq_ignore_ascii_case(name);
        self.place = match self.place {
            LinePlace::Outside if is("Map") => self.enter(LinePlace::Map),
            LinePlace::Outside | LinePlace::Map if is("Level") => self.enter(LinePlace::Level),
            LinePlace::Outside | LinePlace::Map | LinePlace::Level if is("Surface") => {
                LinePlace::Surface
            }
            LinePlace::Outside | LinePlace::Map | LinePlace::Level if is("Actor") => {
                self.open.push(actor(rest, "an actor")?);
                LinePlace::Actor
            }
            LinePlace::Actor | LinePlace::Object if is("Object") => {
                if self.open.len() > DEEPEST {
                    return Err(format!("objects lie deeper in each other than {DEEPEST}"));
                }
                // UE4 and later begin an object twice, the second time by its name alone.
                self.open.push(actor(rest, "an object")?);
                LinePlace::Object
            }
            LinePlace::Actor if is("Brush") => {
                let name = attribute(rest, "Name").unwrap_or_default().to_owned();
                let actor = self.open.last_mut().ok_or("a brush of no actor")?;
                if actor.brush.is_some() {
                    return Err("an actor has one brush".to_owned());
                }
                actor.brush = Some(MapTextBrush { name, polygons: Vec::new() });
                LinePlace::Brush
            }
            LinePlace::Brush if is("PolyList") => LinePlace::PolyList,
            LinePlace::PolyList if is("Polygon") => {
                let polygon = polygon(rest)?;
                self.brush()?.polygons.push(polygon);
                LinePlace::Polygon
            }
            _ => return Err(format!("'Begin {block}' can't stand here")),
        };
        Ok(())
    }

    fn enter(&mut self, place: LinePlace) -> LinePlace {
        self.around.push(place);
        place
    }

    fn end(&mut self, block: &str) -> std::result::Result<(), String> {
        let outside = self.around.last().copied().unwrap_or_default();
        let in_object = if self.open.len() > 2 { LinePlace::Object } else { LinePlace::Actor };
        let (name, next) = match self.place {
            LinePlace::Map => ("Map", LinePlace::Outside),
            LinePlace::Level => {
                let around = self.around.iter().rev().nth(1);
                ("Level", around.copied().unwrap_or_default())
            }
            LinePlace::Actor => ("Actor", outside),
            LinePlace::Object => ("Object", in_object),
            LinePlace::Brush => ("Brush", LinePlace::Actor),
            LinePlace::PolyList => ("PolyList", LinePlace::Brush),
            LinePlace::Polygon => ("Polygon", LinePlace::PolyList),
            LinePlace::Surface => ("Surface", outside),
            LinePlace::Outside => return Err(format!("'End {block}' ends nothing")),
        };
        if !block.eq_ignore_ascii_case(name) {
            return Err(format!("'End {block}' where '{name}' has begun"));
        }
        match self.place {
            LinePlace::Map | LinePlace::Level => {
                self.around.pop();
            }
            LinePlace::Actor | LinePlace::Object => {
                let ended = self.open.pop().ok_or("the end of no actor")?;
                let list = self.open.last_mut().map(|around| &mut around.objects);
                list.unwrap_or(&mut self.found.actors).push(ended);
            }
            _ => {}
        }
        self.place = next;
        Ok(())
    }

    fn brush(&mut self) -> std::result::Result<&mut MapTextBrush, String> {
        let actor = self.open.last_mut();
        actor
            .and_then(|actor| actor.brush.as_mut())
            .ok_or_else(|| "a polygon of no brush".to_owned())
    }

    fn property(&mut self, line: &str) -> std::result::Result<(), String> {
        let (name, value) = line.split_once('=').ok_or_else(|| format!("'{line}' has no '='"))?;
        let actor = self.open.last_mut().ok_or("a property of no actor")?;
        let (name, value) = (name.trim(), value.trim());
        // Name and archetype stand in the head as well.
        if name.eq_ignore_ascii_case("Name") {
            let own = value.trim_matches('"');
            return match own.eq_ignore_ascii_case(&actor.name) {
                true => Ok(()),
                false => Err(format!("the name {own} of what has begun as {}", actor.name)),
            };
        }
        if name.eq_ignore_ascii_case("ObjectArchetype") {
            let own = first_reference(value).map_or("", |(_, path, _)| path);
            if actor.archetype.is_empty() {
                own.clone_into(&mut actor.archetype);
            }
            return match own.eq_ignore_ascii_case(&actor.archetype) {
                true => Ok(()),
                false => Err(format!("the archetype {own} of what has begun with another one")),
            };
        }
        actor.properties.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    fn polygon_line(&mut self, first: &str, line: &str) -> std::result::Result<(), String> {
        let rest = line.get(first.len()..).unwrap_or_default();
        let polygon = self.brush()?.polygons.last_mut().ok_or("a corner of no polygon")?;
        let is = |name: &str| first.eq_ignore_ascii_case(name);
        match () {
            () if is("Origin") => polygon.origin = vector(rest)?,
            () if is("Normal") => polygon.normal = vector(rest)?,
            () if is("TextureU") => polygon.texture_u = vector(rest)?,
            () if is("TextureV") => polygon.texture_v = vector(rest)?,
            () if is("Vertex") => polygon.vertices.push(vector(rest)?),
            () if is("Pan") => {
                polygon.pan = (number(rest, "U")?.unwrap_or(0), number(rest, "V")?.unwrap_or(0));
            }
            () => return Err(format!("'{first}' is nothing of a polygon")),
        }
        Ok(())
    }
}

/// The actor, or the object within one, that a line begins.
fn actor(rest: &str, what: &str) -> std::result::Result<MapTextActor, String> {
    let text = |key: &str| attribute(rest, key).map(str::to_owned);
    let class = text("Class").ok_or_else(|| format!("{what} without Class="))?;
    let archetype = attribute(rest, "Archetype").and_then(first_reference);
    let archetype = archetype.map(|(_, path, _)| path.to_owned()).unwrap_or_default();
    // An object has the name of its template before its own.
    let (name, template) = match (text("ObjName"), text("Name")) {
        (Some(own), template) => (own, template.unwrap_or_default()),
        (None, name) => (name.unwrap_or_else(|| class.clone()), String::new()),
    };
    if name.contains(['.', ':']) {
        return Err(format!("'{name}' is the name of no object"));
    }
    Ok(MapTextActor { class, name, template, archetype, ..MapTextActor::default() })
}

/// The polygon that a line begins.
fn polygon(rest: &str) -> std::result::Result<MapTextPolygon, String> {
    let default = MapTextPolygon::default();
    let text = |key: &str| attribute(rest, key).unwrap_or_default().to_owned();
    Ok(MapTextPolygon {
        item: text("Item"),
        texture: text("Texture"),
        flags: number(rest, "Flags")?.unwrap_or(0),
        link: number(rest, "Link")?.unwrap_or(default.link),
        light_map_scale: number(rest, "LightMapScale")?.unwrap_or(default.light_map_scale),
        ..default
    })
}

/// The value of `Key=Value` among the words of a line; quotes around it are no part of it.
fn attribute<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace().filter_map(|word| word.split_once('='));
    let value = words.find(|(name, _)| name.eq_ignore_ascii_case(key))?.1;
    Some(value.trim_matches('"'))
}

fn number<T: FromStr>(line: &str, key: &str) -> std::result::Result<Option<T>, String> {
    let Some(value) = attribute(line, key) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| format!("'{value}' is no number for {key}"))
}

/// Three numbers with commas.
fn vector(text: &str) -> std::result::Result<Vector, String> {
    let mut parts = text.trim().split(',').map(|part| part.trim().parse::<f32>());
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(Ok(x)), Some(Ok(y)), Some(Ok(z)), None) => Ok(Vector { x, y, z }),
        _ => Err(format!("'{}' is no place: three numbers with commas", text.trim())),
    }
}
