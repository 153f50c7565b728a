//! That all archives tell the same story of one value.

use std::sync::Arc;

use unreal_packages::archive::{Context, Object, Record};
use unreal_packages::primitive::NameRemap;
use unreal_packages::property::PackageContext;
use unreal_packages::table::NameEntry;
use unreal_packages::{
    Annotate, Archive, Counter, FString, Loader, References, Remap, Saver, Versions,
};

/// The row of the name of an expression in [`context`].
pub const EXPRESSION: u32 = 6;

/// Makes an empty value.
pub type Make = fn() -> Box<dyn Object>;

/// Names, the first of which ends lists of properties, as in most packages.
pub fn context(bytes: &[u8]) -> Arc<Context> {
    let texts = ["None", "IntProperty", "Value", "StructProperty", "Vector", "BoolProperty"];
    let texts = texts.into_iter().chain(["FMaterialUniformExpressionConstant"]);
    let entry = |text: &str| NameEntry { text: FString::new(text), ..NameEntry::default() };
    let names = texts.map(entry).collect();
    Arc::new(Context::new(bytes.to_vec().into(), names))
}

pub fn loader<'a>(bytes: &'a [u8], versions: &Versions) -> Loader<'a> {
    Loader::new(bytes, versions.clone()).with_context(context(bytes))
}

/// Every law for these bytes; their number, or `None` where the type does not load them.
pub fn laws(
    make: Make,
    mut garbage: Box<dyn Object>,
    bytes: &[u8],
    versions: &Versions,
) -> Result<Option<usize>, String> {
    let context = context(bytes);
    let mut value = make();
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context.clone());
    if value.serialize_dyn(&mut loader).is_err() {
        return Ok(None);
    }
    let used = bytes.len() - loader.remaining() as usize;
    let text = format!("{value:?}");
    // A header says its versions itself.
    let versions = loader.versions().clone();
    let unchanged = |value: &dyn Object, by: &str| match format!("{value:?}") == text {
        true => Ok(()),
        false => Err(format!("{by} changes {text} to {value:?}")),
    };

    let mut again = Loader::new(bytes, versions.clone()).with_context(context.clone());
    garbage.serialize_dyn(&mut again).map_err(|error| format!("loading over a value: {error}"))?;
    unchanged(&*garbage, "what stood there before")?;

    let saver = || Saver::new(versions.clone()).with_context(context.clone());
    let mut saved = saver();
    value.serialize_dyn(&mut saved).map_err(|error| format!("saving {text}: {error}"))?;
    unchanged(&*value, "saving")?;
    if saved.bytes() != &bytes[..used] {
        return Err(format!("{text} saves as {:x?}", saved.bytes()));
    }

    let mut counter = Counter::new(versions.clone()).with_context(context.clone());
    value.serialize_dyn(&mut counter).map_err(|error| format!("counting: {error}"))?;
    unchanged(&*value, "counting")?;
    if counter.length() != used as u64 {
        return Err(format!("{} bytes are counted, {used} saved", counter.length()));
    }

    let mut references = References::new(versions.clone());
    value.serialize_dyn(&mut references).map_err(|error| format!("collecting: {error}"))?;
    unchanged(&*value, "collecting")?;
    let mut remap = Remap::names_and_objects(versions.clone(), &Some, &Some);
    value.serialize_dyn(&mut remap).map_err(|error| format!("renumbering: {error}"))?;
    unchanged(&*value, "the identity")?;

    let mut loader = Loader::new(bytes, versions.clone()).with_context(context.clone());
    let mut annotate = Annotate::new(&mut loader);
    let mut explained = make();
    explained.serialize_dyn(&mut annotate).map_err(|error| format!("explaining: {error}"))?;
    unchanged(&*explained, "explaining")?;
    tiles(&annotate.into_records(), used)?;
    let mut saved = saver();
    let mut annotate = Annotate::new(&mut saved);
    value.serialize_dyn(&mut annotate).map_err(|error| format!("explaining: {error}"))?;
    tiles(&annotate.into_records(), used)?;
    Ok(Some(used))
}

/// Each byte has one record.
fn tiles(records: &[Record], length: usize) -> Result<(), String> {
    let mut at = 0;
    for record in records {
        if record.start != at || record.end <= at {
            return Err(format!("{record:?} does not begin at {at}"));
        }
        at = record.end;
    }
    match at == length as u64 {
        true => Ok(()),
        false => Err(format!("{at} of {length} bytes are explained")),
    }
}
