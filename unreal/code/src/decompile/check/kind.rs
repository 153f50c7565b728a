//! Kinds of values, as far as an expression says its own.

use std::fmt;
use std::sync::Arc;

use super::operators::operator;
use super::signature::Signature;
use crate::decompile::expression::{conversion_between, conversion_of, reference};
use crate::decompile::scripts::Scripts;
use crate::object::script_object::PropertyClass;
use crate::primitive::PackageIndex;
use crate::script::{ScriptExpression, ScriptItem};
use crate::version::{EngineFacts, Game, UnrealVersions};

/// Expressions nest this deep before nothing more is asked of them.
const DEEPEST: usize = 32;

/// The kind of a value, as the engine keeps it in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Int,
    Long,
    Byte,
    Bool,
    Real,
    Name,
    String,
    Text,
    Object,
    Interface,
    Struct,
    Array,
    Set,
    Map,
    Delegate,
    SoftPath,
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int => "an int",
            Self::Long => "an int of 64 bits",
            Self::Byte => "a byte",
            Self::Bool => "a bool",
            Self::Real => "a float",
            Self::Name => "a name",
            Self::String => "a string",
            Self::Text => "a text",
            Self::Object => "an object",
            Self::Interface => "an interface",
            Self::Struct => "a struct",
            Self::Array => "an array",
            Self::Set => "a set",
            Self::Map => "a map",
            Self::Delegate => "a delegate",
            Self::SoftPath => "a soft path",
        })
    }
}

impl ValueKind {
    /// Whether a variable of this kind takes such a value.
    pub fn takes(self, kind: &Self, value: &ScriptExpression, _: &Scripts) -> bool {
        match (self, *kind) {
            (wanted, kind) if wanted == kind => true,
            // None is of each kind that refers to something.
            (Self::Delegate | Self::SoftPath, Self::Object) => {
                matches!(value.name, "NoObject" | "Self")
            }
            // What implements an interface is not always converted.
            (Self::Interface, Self::Object) => true,
            _ => false,
        }
    }
}

/// The kind of values that properties of this class have.
pub(crate) fn kind_named(class: &str) -> Option<ValueKind> {
    Some(match class.strip_suffix("Property")? {
        "Int" | "UInt32" => ValueKind::Int,
        "Int64" | "UInt64" => ValueKind::Long,
        "Byte" => ValueKind::Byte,
        "Bool" => ValueKind::Bool,
        "Float" | "Double" => ValueKind::Real,
        "Name" => ValueKind::Name,
        "Str" | "String" => ValueKind::String,
        "Text" => ValueKind::Text,
        "Object" | "Class" | "Component" | "ObjectPtr" | "ClassPtr" => ValueKind::Object,
        "Interface" => ValueKind::Interface,
        "Struct" => ValueKind::Struct,
        "Array" => ValueKind::Array,
        "Set" => ValueKind::Set,
        "Map" => ValueKind::Map,
        "Delegate" => ValueKind::Delegate,
        "SoftObject" | "SoftClass" | "AssetObject" | "AssetClass" => ValueKind::SoftPath,
        _ => return None,
    })
}

/// The kind that UnrealScript calls so.
pub(super) fn kind_of_word(word: &str) -> Option<ValueKind> {
    Some(match word {
        "int" => ValueKind::Int,
        "byte" => ValueKind::Byte,
        "bool" => ValueKind::Bool,
        "float" => ValueKind::Real,
        "name" => ValueKind::Name,
        "string" => ValueKind::String,
        "object" => ValueKind::Object,
        "interface" => ValueKind::Interface,
        "vector" | "rotator" => ValueKind::Struct,
        _ => return None,
    })
}

/// Asks for the kinds of expressions in a package.
pub(super) struct Kinds<'a> {
    scripts: &'a Scripts,
}

impl<'a> Kinds<'a> {
    pub fn new(scripts: &'a Scripts) -> Self {
        Self { scripts }
    }

    /// The signature of a function of the package, or of another that is known.
    pub fn signature(&self, function: PackageIndex) -> Option<Arc<Signature>> {
        self.scripts.signature_of(function).or_else(|| {
            let owner = self.scripts.name(self.scripts.package.outer(function));
            self.scripts.declared_signature(&owner, &self.scripts.name(function))
        })
    }

    /// The signature of the function of this name that a class or state has or inherits.
    pub fn method(&self, class: PackageIndex, name: &str) -> Option<Arc<Signature>> {
        let scripts = self.scripts;
        let mut last = class;
        // A function in a state stands in its class otherwise, and both take the same.
        for around in [class, scripts.package.outer(class)] {
            for owner in scripts.package.ancestors(around) {
                let found = scripts.child(owner, name);
                if let Some(found) = found.and_then(|it| scripts.signature_of(it)) {
                    return Some(found);
                }
                if around == class {
                    last = owner;
                }
            }
        }
        scripts.declared_method(&scripts.name(last), name)
    }

