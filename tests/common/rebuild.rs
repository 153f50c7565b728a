//! Proof that a saved package is rebuilt from the model.

use unreal_packages::Kind;
use unreal_packages::inspect::Explanation;
use unreal_packages::package::{Package, PackageSpan, SaveOptions, Section};

use super::{differences, scramble};

/// Whatever [`PackageSpan::of`] does not list may be anything.
#[track_caller]
pub fn rebuilds(package: &Package, options: &SaveOptions, what: &str) {
    let spans: Vec<_> =
        PackageSpan::of(package).iter().map(|span| (span.start, span.end)).collect();
    let other = scramble(package.source(), &spans);
    let expected = package.save(options).unwrap_or_else(|e| panic!("{what}: {e}"));
    let rebuilt = package.save(&options.clone().source(other.to_vec()));
    let rebuilt = rebuilt.unwrap_or_else(|e| panic!("{what}: {e}"));
    let at = rebuilt.bytes.iter().zip(&expected.bytes).position(|(a, b)| a != b);
    assert!(rebuilt.bytes == expected.bytes, "{what}: differs at {at:x?}");
    assert_eq!(rebuilt.report, expected.report, "{what}");
    // The header but for its texts was scrambled: at least all numbers of its summary.
    let changed = differences(&other, package.source()).iter().map(|(s, e)| e - s).sum::<u64>();
    assert!(changed >= 36, "{what}: only {changed} bytes were scrambled");
}

/// In the header only characters are spans: no terminator, count, length, flag or index.
#[track_caller]
pub fn spans_are_characters(package: &Package, what: &str) {
    let characters: Vec<(u64, u64)> = Explanation::of(package)
        .unwrap_or_else(|e| panic!("{what}: {e}"))
        .iter()
        .filter_map(|explanation| {
            let record = &explanation.record;
            let terminated = record.type_name == "text";
            let stored = record.path.ends_with(".characters") || record.path.ends_with(".image");
            let stored = stored && record.type_name == "span";
            (terminated || stored).then_some((record.start, record.end - u64::from(terminated)))
        })
        .filter(|(start, end)| end > start)
        .collect();
    let is_header =
        |span: &PackageSpan| !matches!(span.section, Section::Body(_) | Section::Gap(_));
    let spans: Vec<PackageSpan> = PackageSpan::of(package).into_iter().filter(is_header).collect();
    for span in &spans {
        match span.section {
            Section::ThumbnailImage(_) => assert_eq!(span.kind, Kind::Payload, "{what}"),
            _ => assert_eq!(span.kind, Kind::Text, "{what}: {:?}", span.section),
        }
    }
    let spans: Vec<_> = spans.iter().map(|span| (span.start, span.end)).collect();
    assert_eq!(spans, characters, "{what}");
    let names: u64 = package.names().entries().iter().map(|name| name.text.span().len()).sum();
    let listed = PackageSpan::of(package);
    let in_names = listed.iter().filter(|span| span.section == Section::Names);
    assert_eq!(in_names.map(|span| span.end - span.start).sum::<u64>(), names, "{what}");
    for section in [Section::Imports, Section::Exports, Section::Depends, Section::Heritage] {
        assert!(listed.iter().all(|span| span.section != section), "{what}: {section}");
    }
}
