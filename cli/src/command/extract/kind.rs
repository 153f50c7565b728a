//! Kinds of objects: what `--kind` names, and what has a file.

use clap::ValueEnum;
use unreal_packages::content::ContentKind;
use unreal_packages::error::{ErrorKind, noun};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::EngineFacts;

/// `--kind`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum KindArg {
    /// Pictures
    Texture,
    /// Sounds
    Sound,
    /// Modules
    Music,
    /// Texts and source code
    Text,
    /// Font files
    Font,
    /// Data tables, curve tables, string tables, enums
    Table,
    /// Meshes, and the models of brushes and levels
    Mesh,
    /// Animations of UE3 to UE5, with the bones of their skeleton: --env finds it in other packages
    Animation,
    /// Small pictures of objects
    Thumbnail,
    /// Nodes of graphs, as the editor copies them
    Graph,
}

impl KindArg {
    pub fn is(self, kind: ContentKind) -> bool {
        matches!(
            (self, kind),
            (Self::Texture, ContentKind::Texture)
                | (Self::Sound, ContentKind::Sound)
                | (Self::Music, ContentKind::Music)
                | (Self::Text, ContentKind::Text)
                | (Self::Font, ContentKind::Font)
                | (Self::Table, ContentKind::Table)
                | (Self::Mesh, ContentKind::Mesh)
                | (Self::Animation, ContentKind::Animation)
                | (Self::Thumbnail, ContentKind::Thumbnail)
                | (Self::Graph, ContentKind::Graph)
        )
    }
}

/// What has a file of its own.
pub(super) const CONTENT: &str = "texture, sound, music, text, font, table, mesh or animation";

/// Whether an animation did not come out since its bones are in another package.
pub(super) fn lacks_skeleton(error: &unreal_packages::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound { what: noun::SKELETON, .. })
}

/// Why an object has no file of its own.
pub(super) fn no_content(package: &Package, row: usize) -> unreal_packages::Error {
    let (path, class) = (package.exports().path(row), class_name(package, row));
    if !has_named_class(package, row) {
        let what = noun::CLASS_NAME;
        return ErrorKind::NotFound { what, name: class, hint: String::new() }.into();
    }
    let reason = format!("{path} ({class}): no {CONTENT}; --raw writes its bytes");
    ErrorKind::Invalid { reason }.into()
}

/// The class of an object without its package.
pub(super) fn class_name(package: &Package, row: usize) -> String {
    let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
    class.rsplit('.').next().unwrap_or_default().to_owned()
}

/// Whether the class of an object is known by more than its hash.
pub(super) fn has_named_class(package: &Package, row: usize) -> bool {
    package.exports().get(row).is_some_and(|export| export.has_named_class())
}

/// Whether an object is a mesh: all engines call their classes so.
pub(super) fn is_mesh(package: &Package, row: usize) -> bool {
    class_name(package, row).ends_with("Mesh")
}

/// Whether an object is the model of a brush or level: every map has hundreds, which come out when asked for.
pub(super) fn is_model(package: &Package, row: usize) -> bool {
    class_name(package, row) == "Model"
}

/// Whether an object is a mesh or moves one.
pub(super) fn is_shape(kind: Option<ContentKind>) -> bool {
    matches!(kind, Some(ContentKind::Mesh | ContentKind::Animation))
}

/// Whether an object has nodes whose text the editor copies.
pub(super) fn is_graph(package: &Package, row: usize) -> bool {
    package.versions().has_node_text() && package.values().stored_graph(row).is_ok()
}
