//! Pictures of textures and thumbnails, side by side.

use std::collections::BTreeMap;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use unreal_packages::content::{ContentFile, ContentKind, PackageContents};
use unreal_packages::package::Package;

use crate::html::escape;
use crate::output::count;

/// Bytes of pictures in one page; a reader's browser has to hold them.
const MOST_BYTES: usize = 64 << 20;

/// Makes the pictures of two packages.
pub(super) struct Pictures<'a> {
    old: &'a Package,
    new: &'a Package,
    left: usize,
    shown: u64,
    /// Pictures that did not fit.
    without: u64,
}

impl<'a> Pictures<'a> {
    pub fn new(old: &'a Package, new: &'a Package) -> Self {
        Self { old, new, left: MOST_BYTES, shown: 0, without: 0 }
    }

    /// How many pictures the page has.
    pub fn shown(&self) -> u64 {
        self.shown
    }

    /// The pictures of an object before and after, where it has one that differs.
    pub fn of_rows(&mut self, old: Option<usize>, new: Option<usize>, text: &mut String) {
        let before = old.and_then(|row| picture_of(self.old, row));
        let after = new.and_then(|row| picture_of(self.new, row));
        if before != after {
            self.pair(before.as_ref(), after.as_ref(), text);
        }
    }

    /// The thumbnails that differ, by the objects that they show.
    pub fn thumbnails(&mut self, text: &mut String) {
        let (old, new) = (thumbnails_of(self.old), thumbnails_of(self.new));
        let mut paths: Vec<_> = old.keys().chain(new.keys()).collect();
        paths.sort();
        paths.dedup();
        for path in paths {
            let picture = |package: &Package, row: Option<&usize>| {
                let file = package.contents().thumbnail_file(*row?).ok().flatten();
                file.filter(|file| is_shown(&file.extension))
            };
            let before = picture(self.old, old.get(path));
            let after = picture(self.new, new.get(path));
            if before == after {
                continue;
            }
            // Writing to a text can't fail.
            let _ = write!(
                text,
                "<section class=changed><h2><i>~</i> thumbnail of {}</h2>",
                escape(path)
            );
            self.pair(before.as_ref(), after.as_ref(), text);
            text.push_str("</section>\n");
        }
        if self.without > 0 {
            let pictures = count(self.without, "picture is", "pictures are");
            let _ = writeln!(text, "<p>{pictures} left out: the page has 64 MiB of them</p>");
        }
    }

    fn pair(
        &mut self,
        before: Option<&ContentFile>,
        after: Option<&ContentFile>,
        text: &mut String,
    ) {
        text.push_str("<div class=pictures>");
        for (title, file) in [("before", before), ("after", after)] {
            let _ = write!(text, "<figure><figcaption>{title}");
            match file {
                Some(file) if file.bytes.len() <= self.left => {
                    self.left -= file.bytes.len();
                    self.shown += 1;
                    let kind = if file.extension == "jpg" { "jpeg" } else { "png" };
                    text.push_str("</figcaption><img alt=\"");
                    let _ = write!(text, "{title}\" src=\"data:image/{kind};base64,");
                    STANDARD.encode_string(&file.bytes, text);
                    text.push_str("\"></figure>");
                }
                Some(_) => {
                    self.without += 1;
                    text.push_str(": left out</figcaption></figure>");
                }
                None => text.push_str(": none</figcaption></figure>"),
            }
        }
        text.push_str("</div>");
    }
}

/// The picture of a texture, in a form that browsers show.
fn picture_of(package: &Package, row: usize) -> Option<ContentFile> {
    let contents = package.contents();
    // Most objects are none: nothing is decoded for them.
    if contents.content_kind(row).ok()? != Some(ContentKind::Texture) {
        return None;
    }
    contents.content_file(row).ok().filter(|file| is_shown(&file.extension))
}

fn is_shown(extension: &str) -> bool {
    matches!(extension, "png" | "jpg")
}

/// The rows of the thumbnails, by the path of their object.
fn thumbnails_of(package: &Package) -> BTreeMap<String, usize> {
    let rows = package.tables().thumbnails.iter().enumerate();
    let path = |(row, thumbnail): (usize, &unreal_packages::table::Thumbnail)| {
        Some((thumbnail.object_path.text(package.source()).ok()?.into_owned(), row))
    };
    rows.filter_map(path).collect()
}
