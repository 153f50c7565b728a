//! Opening a whole package, against a pass over the same tables that borrows its names.

use std::hint::black_box;

use bytes::Bytes;
use unreal_packages::Package;
use unreal_packages::generate::Builder;
use unreal_packages::table::NameEntry;

use super::{Case, Scale, hand, sample, timed};

pub fn open(file: u32, scale: Scale) -> Vec<Case> {
    let (names, exports) = scale.package;
    let source = Bytes::from(build(file, names, exports));
    let bytes = source.clone();
    let package = Package::from_bytes(source.clone()).expect("the sample opens");
    let tables = hand::read_tables(&bytes).expect("the sample opens");
    assert!(
        tables.exports.iter().eq(package.exports().entries().iter())
            && tables.exports.len() == exports
    );
    assert!(tables.names.len() == names && package.names().len() == names);
    let same = |(ours, other): (&NameEntry, &hand::BorrowedName<'_>)| {
        let text = ours.text.span().bytes(&source).is_ok_and(|text| text == other.text);
        text && ours.flags.0 == other.flags && !other.wide
    };
    assert!(package.names().entries().iter().zip(&tables.names).all(same));
    vec![Case {
        title: format!("open {names} names, {exports} exports, version {file}"),
        rival: "hand-written, names borrowed",
        bar: 1.3,
        ours: Box::new(move || timed(|| Package::from_bytes(black_box(source.clone())))),
        other: Box::new(move || timed(|| hand::read_tables(black_box(&bytes)))),
    }]
}

/// A package of this many names and exports.
fn build(file: u32, names: usize, exports: usize) -> Vec<u8> {
    let mut builder = Builder::new(file).import("Engine.Texture", "Core.Class");
    // `None` and the import's own names are there already.
    let own = 6;
    let texts: Vec<String> = sample::texts(names - own)
        .iter()
        .enumerate()
        .map(|(at, text)| format!("{text}x{at}"))
        .collect();
    for text in &texts {
        builder = builder.name(text);
    }
    for row in 0..exports {
        builder = builder.export(&texts[row % texts.len()], "Engine.Texture", vec![0; 40]);
    }
    builder.build().expect("the sample can be built")
}