    /// The name of the function of a number, and what it takes.
    pub fn native(&self, number: u16) -> Option<(String, Arc<Signature>)> {
        self.scripts.native_signature(number)
    }

    /// The kind of an expression, where it says it.
    pub fn of(&self, whole: &ScriptExpression) -> Option<ValueKind> {
        self.within(whole, 0)
    }

    fn within(&self, whole: &ScriptExpression, depth: usize) -> Option<ValueKind> {
        if depth > DEEPEST {
            return None;
        }
        let last = || self.within(whole.expressions().next_back()?, depth + 1);
        let is_kismet = self.scripts.package.versions().has_kismet();
        Some(match whole.name {
            "IntConst" | "IntZero" | "IntOne" => ValueKind::Int,
            "IntConstByte" => {
                if is_kismet {
                    ValueKind::Byte
                } else {
                    ValueKind::Int
                }
            }
            "SkipOffsetConst" => ValueKind::Int,
            "ByteConst" => ValueKind::Byte,
            "FloatConst" | "DoubleConst" => ValueKind::Real,
            "Int64Const" | "UInt64Const" => ValueKind::Long,
            "StringConst" | "UnicodeStringConst" => ValueKind::String,
            "TextConst" => ValueKind::Text,
            "NameConst" => ValueKind::Name,
            "True" | "False" | "BoolVariable" | "StructCmpEq" | "StructCmpNe"
            | "DelegateCompare" => ValueKind::Bool,
            "ObjectConst" | "NoObject" | "Self" | "DynamicCast" | "MetaCast" => ValueKind::Object,
            "New" if !is_kismet => ValueKind::Object,
            "VectorConst" | "RotationConst" | "RangeConst" | "TransformConst" | "Vector3fConst"
            | "StructConst" => ValueKind::Struct,
            "EmptyDelegate" | "InstanceDelegate" | "DelegateProperty" => ValueKind::Delegate,
            "DynArrayLength" => ValueKind::Int,
            "Skip" | "Context" | "ClassContext" | "ContextFailSilent" | "InterfaceContext" => {
                return last();
            }
            "Conversion" | "PrimitiveCast" => {
                let cast = conversion_of(whole)?;
                // SWAT 4 makes names of strings by it.
                if cast == 0x5a && self.scripts.package.versions().game() == Game::Swat4 {
                    return None;
                }
                let (_, to) = conversion_between(cast, self.scripts.dialect)?;
                return kind_of_word(to);
            }
            "FinalFunction" if !is_kismet => return self.signature(reference(whole)?)?.result,
            "Native" | "ExtendedNative" => {
                let low = match whole.items().next() {
                    Some(ScriptItem::Byte(low)) if whole.name == "ExtendedNative" => Some(*low),
                    _ => None,
                };
                let number = self.scripts.native_number(whole.token, low);
                let declared = self.native(number).map(|(_, signature)| signature.result);
                return declared.unwrap_or_else(|| {
                    let call = self.scripts.native(number)?;
                    operator(number, &call.name)?.result
                });
            }
            "ArrayElement" => return last(),
            "DynArrayElement" => return self.element(whole, depth),
            "StructMember" => return self.property(reference(whole)?),
            "StructMemberContext" => return self.variable(whole),
            name if name.ends_with("Variable") => return self.variable(whole),
            _ => return None,
        })
    }

    /// The kind of the elements of an array.
    fn element(&self, whole: &ScriptExpression, depth: usize) -> Option<ValueKind> {
        let mut array = whole.expressions().next_back()?;
        for _ in depth..DEEPEST {
            match array.name {
                "Context" | "ClassContext" => array = array.expressions().next_back()?,
                _ => break,
            }
        }
        let is_variable = array.name.ends_with("Variable") || array.name == "StructMember";
        let property = is_variable.then(|| reference(array))??;
        match self.scripts.property(property)?.class {
            PropertyClass::One(inner) => self.property(inner),
            _ => None,
        }
    }

    /// The kind of a property, whose class an import says as well.
    fn property(&self, index: PackageIndex) -> Option<ValueKind> {
        kind_named(&self.scripts.class_name(index))
    }

    fn variable(&self, whole: &ScriptExpression) -> Option<ValueKind> {
        if let Some(index) = reference(whole) {
            return self.property(index);
        }
        let property = whole.items().find_map(|item| match item {
            ScriptItem::Property(property) => Some(property),
            _ => None,
        })?;
        match &property.path[..] {
            [] => self.property(property.owner),
            [name] => {
                let all = self.scripts.variables_of(property.owner);
                kind_named(all.class_of(&self.scripts.text(*name))?)
            }
            _ => None,
        }
    }
}
