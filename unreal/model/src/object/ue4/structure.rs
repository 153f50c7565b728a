//! Classes, functions, structs, enums and their properties.

use crate::object::registry::classes;

pub use base::{Field, Struct};
pub use declared::{Declared, of, of_mut};

classes! {
    pub mod base {}
    pub mod class {
        "Class" => Class;
        "*BlueprintGeneratedClass" => Class;
        "*BPGeneratedClass" => Class;
    }
    pub mod declared { also Declared; }
    pub mod enumeration {
        "Enum" => Enum;
        "UserDefinedEnum" => Enum;
    }
    pub mod function {
        "Function" => Function;
        "DelegateFunction" => Function;
        "SparseDelegateFunction" => Function;
    }
    pub mod script_struct { "ScriptStruct" => ScriptStruct; }
    pub mod uproperty { "*Property" => UProperty(facts); }
    pub mod user_struct { "UserDefinedStruct" => UserDefinedStruct(facts); }
}
