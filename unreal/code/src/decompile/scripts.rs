//! The script objects of a package, by their places in its tables.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::check::Signature;
use super::declared::DeclaredScripts;
use super::kismet::KismetVariables;
use crate::Object;
use crate::error::{Error, Result};
use crate::language::dialect::Dialect;
use crate::language::natives::{CallForm, KnownNatives, NativeCall, usual_precedence};
use crate::language::symbol::symbol_of;
use crate::object::Native;
use crate::object::script_object::{Class, Enum, Function, ScriptObject, Struct, UProperty};
use crate::package::{Package, native_as};
use crate::primitive::{Name, ObjectRef, PackageIndex, StoredName};
use crate::property::{EngineClasses, EngineEnum};
use crate::script::statements;
use crate::version::UnrealVersions;

/// Text that the classes of a package may take together: some bytes for each of its own beside these.
const MOST_TEXT: usize = 64 << 20;
const TEXT_PER_BYTE: usize = 16;

/// Functions that are operators, and those before their operand.
const OPERATOR: u32 = 0x1000;
const BEFORE: u32 = 0x10;
/// Parameters, and those that take the result.
pub(super) const PARAMETER: u64 = 0x80;
pub(super) const RESULT: u64 = 0x400;

/// Whether it is a class of what blueprints declare.
fn is_of_ue4(class: &str) -> bool {
    class.ends_with("Property") || class.ends_with("Class") || class.ends_with("Function")
}

/// A package whose script objects are decoded.
#[derive(Debug)]
pub(super) struct Scripts {
    pub package: Package,
    /// The language of its engine.
    pub dialect: Dialect,
    /// Native numbers of the package itself.
    natives: HashMap<u16, NativeCall>,
    /// And which functions they are.
    native_functions: HashMap<u16, PackageIndex>,
    /// Declarations of other packages.
    declared: DeclaredScripts,
    /// Native numbers that are known otherwise.
    known_natives: KnownNatives,
    /// The fields of each struct in their stored order.
    fields: HashMap<PackageIndex, Vec<PackageIndex>>,
    /// Script objects by what is around them and their names in small letters.
    named: HashMap<PackageIndex, HashMap<String, PackageIndex>>,
    /// Enums of the engine by import.
    engine_enums: RefCell<HashMap<PackageIndex, Option<&'static EngineEnum>>>,
    /// Enums of other packages by import, with the names of their values.
    imported_enums: RefCell<HashMap<PackageIndex, Option<Arc<[String]>>>>,
    /// The variables of blueprints and their functions, once they were asked for.
    variables: RefCell<HashMap<PackageIndex, Arc<KismetVariables>>>,
    /// Signatures of functions, once asked for.
    signatures: RefCell<HashMap<PackageIndex, Option<Arc<Signature>>>>,
    /// Where the statements of code start, once that was asked for.
    starts: RefCell<HashMap<PackageIndex, Option<Arc<[u32]>>>>,
    /// Bytes of text that may still be written: where names are long, code of some bytes is text of many.
    left: Cell<usize>,
}

impl Scripts {
    pub fn of(package: &Package, declared: DeclaredScripts) -> Self {
        let mut package = package.clone();
        package.decode_where(|class| ScriptObject::blank(class).is_some() || is_of_ue4(class));
        let dialect = Dialect::of(package.versions());
        let left = Cell::new(MOST_TEXT + TEXT_PER_BYTE * package.source().len());
        let (natives, fields, named) = Default::default();
        let engine_enums = RefCell::default();
        let packages =
            package.imports().iter().filter(|import| import.entry().outer_index.is_null());
        let packages: Vec<String> = packages.map(|import| import.name()).collect();
        let known_natives = KnownNatives::of(dialect, packages.iter().map(String::as_str));
        let imported_enums = RefCell::default();
        let mut scripts = Self {
            package,
            dialect,
            natives,
            native_functions: HashMap::new(),
            declared,
            known_natives,
            fields,
            named,
            engine_enums,
            imported_enums,
            variables: RefCell::default(),
            signatures: RefCell::default(),
            starts: RefCell::default(),
            left,
        };
        scripts.collect();
        for row in 0..scripts.package.exports().len() {
            let index = PackageIndex::export(row);
            let Some(function) = scripts.function(index).filter(|it| it.native != 0) else {
                continue;
            };
            let (number, call) = (function.native, scripts.call_of(index, function));
            scripts.natives.entry(number).or_insert(call);
            scripts.native_functions.entry(number).or_insert(index);
        }
        scripts
    }

