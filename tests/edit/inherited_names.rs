//! A name that is another one's already, by inheritance, by import or by what the engine looks for: refused, unless
//! it is wanted all the same.

use farchive::edit::Edit;
use farchive::generate::Builder;
use farchive::object::ue3;
use farchive::package::Package;
use farchive::property::PropertyList;
use farchive::Result;

use super::checks::doubted;
use super::common::{GUID, reopen_decoded};

fn rename(path: &str, new: &str) -> impl Fn(&mut Edit) -> Result<()> + use<> {
    let [path, new] = [path, new].map(str::to_owned);
    move |edit| edit.rename_object(&path, &new).map(drop)
}

#[test]
fn objects_that_the_engine_finds_by_name_keep_it() {
    for file in [69, 128] {
        let builder = Builder::new(file).guid(GUID).name("None");
        let builder = builder.export("MyLevel", "Engine.Level", []);
        let builder = builder.export("Group", "Core.Package", [0]);
        let package = Package::from_bytes(builder.build().unwrap()).unwrap();
        let part = "the engine finds the Level of a map by its name, 'MyLevel'";
        doubted(&package, part, rename("MyLevel", "Other"));
        doubted(&package, part, |edit| edit.rename_name("MyLevel", "Other"));
        doubted(&package, part, |edit| edit.move_object("MyLevel", Some("Group")));
    }
    let mut package = Package::from_bytes(Builder::new(868).guid(GUID).build().unwrap()).unwrap();
    let made = package.edit(|edit| {
        edit.add_blank_object("TheWorld", "Engine.World")?;
        edit.add_plain_object("Lights", "Core.Package", PropertyList::default())?;
        edit.add_plain_object("Lights.TheWorld", "Engine.Info", PropertyList::default())?;
        let level = ue3::world::level::Level::default();
        edit.add_object("Lights.PersistentLevel", "Engine.Level", PropertyList::default(), level)
    });
    made.unwrap();
    let package = reopen_decoded(&package);
    doubted(&package, "World of a map by its name, 'TheWorld'", rename("TheWorld", "Other"));
    doubted(&package, "by its name, 'PersistentLevel'", rename("Lights.PersistentLevel", "Other"));
    package.clone().edit(rename("Lights.TheWorld", "Other")).unwrap();
}
