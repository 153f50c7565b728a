//! Class layouts from the packages around one.

use unreal_packages::package::Package;
use unreal_packages::property::{Elements, Value};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, Counter, Versions};

use crate::common::code::{Code, Member, property, referring};
use crate::game::{Folder, base_code, guid, mod_code};

/// Bytes of the values of arrays and structs in the defaults of classes, and how many are opaque.
fn opaque_share(package: &mut Package) -> (u64, u64) {
    fn opaque(value: &Value) -> u64 {
        match value {
            Value::Opaque(opaque) => opaque.span.len(),
            Value::Array(Elements::Values(values)) | Value::Fields(values) => {
                values.iter().map(opaque).sum()
            }
            Value::List(list) => list.properties.iter().map(|p| opaque(p.value())).sum(),
            _ => 0,
        }
    }
    let size = |package: &Package, value: &Value| {
        let mut counter = Counter::new(package.versions().clone()).with_context(package.context());
        value.clone().serialize(&mut counter).unwrap();
        counter.length()
    };
    use unreal_packages::object::Native;
    use unreal_packages::object::script_object::ScriptObject;
    package.decode_all();
    let mut sums = (0, 0);
    for row in 0..package.exports().len() {
        let Some(decoded) = package.decoded(row) else { continue };
        let Native::Script(object) = &decoded.body.native else { continue };
        let ScriptObject::Class(class) = &**object else { continue };
        for property in &class.defaults.properties {
            sums.0 += size(package, property.value());
            sums.1 += opaque(property.value());
        }
    }
    sums
}

#[test]
fn values_of_other_packages_classes_are_typed_with_an_environment() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    folder.write("Special.u", mod_code());
    let mut alone = Package::from_bytes(mod_code()).unwrap();
    let (bytes, opaque) = opaque_share(&mut alone);
    assert_eq!((bytes, opaque), (24, 24));
    let mut taught = Package::from_bytes(mod_code()).unwrap();
    folder.environment().add_class_layouts(&mut taught);
    assert_eq!(opaque_share(&mut taught), (24, 0), "two classes call different arrays Numbers");
    assert_eq!(taught.to_bytes().unwrap(), mod_code());
}

#[test]
fn structs_that_derive_across_packages_are_completed() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    let mut code = Code::new(Versions::ue1_to_3(69, 0), guid(52));
    let (both, triple) = (code.name("Three"), code.name("Triple"));
    let (both, triple) = (both.index.value() as u8, triple.index.value() as u8);
    let mut defaults = vec![both, 0x5a, triple, 11];
    // Its own member stands before those that it inherits.
    defaults.extend([3, 0, 0, 0, 1, 0, 0, 0, 2, b'x', 0]);
    let members = [
        Member::Struct("Triple", "Base.Thing.Pair", vec![property("C", "IntProperty")]),
        referring("Three", "StructProperty", &["Wide.Triple"]),
    ];
    code.class("Wide", "Base.Thing", false, &members, &defaults);
    let bytes = code.build();
    let mut package = Package::from_bytes(bytes.clone()).unwrap();
    assert_eq!(opaque_share(&mut package), (11, 11));
    let mut package = Package::from_bytes(bytes).unwrap();
    folder.environment().add_class_layouts(&mut package);
    assert_eq!(opaque_share(&mut package), (11, 0));
}