    /// Takes down what belongs to what. A field belongs to one chain: damaged ones share fields, or lead in circles.
    fn collect(&mut self) {
        let mut taken = vec![false; self.package.exports().len()];
        let (mut fields, mut named) = (HashMap::new(), HashMap::<_, HashMap<_, _>>::new());
        for row in 0..taken.len() {
            let index = PackageIndex::export(row);
            let Some(object) = self.object(index) else { continue };
            let outer = self.package.outer(index);
            let name = self.name(index).to_ascii_lowercase();
            named.entry(outer).or_default().entry(name).or_insert(index);
            let Some(structure) = object.structure() else { continue };
            let (mut chain, mut at) = (Vec::new(), structure.children);
            while let (ObjectRef::Export(row), Some(field)) = (at.target(), self.object(at)) {
                if std::mem::replace(&mut taken[row], true) {
                    break;
                }
                chain.push(at);
                at = field.field().next;
            }
            fields.insert(index, chain);
        }
        (self.fields, self.named) = (fields, named);
    }

    /// Whether a text is longer than what may still be written.
    pub fn is_too_long(&self, text: &str) -> bool {
        text.len() > self.left.get()
    }

    /// Refuses a text that is longer than what may still be written.
    ///
    /// # Errors
    /// `Invalid`.
    pub fn check(&self, text: &str) -> Result<()> {
        self.check_length(text.len())
    }

    /// The same for texts of this length together.
    ///
    /// # Errors
    /// As [`Scripts::check`].
    pub fn check_length(&self, length: usize) -> Result<()> {
        match length > self.left.get() {
            true => Err(Error::invalid(
                "the source would be many times as long as the package: its names are too long",
            )),
            false => Ok(()),
        }
    }

    /// A text that is written: what is left for others becomes less.
    ///
    /// # Errors
    /// As [`Scripts::check`].
    pub fn finish(&self, text: String) -> Result<String> {
        self.check(&text)?;
        self.left.set(self.left.get() - text.len());
        Ok(text)
    }

    /// The class's own data of an object.
    pub fn native_of(&self, index: PackageIndex) -> Option<&Native> {
        let ObjectRef::Export(row) = index.target() else { return None };
        Some(&self.package.decoded(row)?.body.native)
    }

    /// An object whose class adds this.
    pub fn typed<T: Object>(&self, index: PackageIndex) -> Option<&T> {
        let ObjectRef::Export(row) = index.target() else { return None };
        native_as(&self.package.decoded(row)?.body)
    }

    pub fn object(&self, index: PackageIndex) -> Option<&ScriptObject> {
        match self.native_of(index)? {
            Native::Script(object) => Some(object),
            _ => None,
        }
    }

    pub fn class(&self, index: PackageIndex) -> Option<&Class> {
        match self.object(index)? {
            ScriptObject::Class(object) => Some(object),
            _ => None,
        }
    }

    pub fn function(&self, index: PackageIndex) -> Option<&Function> {
        match self.object(index)? {
            ScriptObject::Function(object) => Some(object),
            _ => None,
        }
    }

    pub fn property(&self, index: PackageIndex) -> Option<&UProperty> {
        match self.object(index)? {
            ScriptObject::Property(object) => Some(object),
            _ => None,
        }
    }

