//! Code against the tables of a package: names and objects become rows.

use super::declarations::Owner;
use super::generator::{CodeItem, CodeReference, CompiledCode};
use super::symbols::{ClassId, SymbolId, Symbols};
use crate::archive::Span;
use crate::primitive::{Name, PackageIndex};
use crate::script::{Script, ScriptItem};

/// An object that code refers to, as tables find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeObjectPath {
    /// The kind of object: `Class`, `Function`, `Struct`, `Property`, `Object`; of an object that the text names, its
    /// class as the text says it.
    pub class: String,
    /// The package, where it is known.
    pub package: Option<String>,
    /// The path within the package: `Actor.Touch.Other`. Of an object that the text names, what the text says.
    pub path: String,
    /// Whether the text names it, perhaps with its package and groups, perhaps with its name alone.
    pub is_named: bool,
}

/// The tables of a package that code is made for.
pub trait CodeTables {
    /// The row of a name.
    fn name(&mut self, text: &str) -> Option<Name>;

    /// The row of an object. `reference` says what it is among the symbols, `path` where it lies.
    fn object(&mut self, reference: &CodeReference, path: &CodeObjectPath) -> Option<PackageIndex>;
}

/// Names and objects that the tables of a package do not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MissingRows {
    /// Names.
    pub names: Vec<String>,
    /// Objects.
    pub objects: Vec<CodeObjectPath>,
}

impl CodeReference {
    /// The object as tables find it; `None` of no object.
    pub fn path(&self, symbols: &Symbols) -> Option<CodeObjectPath> {
        let of = |class: &str, id: ClassId, path: String| {
            let package = Some(symbols.package(id).to_owned()).filter(|it| !it.is_empty());
            Some(CodeObjectPath { class: class.to_owned(), package, path, is_named: false })
        };
        match self {
            Self::Null => None,
            Self::Class(id) => of("Class", *id, symbols.class(*id).name.clone()),
            Self::Struct(id) => of("Struct", id.class, symbols.struct_path(*id)),
            Self::Variable(id) => of("Property", id.class, symbols.variable_path(*id)),
            Self::Function(id) => of("Function", id.class, symbols.function_path(*id)),
            Self::Result(id) => {
                of("Property", id.class, format!("{}.ReturnValue", symbols.function_path(*id)))
            }
            Self::DelegateProperty(id) => of("Property", id.class, delegate_path(symbols, *id)?),
            Self::Path(path) => Some(CodeObjectPath {
                class: "Property".to_owned(),
                package: None,
                path: path.to_string(),
                is_named: false,
            }),
            Self::Named(named) => {
                let (class, path) = &**named;
                let (class, path) = (class.clone(), path.clone());
                Some(CodeObjectPath { class, package: None, path, is_named: true })
            }
        }
    }
}

fn delegate_path(symbols: &Symbols, id: SymbolId) -> Option<String> {
    let name = &symbols.function(id)?.name;
    Some(format!("{}.__{name}__Delegate", symbols.owner_path(id.class, Owner::Class)))
}

impl CompiledCode {
    /// The code as packages store it.
    ///
    /// # Errors
    /// The names and objects that the tables do not have.
    pub fn link(
        &self,
        symbols: &Symbols,
        tables: &mut dyn CodeTables,
    ) -> Result<Script, MissingRows> {
        let mut missing = MissingRows::default();
        let mut items = Vec::with_capacity(self.items.len());
        for item in &self.items {
            items.push(match item {
                CodeItem::Token(token) => ScriptItem::Token(*token),
                CodeItem::Byte(value) => ScriptItem::Byte(*value),
                CodeItem::Word(value) => ScriptItem::Word(*value),
                CodeItem::Skip(value) => ScriptItem::Skip(*value),
                CodeItem::Label(place) => ScriptItem::Label(*place),
                CodeItem::NoLabel => ScriptItem::Label(0xffff),
                CodeItem::Place(place) => ScriptItem::Place(*place),
                CodeItem::Int(value) => ScriptItem::Int(*value),
                CodeItem::Float(value) => ScriptItem::Float(*value),
                CodeItem::Text(bytes) => ScriptItem::Text(span(bytes.to_vec())),
                CodeItem::Wide(units) => ScriptItem::Wide(span(
                    units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
                )),
                CodeItem::Name(text) => ScriptItem::Name(tables.name(text).unwrap_or_else(|| {
                    missing.names.push(text.to_string());
                    Name::default()
                })),
                CodeItem::Object(reference) => {
                    let row = match reference.path(symbols) {
                        None => Some(PackageIndex::NULL),
                        Some(path) => tables.object(reference, &path).or_else(|| {
                            missing.objects.push(path);
                            None
                        }),
                    };
                    ScriptItem::Object(row.unwrap_or(PackageIndex::NULL))
                }
            });
        }
        match missing == MissingRows::default() {
            true => Ok(Script { items }),
            false => Err(missing),
        }
    }
}

fn span(bytes: Vec<u8>) -> Box<Span> {
    Box::new(if bytes.is_empty() { Span::EMPTY } else { Span::owned(bytes) })
}
