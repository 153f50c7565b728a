//! Tables: rows and columns, as CSV and JSON, and back.
//!
//! | file | holds |
//! |---|---|
//! | `grid` | rows and columns, and how they are written |
//! | `contents`, `cell` | tables of UE4 and UE5 as rows and columns, their values as cells |
//! | `file`, `plan` | files of rows and columns, and what they change |
//! | `replace` | other rows for tables; `curves`, `strings`: for those that are no data tables |
//! | `new` | rows of new tables |
//! | `localized` | texts of a language (`.locres`) |
//! | `registry` | registries of assets (`AssetRegistry.bin`) |
//! | `xlsx` | tables as workbooks |
//! | `ini` | texts of a language of UE1 to UE3 (`.int`) |

pub(super) mod cell;
mod contents;
mod curves;
mod file;
mod grid;
mod ini;
mod localized;
mod merge;
mod new;
mod plan;
mod registry;
mod replace;
mod strings;
#[cfg(feature = "xlsx")]
mod xlsx;

pub use grid::{Table, TableFormat};
pub use ini::{IniTexts, ini_texts};
pub use localized::LocalizedTable;
pub use new::{Column, rows_from, strings_from};
pub use plan::TableChange;
pub use registry::RegistryTable;
pub use replace::TableEdits;