    pub fn enumeration(&self, index: PackageIndex) -> Option<&Enum> {
        match self.object(index)? {
            ScriptObject::Enum(object) => Some(object),
            _ => None,
        }
    }

    pub fn structure(&self, index: PackageIndex) -> Option<&Struct> {
        self.object(index)?.structure()
    }

    pub fn name(&self, index: PackageIndex) -> String {
        self.package.object_name(index)
    }

    pub fn text(&self, name: Name) -> String {
        self.package.name_text(name)
    }

    /// The text of a name that is not `None`.
    pub fn some_text(&self, name: Name) -> Option<String> {
        let text = self.text(name);
        (!text.eq_ignore_ascii_case("None")).then_some(text)
    }

    /// The same of a name that not every version stores.
    pub fn stored_text(&self, name: StoredName) -> Option<String> {
        self.some_text(name.get()?)
    }

    /// The name of the class that an object is of.
    pub fn class_name(&self, index: PackageIndex) -> String {
        let class = match index.target() {
            ObjectRef::Export(row) => self.package.exports().get(row).map(|export| export.class()),
            ObjectRef::Import(row) => self.package.imports().get(row).map(|import| import.class()),
            ObjectRef::Null => None,
        };
        let class = class.unwrap_or_default();
        class.rsplit('.').next().unwrap_or_default().to_owned()
    }

