//! Materials of a file as those of a mesh.

use super::change::MeshChange;
use crate::content::mesh::material;
use crate::content::mesh::shape::MeshMaterial;
use crate::content::mesh::source::{MeshSource, is_true, value};
use crate::edit::{Edit, NewProperties};
use crate::error::{Error, Result};
use crate::primitive::PackageIndex;
use crate::property::{Elements, Property, Type, Value, class_and_path};

/// The property of a static mesh of UE2 that lists its materials.
const LIST: &str = "Materials";

/// Collision trees of UE2 number materials with 8 bits.
const MOST_MATERIALS: usize = 256;

/// The materials of a mesh, and which of them those of a file are.
#[derive(Debug, Default)]
pub(super) struct MeshSlots {
    /// The materials: those that the mesh had, then new ones.
    pub objects: Vec<PackageIndex>,
    /// For each material of the file its number among them.
    pub of_file: Vec<usize>,
    /// How many the mesh had.
    had: usize,
}

impl MeshSlots {
    /// Finds the materials of a file: by their names among those of the mesh, then among the objects of the package. One
    /// that is called as a reference with the path of its class, `Engine.Texture'Botpack.Skins.Blue'`, is imported where
    /// it is not there. One alone in the file is the only one of the mesh, whatever it is called. What is not found becomes
    /// no material, and a note says so.
    pub fn of(
        edit: &mut Edit,
        objects: &[PackageIndex],
        wanted: &[MeshMaterial],
        change: &mut MeshChange,
    ) -> Result<Self> {
        // Each is looked for among all of the mesh; no engine numbers more in every place where it numbers them.
        let (most, has) = (MOST_MATERIALS, wanted.len());
        if has > most || objects.len() + has > usize::from(u16::MAX) {
            return Err(Error::invalid(format!(
                "the file has {has} materials, more than the {most} that a mesh can have"
            )));
        }
        let mut made = Self { objects: objects.to_vec(), of_file: Vec::new(), had: objects.len() };
        let names: Vec<_> =
            objects.iter().enumerate().map(|(at, it)| material::name_of(edit, at, *it)).collect();
        let mut taken = vec![false; names.len()];
        for new in wanted {
            let wanted_path = class_and_path(&new.name).1;
            // Several may be called the same: each of the file's is another of the mesh's, as long as there are any.
            let named = |is: &dyn Fn(&String) -> bool| {
                let all = || (0..names.len()).filter(|at| is(&names[*at]));
                all().find(|at| !taken[*at]).or_else(|| all().next())
            };
            let known = named(&|name| name.eq_ignore_ascii_case(wanted_path));
            let known = known.or_else(|| named(&|name| is_called(name, wanted_path)));
            let known = known.or_else(|| number_of(&new.name).filter(|at| *at < names.len()));
            if let Some(known) = known {
                taken[known] = true;
            }
            let known = match (known, names.as_slice(), wanted) {
                (None, [only], [_]) => {
                    if !is_none(&new.name) {
                        let new = &new.name;
                        change
                            .notes
                            .push(format!("material {new} of the file is the mesh's {only}"));
                    }
                    Some(0)
                }
                (known, ..) => known,
            };
            let slot = match known {
                Some(known) => known,
                None => {
                    let found = find(edit, &new.name)?;
                    if found.is_none() && !is_none(&new.name) {
                        let name = &new.name;
                        change.notes.push(format!(
                            "material {name} of the file is no object of the package: left empty"
                        ));
                    }
                    let empty = (0..names.len()).find(|at| !taken[*at] && objects[*at].is_null());
                    match empty.filter(|_| found.is_none()) {
                        Some(at) => {
                            taken[at] = true;
                            at
                        }
                        None => {
                            made.objects.push(found.unwrap_or_default());
                            made.objects.len() - 1
                        }
                    }
                }
            };
            made.of_file.push(slot);
        }
        Ok(made)
    }

    /// Adds new materials to the property that lists those of a static mesh of UE2.
    pub fn store(&self, edit: &mut Edit, row: usize) -> Result<()> {
        if self.objects.len() == self.had {
            return Ok(());
        }
        let decoded = edit.decode(row)?;
        // A list may be shorter than the parts of its mesh: what lies between is none.
        let listed = MeshSource::of(edit, row, &decoded.body).lists(LIST).count();
        drop(decoded);
        let new = self.objects.get(listed..).unwrap_or_default();
        let mut structs = Vec::with_capacity(new.len());
        for object in new {
            let mut list = NewProperties::new(edit);
            list.boolean("EnableCollision", true)?;
            if !object.is_null() {
                list.object("Material", *object)?;
            }
            structs.push(Value::List(list.finish()));
        }
        let elements = Elements::Values(structs.clone());
        let known = Type::array(Type::structure("StaticMeshMaterial"));
        let property = Property::with_value(LIST, 0, &known, Value::Array(elements), edit)?;
        let package = edit.clone();
        let path = edit.exports().path(row);
        edit.change_body(row, |body| {
            let Some(list) = body.lists_mut().next() else {
                return Err(Error::invalid(format!("{path} has no properties")));
            };
            let is = |it: &&mut Property| {
                it.name_text(|name| package.name_text(name)).eq_ignore_ascii_case(LIST)
            };
            match list.properties.iter_mut().find(is) {
                None => list.properties.push(property),
                Some(known) => match known.value_mut() {
                    Value::Array(Elements::Values(all)) => all.extend(structs),
                    _ => return Err(Error::invalid(format!("{path}: its materials are not read"))),
                },
            }
            Ok(())
        })
    }

    /// Whether each material of a static mesh of UE2 stops things.
    pub fn collides(&self, edit: &Edit, row: usize) -> Result<Vec<bool>> {
        let decoded = edit.decode(row)?;
        let source = MeshSource::of(edit, row, &decoded.body);
        let mut made: Vec<_> = source
            .lists(LIST)
            .map(|list| {
                list.and_then(|list| value(edit, list, "EnableCollision")).is_some_and(is_true)
            })
            .collect();
        made.resize(self.objects.len(), true);
        Ok(made)
    }
}

/// The number in the name of a material that is none, `Material 3`.
fn number_of(name: &str) -> Option<usize> {
    name.strip_prefix("Material ")?.parse().ok()
}

fn is_none(name: &str) -> bool {
    name.is_empty() || number_of(name).is_some()
}

/// Whether a path ends with a name.
fn is_called(path: &str, name: &str) -> bool {
    !name.is_empty() && path.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(name))
}

/// The object of this path, or the only one of this name.
fn find(edit: &mut Edit, name: &str) -> Result<Option<PackageIndex>> {
    let (class, path) = class_and_path(name);
    if let Ok(row) = edit.find_export(path) {
        return Ok(Some(PackageIndex::export(row)));
    }
    let named = only_one(edit, path);
    match class.filter(|class| class.contains('.')) {
        Some(class) if named.is_none() => edit.add_import(path, class).map(Some),
        _ => Ok(named),
    }
}

fn only_one(edit: &Edit, name: &str) -> Option<PackageIndex> {
    let last = name.rsplit('.').next().unwrap_or(name);
    let objects = edit.object_index();
    let named = objects.named(last);
    let is = |index: &&PackageIndex| {
        let path = edit.path(**index);
        path.eq_ignore_ascii_case(name) || is_called(&path, name)
    };
    let mut found = named.iter().filter(is);
    found.next().copied().filter(|_| found.next().is_none())
}
