//! Whether what was set may refer to the objects in it.

use crate::error::Result;
use crate::primitive::PackageIndex;
use crate::property::field_names::named_fields;
use crate::property::format::{ObjectPart, ObjectPlace, Surroundings, struct_of};
use crate::property::read::element_type;
use crate::property::{Elements, Type, Value};

/// The declaration of values: a struct or the object's class, the property's name, its type.
type DeclaredBy<'a> = (Option<&'a str>, &'a str, &'a Type);

/// The objects to which the values of one declaration refer.
struct Referring {
    structure: Option<String>,
    name: String,
    part: ObjectPart,
    known: Type,
    objects: Vec<PackageIndex>,
}

/// Checks the objects that a property refers to now and did not before: itself, by keys and values of its maps,
/// by fields of structs without tags. Lists of tags have checked their own.
pub(super) fn check_objects(
    property: DeclaredBy<'_>,
    value: &Value,
    before: Option<&Value>,
    around: &dyn Surroundings,
) -> Result<()> {
    if !around.is_checked() {
        return Ok(());
    }
    let mut new = Vec::new();
    collect(property, ObjectPart::Whole, value, around, &mut new);
    if new.is_empty() {
        return Ok(());
    }
    let mut held = Vec::new();
    if let Some(before) = before {
        collect(property, ObjectPart::Whole, before, around, &mut held);
    }
    for Referring { structure, name, part, known, mut objects } in new {
        let structure = structure.as_deref();
        let is = |it: &&Referring| it.is((structure, &name), part);
        let old = held.iter().find(is).map_or(&[][..], |held| &held.objects);
        objects.retain(|object| !old.contains(object));
        if !objects.is_empty() {
            let place = ObjectPlace { structure, name: &name, part, known: &known, old };
            around.check_objects(place, &objects)?;
        }
    }
    Ok(())
}

impl Referring {
    fn is(&self, (structure, name): (Option<&str>, &str), part: ObjectPart) -> bool {
        self.part == part && self.name == name && self.structure.as_deref() == structure
    }
}

/// All objects of a value, by what declares them.
fn collect(
    (structure, name, known): DeclaredBy<'_>,
    part: ObjectPart,
    value: &Value,
    around: &dyn Surroundings,
    found: &mut Vec<Referring>,
) {
    let mut note = |objects: &[PackageIndex]| {
        let objects = objects.iter().copied().filter(|object| !object.is_null());
        let at = found.iter().position(|it| it.is((structure, name), part));
        match at.and_then(|at| found.get_mut(at)) {
            Some(known) => known.objects.extend(objects),
            None => found.push(Referring {
                structure: structure.map(str::to_owned),
                name: name.to_owned(),
                part,
                known: known.clone(),
                objects: objects.collect(),
            }),
        }
    };
    let elements = match value {
        Value::Object(object) => return note(&[*object]),
        Value::Array(elements) => elements,
        Value::StructArray(structs) => &structs.elements,
        Value::Set(set) => &set.elements,
        Value::Optional(held) => {
            let inner = known.inner().first().unwrap_or(known);
            if let Some(held) = &**held {
                collect((structure, name, inner), part, held, around, found);
            }
            return;
        }
        Value::Map(map) => {
            let unknown = Type::unknown("unknown");
            let inner = |at| known.inner().get(at).unwrap_or(&unknown);
            for (key, value) in &map.pairs {
                collect((structure, name, inner(0)), ObjectPart::Key, key, around, found);
                collect((structure, name, inner(1)), ObjectPart::Value, value, around, found);
            }
            return;
        }
        Value::Instanced(instanced) => {
            let known = struct_of(instanced.structure, around);
            return collect((structure, name, &known), part, &instanced.value, around, found);
        }
        Value::Fields(fields) => {
            let within = Some(known.type_name());
            for (field, (name, known)) in
                fields.iter().zip(named_fields(fields, Some(known), around))
            {
                // Elements of a static array have one declaration.
                let name = name.split_once('[').map_or(&*name, |(name, _)| name);
                collect((within, name, &known), ObjectPart::Field, field, around, found);
            }
            return;
        }
        _ => return,
    };
    match elements {
        Elements::Object(objects) => note(objects),
        Elements::Values(values) => {
            let element = element_type(known);
            let element = element.as_ref().unwrap_or(known);
            for value in values {
                collect((structure, name, element), part, value, around, found);
            }
        }
        _ => {}
    }
}
