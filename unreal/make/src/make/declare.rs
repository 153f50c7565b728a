//! From the syntax of classes to their objects: everything but code and values.
//!
//! Spec: ue1-3/16 §16.2 to §16.4.

mod class;
mod class_maker;
mod cpp_text;
mod enums;
mod function;
mod interface;
mod length;
mod meta_data;
mod probe;
mod single;
mod state;
mod structure;
mod tool_tip;
mod variable;
mod written_type;

pub(super) use self::class_maker::ClassMaker;
pub(super) use self::enums::EnumPaths;
