//! Properties and their values, as options say them.

use std::collections::HashSet;

use unreal_packages::content::Column;
use unreal_packages::edit::Edit;
use unreal_packages::generate::NewAsset;
use unreal_packages::property::Type;

use crate::failure::Failure;

/// Properties with types, where those are said, and the texts of their values: `Damage:float=12.5`.
pub struct Assignments<'a>(Vec<(&'a str, Option<Type>, &'a str)>);

impl<'a> Assignments<'a> {
    /// Reads them; types may be left out where something else knows them.
    pub fn read(texts: &'a [String], may_leave_types: bool) -> Result<Self, Failure> {
        let mut read = Vec::new();
        let mut names = HashSet::new();
        for text in texts {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                let form = if may_leave_types { "NAME=VALUE" } else { "NAME:TYPE=VALUE" };
                let next = format!("write {form}, as in --set Damage:float=12.5");
                Failure::usage(format!("'{text}' has no value\n  next: {next}"))
            })?;
            let mut property_type = None;
            if !may_leave_types || name.contains(':') {
                let column: Column = name.parse().map_err(|error: unreal_packages::Error| {
                    Failure::Usage(anyhow::Error::new(error).context(text.clone()))
                })?;
                property_type = Some(column.property_type);
            }
            let name = name.split_once(':').map_or(name, |(name, _)| name);
            if !names.insert(name.to_ascii_lowercase()) {
                return Err(Failure::usage(format!("{name} is set twice")));
            }
            read.push((name, property_type, value));
        }
        Ok(Self(read))
    }

    /// The asset with those whose types are said.
    pub fn given_to(self, asset: NewAsset) -> NewAsset {
        self.0.into_iter().fold(asset, |asset, (name, property_type, value)| match property_type {
            Some(property_type) => asset.property(name, property_type, value),
            None => asset,
        })
    }

    /// Sets them on an object of a package, which knows the types that are not said.
    pub fn set_on(&self, edit: &mut Edit, object: &str) -> unreal_packages::Result<()> {
        self.0.iter().try_for_each(|(name, property_type, value)| match property_type {
            Some(known) => edit.add_property(object, name, known, value).map(drop),
            None => edit.set_property(object, name, value).map(drop),
        })
    }
}
