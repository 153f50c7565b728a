//! Files around packages of UE4 and UE5, and the other header that packages have in them.
//!
//! | file | holds |
//! |---|---|
//! | `read_at` | `ReadAt`: where containers are read from |
//! | `key` | `AesKey`, `Keys`: what opens encrypted ones |
//! | `crypt` | their ciphers |
//! | `block_method` | `BlockMethod`: their codecs |
//! | `paths`, `options` | paths of their files; `ContainerOptions`, `ContainedFile` |
//! | `game_container` | `GameContainer`: either kind as a folder |
//! | `containers` | `Containers`: those that are open; paths that lead into them |
//! | `overlap` | `Overlaps`: files that share their stored bytes |
//! | `names` | `ContainerNames`: what packages in IoStore containers import |
//! | `patch` | containers that hold what was changed |
//! | `pak` | `pak::Pak`: `.pak` |
//! | `iostore` | `iostore::IoStore`: `.utoc` and `.ucas` |
//! | `zen` | the header of packages in IoStore containers |
//!
//! Spec: ue4-5/10, 11, 12.

#[cfg(feature = "container")]
mod block_method;
#[cfg(feature = "container")]
mod containers;
#[cfg(feature = "container")]
mod crypt;
#[cfg(feature = "container")]
mod game_container;
#[cfg(feature = "container")]
pub mod iostore;
#[cfg(feature = "container")]
mod key;
#[cfg(feature = "container")]
mod names;
#[cfg(feature = "container")]
mod options;
#[cfg(feature = "container")]
mod overlap;
#[cfg(feature = "container")]
pub mod pak;
#[cfg(feature = "container")]
mod patch;
#[cfg(feature = "container")]
mod paths;
#[cfg(feature = "container")]
mod read_at;
pub mod zen;

#[cfg(feature = "container")]
pub use block_method::{BlockMethod, MethodName};
#[cfg(feature = "container")]
pub use containers::{Containers, OpenContainer, is_package, mount_order, package_name};
#[cfg(feature = "container")]
pub use game_container::GameContainer;
#[cfg(feature = "container")]
pub use key::{AesKey, Keys};
#[cfg(feature = "container")]
pub use names::ContainerNames;
#[cfg(feature = "container")]
pub use options::{ContainedFile, ContainerOptions};
#[cfg(feature = "container")]
pub use overlap::Overlaps;
#[cfg(feature = "container")]
pub use patch::{ChangedFiles, empty_pak, package_id};
#[cfg(feature = "container")]
pub use read_at::{DiskFile, ReadAt};
