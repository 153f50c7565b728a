//! The mappings that bodies of UE4 and UE5 are decoded with, kept until something changes that they are
//! made from.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;

use crate::archive::Context;
use crate::package::Package;
use crate::package::claim::Claims;
use crate::primitive::SoftObjectPath;
use crate::property::mappings::Mappings;
use crate::property::{ClassLayout, Layouts};
use crate::table::{DataResources, Export, Import, NameEntry, Pieces};
use crate::version::Versions;

/// The mappings of a package as they were made last: declarations are decoded for them, and what was
/// given may be large.
#[derive(Default)]
pub(in crate::package) struct KeptMappings(Mutex<Option<Arc<Kept>>>);

/// Mappings and what they were made from.
struct Kept {
    origin: Origin,
    mappings: Arc<Mappings>,
}

/// All that decides what mappings of a package hold, but the bodies that were changed.
struct Origin {
    source: Bytes,
    versions: Versions,
    names: Pieces<NameEntry>,
    imports: Vec<Import>,
    exports: Pieces<Export>,
    soft_object_paths: Vec<SoftObjectPath>,
    data_resources: Option<DataResources>,
    claims: Arc<Claims>,
    given: Option<Arc<Mappings>>,
    /// Weak, so that the package may go on changing its own; its address stays taken.
    known: Weak<Layouts>,
    /// Rows of the exports that declare something.
    declaring: Arc<Vec<usize>>,
}

impl Origin {
    /// The sources of the package's mappings as they are now. `None` while the typed form of a declaring export
    /// takes the place of its bytes: that can't be compared.
    fn of(package: &Package, declaring: Arc<Vec<usize>>) -> Option<Self> {
        if !bytes_count(&declaring, package) {
            return None;
        }
        Some(Self {
            source: package.source.clone(),
            versions: package.versions.clone(),
            names: package.tables.names.clone(),
            imports: package.tables.imports.clone(),
            exports: package.tables.exports.clone(),
            soft_object_paths: package.soft_object_paths().to_vec(),
            data_resources: package.tables.further.data_resources.clone(),
            claims: package.claims(),
            given: package.mappings().cloned(),
            known: Arc::downgrade(&package.known),
            declaring,
        })
    }

    /// Whether the package's mappings would be made from the same now.
    fn is_of(&self, package: &Package) -> bool {
        let given = match (&self.given, package.mappings()) {
            (Some(given), Some(now)) => Arc::ptr_eq(given, now),
            (given, now) => given.is_none() && now.is_none(),
        };
        given
            && self.known.as_ptr() == Arc::as_ptr(&package.known)
            && Arc::ptr_eq(&self.claims, &package.claims())
            && self.source.as_ptr_range() == package.source.as_ptr_range()
            && self.versions == package.versions
            && self.data_resources == package.tables.further.data_resources
            && self.soft_object_paths == package.soft_object_paths()
            && self.names == package.tables.names
            && self.imports == package.tables.imports
            && self.exports == package.tables.exports
            && bytes_count(&self.declaring, package)
    }
}

/// Whether every declaring export is what its bytes say.
fn bytes_count(declaring: &[usize], package: &Package) -> bool {
    !declaring.iter().any(|row| package.bodies.decoded.contains_key(row))
}

impl KeptMappings {
    fn get(&self) -> Option<Arc<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, kept: Option<Kept>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept.map(Arc::new);
    }
}

impl Clone for KeptMappings {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.get()))
    }
}

impl fmt::Debug for KeptMappings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptMappings")
    }
}

impl Package {
    /// The mappings that bodies are decoded with: what this package declares, what others do that it knows
    /// of, and those that were given to it. `context` is [`Package::value_context`] where it is there
    /// already.
    #[doc(hidden)]
    pub fn all_mappings(&self, context: Option<&Arc<Context>>) -> Option<Arc<Mappings>> {
        let kept = &self.kept_mappings;
        if let Some(kept) = kept.get()
            && kept.origin.is_of(self)
        {
            return Some(kept.mappings.clone());
        }
        let declaring = self.declaring();
        if declaring.is_empty() && self.known.classes().next().is_none() {
            return self.mappings().cloned();
        }
        let own = match context {
            Some(context) => self.schemas_of(&declaring, context),
            None => self.schemas_of(&declaring, &self.value_context()),
        };
        let mappings = self.mappings_with(&own)?;
        let origin = Origin::of(self, declaring);
        kept.keep(origin.map(|origin| Kept { origin, mappings: mappings.clone() }));
        Some(mappings)
    }

    /// The given mappings, behind the declarations of this package and others.
    fn mappings_with(&self, own: &[ClassLayout]) -> Option<Arc<Mappings>> {
        let mut declared = own.iter().chain(self.known.classes()).peekable();
        if declared.peek().is_none() {
            return self.mappings().cloned();
        }
        let given = self.mappings().map(|mappings| mappings.data().clone());
        let mut data = given.unwrap_or_default();
        data.declare(declared);
        Some(Arc::new(Mappings::new(data)))
    }
}
