//! Indexes and contexts made from the tables, kept until these change.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::Package;
use super::body_uses::BodyUses;
use super::object_index::ObjectIndex;
use crate::archive::Context;
use crate::primitive::{Name, PackageIndex};
use crate::property::PackageContext;
use crate::table::NameEntry;

/// A value that is made when first asked for; copies share it.
#[doc(hidden)]
pub struct Cached<T>(Mutex<Option<T>>);

impl<T: Clone> Cached<T> {
    /// The value, where there is one.
    pub fn get(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The value, made where there is none or where it does not fit any more.
    pub fn get_or(&self, fits: impl FnOnce(&T) -> bool, make: impl FnOnce() -> T) -> T {
        if let Some(known) = self.get().filter(fits) {
            return known;
        }
        let made = make();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(made.clone());
        made
    }

    /// The value for changes.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut()
    }
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.get()))
    }
}

impl<T> fmt::Debug for Cached<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cached")
    }
}

/// Indexes and contexts of a package. Code that changes tables must forget them, or keep them true.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Caches {
    /// The context of archives.
    pub context: Cached<Arc<Context>>,
    /// Where objects are, by name and by what is around them.
    pub objects: Cached<Arc<ObjectIndex>>,
    /// The rows of exports that declare properties of others.
    pub declaring: Cached<Arc<Vec<usize>>>,
    /// The last row of the text `None`.
    pub none: Cached<Option<usize>>,
    /// Uses by bodies; it looks itself for bodies that have changed.
    pub uses: Arc<BodyUses>,
}

impl Package {
    /// The body of an export has changed: what it declares may be something else.
    #[doc(hidden)]
    pub fn forget_declared(&mut self, row: usize) {
        if self.is_declaration(row) || self.declares(row) {
            self.caches.context = Cached::default();
        }
    }

    /// Whether what an export is called, is of, derives from or lies in says something of properties: classes
    /// do, and what declares.
    #[doc(hidden)]
    pub fn is_declared_by(&self, row: usize) -> bool {
        let is_class = self.tables.exports.get(row).is_some_and(|row| row.class_index.is_null());
        is_class && !self.exports().is_null(row) || self.is_declaration(row) || self.declares(row)
    }

    /// Whether some export declares something: what is known of properties goes by texts of names then.
    #[doc(hidden)]
    pub fn has_declarations(&self) -> bool {
        // Most objects are of the class of the one before; empty rows are of none.
        let mut last = None;
        let exports = self.tables.exports.iter().enumerate();
        let mut rows = exports.filter(|(row, export)| {
            last.replace(export.class_index) != Some(export.class_index)
                || export.class_index.is_null() && !self.exports().is_null(*row)
        });
        rows.any(|(row, _)| self.is_declared_by(row))
    }
}

impl Caches {
    /// A row of the name table is new, or says something else now.
    pub fn put_name(&mut self, row: usize, entry: NameEntry) {
        if let Some(context) = self.context.get_mut() {
            Arc::make_mut(context).put_name(row, entry);
        }
    }

    /// An import or export is new, or has another name now.
    pub fn put_object(&mut self, index: PackageIndex, name: Name) {
        if let Some(context) = self.context.get_mut() {
            Arc::make_mut(context).put_object(index, name);
        }
    }

    /// Forgets declarations: an object of another name may declare something now.
    pub fn forget_declarations(&mut self) {
        self.context = Cached::default();
        self.declaring = Cached::default();
    }

    /// Tables have changed.
    pub fn forget(&mut self) {
        *self = Self { uses: std::mem::take(&mut self.uses), ..Self::default() };
    }
}
