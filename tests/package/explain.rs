//! Explaining part of a package: the same fields as of all of it, and no more.

use unreal_packages::inspect::{Explanation, coverage};
use unreal_packages::package::{OpenOptions, Package, Section};

use super::common::code::{Code, Member};
use super::common::everything::everything;
use super::common::forms;
use unreal_packages::generate::Profile;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Versions};

fn packages() -> Vec<(&'static str, Package)> {
    vec![
        ("UT99", everything(&Profile::UT99)),
        ("tagged", forms::tagged()),
        ("complete", forms::complete()),
        ("unversioned", forms::unversioned()),
    ]
    .into_iter()
    .map(|(what, package)| {
        let mut options = OpenOptions::new();
        if let Some(mappings) = package.mappings() {
            options = options.engine(EngineRelease::new(5, 4)).mappings(mappings.clone());
        }
        (what, options.open_bytes(package.to_bytes().unwrap()).unwrap())
    })
    .collect()
}

fn fields(package: &Package, range: std::ops::Range<u64>) -> Vec<Explanation> {
    let mut found = Vec::new();
    let each = &mut |field| {
        found.push(field);
        Ok::<_, unreal_packages::Error>(())
    };
    Explanation::each(package, range, each).unwrap();
    found
}

#[test]
fn a_range_has_the_fields_that_all_bytes_have_there() {
    for (what, package) in packages() {
        let mut decoded = package.clone();
        decoded.decode_all();
        let all = Explanation::of(&decoded).unwrap();
        let length = package.source().len() as u64;
        assert_eq!(fields(&package, 0..length), all, "{what}: decoded for the call alone");
        for step in [1, 7, 64, 1_000] {
            for start in (0..length).step_by(length as usize / 19) {
                let range = start..(start + step).min(length);
                let met = |field: &&Explanation| {
                    field.record.end > range.start && field.record.start < range.end
                };
                let wanted: Vec<_> = all.iter().filter(met).cloned().collect();
                assert_eq!(fields(&package, range.clone()), wanted, "{what} {range:?}");
            }
        }
    }
}

#[test]
fn an_error_of_who_takes_the_fields_ends_it() {
    let (_, package) = packages().remove(0);
    let mut taken = 0;
    let each = &mut |_| {
        taken += 1;
        match taken {
            5 => Err(unreal_packages::ErrorKind::Invalid { reason: "enough".to_owned() }.into()),
            _ => Ok::<_, unreal_packages::Error>(()),
        }
    };
    let error = Explanation::each(&package, 0..u64::MAX, each).unwrap_err();
    assert!(error.to_string().contains("enough"), "{error}");
    assert_eq!(taken, 5);
}

#[test]
fn coverage_with_bodies_is_that_of_a_decoded_package() {
    for (what, package) in packages() {
        let mut decoded = package.clone();
        decoded.decode_all();
        assert_eq!(coverage(&package), decoded.coverage(), "{what}");
        let has_bodies = package.sections().iter().any(|it| matches!(it.section, Section::Body(_)));
        assert!(
            has_bodies && coverage(&package) != package.coverage(),
            "{what}: bodies are looked at"
        );
    }
}

/// What the flags of scripts are is said in words of the engine, bits without a name as a number.
#[test]
fn flags_of_scripts_are_words() {
    let said = |versions: Versions, of: &str| {
        let mut code = Code::new(versions, unreal_packages::Guid::new(1, 2, 3, 4));
        code.class_flags = 0x4204;
        let count = Member::Property("Count", "IntProperty", Vec::new(), 0x40_0041);
        let open = Member::Function("Open", 0x8020_4802, 0, Vec::new());
        // The functions of this builder are those of UE1.
        let members = if of == ".function_flags" { vec![open] } else { vec![count] };
        code.class("Door", "Core.Object", false, &members, &[]);
        let package = Package::from_bytes(code.build()).unwrap();
        let all = fields(&package, 0..package.source().len() as u64);
        let found = all.iter().find(|it| it.record.path.ends_with(of)).unwrap();
        found.record.meaning.clone()
    };
    let (ue1, ue3) = (Versions::ue1_to_3(69, 0), Versions::ue1_to_3(600, 0));
    for (versions, of, words) in [
        (&ue1, ".function_flags", "Defined | Event | NoExport | 0x80200000"),
        (&ue1, ".property_flags", "Edit | NeedCtorLink | 0x40"),
        (&ue3, ".property_flags", "Edit | EditFixedSize | NeedCtorLink"),
        (&ue1, ".class_flags", "Config | 0x4200"),
        (&ue3, ".class_flags", "Config | Placeable | Interface"),
    ] {
        assert_eq!(said(versions.clone(), of), words, "{versions}");
    }
}
