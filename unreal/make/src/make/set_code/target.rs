//! What is replaced, and the text around the text.

use crate::compile::Diagnostic;
use crate::compile::syntax::{Function, SyntaxItem};
use crate::error::{Error, Result};
use crate::make::text::ClassSource;
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};

use crate::make::order::class_name;

/// What is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetKind {
    Function,
    State,
    Values,
}

/// The object that a text is for.
#[derive(Debug, Clone)]
pub(super) struct CodeTarget {
    pub kind: TargetKind,
    pub row: usize,
    pub path: String,
    pub class: String,
    pub class_row: usize,
    /// The state that the function lies in.
    pub state: Option<String>,
}

/// Lines that stand before the text.
const LINES_BEFORE: u32 = 1;

impl CodeTarget {
    pub fn find(package: &Package, object: &str) -> Result<Self> {
        let object = match object.rsplit_once('.') {
            Some((class, word)) if word.eq_ignore_ascii_case("defaultproperties") => class,
            _ => object,
        };
        let row = package.find_export(object)?;
        let index = PackageIndex::export(row);
        let path = package.path(index);
        let kind = match class_name(package, index).to_ascii_lowercase().as_str() {
            "function" => TargetKind::Function,
            "state" => TargetKind::State,
            "class" => TargetKind::Values,
            other => {
                let next = "name a function, a state, or a class for its default values";
                return Err(Error::invalid(format!("'{path}' is a {other}; {next}")));
            }
        };
        let around = match kind {
            TargetKind::Values => index,
            _ => package.outer(index),
        };
        let (class, state) = match class_name(package, around).as_str() {
            "State" => (package.outer(around), Some(package.object_name(around))),
            _ => (around, None),
        };
        let ObjectRef::Export(class_row) = class.target() else {
            return Err(Error::invalid(format!("'{path}' lies in no class of this package")));
        };
        let class = package.object_name(class);
        Ok(Self { kind, row, path, class, class_row, state })
    }

    /// The text as part of its class.
    pub fn source(&self, file: &str, text: &str) -> ClassSource {
        let class = &self.class;
        let text = match &self.state {
            Some(state) => format!("class {class}; state {state} {{\n{text}\n}}\n"),
            None => format!("class {class};\n{text}\n"),
        };
        ClassSource::of(file, &text)
    }

    /// Lines count from the start of the text.
    pub fn settle(&self, diagnostics: &mut [Diagnostic]) {
        for found in diagnostics {
            found.line = found.line.saturating_sub(LINES_BEFORE).max(1);
        }
    }

    /// Whether the text declares it and nothing else.
    pub fn check(&self, source: &ClassSource) -> Result<()> {
        let items = || {
            let is_code =
                |it: &&SyntaxItem| !matches!(it, SyntaxItem::Directive(_) | SyntaxItem::Block(_));
            source.syntax.items.iter().filter(is_code)
        };
        let name = self.path.rsplit('.').next().unwrap_or_default();
        let wanted = match self.kind {
            TargetKind::Function => {
                let one = functions(source, self.state.is_some());
                let is_it = one.len() == 1
                    && items().count() == 1
                    && (one[0].kind.is_operator()
                        || one[0].has("overloaded")
                        || one[0].name.is(name));
                if is_it && one[0].body.is_none() {
                    let reason = format!("the text of '{}' has no body", self.path);
                    return Err(Error::invalid(reason));
                }
                (!is_it).then(|| format!("the function '{name}'"))
            }
            TargetKind::State => {
                let is_it = items().count() == 1
                    && matches!(items().next(), Some(SyntaxItem::State(it)) if it.name.is(name));
                (!is_it).then(|| format!("the state '{name}'"))
            }
            TargetKind::Values => {
                let is_it = items().count() == 0 && source.defaults.is_some();
                (!is_it).then(|| "a block 'defaultproperties'".to_owned())
            }
        };
        match wanted {
            None => Ok(()),
            Some(wanted) => {
                let path = &self.path;
                Err(Error::invalid(format!(
                    "the text for '{path}' declares {wanted} and nothing else"
                )))
            }
        }
    }
}

/// The functions of a text, or those of its states.
pub(super) fn functions(source: &ClassSource, of_state: bool) -> Vec<&Function> {
    let mut all = Vec::new();
    for item in &source.syntax.items {
        match item {
            SyntaxItem::Function(it) if !of_state => all.push(&**it),
            SyntaxItem::State(it) if of_state => all.extend(&it.functions),
            _ => {}
        }
    }
    all
}
