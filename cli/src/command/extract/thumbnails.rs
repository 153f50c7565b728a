//! Small pictures of objects.

use serde_json::json;
use unreal_packages::content::PackageContents;
use unreal_packages::package::Package;

use super::Extract;
use super::refused::NotExtracted;
use crate::failure::Failure;
use crate::output::{Output, grouped};
use crate::places::Places;

impl Extract {
    /// Writes the thumbnails to a folder of their own; how many were written, and how many not.
    pub(super) fn thumbnails(
        &self,
        package: &Package,
        places: &mut Places,
        out: &mut Output,
    ) -> Result<(u64, u64), Failure> {
        let (mut written, mut passed) = (0, 0);
        for (row, thumbnail) in package.tables().thumbnails.iter().enumerate() {
            let path = thumbnail.object_path.text(package.source())?.into_owned();
            let file = match package.contents().thumbnail_file(row) {
                Ok(Some(file)) => file,
                // Many rows have no picture.
                Ok(None) => continue,
                Err(error) => {
                    passed += 1;
                    let thumbnail = NotExtracted::Thumbnail(&path);
                    self.report_refused(&thumbnail, &error.to_string(), out)?;
                    continue;
                }
            };
            let place = places.take(&format!("Thumbnails.{path}"), &file.extension)?;
            if !places.try_write(&place, &file.bytes, out)? {
                continue;
            }
            let shown = places.shown(&place);
            let bytes = file.bytes.len();
            match out.is_json() {
                true => {
                    let line = json!({ "object": path, "kind": "thumbnail", "file": shown,
                                       "bytes": bytes, "note": file.note });
                    out.object(&self.of_package(line))?;
                }
                false => {
                    let bytes = grouped(bytes as u64);
                    let note = file.note.map(|note| format!(" ({note})")).unwrap_or_default();
                    out.line(format!("thumbnail of {path} to {shown}, {bytes} bytes{note}"))?;
                }
            }
            written += 1;
        }
        Ok((written, passed))
    }
}
