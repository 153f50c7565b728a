//! What the page asks of `farchive`, compiled to WebAssembly.
//!
//! The page's worker owns packages by number and asks for windows: bytes from A to B with their fields, rows from A
//! to B of the tree, the details of one object. A request is a JSON object, an answer JSON and bytes behind it; the
//! interface in `boundary` is a handful of functions written by hand.
//!
//! | file | holds |
//! |---|---|
//! | `boundary` | the functions that the worker calls, and those that it lends |
//! | `request` | what can be asked |
//! | `session` | the packages that are open |
//! | `opened` | one package: as it was opened, as it is now, what was changed |
//! | `level` | a level from above |
//! | `lent` | files that stay with the worker |
//! | `containers` | `.pak` and IoStore containers, and what they hold |
//! | `change` | changes, and the commands that do the same |
//! | `import` | files put into objects |
//! | `set_code` | code as its text, compiled |
//! | `typed_bytes` | bytes of a field as the value that they are |
//! | `inspector` | the bytes at a place as every kind of value |
//! | `actor_place` | where an actor's place is stored |
//! | `tree` | the objects and tables as rows |
//! | `details` | what is known of one of them |
//! | `properties` | values, and what is within them |
//! | `fields` | bytes with their fields |
//! | `layout` | the layouts that fields belong to |
//! | `find` | the next place of bytes, numbers, texts |
//! | `search` | names, values, texts and code that have a text |
//! | `content` | pictures, sounds, texts, tables, code |
//! | `level` | a level seen from above |
//! | `meshes` | meshes as binary glTF |
//! | `graph` | graphs of nodes |
//! | `curves` | curves with their keys |
//! | `sizes` | how many bytes each object has |
//! | `dependencies` | which objects refer to which |
//! | `proof` | whether a package is rebuilt to its bytes, and what each of them is |
//! | `compared` | what two packages differ in |
//! | `sample` | packages made for those who have none |
//! | `failure` | errors, and what to do next |

#![deny(unsafe_code)]

mod actor_place;
pub mod answer;
mod boundary;
mod change;
mod compared;
mod containers;
mod content;
mod curves;
mod dependencies;
mod details;
mod failure;
mod fields;
mod find;
mod graph;
mod import;
mod inspector;
mod layout;
mod lent;
mod level;
mod meshes;
mod opened;
mod proof;
mod properties;
mod request;
mod sample;
mod search;
mod session;
mod set_code;
mod sizes;
mod tree;
mod typed_bytes;

pub use answer::Answer;
pub use session::Session;
