//! Paths of objects as people and the engines write them: `Skins.Blue`, `Texture'Skins.Blue'`.

use std::borrow::Cow;

use super::Package;
use crate::error::near::{did_you_mean, nearest};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::class_and_path;

/// A path, with the class before it where that is written.
#[doc(hidden)]
pub struct ObjectPath<'a> {
    pub class: Option<&'a str>,
    pub path: Cow<'a, str>,
}

impl std::fmt::Debug for ObjectPath<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObjectPath").finish_non_exhaustive()
    }
}

impl Package {
    /// The parts of a text that names an object; its path with dots for a colon.
    pub(crate) fn object_path<'a>(&self, text: &'a str) -> ObjectPath<'a> {
        let (class, path) = match class_and_path(text) {
            (None, _) | (_, "") => (None, text),
            parts => parts,
        };
        ObjectPath { class, path: self.with_dots(path) }
    }

    /// Whether an object has this path, and the class where that is written.
    pub(crate) fn is_at(&self, index: PackageIndex, wanted: &ObjectPath<'_>) -> bool {
        self.has_path(index, &wanted.path)
            && wanted.class.is_none_or(|class| {
                let known = self.class_path_of(index);
                let short = known.rsplit('.').next().unwrap_or_default();
                class.eq_ignore_ascii_case(&known) || class.eq_ignore_ascii_case(short)
            })
    }

    /// The path of an object's class.
    fn class_path_of(&self, index: PackageIndex) -> String {
        match index.target() {
            ObjectRef::Null => String::new(),
            ObjectRef::Export(row) => {
                self.exports().get(row).map(|export| export.class()).unwrap_or_default()
            }
            ObjectRef::Import(row) => {
                self.imports().get(row).map(|import| import.class()).unwrap_or_default()
            }
        }
    }

    /// An object as `Class'Path'`.
    pub(crate) fn path_with_class(&self, index: PackageIndex) -> String {
        let class = self.class_path_of(index);
        let class = class.rsplit('.').next().unwrap_or_default();
        format!("{class}'{}'", self.path(index))
    }

    /// The paths of exports that one may have meant with a name that is not there: that of the same name
    /// elsewhere, else those of names that are near.
    #[doc(hidden)]
    pub fn near_exports(&self, name: &str) -> Vec<String> {
        if let Some(same) = self.export_called(name) {
            return vec![self.path(same)];
        }
        let rows = (0..self.export_count()).map(PackageIndex::export);
        let names = nearest(name, rows.map(|index| self.object_name(index)));
        names.iter().filter_map(|name| Some(self.path(self.export_called(name)?))).collect()
    }

    /// The export that `text` means: a path such as `Group.Texture`, with its class where objects of several
    /// classes have it (`Texture'Group.Skin'`), or a row such as `#12`.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` when several exports have the path, with what each is.
    pub fn find_export(&self, text: &str) -> Result<usize> {
        let not_found =
            |hint: String| ErrorKind::NotFound { what: noun::EXPORT, name: text.to_owned(), hint };
        if let Some(row) = text.strip_prefix('#') {
            let row = row.parse().ok().filter(|&row: &usize| row < self.export_count());
            return match row {
                Some(row) if self.is_emptied(row) => {
                    Err(not_found("; this edit has removed it".to_owned()).into())
                }
                Some(row) => Ok(row),
                None => {
                    Err(not_found(format!("; there are {} exports", self.export_count())).into())
                }
            };
        }
        let wanted = self.object_path(text);
        let row = |index: &PackageIndex| match index.target() {
            ObjectRef::Export(row) if !self.is_emptied(row) => Some(row),
            _ => None,
        };
        let rows: Vec<usize> = self.objects_at(&wanted).iter().filter_map(row).collect();
        match rows[..] {
            [row] => Ok(row),
            [] => {
                let last = wanted.path.rsplit('.').next().unwrap_or(text);
                let anything = ObjectPath { class: None, path: wanted.path.clone() };
                let other = self.objects_at(&anything).into_iter().find(|it| it.value() > 0);
                let near = match other.filter(|_| wanted.class.is_some()) {
                    Some(other) => vec![self.path_with_class(other)],
                    None => self.near_exports(last),
                };
                Err(not_found(did_you_mean(&near)).into())
            }
            _ => Err(Error::invalid(self.ambiguous(text, &rows))),
        }
    }

    /// The message for a path that several exports have: it names them.
    pub(crate) fn ambiguous(&self, text: &str, rows: &[usize]) -> String {
        const SHOWN: usize = 8;
        let shown = rows.iter().take(SHOWN).map(|&row| {
            let named = self.path_with_class(PackageIndex::export(row));
            format!("{named} (#{row})")
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = if rows.len() > SHOWN { ", …" } else { "" };
        format!("several exports are named '{text}': say one of {shown}{more}")
    }
}
