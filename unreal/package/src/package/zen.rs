//! Packages in the form that they have inside IoStore containers.
//!
//! | file | holds |
//! |---|---|
//! | `convert` | [`ZenPackage::save`], [`ZenPackage::save_legacy`]: both ways between files |
//! | `write` | [`ZenPackage::of`]: from a cooked package |
//! | `read`, `read_imports` | the package that one was cooked from |
//! | `around` | such a package opened and saved |
//! | `kept` | saved with the order of loading that it had |
//! | `bodies` | where its bodies stand |
//! | `placeholder` | names of imports of which only the hash is known |
//! | `names` | the names that such a header has |
//! | `imports` | the objects of other packages by their hashes |
//! | `order` | in which order its objects are made and read |
//! | `bundles` | what bundles of them wait for, up to 5.2 |
//! | `context` | [`ZenContext`]: what a package does not say itself |
//! | `refusal` | packages that containers can't hold |
//!
//! The header is [`crate::container::zen::ZenHeader`]. Spec: ue4-5/12.

mod around;
mod bodies;
mod bundles;
mod context;
mod convert;
mod imports;
mod kept;
mod names;
mod order;
pub(super) mod placeholder;
mod read;
mod read_imports;
mod refusal;
mod write;

pub(crate) use around::ZenKnown;
pub use context::ZenContext;
pub use write::ZenPackage;
