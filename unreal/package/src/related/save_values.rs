//! The values of a save game as text, both ways.

use super::text_rows::TextRows;
use crate::archive::Context;
use crate::error::{Error, Result, noun};
use crate::primitive::{FString, Name, NameContext, PackageIndex, SoftObjectPath, split_soft_path};
use crate::property::{
    Declared, KnownProperty, Layouts, Mappings, Naming, ObjectPlace, PackageContext, Property,
    Surroundings, Type, TypeTexts, Value,
};
use crate::table::NameEntry;
use crate::version::UnrealVersions;
use crate::version::threshold::{ue4, ue5};
use crate::{Error as SaveError, ErrorKind, Versions};

/// What names and objects mean in a save game; new ones are added to its context.
pub(super) struct SaveLookup<'a> {
    versions: Versions,
    context: &'a mut Context,
    rows: TextRows,
}

impl<'a> SaveLookup<'a> {
    pub fn new(versions: Versions, context: &'a mut Context) -> Self {
        let rows = context.get::<TextRows>().cloned().unwrap_or_default();
        Self { versions, context, rows }
    }

    /// Hands the names that were added on to the context.
    pub fn finish(self) {
        let rows = self.rows;
        self.context.change(|known: &mut TextRows| *known = rows);
    }

    fn row(&mut self, text: &str) -> Result<i32> {
        let string = FString::new(text);
        let source = self.context.source_bytes();
        let row = self.rows.add(string.clone(), &source);
        let row = row.ok_or_else(|| Error::invalid("more names than a save game can have"))?;
        let at = row as usize;
        if at >= self.context.name_count() {
            self.context.put_name(at, NameEntry { text: string, ..NameEntry::default() });
            self.context.put_object(PackageIndex::import(at), Name::new(row));
        }
        Ok(row)
    }

    /// Nobody declares what a save game does not store.
    fn undeclared(&self, name: &str) -> SaveError {
        let what = noun::PROPERTY;
        let hint = "; `upk get FILE` shows what the save game stores, NAME:TYPE=VALUE adds more";
        ErrorKind::NotFound { what, name: name.to_owned(), hint: hint.to_owned() }.into()
    }
}

impl Naming for SaveLookup<'_> {
    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn name(&mut self, text: &str) -> Result<Name> {
        self.row(text).map(Name::new)
    }

    fn layouts(&self) -> &Layouts {
        self.context.layouts()
    }

    fn soft_path(&mut self, text: &str) -> Result<Value> {
        let (asset, sub) = text.split_once(':').unwrap_or((text, ""));
        let mut path = SoftObjectPath { sub_path: FString::new(sub), ..SoftObjectPath::default() };
        if self.versions.ue5() >= ue5::FSOFTOBJECTPATH_REMOVE_ASSET_PATH_FNAMES {
            let (package, object) = split_soft_path(asset);
            path.package_name = self.name(package)?;
            path.asset_name = self.name(if object.is_empty() { "None" } else { object })?;
        } else if self.versions.ue4() >= ue4::ADDED_SOFT_OBJECT_PATH {
            path.asset_path_name = self.name(asset)?;
        }
        Ok(Value::SoftObject(Box::new(path)))
    }
}

impl Surroundings for SaveLookup<'_> {
    fn source(&self) -> &[u8] {
        self.context.source()
    }

    fn name_text(&self, name: Name) -> String {
        self.context.name_text(&name).unwrap_or_default()
    }

    fn is_name(&self, name: Name, text: &str) -> bool {
        self.name_text(name).eq_ignore_ascii_case(text)
    }

    fn object_text(&self, index: PackageIndex) -> String {
        self.context
            .object_name(&index)
            .filter(|text| !text.is_empty())
            .unwrap_or_else(|| "None".to_owned())
    }

    fn path_text(&self, path: &SoftObjectPath) -> String {
        path.text(self.context)
    }

    fn soft_path_at(&self, _: i32) -> Option<&SoftObjectPath> {
        None
    }

    fn object(&mut self, text: &str) -> Result<PackageIndex> {
        let row = self.row(text)?;
        Ok(PackageIndex::import(row as usize))
    }

    fn declared(&self, _: Option<&str>, name: &str) -> Result<Declared> {
        Err(self.undeclared(name))
    }

    fn declaration(
        &self,
        _: Option<&str>,
        name: &str,
        given: Option<&Type>,
    ) -> Result<KnownProperty> {
        let given = given.ok_or_else(|| self.undeclared(name))?;
        let declared = Declared { dimension: u32::MAX, ..Declared::of_type(name, given.clone()) };
        Ok(KnownProperty { declared, sample: None })
    }

    fn within(&mut self, _: Option<&str>) {}

    fn type_of(&self, property: &Property) -> Option<Type> {
        let context = &*self.context;
        let text = &|name: Name| context.name_text(&name).unwrap_or_default();
        property.type_of(TypeTexts { versions: &self.versions, context, text })
    }

    fn enum_of(&self, _: Option<&str>, _: &str) -> Option<String> {
        None
    }

    fn is_checked(&self) -> bool {
        false
    }

    fn check_objects(&self, _: ObjectPlace<'_>, _: &[PackageIndex]) -> Result<()> {
        Ok(())
    }

    fn enum_values(&self, _: &str) -> Option<Vec<(String, u64)>> {
        None
    }

    fn mappings(&self) -> Option<&Mappings> {
        None
    }
}
