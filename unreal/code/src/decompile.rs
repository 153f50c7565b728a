//! Classes as source, from what the compiler has left: declarations and bytecode. Those of UE1 to UE3 come as
//! UnrealScript, blueprints of UE4 and UE5 as pseudo-code.
//!
//! Spec: ue1-3/12, ue4-5/13.

mod call;
mod check;
mod class;
mod code;
mod constant;
mod creation;
mod declaration;
mod declared;
mod defaults;
mod expression;
mod function;
mod kismet;
mod listing;
mod names;
mod scripts;
mod state;
mod types;

pub use self::declared::DeclaredScripts;
#[doc(hidden)]
pub use self::names::{NameInCode, NameMeaning};
use self::scripts::Scripts;
use crate::error::{Error, Result, UnrealError};
use crate::language::dialect::Dialect;
use crate::language::natives::KnownNatives;
use crate::object::script_object::ScriptObject;
use crate::package::Package;
use crate::primitive::{Name, PackageIndex};
use crate::script::{CodeFault, Line};
use crate::version::Versions;

/// The classes of a package as source.
#[derive(Debug)]
pub struct Decompiler {
    scripts: Scripts,
}

impl Decompiler {
    /// The scripts of a package.
    pub fn new(package: &Package) -> Self {
        Self::with(package, DeclaredScripts::default())
    }

    /// The scripts of a package whose imports are declared by others.
    pub fn with(package: &Package, declared: DeclaredScripts) -> Self {
        Self { scripts: Scripts::of(package, declared) }
    }

    /// A class as its `.uc` file, a blueprint as pseudo-code; `None` for an object that is no class or was not
    /// decoded.
    ///
    /// # Errors
    /// Code that does not follow the grammar; code that was loaded always does.
    pub fn class(&self, row: usize) -> Result<Option<String>> {
        let index = PackageIndex::export(row);
        if let Some(text) = kismet::text(&self.scripts, index)? {
            return self.scripts.finish(text).map(Some);
        }
        let Some(class) = self.scripts.class(index) else { return Ok(None) };
        let text = class::text(&self.scripts, index, class)?;
        self.scripts.finish(text).map(Some)
    }

    /// The default values of a class, as they stand at the end of its file; `None` as above.
    ///
    /// # Errors
    /// The reason for which its values can't be read.
    pub fn defaults(&self, row: usize) -> Result<Option<String>> {
        let index = PackageIndex::export(row);
        let Some(class) = self.scripts.class(index) else { return Ok(None) };
        let text = defaults::text(&self.scripts, index, class)?;
        self.scripts.finish(text).map(Some)
    }

    /// A state with its functions and its code; `None` for an object that is no state or was not decoded.
    ///
    /// # Errors
    /// Code that does not follow the grammar; code that was loaded always does.
    pub fn state(&self, row: usize) -> Result<Option<String>> {
        let index = PackageIndex::export(row);
        let Some(ScriptObject::State(_)) = self.scripts.object(index) else { return Ok(None) };
        let text = state::text(&self.scripts, index)?;
        self.scripts.finish(text).map(Some)
    }

    /// A function with its declaration; of the event graph of a blueprint all its events.
    ///
    /// # Errors
    /// `Invalid` for an object that is no function or was not decoded.
    pub fn function(&self, row: usize) -> Result<String> {
        let index = PackageIndex::export(row);
        if let Some(text) = kismet::function_text(&self.scripts, index)? {
            return self.scripts.finish(text);
        }
        match self.scripts.function(index) {
            Some(_) => {
                function::text(&self.scripts, index, 0).and_then(|it| self.scripts.finish(it))
            }
            None => Err(Error::invalid(format!("'{}' is no function", self.scripts.name(index)))),
        }
    }

    /// The declaration of a function of UE1 to UE3 as its source has it, without the body; `None` for another
    /// object.
    ///
    /// # Errors
    /// What its code does not follow of the grammar, where defaults of parameters stand; names that are too long
    /// for the size of the package.
    pub fn signature(&self, row: usize) -> Result<Option<String>> {
        listing::signature(&self.scripts, PackageIndex::export(row))
    }

    /// Why the code of an object can't run, as far as that can be told: code without an end, jumps amid statements,
    /// functions that are called with other values than they take, steps of loops outside of them. Functions are
    /// those of the package and of [`DeclaredScripts`]; of others nothing is said. Code that a compiler has written
    /// has none.
    ///
    /// # Errors
    /// Code that does not follow the grammar; code that was loaded always does.
    pub fn code_faults(&self, row: usize) -> Result<Vec<CodeFault>> {
        check::faults(&self.scripts, PackageIndex::export(row))
    }

    /// Refuses code that can't run: of these objects, in their order.
    ///
    /// # Errors
    /// `Doubtful` with the object and the place of its first fault; as [`Decompiler::code_faults`].
    pub fn check_code(&self, rows: impl IntoIterator<Item = usize>) -> Result<()> {
        for row in rows {
            if let Some(fault) = self.code_faults(row)?.first() {
                let (object, place) = (self.scripts.package.exports().path(row), fault.place);
                let reason = &fault.reason;
                let reason = format!("the code of {object} can't run: at {place:#06x} {reason}");
                return Err(UnrealError::Doubtful { reason }.into());
            }
        }
        Ok(())
    }

    /// Where the code of an object says a name, and whose name that is.
    #[doc(hidden)]
    pub fn names_in_code(&self, row: usize, name: Name) -> Result<Vec<NameInCode>> {
        names::names_in(&self.scripts, PackageIndex::export(row), name)
    }

    /// The meaning of a token in the code of an object of UE1 to UE3, beside its name: the number and name
    /// of a native function (`303 IsA`), the types of a conversion (`byte to int`). `None` where there is no
    /// more to say.
    ///
    /// Spec: ue1-3/06, 12 §12.7, §12.8.
    pub fn meaning(&self, row: usize, line: &Line) -> Option<String> {
        listing::meaning(&self.scripts, PackageIndex::export(row), line)
    }
}

/// Refuses a package with code that can't run ([`Decompiler::code_faults`]): one that was made of an edited document,
/// for example, since `Package::from_json` takes whatever can be stored. Bodies that are not decoded
/// ([`Package::decode_all`]) are not looked at.
///
/// # Errors
/// As [`Decompiler::check_code`].
pub fn check_code(package: &Package) -> Result<()> {
    let has_code = |row: &usize| {
        let code = package.decoded(*row).and_then(|decoded| decoded.body.native.code());
        code.is_some_and(|code| !code.items.is_empty())
    };
    let rows: Vec<usize> = (0..package.exports().len()).filter(has_code).collect();
    // Most packages of assets have none.
    if rows.is_empty() { Ok(()) } else { Decompiler::new(package).check_code(rows) }
}

/// The name of the engine's own native function of this number, or the symbol of its operator (spec: ue1-3/12 §12.7).
#[doc(hidden)]
pub fn native_name(number: u16, versions: &Versions) -> Option<&'static str> {
    let natives = KnownNatives::of(Dialect::of(versions), std::iter::empty());
    natives.get(number).map(|call| call.name.as_str())
}
