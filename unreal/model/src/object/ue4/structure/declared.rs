//! Declarations of classes, structs and functions.

use super::base::Struct;
use super::class::Class;
use super::function::Function;
use super::script_struct::ScriptStruct;
use super::user_struct::UserDefinedStruct;
use crate::Archived;
use crate::archive::Span;
use crate::object::Native;
use crate::object::ue4::condition::rest;
use crate::object::ue4::rig::class::{RigMemoryClass, RigVmClass};

/// The fields and code of a class, struct or function.
pub fn of(native: &Native) -> Option<&Struct> {
    let Native::Object(object) = native else { return None };
    let function = object.downcast_ref().map(|function: &Function| &function.base);
    let class = || object.downcast_ref().map(|class: &Class| &class.base);
    let made = || object.downcast_ref().map(|made: &UserDefinedStruct| &made.base);
    let plain = || object.downcast_ref().map(|plain: &ScriptStruct| &plain.base);
    let declared = || object.downcast_ref().map(|declared: &Declared| &declared.base);
    let rig = || object.downcast_ref().map(|class: &RigVmClass| &class.base.base);
    let memory = || object.downcast_ref().map(|class: &RigMemoryClass| &class.base.base);
    function
        .or_else(class)
        .or_else(made)
        .or_else(plain)
        .or_else(declared)
        .or_else(rig)
        .or_else(memory)
}

/// The same, to be changed.
pub fn of_mut(native: &mut Native) -> Option<&mut Struct> {
    let Native::Object(object) = native else { return None };
    macro_rules! first {
        ($($type:ty),*) => {
            // Asked for first: only one of them can be what the object is.
            $(if object.downcast_ref::<$type>().is_some() {
                return object.downcast_mut::<$type>().map(|object| &mut object.base);
            })*
        };
    }
    if object.downcast_ref::<RigVmClass>().is_some() {
        return object.downcast_mut().map(|class: &mut RigVmClass| &mut class.base.base);
    }
    if object.downcast_ref::<RigMemoryClass>().is_some() {
        return object.downcast_mut().map(|class: &mut RigMemoryClass| &mut class.base.base);
    }
    first!(Function, Class, UserDefinedStruct, ScriptStruct, Declared);
    None
}

/// The declarations of a class, struct or function; the part that each of them adds stays as it is.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Declared {
    /// Fields and code.
    pub base: Struct,
    /// Everything else.
    #[archive(with = rest)]
    pub rest: Span,
}
