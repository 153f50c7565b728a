//! Packages made from UnrealScript: what stands above the compiler of code.
//!
//! | file | holds |
//! |---|---|
//! | `maker` | [`Maker`]: from class files to a package |
//! | `compilers` | [`GameCompiler`]: the games whose packages are made |
//! | `source_bytes`, `text` | class files as text, and what of it a package keeps; the number of a text |
//! | `compile_order` | which class comes after which |
//! | `declare` | from declarations to objects: links, flags, masks, places in the text |
//! | `code` | compiled code, put into its objects |
//! | `defaults` | default values as properties |
//! | `named`, `facts` | objects and classes of other packages |
//! | `draft`, `finish` | the package before and when its rows get their places |
//! | `order` | the order of tables as the engine's own compiler leaves it |
//! | `depends` | what each object needs before it is loaded |
//! | `like`, `former` | an older package as the pattern of a new one |
//! | `exec`, `own_content` | lines that import content, and content between the rows of the package |
//! | `source_tools` | classes that are being written: what editors ask |
//! | `set_code` | one function, state or block of values of a package, put back from text |
//!
//! ```
//! use unreal_packages::generate::Profile;
//! use unreal_packages::make::Maker;
//!
//! # fn main() -> unreal_packages::Result<()> {
//! let mut maker = Maker::new("Mine", Profile::UT99);
//! maker.source("Counter.uc", "class Counter extends Object;\nvar int Count;\nfunction Add() { Count = 2; }\n");
//! let made = maker.make()?;
//! assert!(made.package.is_some_and(|package| package.find_export("Counter.Add").is_ok()));
//! # Ok(())
//! # }
//! ```
//!
//! Spec: ue1-3/16.

mod code;
mod compile_order;
mod compilers;
mod declare;
mod defaults;
mod depends;
mod draft;
mod exec;
mod exec_mesh;
mod facts;
mod finish;
mod former;
mod like;
mod maker;
mod named;
pub mod order;
mod own_content;
mod set_code;
mod source_bytes;
mod source_tools;
mod text;

pub use compilers::GameCompiler;
pub use maker::{MadePackage, Maker};
pub use set_code::{SetCode, SetObject};
pub use source_bytes::source_text;
pub use source_tools::SourceTools;
pub use text::{ClassSource, CutBlock, text_crc, with_line_ends};
