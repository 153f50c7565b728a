//! What rows and headers take in memory, and what the engine's tables say of names.

use farchive::Guid;
use farchive::primitive::{ExportFlags, FString, Rare};
use farchive::table::{Export, ExportDetails, NameEntry, NameHashes, Summary};

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
    assert!(own <= 532, "{own}");
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
