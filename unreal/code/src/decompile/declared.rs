//! Declarations in other packages of the functions and values that code uses.

use std::collections::HashMap;
use std::sync::Arc;

use super::check::Signature;
use super::scripts::Scripts;
use crate::language::natives::NativeCall;
use crate::object::script_object::PropertyClass;
use crate::package::Package;
use crate::primitive::PackageIndex;

/// The values of enums and the functions with numbers that packages declare: for the code of packages that build on
/// them, which has numbers alone.
///
/// ```
/// use unreal_packages::decompile::{Decompiler, DeclaredScripts};
/// use unreal_packages::generate::Builder;
///
/// # fn main() -> unreal_packages::Result<()> {
/// let engine = unreal_packages::Package::from_bytes(Builder::new(69).build()?)?;
/// let package = engine.clone();
/// let mut declared = DeclaredScripts::default();
/// declared.add(&engine);
/// let decompiler = Decompiler::with(&package, declared);
/// # let _ = decompiler;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct DeclaredScripts {
    natives: HashMap<u16, NativeCall>,
    /// By name in small letters.
    enums: HashMap<String, ValueNames>,
    /// By the names of what declares a property and of the property, in small letters.
    properties: HashMap<(String, String), ValueNames>,
    /// Signatures of functions, by the names of their classes and of themselves in small letters; none where packages
    /// disagree.
    functions: HashMap<(String, String), Option<Arc<Signature>>>,
    /// The same of functions with numbers.
    numbered: HashMap<u16, Option<(String, Arc<Signature>)>>,
    /// Parents of classes, in small letters.
    parents: HashMap<String, String>,
}

/// Chains of classes are followed this far: damaged ones lead in circles.
const DEEPEST: usize = 64;

/// The names of an enum's values.
type ValueNames = Arc<[String]>;

impl DeclaredScripts {
    /// Adds what a package declares; what is known of a name already stays.
    pub fn add(&mut self, package: &Package) {
        let scripts = Scripts::of(package, Self::default());
        for (number, call) in scripts.own_natives() {
            self.natives.entry(*number).or_insert_with(|| call.clone());
        }
        let all = || (0..scripts.package.exports().len()).map(PackageIndex::export);
        let small = |index| scripts.name(index).to_ascii_lowercase();
        self.add_functions(&scripts);
        let mut values = HashMap::new();
        for index in all() {
            let Some(known) = scripts.enumeration(index) else { continue };
            let names: ValueNames = known.names.iter().map(|name| scripts.text(*name)).collect();
            values.insert(index, names.clone());
            self.enums.entry(small(index)).or_insert(names);
        }
        for index in all() {
            let Some(property) = scripts.property(index) else { continue };
            let PropertyClass::One(enumeration) = property.class else { continue };
            let of_other = || self.enums.get(&small(enumeration)).cloned();
            let is_enum = scripts.class_name(enumeration).eq_ignore_ascii_case("Enum");
            let known = values.get(&enumeration).cloned().or_else(of_other).filter(|_| is_enum);
            if let Some(known) = known {
                let key = (small(scripts.package.outer(index)), small(index));
                self.properties.entry(key).or_insert(known);
            }
        }
    }

    fn add_functions(&mut self, scripts: &Scripts) {
        let small = |index| scripts.name(index).to_ascii_lowercase();
        for index in (0..scripts.package.exports().len()).map(PackageIndex::export) {
            let parent = scripts.parent(index);
            if !parent.is_null() && scripts.function(index).is_none() {
                self.parents.entry(small(index)).or_insert_with(|| small(parent));
            }
            let Some(signature) = scripts.signature_of(index) else { continue };
            let key = (small(scripts.package.outer(index)), small(index));
            let known = self.functions.entry(key).or_insert_with(|| Some(signature.clone()));
            if known.as_ref() != Some(&signature) {
                *known = None;
            }
        }
        for (number, index) in scripts.native_functions() {
            let Some(signature) = scripts.signature_of(*index) else { continue };
            let named = Some((scripts.name(*index), signature));
            let known = self.numbered.entry(*number).or_insert_with(|| named.clone());
            if *known != named {
                *known = None;
            }
        }
    }

    /// The signature of a function, by the names of its class and of itself.
    pub(super) fn signature(&self, owner: &str, name: &str) -> Option<Arc<Signature>> {
        self.functions.get(&(owner.to_ascii_lowercase(), name.to_ascii_lowercase()))?.clone()
    }

    /// The signature of a function that a class has or inherits.
    pub(super) fn method(&self, class: &str, name: &str) -> Option<Arc<Signature>> {
        let mut class = class.to_ascii_lowercase();
        for _ in 0..DEEPEST {
            let key = (class.clone(), name.to_ascii_lowercase());
            if let Some(known) = self.functions.get(&key) {
                return known.clone();
            }
            class = self.parents.get(&class)?.clone();
        }
        None
    }

    /// The function of a number, and what it takes.
    pub(super) fn native_signature(&self, number: u16) -> Option<(String, Arc<Signature>)> {
        self.numbered.get(&number)?.clone()
    }

    pub(super) fn native(&self, number: u16) -> Option<&NativeCall> {
        self.natives.get(&number)
    }

    pub(super) fn enumeration(&self, name: &str) -> Option<ValueNames> {
        self.enums.get(&name.to_ascii_lowercase()).cloned()
    }

    /// The values that a property takes, by the names of what declares it and of itself.
    pub(super) fn values(&self, owner: &str, name: &str) -> Option<ValueNames> {
        self.properties.get(&(owner.to_ascii_lowercase(), name.to_ascii_lowercase())).cloned()
    }
}
