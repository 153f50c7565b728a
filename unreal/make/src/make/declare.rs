//! From the syntax of classes to their objects: everything but code and values.
//!
//! Spec: ue1-3/16 §16.2 to §16.4.

mod class;
mod class_maker;
mod enums;
mod function;
mod length;
mod probe;
mod single;
mod state;
mod structure;
mod variable;
mod written_type;

pub(super) use self::class_maker::ClassMaker;
pub(super) use self::enums::EnumPaths;
