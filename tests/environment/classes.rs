//! Classes and their layouts in memory.

use unreal_packages::Versions;
use unreal_packages::environment::{Classes, LayoutChange};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::common::code::{Code, Member, property};
use crate::game::{Folder, base_code, guid, mod_code};

#[test]
fn classes_inherit_and_have_layouts() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    folder.write("Special.u", mod_code());
    let classes = folder.environment().classes(&mut |_| {});
    let chain: Vec<_> = classes.chain("Special").iter().map(|class| class.path()).collect();
    assert_eq!(chain, ["Special.Special", "Base.Thing"]);
    let thing = classes.get("base.THING").unwrap();
    assert!(thing.native);
    assert_eq!(
        (thing.structs.as_slice(), thing.enums.as_slice()),
        (&["Base.Thing.Pair".to_owned()][..], &["Base.Thing.Side".to_owned()][..])
    );
    assert_eq!(classes.enumeration("Base.Thing.Side").unwrap().values, ["Left", "Right"]);
    assert_eq!(classes.near("Thign"), ["Base.Thing"]);
    assert_eq!(classes.near("Sides"), ["Base.Thing.Side"]);
    assert!(classes.near("Zebra").is_empty());
    let layout = classes.layout("Special.Special").unwrap();
    assert!(layout.complete);
    let places: Vec<_> = layout
        .fields
        .iter()
        .map(|field| (field.field.name.as_str(), field.field.type_text(), field.offset, field.size))
        .collect();
    let expected = [
        ("Health", "int", 0, 4),
        ("bOne", "bool", 4, 4),
        ("bTwo", "bool", 4, 4),
        ("Face", "Base.Thing.Side", 8, 1),
        ("Numbers", "array<int>", 12, 12),
        ("Both", "struct Base.Thing.Pair", 24, 16),
        ("Pairs", "array<struct Base.Thing.Pair>", 40, 12),
    ];
    assert_eq!(
        places,
        expected.map(|(name, text, offset, size)| (name, text.to_owned(), offset, size))
    );
    assert_eq!((layout.size, layout.fields[2].bit), (52, Some(1)));
}

#[test]
fn changed_layouts_of_classes_are_told() {
    let classes = |members: &[Member]| {
        let mut code = Code::new(Versions::ue1_to_3(69, 0), guid(60));
        code.class("Native", "", true, members, &[]);
        code.class("Script", "Base.Native", false, &[], &[]);
        let mut classes = Classes::default();
        classes.add(&Package::from_bytes(code.build()).unwrap(), "Base");
        classes
    };
    let old = classes(&[
        property("A", "IntProperty"),
        property("B", "FloatProperty"),
        property("C", "NameProperty"),
    ]);
    assert!(old.layout_changes(&old, "Base").is_empty());
    let new = classes(&[
        property("C", "NameProperty"),
        property("A", "StrProperty"),
        property("D", "IntProperty"),
    ]);
    let changes = old.layout_changes(&new, "base");
    assert_eq!(changes.len(), 2, "the child moves with its parent: {changes:?}");
    assert!(changes[0].native && changes[0].class == "Base.Native");
    let text: Vec<_> = changes[0].changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        text,
        [
            "A is string, was int",
            "A is at 0x4, was at 0x0",
            "removed B: float",
            "C is at 0x0, was at 0x8",
            "added D: int"
        ]
    );
    assert_eq!(changes[1].changes, [LayoutChange::ParentResized { old: 12, new: 20 }]);
}
