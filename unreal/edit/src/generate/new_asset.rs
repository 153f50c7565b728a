//! New assets of UE4 and UE5: packages as the editor saves them, and as games store theirs.

mod asset;
mod blank;
mod blueprint;
mod cooked;
mod custom_versions;
mod rows;
mod texts;
mod unique_names;

pub use asset::NewAsset;
pub use rows::NewRows;
