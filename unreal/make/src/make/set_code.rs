//! Code of a package as text: one function, state or block of default values is replaced, everything else stays.
//!
//! | file | holds |
//! |---|---|
//! | `target` | what is replaced, and the text around the text |
//! | `rows` | from rows of a draft to rows of the package |
//! | `function` | functions with their local variables, and states |
//! | `values` | default values |
//! | `outcome` | the result |

mod function;
mod outcome;
mod rows;
mod target;
mod values;

use std::sync::Arc;

use crate::compile::{ClassDeclarations, ClassId, Compiler};
use crate::decompile::Decompiler;
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::package::Package;
use crate::version::{Engine, UnrealVersions};

pub use self::outcome::{SetCode, SetObject};
use self::rows::CodeRows;
use self::target::{CodeTarget, TargetKind};
use super::GameCompiler;
use super::declare::{ClassMaker, EnumPaths};
use super::draft::PackageDraft;
use super::former::FormerPackage;
use super::maker::{Maker, likely_dialect};
use super::text::ClassSource;

impl Maker {
    /// For a package that is there already, as the compiler made it that most likely made it.
    ///
    /// # Errors
    /// `Unsupported` for UE4 and UE5, which have no UnrealScript.
    pub fn of_package(name: impl Into<String>, package: &Package) -> Result<Self> {
        let versions = package.versions();
        let Some(compiler) = GameCompiler::of_versions(versions) else {
            return Err(Error::invalid("packages of UE4 and UE5 have no UnrealScript"));
        };
        Ok(Self::for_game(name, &compiler))
    }

    /// Replaces one function (`Class.Function`, `Class.State.Function`), state (`Class.State`) or the default values
    /// (`Class`) of a package by a text that declares it anew; code has any length, and local variables come and go.
    /// The declaration itself stays: a function has the parameters that it had.
    ///
    /// ```
    /// use unreal_packages::generate::Profile;
    /// use unreal_packages::make::Maker;
    /// use unreal_packages::prelude::*;
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let mut maker = Maker::new("Mine", Profile::UT99);
    /// maker.source("Counter.uc", "class Counter extends Object;\nvar int Count;\nfunction Add() { Count = 2; }\n");
    /// let mut package = maker.make()?.package.ok_or("it has errors").map_err(unreal_packages::Error::invalid)?;
    /// let maker = Maker::of_package("Mine", &package)?;
    /// let text = "function Add() { local int I; I = 9; Count = I; }";
    /// let set = package.edit(|edit| maker.set_code(edit, "Counter.Add", "Add.uc", text))?;
    /// assert!(!set.has_errors() && set.objects[0].added == ["I"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for a text that declares something else, and for other parameters; what the edit
    /// reports. What is wrong with the code itself is no error: [`SetCode::diagnostics`] says it.
    pub fn set_code(
        mut self,
        edit: &mut Edit,
        object: &str,
        file: &str,
        text: &str,
    ) -> Result<SetCode> {
        let target = CodeTarget::find(edit, object)?;
        let source = target.source(file, text);
        let mut done = SetCode::default();
        done.diagnostics.extend(source.diagnostics.iter().filter(|it| it.is_error()).cloned());
        if done.has_errors() {
            target.settle(&mut done.diagnostics);
            return Ok(done);
        }
        target.check(&source)?;
        self.known_by_name(edit);
        self.named_content(&self.name.clone(), edit);
        self.facts.add(edit);
        let mut class = None;
        for declared in ClassDeclarations::of_package(edit) {
            let is_it = declared.name.eq_ignore_ascii_case(&target.class);
            let declared = if is_it { declared.with_code(&source.syntax) } else { declared };
            let id = self.symbols.add_own(&self.name, Arc::new(declared));
            class = class.or(is_it.then_some(id));
        }
        let Some(class) = class else {
            return Err(Error::invalid(format!("the class '{}' can't be read", target.class)));
        };
        self.choose_dialect(edit, &target);
        let mut draft = PackageDraft::new(edit.versions().clone());
        let (enums, text_crcs) = (EnumPaths::default(), Default::default());
        let mut maker = ClassMaker {
            draft: &mut draft,
            symbols: &self.symbols,
            facts: &mut self.facts,
            enums: &enums,
            text_crcs: &text_crcs,
            former: None,
            objects: &self.objects,
            package: &self.name,
        };
        let compiler = Compiler::new(&self.symbols, &self.dialect);
        let made = match target.kind {
            TargetKind::Values => {
                maker.values(&source, class, &mut done.diagnostics);
                Vec::new()
            }
            _ => maker.given(&compiler, &source, class, &target, &mut done.diagnostics),
        };
        target.settle(&mut done.diagnostics);
        if done.has_errors() {
            return Ok(done);
        }
        let own = self.name.clone();
        edit.appending(|edit| {
            let mut rows = CodeRows::new(edit, &draft, &own, target.class_row);
            match target.kind {
                TargetKind::Values => done.objects.push(rows.put_values(&target)?),
                _ => {
                    for made in &made {
                        done.objects.push(rows.put_made(made)?);
                    }
                    rows.check_state(&target, &source)?;
                }
            }
            Ok(())
        })?;
        Ok(done)
    }

    /// The compiler that made the class: the one that makes the same of its decompiled functions most often.
    fn choose_dialect(&mut self, package: &Package, target: &CodeTarget) {
        let is_debug = package.summary().package_flags.0 & 0x40_0000 != 0;
        match package.versions().engine() {
            Engine::Ue1 => {}
            Engine::Ue2 => return,
            _ => {
                self.dialect = self.dialect.clone().with_debug_marks(is_debug);
                return;
            }
        }
        let former = FormerPackage::of(package);
        self.rules.stores_zeros = former.stores_zeros;
        let Ok(Some(text)) = Decompiler::new(package).class(target.class_row) else { return };
        let source = ClassSource::of(&target.class, &text);
        let declared = ClassDeclarations::of_package(package);
        let declared = declared.into_iter().find(|it| it.name.eq_ignore_ascii_case(&target.class));
        let Some(declared) = declared else { return };
        let mut symbols = self.symbols.clone();
        let class: ClassId =
            symbols.add_own(&self.name, Arc::new(declared.with_code(&source.syntax)));
        self.dialect = likely_dialect(&symbols, &former, &self.dialect, std::iter::once(class));
    }
}
