//! What real packages hold is never refused as what looks wrong: objects in properties, names of objects.

use std::collections::BTreeMap;

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;

use crate::{files, manifest};

/// Properties of one package that are set, the others are left out.
const VALUES: usize = 400;
/// Larger packages are left out.
const LARGEST: usize = 4_000_000;

/// A text in which all objects are none.
fn without_objects(text: &str) -> String {
    let (mut left, mut rest) = (String::new(), text);
    while let Some((before, object)) = rest.split_once('\'') {
        let Some((_, after)) = object.split_once('\'') else { break };
        let class = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        left.push_str(&before[..class]);
        left.push_str("None");
        rest = after;
    }
    left + rest
}

/// What was done to all packages.
#[derive(Default)]
struct Done {
    packages: usize,
    values: usize,
    names: usize,
    /// What was refused, and in how many packages.
    refused: BTreeMap<String, usize>,
}

impl Done {
    fn check(&mut self, file: &str, package: &mut Package) {
        self.packages += 1;
        let kept = package.clone();
        // Nothing of this is to stay.
        let _ = package.edit(|edit| -> unreal_packages::Result<()> {
            let mut left = VALUES;
            let count = kept.exports().len();
            for row in (0..count).step_by(count.div_ceil(VALUES).max(1)) {
                self.refer(file, edit, &kept, row, &mut left);
            }
            for row in 0..count {
                self.name(file, edit, &kept, row);
            }
            edit.rename_name("There is no such name", "").map(drop)
        });
    }

    /// Properties let go what they refer to, and take it again.
    fn refer(&mut self, file: &str, edit: &mut Edit, kept: &Package, row: usize, left: &mut usize) {
        let object = format!("#{row}");
        for value in kept.values().properties(&object).unwrap_or_default() {
            let known = value.property_type.to_string();
            let empty = match known.as_str() {
                "object" | "class" | "component" | "object-ptr" | "weak-object" => {
                    "None".to_owned()
                }
                "array:object" | "array:class" | "array:component" => "()".to_owned(),
                text if text.starts_with("map:") => "()".to_owned(),
                text if text.contains("struct:") => without_objects(&value.text),
                _ => continue,
            };
            if *left == 0 || [&empty, "()"].contains(&value.text.as_str()) {
                continue;
            }
            if edit.set_property(&object, &value.path, &empty).is_err() {
                continue;
            }
            *left -= 1;
            self.values += 1;
            match edit.set_property(&object, &value.path, &value.text) {
                Err(error) if matches!(error.unreal(), Some(UnrealError::Doubtful { .. })) => {
                    let text: String = error.to_string().chars().take(300).collect();
                    println!(
                        "{file} {object} {}: {text}",
                        kept.exports().get(row).unwrap().class()
                    );
                    *self.refused.entry(file.to_owned()).or_default() += 1;
                }
                // Other objects of its path, and what an array of another form holds.
                _ => {}
            }
        }
    }

    /// Objects take names alike.
    fn name(&mut self, file: &str, edit: &mut Edit, kept: &Package, row: usize) {
        let name = kept.exports().get(row).unwrap().name();
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        self.names += 1;
        if name.chars().all(plain) {
            return;
        }
        let renamed = edit.rename_object(&format!("#{row}"), &format!("{name}X"));
        if let Err(error) = renamed
            && matches!(error.unreal(), Some(UnrealError::Doubtful { .. }))
        {
            println!("{file} {name}: {error}");
            *self.refused.entry(file.to_owned()).or_default() += 1;
        }
    }

    fn end(self) {
        println!("{} packages, {} values, {} names", self.packages, self.values, self.names);
        assert!(self.values > 1_000, "{}", self.values);
        assert!(self.refused.is_empty(), "{:?}", self.refused);
    }
}

pub fn objects_and_names_of_classic_packages_are_not_refused() {
    let mut done = Done::default();
    for (file, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        let Ok(mut package) = Package::from_bytes(bytes) else { continue };
        if package.source().len() <= LARGEST {
            done.check(&file, &mut package);
        }
    }
    done.end();
}

pub fn objects_and_names_of_ue4_and_ue5_are_not_refused() {
    let mut done = Done::default();
    for entry in manifest::packages() {
        let size: usize = entry.column("bytes").parse().unwrap_or(0);
        if size > LARGEST || entry.is_unversioned() && !entry.has_mappings() {
            continue;
        }
        let mut package = entry.options_with_mappings().open(&entry.path).unwrap();
        done.check(entry.name(), &mut package);
    }
    done.end();
}
