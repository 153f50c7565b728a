//! Changes that an input makes, and what must hold for a package after them.

use std::sync::LazyLock;

use unreal_packages::compare::diff;
use unreal_packages::edit::{
    CopyOptions, Dependencies, Edit, PackageEdit, RemoveOptions, RenamePackage, Renumbering,
};
use unreal_packages::generate::Profile;
use unreal_packages::inspect::PackageValues;
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::{EngineRelease, Guid, Package, Result};

use super::input::Input;
use super::is_readable;
use crate::common::everything::everything;
use crate::common::{GUID, assets, forms, level, objects};
use crate::exercise::explain_all;

/// Packages that inputs start from; new ones go to the end.
pub static BASES: LazyLock<Vec<Package>> = LazyLock::new(|| {
    let older = |profile| {
        let mut package = everything(profile);
        package.edit(|edit| edit.set_guid(GUID)).unwrap();
        package
    };
    let release = EngineRelease::new;
    let all = [
        older(&Profile::UT99),
        older(&Profile::UDK),
        assets::object().guid(GUID).build(release(4, 27)).unwrap(),
        assets::object().guid(GUID).build(release(5, 4)).unwrap(),
        Package::from_bytes(level::level(69)).unwrap(),
        older(&Profile::UT2004),
        assets::weapons().guid(GUID).build(release(4, 27)).unwrap(),
        assets::weapons().guid(GUID).build(release(5, 4)).unwrap(),
        forms::tagged(),
        forms::complete(),
        older(&Profile::UNREAL),
    ];
    all.map(|package| Package::from_bytes(package.to_bytes().unwrap()).unwrap()).to_vec()
});

/// A package as an input begins: no file has it so.
pub fn base(input: &mut Input) -> Package {
    BASES[input.below(BASES.len())].clone()
}

type Operation = fn(&mut Edit, &mut Input) -> Result<()>;

/// Everything that an edit can do with small texts and numbers; new ones go to the end.
const OPERATIONS: &[Operation] = &[
    |edit, input| {
        let object = input.object(edit);
        let property = input.property(edit, &object);
        edit.set_property(&object, &property, &input.text()).map(drop)
    },
    |edit, input| {
        let (object, name) = (input.object(edit), input.text());
        let known = input.property_type().parse()?;
        edit.add_property(&object, &name, &known, &input.text()).map(drop)
    },
    |edit, input| {
        let object = input.object(edit);
        let property = input.property(edit, &object);
        edit.remove_property(&object, &property).map(drop)
    },
    |edit, input| edit.rename_object(&input.object(edit), &input.text()).map(drop),
    |edit, input| edit.rename_name(&input.name(edit), &input.text()).map(drop),
    |edit, input| edit.duplicate_object(&input.object(edit), &input.text()).map(drop),
    |edit, input| {
        let options = [RemoveOptions::Refuse, RemoveOptions::NullReferences];
        let object = input.object(edit);
        edit.remove_object(&object, input.pick(&options).unwrap_or_default()).map(drop)
    },
    |edit, input| {
        let object = input.object(edit);
        let into = (input.byte() % 4 > 0).then(|| input.object(edit));
        edit.move_object(&object, into.as_deref())
    },
    |edit, _| edit.prune().map(drop),
    |edit, input| edit.add_import(&input.text(), &input.text()).map(drop),
    |edit, input| edit.add_plain_object(&input.text(), &input.text(), Default::default()).map(drop),
    |edit, input| edit.add_blank_object(&input.text(), &input.text()).map(drop),
    |edit, input| edit.add_name(&input.text()).map(drop),
    |edit, input| edit.add_group(&input.text()).map(drop),
    |edit, input| edit.set_guid(Guid::new(input.byte().into(), 2, 3, 4)),
    |edit, input| edit.retarget(&input.import(edit), &input.text()).map(drop),
    |edit, input| {
        let mut rows: Vec<usize> = (0..edit.exports().len()).collect();
        objects::Random(u64::from(input.byte()) + 1).shuffle(&mut rows);
        edit.reorder_exports(&rows)
    },
    |edit, input| {
        let mut random = objects::Random(u64::from(input.byte()) + 1);
        let mut renumbering = Renumbering::identity(edit);
        random.shuffle(&mut renumbering.names);
        random.shuffle(&mut renumbering.imports);
        random.shuffle(&mut renumbering.exports);
        edit.renumber(&renumbering)
    },
    |edit, input| {
        let row = input.below(edit.exports().len());
        edit.set_object_flags(row, ObjectFlags(1 << (input.byte() % 64)))
    },
    |edit, input| edit.set_package_flags(PackageFlags(1 << (input.byte() % 32))),
    |edit, input| edit.rename_package(&input.text(), &RenamePackage::new()).map(drop),
    // Removed and put back, within one edit.
    |edit, input| {
        let removed = edit.remove_object(&input.object(edit), RemoveOptions::NullReferences)?;
        edit.restore(&removed).map(drop)
    },
    |edit, input| edit.set_text(&input.object(edit), &input.text()),
    |edit, input| {
        let object = input.object(edit);
        let rows = edit.values().table_rows(&object).unwrap_or_default();
        let row = rows.get(input.below(rows.len())).map_or(String::new(), |row| row.path.clone());
        edit.rename_table_row(&object, &row, &input.text()).map(drop)
    },
    |edit, input| {
        let other = base(input);
        let dependencies = [Dependencies::Auto, Dependencies::Copy, Dependencies::Import];
        let dependencies = input.pick(&dependencies).unwrap_or_default();
        let options = CopyOptions::new().dependencies(dependencies).source_name("Other");
        edit.copy_from(&other, &input.object(&other), &options).map(drop)
    },
    |edit, input| edit.retarget_import(&input.import(edit), &input.text(), &input.text()).map(drop),
    |edit, input| edit.retarget_soft(&input.text(), &input.text()).map(drop),
    |edit, input| edit.set_thumbnail(&input.object(edit), PICTURE).map(drop),
    |edit, input| edit.remove_thumbnail(&input.object(edit)),
    |edit, input| {
        let (row, bytes) = (input.below(edit.exports().len()), input.bytes(40));
        edit.replace_body(row, bytes)
    },
];

