//! New packages from nothing.

mod builder;
mod create;
mod header;
mod new_asset;
mod profile;

pub use builder::Builder;
pub use create::create;
pub use new_asset::{NewAsset, NewRows};
pub use profile::Profile;
