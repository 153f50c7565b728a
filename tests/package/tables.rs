//! What rows and headers take in memory, and what the engine's tables say of names.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::{ExportFlags, FString, PackageIndex, Rare};
use unreal_packages::table::{
    BitArray, CustomVersions, Export, ExportDetails, FileVersions, NameEntry, NameHashes, Summary,
    Tag,
};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archive, Archived, ByteOrder, ErrorKind, Guid, Loader, Saver, Versions};

/// Bytes that the headers of a package of UE4 or UE5 took while UE1 to UE3 had another type.
const TWO_TYPES: usize = 296 + 532;

#[test]
fn the_summary_of_a_typical_package_takes_no_more_than_two_types_did() {
    let mut summary = Summary::default();
    let groups = |summary: &Summary| {
        summary.persistent.allocated()
            + summary.mass_effect.allocated()
            + summary.saved_by.allocated()
    };
    assert_eq!(groups(&summary), 0, "nothing is allocated for what is absent");
    let own = size_of::<Summary>();
    // The tag says whose it is.
    assert!(own <= 536, "{own}");
    summary.saved_by.changelist = 1;
    summary.persistent.guid = Guid::new(1, 2, 3, 4);
    let whole = own + groups(&summary);
    assert!(whole <= TWO_TYPES, "{whole}");
}

#[test]
fn an_export_takes_144_bytes_at_most_and_a_typical_one_no_more() {
    assert!(size_of::<Export>() <= 144, "{}", size_of::<Export>());
    let typical = Rare::from(ExportDetails::default());
    assert_eq!(typical.allocated(), 0);
    let forced = ExportDetails { export_flags: ExportFlags(1), ..ExportDetails::default() };
    assert_eq!(Rare::from(forced).allocated(), size_of::<ExportDetails>());
}

#[test]
fn hashes_of_names_are_the_engines() {
    for (text, case_folded, case_preserving) in [
        ("None", 0x03f4, 0x0dc5),
        ("/Script/CoreUObject", 0x49f8, 0x3e2d),
        ("ABC", 0x4898, 0x0fb3),
        ("abc", 0x4898, 0x1923),
        ("Größe", 0xab8f, 0x2307),
        ("日本", 0xb1b7, 0x5a0d),
    ] {
        let hashes = NameHashes { case_folded, case_preserving };
        assert_eq!(NameHashes::of(text), hashes, "{text}");
        let mut entry = NameEntry { text: FString::new(text), ..NameEntry::default() };
        entry.set_hashes(hashes);
        assert_eq!(entry.hashes(), hashes);
    }
}

#[test]
fn names_that_stand_twice_are_found_one_after_the_other() {
    let builder = Builder::new(69).name("None").name("Twin").name("Twim").name("Twik");
    let mut bytes = builder.build().unwrap();
    for other in [b"Twim", b"Twik"] {
        let at = bytes.windows(4).position(|four| four == other).unwrap();
        bytes[at..at + 4].copy_from_slice(b"tWIN");
    }
    let mut package = Package::from_bytes(bytes).unwrap();
    let rows: Vec<_> = package
        .edit(|edit| {
            ["First", "Second", "Third"]
                .map(|new| edit.rename_name("twin", new))
                .into_iter()
                .collect()
        })
        .unwrap();
    assert_eq!(rows, [1, 2, 3]);
    let texts: Vec<_> = package.names().iter().map(|text| text.into_owned()).collect();
    assert_eq!(texts[1..], ["First", "Second", "Third"]);
    let gone = package.edit(|edit| edit.rename_name("Twin", "Fourth")).unwrap_err();
    assert!(matches!(gone.kind(), ErrorKind::NotFound { .. }), "{gone}");
    let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    assert_eq!(again.names().find("third"), Some(3));
}

#[test]
fn the_tag_tells_the_byte_order_whatever_was_expected() {
    for (file, expected) in [
        (ByteOrder::Big, ByteOrder::Little),
        (ByteOrder::Little, ByteOrder::Big),
        (ByteOrder::Big, ByteOrder::Big),
    ] {
        let versions = |order| Versions::ue1_to_3(69, 0).with_byte_order(order);
        let mut saver = Saver::new(versions(file));
        Tag::default().serialize(&mut saver).unwrap();
        let bytes = saver.into_bytes();
        let mut loader = Loader::new(&bytes, versions(expected));
        Tag::default().serialize(&mut loader).unwrap();
        assert_eq!(loader.versions().byte_order, file);
    }
}

#[test]
fn headers_say_their_versions_or_need_them_said() {
    let old = FileVersions::new(&Versions::ue4_and_5(214, 0), -4);
    assert_eq!((old.legacy_file_version, old.legacy_ue3_version, old.ue4), (-4, 0, 214));
    assert!(matches!(old.custom_version_form(), CustomVersions::Named(_)));
    let new = FileVersions::new(&Versions::ue4_and_5(522, 0), -7);
    assert_eq!(new.legacy_ue3_version, 864);
    assert!(matches!(new.custom_version_form(), CustomVersions::Plain(_)));
    // A cooked header without any.
    let custom_versions = new.custom_version_form();
    let mut cooked = FileVersions { ue4: 0, custom_versions, ..new };
    let versions = Versions::ue4_and_5(522, 0);
    let mut saver = Saver::new(versions.clone());
    cooked.serialize(&mut saver).unwrap();
    let bytes = saver.into_bytes();
    let load = |versions| {
        FileVersions::default()
            .serialize(&mut Loader::new(&bytes, versions))
            .map_err(|e| e.to_string())
    };
    assert_eq!(load(versions), Ok(()));
    let unsaid = load(Versions::unreal()).unwrap_err();
    assert!(unsaid.contains("--engine 5.4"), "{unsaid}");
    // Wherever the list of custom versions stands.
    let mut summary = Summary::default();
    assert_eq!(*summary.custom_versions(), CustomVersions::Absent);
    summary.late_custom_versions = CustomVersions::Plain(Vec::new());
    assert_eq!(*summary.custom_versions(), CustomVersions::Plain(Vec::new()));
    summary.versions.custom_versions = CustomVersions::Named(Vec::new());
    assert_eq!(*summary.custom_versions(), CustomVersions::Named(Vec::new()));
}

#[test]
fn defaults_come_from_an_archetype_or_a_template() {
    let (archetype, template) = (PackageIndex::new(3), PackageIndex::new(-2));
    let row = |archetype_index, template_index| Export {
        archetype_index,
        template_index,
        ..Export::default()
    };
    assert_eq!(row(archetype, PackageIndex::new(0)).archetype(), archetype);
    assert_eq!(row(PackageIndex::new(0), template).archetype(), template);
}

#[test]
fn bits_are_kept_in_order() {
    let mut bits = BitArray::default();
    assert!(bits.is_empty());
    (0..70).for_each(|at| bits.push(at % 3 == 0));
    assert_eq!((bits.len(), bits.is_empty()), (70, false));
    assert_eq!(
        [0, 1, 66, 69, 70].map(|at| bits.get(at)),
        [Some(true), Some(false), Some(true), Some(true), None]
    );
    bits.keep(|at| at >= 66);
    assert_eq!(
        (0..5).map(|at| bits.get(at)).collect::<Vec<_>>(),
        [Some(true), Some(false), Some(false), Some(true), None]
    );
}