    /// The engine's enum of a name.
    pub fn engine_enum_named(&self, name: &str) -> Option<&'static EngineEnum> {
        EngineClasses::of(self.package.versions())?.enumeration(name)
    }

    /// The engine's enum that an import is.
    pub fn engine_enum(&self, index: PackageIndex) -> Option<&'static EngineEnum> {
        let is_enum = self.class_name(index).eq_ignore_ascii_case("Enum");
        self.engine_enum_of(index, |engine| {
            is_enum.then(|| engine.enumeration(&self.name(index)))?
        })
    }

    /// The engine's enum whose values an imported property takes.
    pub fn engine_enum_in(&self, property: PackageIndex) -> Option<&'static EngineEnum> {
        self.engine_enum_of(property, |engine| {
            if !self.class_name(property).eq_ignore_ascii_case("ByteProperty") {
                return None;
            }
            let owner = self.package.outer(property);
            let is_struct = !self.class_name(owner).eq_ignore_ascii_case("Class");
            let owner = self.name(owner);
            let names = std::iter::once(owner.as_str());
            let found = engine.property(names, is_struct, &self.name(property))?;
            engine.enumeration(&found.property.name()?.name)
        })
    }

    /// The engine's enum for an import; looked up once.
    fn engine_enum_of(
        &self,
        index: PackageIndex,
        find: impl FnOnce(&'static EngineClasses) -> Option<&'static EngineEnum>,
    ) -> Option<&'static EngineEnum> {
        if !matches!(index.target(), ObjectRef::Import(_)) {
            return None;
        }
        if let Some(known) = self.engine_enums.borrow().get(&index) {
            return *known;
        }
        let found = EngineClasses::of(self.package.versions()).and_then(find);
        self.engine_enums.borrow_mut().insert(index, found);
        found
    }

    /// The variables of a class, struct or function of UE4 and UE5.
    pub fn variables_of(&self, index: PackageIndex) -> Arc<KismetVariables> {
        if let Some(known) = self.variables.borrow().get(&index) {
            return known.clone();
        }
        let found = Arc::new(KismetVariables::of(self, index));
        self.variables.borrow_mut().insert(index, found.clone());
        found
    }

    /// Where the statements start of an object with code, bytes in memory; `None` where that is not known.
    pub fn statement_starts(&self, index: PackageIndex) -> Option<Arc<[u32]>> {
        if let Some(known) = self.starts.borrow().get(&index) {
            return known.clone();
        }
        let found = self.native_of(index).and_then(Native::code).and_then(|code| {
            let none = |name: &Name| self.some_text(*name).is_none();
            let all = statements(&code.items, &self.package.versions().of_bodies(), none).ok()?;
            Some(all.iter().map(|statement| statement.place).collect::<Arc<[u32]>>())
        });
        self.starts.borrow_mut().insert(index, found.clone());
        found
    }

    /// The flags of an export as the engines before UE3 number them, with UE3's others above them.
    pub fn object_flags(&self, index: PackageIndex) -> u64 {
        let ObjectRef::Export(row) = index.target() else { return 0 };
        let export = self.package.exports().get(row);
        let flags = export.map(|row| row.entry().object_flags).unwrap_or_default();
        let legacy = flags.legacy(self.package.versions());
        if legacy == flags.0 { legacy } else { legacy | flags.0 << 32 }
    }

    /// The parent of a class or state, as its row says.
    pub fn parent(&self, index: PackageIndex) -> PackageIndex {
        let ObjectRef::Export(row) = index.target() else { return PackageIndex::NULL };
        let export = self.package.exports().get(row);
        export.map_or(PackageIndex::NULL, |export| export.entry().super_index)
    }

    /// The fields of a struct in their stored order.
    pub fn children(&self, of: PackageIndex) -> &[PackageIndex] {
        self.fields.get(&of).map_or(&[], Vec::as_slice)
    }

    /// A script object of this name right within another one.
    pub fn child(&self, of: PackageIndex, name: &str) -> Option<PackageIndex> {
        self.named.get(&of)?.get(&name.to_ascii_lowercase()).copied()
    }

    /// A function of this name that a class or state has or inherits within the package.
    pub fn method(&self, of: PackageIndex, name: &str) -> Option<PackageIndex> {
        self.package.ancestors(of).find_map(|class| {
            self.child(class, name).filter(|child| self.function(*child).is_some())
        })
    }

    /// The parameters of a function in order, without what takes the result.
    pub fn parameters(&self, function: PackageIndex) -> Vec<(PackageIndex, &UProperty)> {
        let fields = self.children(function).iter();
        let properties = fields.filter_map(|field| Some((*field, self.property(*field)?)));
        let is = |property: &UProperty| property.property_flags & (PARAMETER | RESULT) == PARAMETER;
        properties.filter(|(_, property)| is(property)).collect()
    }

    /// The property that takes the result of a function.
    pub fn result(&self, function: PackageIndex) -> Option<PackageIndex> {
        let is = |field: &PackageIndex| {
            self.property(*field).is_some_and(|property| property.property_flags & RESULT != 0)
        };
        self.children(function).iter().copied().find(|field| is(field))
    }

    /// The function of a native number.
    pub fn native(&self, number: u16) -> Option<&NativeCall> {
        let own = self.natives.get(&number).or_else(|| self.declared.native(number));
        own.or_else(|| self.known_natives.get(number))
    }

    /// The number of the native function that a token calls, with the byte behind it where there is one.
    pub fn native_number(&self, token: u8, low: Option<u8>) -> u16 {
        let Some(low) = low else { return token.into() };
        let is_shifted =
            crate::script::token_name(0x60, self.package.versions()) != "ExtendedNative";
        let first = if is_shifted { 0x70 } else { 0x60 };
        u16::from(token).saturating_sub(first) * 256 + u16::from(low)
    }

    /// The functions with numbers that the package declares.
    pub fn own_natives(&self) -> &HashMap<u16, NativeCall> {
        &self.natives
    }

    /// The names of the values of an imported enum, or of those that an imported property takes, where another
    /// package declares them.
    pub fn imported_values(&self, index: PackageIndex) -> Option<Arc<[String]>> {
        if !matches!(index.target(), ObjectRef::Import(_)) {
            return None;
        }
        if let Some(known) = self.imported_enums.borrow().get(&index) {
            return known.clone();
        }
        let found = match self.class_name(index).eq_ignore_ascii_case("Enum") {
            true => self.declared.enumeration(&self.name(index)),
            false => {
                let owner = self.name(self.package.outer(index));
                self.declared.values(&owner, &self.name(index))
            }
        };
        self.imported_enums.borrow_mut().insert(index, found.clone());
        found
    }

    /// The signature of a function of the package.
    pub fn signature_of(&self, function: PackageIndex) -> Option<Arc<Signature>> {
        if let Some(known) = self.signatures.borrow().get(&function) {
            return known.clone();
        }
        let found = Signature::of(self, function).map(Arc::new);
        self.signatures.borrow_mut().insert(function, found.clone());
        found
    }

    /// The signature of a function of another package, by the names of its class and of itself.
    pub fn declared_signature(&self, owner: &str, name: &str) -> Option<Arc<Signature>> {
        self.declared.signature(owner, name)
    }

    /// The signature of a function that a class of another package has or inherits.
    pub fn declared_method(&self, class: &str, name: &str) -> Option<Arc<Signature>> {
        self.declared.method(class, name)
    }

    /// The name of the function of a number, and what it takes.
    pub fn native_signature(&self, number: u16) -> Option<(String, Arc<Signature>)> {
        let own = |index: &PackageIndex| {
            self.function(*index).is_some_and(|function| function.native == number)
        };
        let found = self.native_functions.get(&number).copied().filter(own);
        let own = found.and_then(|index| Some((self.name(index), self.signature_of(index)?)));
        own.or_else(|| self.declared.native_signature(number))
    }

    /// The functions with numbers that the package declares.
    pub fn native_functions(&self) -> &HashMap<u16, PackageIndex> {
        &self.native_functions
    }

    /// How a function is called: by its name, or as an operator.
    pub fn call(&self, index: PackageIndex) -> NativeCall {
        match self.function(index) {
            Some(function) => self.call_of(index, function),
            None => {
                let name = self.name(index);
                let symbol = symbol_of(&name);
                match symbol {
                    Some(symbol) if name.contains("_Pre") => {
                        NativeCall { name: symbol, form: CallForm::Before, values: None }
                    }
                    Some(symbol) => {
                        let form = CallForm::Operator(usual_precedence(&symbol));
                        NativeCall { name: symbol, form, values: None }
                    }
                    None => NativeCall { name, form: CallForm::Function, values: None },
                }
            }
        }
    }

    fn call_of(&self, index: PackageIndex, function: &Function) -> NativeCall {
        let flags = function.function_flags;
        let name = self.function_name(index, function);
        let is_binary = || self.parameters(index).len() > 1;
        let form = match flags {
            _ if flags & OPERATOR == 0 => CallForm::Function,
            _ if flags & BEFORE != 0 => CallForm::Before,
            _ if !is_binary() => CallForm::Behind,
            _ if function.oper_precedence == 0 => CallForm::Operator(usual_precedence(&name)),
            _ => CallForm::Operator(function.oper_precedence),
        };
        NativeCall { name, form, values: None }
    }

    /// The name of a function as it is declared: of operators their symbol.
    pub fn function_name(&self, index: PackageIndex, function: &Function) -> String {
        let name = self.name(index);
        // The name as it was written stands in the function, or before UE3 in its struct part.
        let written = [function.friendly_name, function.base.friendly_name];
        let written = written.into_iter().filter_map(|name| self.stored_text(name)).next();
        if function.function_flags & OPERATOR != 0 {
            return written.or_else(|| symbol_of(&name)).unwrap_or(name);
        }
        // Constructors of SWAT 4 have the types of their parameters behind it.
        let is_constructor = |written: &String| {
            written.eq_ignore_ascii_case("construct")
                && name.get(..written.len()).is_some_and(|it| it.eq_ignore_ascii_case(written))
        };
        written.filter(is_constructor).unwrap_or(name)
    }
}
