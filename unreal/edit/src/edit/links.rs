//! The links between fields, whichever engine they are of: to the next field of their struct, from a struct to
//! its fields, from classes and states to their functions (spec: ue1-3/06 §6.1, ue4-5/05 §1).

use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::object::ue4::structure::class::Class;
use crate::object::ue4::structure::declared;
use crate::object::ue4::structure::enumeration::Enum;
use crate::object::ue4::structure::uproperty::UProperty;
use crate::primitive::{Map, Name, PackageIndex};

type Functions = Map<Name, PackageIndex>;

/// The links of one field.
pub(super) struct FieldLinks;

impl FieldLinks {
    /// The field behind this one, null for the last; `None` for objects that are no fields.
    pub fn next(native: &Native) -> Option<PackageIndex> {
        match native {
            Native::Script(script) => Some(script.field().next),
            Native::Object(object) => {
                let field = declared::of(native).map(|it| it.field);
                let field = field.or_else(|| object.downcast_ref().map(|it: &Enum| it.field));
                let field = field.or_else(|| object.downcast_ref().map(|it: &UProperty| it.field));
                field.map(|field| field.next)
            }
            _ => None,
        }
    }

    /// Flags of a property that is an object of its own.
    pub fn property_flags(native: &Native) -> Option<u64> {
        match native {
            Native::Script(script) => match &**script {
                ScriptObject::Property(property) => Some(property.property_flags),
                _ => None,
            },
            Native::Object(object) => object.downcast_ref().map(|it: &UProperty| it.property_flags),
            _ => None,
        }
    }

    /// Whether one of the links leads to an object that is gone.
    pub fn refer(native: &Native, is_gone: &dyn Fn(PackageIndex) -> bool) -> bool {
        let has_gone = |functions: Option<&Functions>| {
            functions.is_some_and(|map| map.0.iter().any(|(_, function)| is_gone(*function)))
        };
        if Self::next(native).is_some_and(is_gone) {
            return true;
        }
        match native {
            Native::Script(script) => {
                script.structure().is_some_and(|it| is_gone(it.children))
                    || has_gone(script.state().map(|state| &state.func_map))
            }
            Native::Object(object) => {
                declared::of(native).is_some_and(|it| {
                    is_gone(it.first_child) || it.children.iter().any(|&child| is_gone(child))
                }) || has_gone(object.downcast_ref().map(|class: &Class| &class.functions))
            }
            _ => false,
        }
    }

    /// Closes the links over what is gone: `skip` says what stands behind it.
    pub fn close(
        native: &mut Native,
        skip: &dyn Fn(PackageIndex) -> PackageIndex,
        is_gone: &dyn Fn(PackageIndex) -> bool,
    ) {
        let close = |index: &mut PackageIndex| {
            if is_gone(*index) {
                *index = skip(*index);
            }
        };
        let drop_from = |map: &mut Functions| map.0.retain(|(_, function)| !is_gone(*function));
        if let Native::Script(script) = native {
            close(&mut script.field_mut().next);
            if let Some(structure) = script.structure_mut() {
                close(&mut structure.children);
            }
            if let Some(state) = script.state_mut() {
                drop_from(&mut state.func_map);
            }
            return;
        }
        if let Some(base) = declared::of_mut(native) {
            close(&mut base.field.next);
            close(&mut base.first_child);
            base.children.retain(|&child| !is_gone(child));
        }
        let Native::Object(object) = native else { return };
        if let Some(class) = object.downcast_mut::<Class>() {
            drop_from(&mut class.functions);
        } else if let Some(object) = object.downcast_mut::<Enum>() {
            close(&mut object.field.next);
        } else if let Some(property) = object.downcast_mut::<UProperty>() {
            close(&mut property.field.next);
        }
    }
}
