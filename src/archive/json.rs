//! Archives whose bytes are JSON: the same `serialize` writes and reads a form that people can edit.
//!
//! Fields are keys, elements stand in arrays, what is stored is a leaf. Reading goes by the same steps as
//! writing, so that the keys of an object may stand in any order; one that is missing, unknown or doubled is an
//! error that names its path.
//!
//! | JSON | stands for |
//! |---|---|
//! | number | a number; a row without a text |
//! | string | a row by its text, such as a name or the path of an object; a string as [`JsonTexts`] knows them |
//! | `[…]` | elements, which are as many as their count says; or a list whose keys come again and again, an object for each turn |
//! | `{"$row": …, "$number": n}` | a row with a number beside it |
//! | `{"$text": "…"}` | characters |
//! | `{"$hex": "…"}` | bytes that are a value; where a count stands before them, also that |
//! | `{"$compact": "…"}` | a compact index in a form that the engine would not write |
//! | `{"$bits": n}` | a floating point number that JSON can't hold |
//! | `{"$payload": "…"}`, `$opaque`, `$gap` | bytes that stay as they are, in base64 |
//! | `{}` | nothing stored |
//! | any other object | fields; `$value` is a leaf without a name, `$elements` are elements without a count, `$groups` a list whose keys come again |
//!
//! Of formats of one's own [`to_json`](crate::to_json) writes what people read: texts as strings, variants by name
//! (`"Off"`, `{"Steady": {"brightness": 0.5}}`), options as `null` or the value, truth values as `true` and `false`.
//! A value that would read as another one stands under `value`.
//!
//! A form that no byte says is a key as well, absent for the usual one: see `ArchiveExt::form`.

mod fold;
mod frame;
mod keys;
mod leaf;
mod loader;
mod parse;
mod saver;
mod text;

pub use loader::JsonLoader;
pub use saver::JsonSaver;
pub use text::JsonTexts;
