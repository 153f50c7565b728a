//! Actors of a package to text.

use std::fmt;

use super::actor::{MapText, MapTextActor, MapTextBrush};
use super::polygon::MapTextPolygon;
use super::references::{elements, with_map_package};
use super::sheer;
use crate::content::Contents;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{PackageValues, PropertyValue, ReferenceTexts, polygons_of};
use crate::object::ue1;
use crate::package::native_as;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::PropertyKind;
use crate::version::EngineFacts;

/// Columns that what stands in a block is moved to the right.
const INDENT: usize = 4;

impl Contents<'_> {
    /// Actors as UnrealEd's text, in the order of `rows`.
    ///
    /// # Errors
    /// `Unsupported` for UE3 and later, whose text is another one; `NotFound`; `Invalid` for an actor or a brush that is
    /// not decoded.
    pub fn map_text(&self, rows: &[usize]) -> Result<MapText> {
        if !self.versions().has_actor_text() {
            let reason = "UnrealEd's text of actors is written for UE1 and UE2 alone";
            return Err(Error::unsupported(reason));
        }
        let actors = rows.iter().map(|&row| self.actor_text(row)).collect::<Result<_>>()?;
        Ok(MapText { actors })
    }

    fn actor_text(&self, row: usize) -> Result<MapTextActor> {
        let index = PackageIndex::export(row);
        let class = self.class_path(row);
        let mut actor = MapTextActor {
            class: class.rsplit('.').next().unwrap_or_default().to_owned(),
            name: self.object_name(index),
            ..MapTextActor::default()
        };
        for property in self.values().properties(&format!("#{row}"))? {
            let value = self.value_text(&property);
            if property.path.eq_ignore_ascii_case("Brush") {
                actor.brush = self.brush_text(row)?;
            }
            let name = property.path.replace('[', "(").replace(']', ")");
            match property.property_type.kind() == PropertyKind::Array {
                // UnrealEd writes a line for each element.
                true => actor.properties.extend(
                    (elements(&value).iter().enumerate())
                        .map(|(at, element)| (format!("{name}({at})"), (*element).to_owned())),
                ),
                false => actor.properties.push((name, value)),
            }
        }
        Ok(actor)
    }

    /// A value as UnrealEd writes it.
    fn value_text(&self, property: &PropertyValue) -> String {
        match (property.property_type.kind(), property.text.as_str()) {
            // UE2 sets names in quotes.
            (PropertyKind::Name, text) if self.versions().quotes_names_of_actors() => {
                format!("\"{text}\"")
            }
            (PropertyKind::Struct, text) if text.contains("SheerAxis") => {
                sheer::with_name(text).into_owned()
            }
            (_, text) => with_map_package(text, |path| {
                matches!(self.find(path).map(PackageIndex::target), Some(ObjectRef::Export(_)))
            }),
        }
    }

    /// The polygons of an actor's brush; none where they are those of another package.
    fn brush_text(&self, actor: usize) -> Result<Option<MapTextBrush>> {
        let Some(model) = self.values().object_at(actor, "Brush") else { return Ok(None) };
        let decoded = self.decode(model)?;
        let Some(polys) = polygons_of(&decoded.body) else { return Ok(None) };
        let name = self.object_name(PackageIndex::export(model));
        let ObjectRef::Export(polys) = polys.target() else { return Ok(None) };
        let decoded = self.decode(polys)?;
        let Some(polys) = native_as::<ue1::Polys>(&decoded.body) else {
            let path = self.exports().path(polys);
            return Err(Error::invalid(format!("{path} holds no polygons that can be decoded")));
        };
        let polygons = polys.polys.items.iter().map(|poly| self.polygon_text(poly)).collect();
        Ok(Some(MapTextBrush { name, polygons }))
    }

    fn polygon_text(&self, poly: &ue1::Poly) -> MapTextPolygon {
        let default = MapTextPolygon::default();
        let item = self.name_text(poly.item_name);
        let has_scale = ue1::Poly::has_light_map_scale(self.versions());
        MapTextPolygon {
            item: if item.eq_ignore_ascii_case("None") { String::new() } else { item },
            texture: if poly.texture.is_null() { String::new() } else { self.path(poly.texture) },
            flags: poly.poly_flags,
            link: poly.link.value(),
            light_map_scale: match has_scale {
                true => poly.light_map_scale,
                false => default.light_map_scale,
            },
            origin: poly.shape.base,
            normal: poly.shape.normal,
            texture_u: poly.shape.texture_u,
            texture_v: poly.shape.texture_v,
            pan: (poly.pan_u, poly.pan_v),
            vertices: poly.shape.vertices.clone(),
        }
    }
}

/// The whole text, from `Begin Map` on.
impl fmt::Display for MapText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Begin Map\n")?;
        for actor in &self.actors {
            actor.fmt(f)?;
        }
        f.write_str("End Map\n")
    }
}

/// The lines from `Begin Actor` to `End Actor`.
impl fmt::Display for MapTextActor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "Actor", 0)
    }
}

impl MapTextActor {
    fn write(&self, f: &mut fmt::Formatter<'_>, block: &str, depth: usize) -> fmt::Result {
        let (width, inner) = (depth * INDENT, (depth + 1) * INDENT);
        write!(f, "{:width$}Begin {block} Class={}", "", self.class)?;
        match self.template.as_str() {
            "" => write!(f, " Name={}", self.name)?,
            template => write!(f, " Name={template} ObjName={}", self.name)?,
        }
        if !self.archetype.is_empty() {
            write!(f, " Archetype={}'{}'", self.class, self.archetype)?;
        }
        f.write_str("\n")?;
        self.objects.iter().try_for_each(|object| object.write(f, "Object", depth + 1))?;
        for (name, value) in &self.properties {
            // UnrealEd reads the polygons before the model that they become.
            if let Some(brush) = self.brush.as_ref().filter(|_| name.eq_ignore_ascii_case("Brush"))
            {
                write!(f, "{brush}")?;
            }
            writeln!(f, "{:inner$}{name}={value}", "")?;
        }
        writeln!(f, "{:inner$}Name={}", "", self.name)?;
        writeln!(f, "{:width$}End {block}", "")
    }
}

/// The lines from `Begin Brush` to `End Brush`.
impl fmt::Display for MapTextBrush {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "    Begin Brush Name={}", self.name)?;
        f.write_str("       Begin PolyList\n")?;
        for polygon in &self.polygons {
            polygon.fmt(f)?;
        }
        f.write_str("       End PolyList\n    End Brush\n")
    }
}
