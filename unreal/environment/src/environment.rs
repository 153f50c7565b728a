//! How packages find each other: search paths, the cache of downloads, imports and what they mean.
//!
//! | file | holds |
//! |---|---|
//! | `ini` | [`Ini`]: ini files, read and written |
//! | `settings`, `search` | [`Settings`]: where an engine looks, from ini files or folders |
//! | `store`, `digest`, `digest_lookup` | tables of packages, each package opened once |
//! | `resolve`, `outcome`, `near` | [`Environment::resolve`]: from an import to the export that it means |
//! | `soft`, `resolve_soft` | soft references and redirectors |
//! | `unused` | [`Environment::unused`]: packages that nothing leads to |
//! | `users` | [`Environment::users_of`]: who needs an object |
//! | `cache` | [`Cache`]: downloaded packages under their GUIDs |
//! | `import_names` | [`EnvironmentNames`]: what packages of containers import |
//! | `external`, `actor_files` | what belongs to a map or the editor; actors in files of their own |
//! | `roots` | roots of paths that are at hand |
//! | `rule` | [`RULES`]: the codes of findings, and how bad they are |
//! | `doctor`, `finding` | [`Environment::doctor`]: what is wrong in a folder |
//! | `repair` | [`Environment::repairs`]: findings that can be mended without a guess |
//! | `package_map` | [`PackageMap`]: what a server sends for a level |
//! | `comparison` | [`Environment::compare`]: server against client |
//! | `libraries` | native classes and the libraries that hold their code |
//! | `definition` | [`Definition`]: `.upkg` files |
//! | `classes`, `class_info`, `field_info` | [`Classes`]: classes, structs, enums and what they declare |
//! | `declare`, `declare_ue4` | from script objects to declarations: UE1 to UE3, UE4 and UE5 |
//! | `class_layout`, `layout_change` | sizes and offsets in memory, and what changed in them |
//! | `header`, `header_class`, `header_event`, `cpp_names`, `cpp_name` | [`Classes::cpp_header`]: native classes for C++ |
//! | `rust_source`, `rust_name` | [`Classes::rust_source`]: classes for Rust |
//! | `knowledge` | class layouts from the packages around one |
//!
//! Spec: ue1-3/08, 07 §7.4.

mod actor_files;
mod cache;
mod class_info;
mod class_layout;
mod classes;
mod comparison;
mod cpp_name;
mod cpp_names;
mod declare;
mod declare_struct;
mod declarer;
mod defaults;
mod definition;
mod digest;
mod digest_lookup;
mod doctor;
mod encoding;
#[doc(hidden)]
pub mod external;
mod field_info;
mod finding;
mod graph;
mod header;
mod header_class;
mod header_event;
mod import_names;
mod ini;
mod installation;
mod knowledge;
mod layout_change;
mod libraries;
#[doc(hidden)]
pub mod native;
#[doc(hidden)]
pub mod near;
mod outcome;
mod package_map;
mod project;
mod repair;
mod resolve;
mod resolve_soft;
#[doc(hidden)]
pub mod roots;
mod rule;
mod rust_name;
mod rust_source;
mod search;
mod settings;
mod soft;
mod store;
mod unused;
mod users;

pub use cache::{Cache, CacheEntry, CacheFault, CacheState};
pub use class_info::{ClassInfo, EnumInfo, FunctionInfo, StructInfo};
pub use class_layout::{MemoryLayout, PlacedField, Sizes};
pub use classes::Classes;
pub use comparison::{ComparedPackage, Comparison, ComparisonFinding, PackageSide, Verdict};
pub use defaults::EnvironmentDefaults;
pub use definition::Definition;
pub use digest::{Digest, DigestExport, DigestImport, DigestSoft};
pub use doctor::Checkup;
pub use field_info::{FieldInfo, FieldType};
pub use finding::{Finding, Severity};
pub use import_names::EnvironmentNames;
pub use ini::Ini;
pub use installation::{Environment, FileId, PackageFile};
pub use layout_change::{ClassChange, LayoutChange};
pub use libraries::MissingLibrary;
pub use outcome::{Dependency, Outcome, Resolution};
pub use package_map::{Excluded, PackageMap, PackageMapEntry};
pub use repair::{Repair, RepairReason, Repairs};
pub use rule::{DoctorRule, RULES};
pub use search::{SearchPath, find_ignoring_case, is_named_as_package, is_passed_over};
pub use settings::{NamedPackage, Settings};
pub use users::User;
