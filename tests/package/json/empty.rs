//! Lists without elements are `[]`, however their count is stored.

use serde_json::{Value, json};
use unreal_packages::archive::{Archived, Context, JsonLoader, JsonSaver, Saver};
use unreal_packages::object::ue4;
use unreal_packages::primitive::{BulkArray, Payload, TransArray};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{CompactIndex, Versions};

/// The value as a document, which gives its bytes again.
#[track_caller]
fn document<T: Archived + Default>(versions: &Versions, mut value: T) -> Value {
    let context = std::sync::Arc::new(Context::default());
    let mut saver = JsonSaver::new(versions.clone(), context.clone(), &(), 0);
    value.serialize(&mut saver).unwrap();
    let document = saver.into_value();
    let mut again = T::default();
    let mut loader = JsonLoader::new(&document, (versions.clone(), context), &(), 0, 100);
    let read = again.serialize(&mut loader);
    loader.finish(read).unwrap_or_else(|error| panic!("{document}: {error}"));
    let bytes = |mut value: T| {
        let mut saver = Saver::new(versions.clone());
        value.serialize(&mut saver).unwrap();
        saver.into_bytes()
    };
    assert_eq!(bytes(again), bytes(value), "{document}");
    document
}

fn bulk(element_size: i32) -> BulkArray<12> {
    BulkArray { element_size, ..BulkArray::default() }
}

#[test]
fn lists_of_every_form_are_brackets_where_they_are_empty() {
    let [ue1, old, ue3] = [69, 400, 512].map(|file| Versions::ue1_to_3(file, 0));
    assert_eq!(document(&ue1, Payload::<4>::default()), json!([]));
    assert_eq!(document(&ue1, TransArray::<CompactIndex>::default()), json!([]));
    let roomy = TransArray::<CompactIndex> { maximum: 3, items: Vec::new() };
    assert_eq!(document(&ue1, roomy), json!({ "count": [], "maximum": 3 }));
    assert_eq!(document(&old, bulk(12)), json!([]));
    // The size of an element is left out where it is that of the class.
    assert_eq!(document(&ue3, bulk(12)), json!([]));
    assert_eq!(document(&ue3, bulk(16)), json!({ "element_size": 16, "count": 0 }));
    let release = unreal_packages::EngineRelease::new(4, 27).versions();
    let bulk = ue4::bulk::BulkArray { element_size: 16, ..Default::default() };
    assert_eq!(document(&release, bulk), json!({ "element_size": 16, "count": 0 }));
}
