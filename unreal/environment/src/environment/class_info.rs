//! Classes, structs, enums and functions as packages declare them.

use super::FieldInfo;

/// A class.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClassInfo {
    /// The package that it lies in.
    pub package: String,
    /// Its name.
    pub name: String,
    /// Path of the class that it derives from: `Engine.Actor`.
    pub parent: Option<String>,
    /// Class flags.
    pub flags: u32,
    /// Whether code of the engine or of a DLL belongs to it, which knows its layout.
    pub native: bool,
    /// Path of the class that its objects must lie in.
    pub within: Option<String>,
    /// The ini file of its configured properties.
    pub config: Option<String>,
    /// Its own properties in the order of memory.
    pub fields: Vec<FieldInfo>,
    /// Paths of the structs that it declares.
    pub structs: Vec<String>,
    /// Paths of the enums that it declares.
    pub enums: Vec<String>,
    /// Its constants: name and value as written.
    pub constants: Vec<(String, String)>,
    /// Its own functions.
    pub functions: Vec<FunctionInfo>,
    /// The lines of C++ that its source holds (`cpptext`), from UE2.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub cpp_text: Option<String>,
}

/// A struct.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StructInfo {
    /// The package that it lies in.
    pub package: String,
    /// Path within the package: `Object.Vector`.
    pub path: String,
    /// Path of the struct that it derives from, with its package.
    pub parent: Option<String>,
    /// Struct flags, 0 where the version has none.
    pub flags: u32,
    /// Its own fields in order.
    pub fields: Vec<FieldInfo>,
}

/// An enum.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EnumInfo {
    /// Path with its package.
    pub path: String,
    /// The names of its values.
    pub values: Vec<String>,
    /// Their numbers; empty where they count from 0.
    pub numbers: Vec<i64>,
}

impl EnumInfo {
    /// The number of a value, by its place.
    pub fn number(&self, at: usize) -> i64 {
        self.numbers.get(at).copied().unwrap_or(at as i64)
    }
}

/// A function.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FunctionInfo {
    /// Its name.
    pub name: String,
    /// Function flags.
    pub flags: u32,
    /// Index of the native function, 0 for none.
    pub native_index: u16,
    /// Whether it overrides a function of a class above.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub overrides: bool,
    /// Its parameters in order, the return value among them.
    pub parameters: Vec<FieldInfo>,
}

impl FunctionInfo {
    const NATIVE: u32 = 0x400;
    const EVENT: u32 = 0x800;

    /// Whether its body is in native code.
    pub fn is_native(&self) -> bool {
        self.flags & Self::NATIVE != 0
    }

    /// Whether native code calls it.
    pub fn is_event(&self) -> bool {
        self.flags & Self::EVENT != 0
    }
}

impl ClassInfo {
    const NO_EXPORT: u32 = 0x100;

    /// Whether its C++ declaration is written by hand, so that generated headers leave it out: `noexport`.
    pub fn is_noexport(&self) -> bool {
        self.flags & Self::NO_EXPORT != 0
    }

    /// Its path: `Engine.Actor`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.package, self.name)
    }
}

impl StructInfo {
    /// Its path with the package: `Core.Object.Vector`.
    pub fn full_path(&self) -> String {
        format!("{}.{}", self.package, self.path)
    }

    /// Its bare name.
    pub fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or(&self.path)
    }
}
