//! From class name to type.

use super::script_object::ScriptObject;
use super::text::{MetaData, ObjectRedirector, TextBuffer};
use super::{Native, Shape};
use crate::Versions;

/// What the class of this name adds behind the properties; `None` where the name says nothing, and a
/// parent has to be asked ([`parent_of`]).
pub fn native_for(class: &str, versions: &Versions) -> Option<Native> {
    if let Some(object) = ScriptObject::blank(class) {
        return Some(Native::Script(Box::new(object)));
    }
    let _ = versions;
    let is = |name: &str| class.eq_ignore_ascii_case(name);
    Some(match () {
        () if is("TextBuffer") => object::<TextBuffer>(),
        () if is("MetaData") => object::<MetaData>(),
        () if is("ObjectRedirector") => object::<ObjectRedirector>(),
        () => return None,
    })
}

fn object<T: crate::Object + Default>() -> Native {
    Native::Object(Box::new(T::default()))
}

/// The class that an engine class derives from, where its body is the parent's.
pub fn parent_of(class: &str) -> Option<&'static str> {
    const PARENTS: &[(&str, &str)] = &[];
    PARENTS.iter().find(|(child, _)| child.eq_ignore_ascii_case(class)).map(|(_, parent)| *parent)
}

impl Shape {
    /// Whether objects of a class with this name are components (spec: ue1-3/11 §11.0 R3).
    pub fn is_component(class: &str) -> bool {
        let ends = |end: &str| {
            class.len() >= end.len()
                && class.get(class.len() - end.len()..).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
        };
        let starts = class.get(..12).is_some_and(|head| head.eq_ignore_ascii_case("Distribution"));
        ends("Component") || starts
    }
}
