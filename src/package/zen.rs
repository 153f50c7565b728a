//! Packages in the form that they have inside IoStore containers.
//!
//! | file | holds |
//! |---|---|
//! | `write` | [`ZenPackage::of`]: from a cooked package |
//! | `read` | the package that one was cooked from |
//! | `around` | such a package opened and saved |
//! | `placeholder` | names of imports of which only the hash is known |
//! | `names` | the names that such a header has |
//! | `imports` | the objects of other packages by their hashes |
//! | `order` | in which order its objects are made and read |
//!
//! The header is [`crate::container::zen::ZenHeader`]. Spec: ue4-5/12.

mod around;
mod imports;
mod names;
mod order;
mod placeholder;
mod read;
mod write;

pub use write::ZenPackage;
