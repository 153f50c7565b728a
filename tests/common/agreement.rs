//! That all archives tell the same story of one value.

use std::sync::Arc;

use farchive::testing::LawContext;
use unreal_packages::archive::{Context, Object};
use unreal_packages::primitive::{Name, PackageIndex};
use unreal_packages::property::PackageContext;
use unreal_packages::table::NameEntry;
use unreal_packages::{FString, Loader, Versions};

/// The row of the name of an expression in [`context`].
pub const EXPRESSION: u32 = 6;

/// The row of a kind of a rig's elements in [`context`].
pub const BONE: u32 = 7;

/// The row of a type of a rig's metadata in [`context`].
pub const BOOL: u32 = 8;

/// Makes an empty value.
pub type Make = fn() -> Box<dyn Object>;

/// Names, the first of which ends lists of properties, as in most packages.
pub fn context(bytes: &[u8]) -> Arc<Context> {
    let texts = ["None", "IntProperty", "Value", "StructProperty", "Vector", "BoolProperty"];
    let texts = texts.into_iter().chain(["FMaterialUniformExpressionConstant", "Bone", "Bool"]);
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
    garbage: Box<dyn Object>,
    bytes: &[u8],
    versions: &Versions,
) -> Result<Option<usize>, String> {
    let spaces = vec![&Name::SPACE, &PackageIndex::SPACE];
    let known = LawContext { context: context(bytes), spaces, ..LawContext::default() };
    farchive::testing::bytes(&make, garbage, bytes, versions, &known)
}
