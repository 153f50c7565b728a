//! Bodies of objects, made when the names and imports of their package are known.

use unreal_packages::archive::{Archived, Saver};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Name, PackageIndex};

/// The body of an object of this package.
pub type Body<'a> = Box<dyn Fn(&Package) -> Vec<u8> + 'a>;

/// An object: its path, its class, its body.
pub type Object<'a> = (String, String, Body<'a>);

/// Builds a package twice: the second time with bodies that know the rows of the first.
pub fn build(builder: &dyn Fn() -> Builder, objects: &[Object<'_>]) -> Vec<u8> {
    let with = |package: Option<&Package>| {
        let add = |builder: Builder, (path, class, body): &Object<'_>| {
            builder.export(path, class, package.map(body).unwrap_or_default())
        };
        objects.iter().fold(builder(), add).build().unwrap()
    };
    let first = Package::from_bytes(with(None)).unwrap();
    with(Some(&first))
}

/// A name that the package has.
pub fn name(package: &Package, text: &str) -> Name {
    let row = package.names().find(text).unwrap_or_else(|| panic!("no name {text}"));
    Name::new(row as i32)
}

/// An object that the package has or imports; nothing for no path.
pub fn object(package: &Package, path: &str) -> PackageIndex {
    match path {
        "" => PackageIndex::NULL,
        path => package.find(path).unwrap_or_else(|| panic!("no object {path}")),
    }
}

/// A value as the bodies of this package hold it.
pub fn saved<T: Archived>(package: &Package, value: &mut T) -> Vec<u8> {
    let mut saver = Saver::new(package.versions().of_bodies()).with_context(package.context());
    value.serialize(&mut saver).unwrap();
    saver.into_bytes()
}