/// The header of a PNG of 4 by 2 pixels.
const PICTURE: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x04\0\0\0\x02\x08\x06\0\0\0\x7f\xa8\x7d\x63";

/// Whether what is done is printed, for those who look into a finding.
static TRACE: LazyLock<bool> = LazyLock::new(|| std::env::var_os("FUZZ_TRACE").is_some());

/// The rows of the tables.
fn counts(package: &Package) -> [usize; 3] {
    [package.names().len(), package.imports().len(), package.exports().len()]
}

/// One to four changes and a commit. Says whether something was committed.
pub fn change(package: &mut Package, input: &mut Input) -> bool {
    let before = package.to_bytes().expect("what was committed is saved");
    let known = package.clone();
    let committed = package.edit(|edit| {
        for _ in 0..=input.below(4) {
            let operation = input.below(OPERATIONS.len());
            let rows = counts(edit);
            let done = OPERATIONS[operation](edit, input);
            if *TRACE {
                let paths: Vec<_> = edit.exports().iter().map(|row| row.path()).collect();
                let imports: Vec<_> = edit.imports().iter().map(|row| row.path()).collect();
                eprintln!("operation {operation}: {done:?}; {paths:?}; imports {imports:?}");
            }
            if let Err(error) = done {
                is_readable(&error);
                assert_eq!(rows, counts(edit), "operation {operation} failed and left something");
            }
        }
        Ok(())
    });
    if *TRACE {
        eprintln!("commit: {committed:?}");
    }
    if let Err(error) = &committed {
        is_readable(error);
        let after = package.to_bytes().expect("a package whose edit failed is saved");
        assert!(before == after, "an edit that failed changed the package: {error}");
        let found = diff(&known, package);
        assert!(found.is_empty(), "after an edit that failed the package says {found:?}");
    }
    committed.is_ok()
}

/// The package as a file, opened again: it says the same and is saved as the same bytes.
pub fn reopened(package: &Package) -> Package {
    let bytes = package.to_bytes().expect("what was committed is saved");
    let mut again = Package::from_bytes(bytes.clone())
        .unwrap_or_else(|error| panic!("what was saved does not open: {error}"));
    again.decode_all();
    match again.to_bytes() {
        Err(error) => panic!("what was saved is not saved again: {error}"),
        Ok(saved) => assert!(saved == bytes, "what was saved is saved otherwise"),
    }
    explain_all(&again);
    let found = diff(package, &again);
    assert!(found.is_empty(), "what was saved says something else: {found:?}");
    again
}
