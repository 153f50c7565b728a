//! Whether a property may refer to an object: by the class that it is declared with, or by what objects of its
//! kind refer to.
//!
//! Unknown classes are not refused: the property's class, or one of those that the object's class derives from.

use std::collections::HashSet;

use super::meaning::ObjectLookup;
use super::siblings::Search;
use crate::error::{Error, Result, UnrealError};
use crate::primitive::PackageIndex;
use crate::property::{Declared, ObjectPart, ObjectPlace, Surroundings, Type, class_and_path};

/// The known class of a property that refers to objects.
#[derive(Default)]
struct Wanted {
    /// Whether it refers to classes.
    is_class: bool,
    /// The class of its objects, or that its classes derive from, as it is declared.
    declared: Option<String>,
    /// The class of all objects to which such properties refer in the package, as far as is known.
    shown: Option<String>,
}

impl ObjectLookup<'_> {
    /// Whether a property may refer to these objects.
    pub(super) fn check_classes(
        &self,
        place: ObjectPlace<'_>,
        objects: &[PackageIndex],
    ) -> Result<()> {
        let mut known = None;
        for &object in objects {
            let Some(mut classes) = self.classes_of(object) else { continue };
            // One as it had before is fit, unless it is one of many classes.
            if !derives_from(&classes, "Class")
                && place.old.iter().any(|&old| self.is_of_same_class(old, object))
            {
                continue;
            }
            let wanted = known.get_or_insert_with(|| self.wanted(place));
            if wanted.is_class {
                if !derives_from(&classes, "Class") {
                    return Err(self.unfit(place, object, "wants a class"));
                }
                match self.ancestry(object) {
                    Some(own) => classes = own,
                    None => continue,
                }
            }
            let lacks = |class: &&String| !derives_from(&classes, class);
            if let Some(class) = wanted.declared.as_ref().filter(lacks) {
                let what = match wanted.is_class {
                    true => format!("a class that derives from {class}"),
                    false => article(class),
                };
                return Err(self.unfit(place, object, &format!("wants {what}")));
            }
            if let Some(class) = wanted.shown.as_ref().filter(lacks) {
                let reason = format!("refers to {} wherever this package has it", article(class));
                return Err(self.unfit(place, object, &reason));
            }
        }
        Ok(())
    }

    fn is_of_same_class(&self, one: PackageIndex, other: PackageIndex) -> bool {
        let class = |object| {
            let text = self.object_text(object);
            class_and_path(&text).0.map(str::to_owned)
        };
        class(one) == class(other)
    }

    fn unfit(&self, place: ObjectPlace<'_>, object: PackageIndex, reason: &str) -> Error {
        let (name, text) = (place.name, self.object_text(object));
        let part = match place.part {
            ObjectPart::Whole | ObjectPart::Field => "",
            ObjectPart::Key => "a key of ",
            ObjectPart::Value => "a value of ",
        };
        UnrealError::Doubtful { reason: format!("{part}'{name}' {reason}, and {text} is none") }
            .into()
    }

    fn wanted(&self, place: ObjectPlace<'_>) -> Wanted {
        let declared = self.declared_object(place);
        let part = |known: &Type| match place.part {
            ObjectPart::Whole | ObjectPart::Field => refers_to_classes(known),
            ObjectPart::Key => known.inner().first().is_some_and(refers_to_classes),
            ObjectPart::Value => known.inner().get(1).is_some_and(refers_to_classes),
        };
        let is_class = refers_to_classes(place.known)
            || declared.as_ref().is_some_and(|declared| part(&declared.property));
        let declared = declared.and_then(|declared| match place.part {
            ObjectPart::Key => declared.key_class,
            _ => declared.object_class,
        });
        let declared = declared.map(|class| class.to_string());
        // From what classes derive that others refer to says little; only tags show what properties refer to.
        let has_siblings = place.part == ObjectPart::Whole;
        let shown = match declared.is_none() && !is_class && has_siblings {
            true => self.shown_class(place),
            false => None,
        };
        Wanted { is_class, declared, shown }
    }

    /// The declaration of a property, with the class of its objects.
    fn declared_object(
        &self,
        ObjectPlace { structure, name, .. }: ObjectPlace<'_>,
    ) -> Option<Declared> {
        if !self.has_schemas() {
            return self.declared(structure, name).ok();
        }
        let (package, classes) = (self.package(), self.classes(structure));
        let own = package.schemas_of(&package.declaring(), &self.context);
        let layout = |class: &String| {
            let own = own.iter().find(|known| known.name.eq_ignore_ascii_case(class));
            own.or_else(|| package.class_layouts().class(class).map(|known| &**known))
        };
        classes.iter().filter_map(layout).find_map(|layout| layout.property(name)).cloned()
    }

    /// The class that all objects have in common to which this property refers, here and elsewhere in the
    /// package; `None` where they have none in common but the first of all.
    fn shown_class(&self, place: ObjectPlace<'_>) -> Option<String> {
        let mut search = Search::of_objects(self.package(), place.name);
        search.in_class(self.row, &self.within);
        let mut shown = search.objects.take().unwrap_or_default();
        shown.extend(place.old);
        let mut common: Option<Vec<String>> = None;
        // Hundreds of objects are of a few classes, and asking for a class again changes nothing.
        let mut asked = HashSet::new();
        for object in shown {
            if !asked.insert(self.class_key(object)) {
                continue;
            }
            let mut classes = self.classes_of(object)?;
            classes.pop();
            match &mut common {
                Some(common) => common.retain(|class| derives_from(&classes, class)),
                None => common = Some(classes),
            }
        }
        // The widest one: which of them is declared nobody knows.
        common?.pop()
    }
}

/// Whether objects of a property of this type are classes.
fn refers_to_classes(known: &Type) -> bool {
    let known = known.inner().first().unwrap_or(known);
    ["ClassProperty", "ClassPtrProperty"].contains(&known.class())
}

fn derives_from(classes: &[String], wanted: &str) -> bool {
    classes.iter().any(|class| class.eq_ignore_ascii_case(wanted))
}

/// A class with its article.
fn article(class: &str) -> String {
    match class.starts_with(['A', 'E', 'I', 'O', 'U']) {
        true => format!("an {class}"),
        false => format!("a {class}"),
    }
}
