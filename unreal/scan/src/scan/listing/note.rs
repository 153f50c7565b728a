//! What a listing has to say, and what it opens containers with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::container::GameContainer;
use crate::error::{Error, Result};
use crate::file::LeftOut;

/// What opens a container.
pub(super) type ContainerOpener = Arc<dyn Fn(&Path) -> Result<Arc<GameContainer>> + Send + Sync>;

/// What a [`FileListing`](super::FileListing) has to say beside its files.
#[derive(Debug)]
pub enum ListingNote {
    /// A folder that can't be listed, with the reason. It stands among the files as well.
    Unlisted(PathBuf, String),
    /// A container that can't be opened, likewise.
    Unopened(PathBuf, Error),
    /// What was passed over in a folder: a link that leads out of it, a pipe, a device.
    LeftOut(LeftOut),
}
