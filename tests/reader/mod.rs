//! `tests/reader.py`, and what the library says in its words.

use std::io::Write;
use std::process::Command;

use serde_json::{Value as Json, json};
use unreal_packages::Package;
use unreal_packages::object::ue1::{Music, Palette, Sound, Texture};
use unreal_packages::object::ue3::asset::{sound::SoundNodeWave, texture as ue3};
use unreal_packages::object::{Body, text::TextBuffer};
use unreal_packages::package::native_as;
use unreal_packages::primitive::{BulkData, LazyPayload};
use unreal_packages::version::UnrealVersions;

use crate::common::words::value;

/// What the independent reader says about a package.
pub fn run(bytes: &[u8]) -> Json {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/reader.py");
    let output = Command::new("python3").arg(script).arg(file.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Insists that both say the same; returns how many objects the reader did not read.
pub fn compare(package: &Package, seen: &Json, name: &str) -> usize {
    let mut package = package.clone();
    package.decode_all();
    let package = &package;
    assert_eq!(seen["error"], Json::Null, "{name}");
    assert_eq!(seen["version"], package.versions().file(), "{name}");
    assert_eq!(seen["licensee"], package.versions().licensee(), "{name}");
    assert_eq!(seen["guid"], package.guid().to_string(), "{name}");
    assert_eq!(seen["flags"], package.summary().package_flags.0, "{name}");
    let generations: Vec<Json> = package
        .summary()
        .generations
        .iter()
        .map(|one| match package.versions().file() {
            322.. => json!([one.export_count, one.name_count, one.net_object_count]),
            _ => json!([one.export_count, one.name_count]),
        })
        .collect();
    assert_eq!(seen["generations"], json!(generations), "{name}");
    let names: Vec<_> = package.names().iter().map(|name| name.into_owned()).collect();
    assert_eq!(seen["names"], json!(names), "{name}");
    let imports: Vec<_> = package
        .imports()
        .iter()
        .map(|import| json!({ "path": import.path(), "class": import.class() }))
        .collect();
    assert_eq!(seen["imports"], json!(imports), "{name}");
    let rows = seen["exports"].as_array().unwrap();
    assert_eq!(rows.len(), package.exports().len(), "{name}");
    let mut unread = 0;
    for (export, row) in package.exports().iter().zip(rows) {
        let what = format!("{name} {}", export.path());
        assert_eq!(row["path"], export.path(), "{what}");
        assert_eq!(row["class"], export.class(), "{what}");
        assert_eq!(row["flags"], export.flags().0, "{what}");
        assert_eq!(row["size"], export.entry().serial_size.value(), "{what}");
        if export.entry().serial_size.value() > 0 {
            assert_eq!(row["offset"], export.entry().serial_offset.value(), "{what}");
        }
        let decoded = package.decode(export.row()).unwrap();
        match (&row["body"], decoded.error.is_some()) {
            (body, false) if body.is_object() => compare_body(package, &decoded.body, body, &what),
            _ if row["error"].is_string() => unread += 1,
            _ => {}
        }
    }
    unread
}

fn compare_body(package: &Package, body: &Body, seen: &Json, what: &str) {
    if let Some(index) = body.net_index {
        assert_eq!(seen["net_index"], index, "{what}");
    }
    let list = body.properties.as_ref().unwrap();
    let theirs = seen["properties"].as_array().unwrap();
    assert_eq!(theirs.len(), list.properties.len(), "{what}");
    for (property, theirs) in list.properties.iter().zip(theirs) {
        let name = property.name_text(|name| package.name_text(name));
        assert_eq!(theirs["name"], *name, "{what}");
        assert_eq!(theirs["index"], property.array_index(), "{what}.{name}");
        let ours = value(package, property.value());
        if !theirs["value"].is_object() && !ours.is_null() {
            assert_eq!(theirs["value"], ours, "{what}.{name}");
        }
    }
    let native = native(package, body);
    if !native.is_null() && !seen["native"].is_null() {
        assert_eq!(seen["native"], native, "{what}");
    }
}

fn digest(package: &Package, span: &unreal_packages::Span) -> Json {
    let bytes = span.bytes(package.source()).unwrap();
    let (mut low, mut high) = (1u32, 0u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65521;
        high = (high + low) % 65521;
    }
    json!({ "bytes": bytes.len(), "adler32": high << 16 | low })
}

fn lazy(package: &Package, data: &LazyPayload<1>) -> Json {
    digest(package, &data.data.0)
}

fn bulk(package: &Package, data: &BulkData) -> Json {
    if data.flags & 0x61 != 0 {
        return json!({ "flags": data.flags, "elements": data.element_count });
    }
    let mut json = digest(package, &data.payload);
    json["flags"] = json!(data.flags);
    json["elements"] = json!(data.element_count);
    json
}

/// The native fields in the reader's words; null for classes that it does not know.
fn native(package: &Package, body: &Body) -> Json {
    if let Some(text) = native_as::<TextBuffer>(body) {
        let words = text.text.text(package.source()).unwrap();
        return json!({ "pos": text.pos, "top": text.top, "text": words });
    }
    if let Some(palette) = native_as::<Palette>(body) {
        let hex = |bytes: [u8; 4]| bytes.map(|byte| format!("{byte:02x}")).concat();
        let colors: Vec<_> = palette.colors.iter().map(|color| hex(color.bytes)).collect();
        return json!({ "colors": colors });
    }
    if let Some(sound) = native_as::<Sound>(body) {
        let mut json = json!({ "format": package.name_text(sound.format),
                               "data": lazy(package, &sound.data) });
        if package.versions().game() == unreal_packages::Game::Ut2004 {
            json["likelihood"] = json!(sound.likelihood.to_bits());
        }
        return json;
    }
    if let Some(music) = native_as::<Music>(body) {
        let format = package.name_text(music.format);
        return json!({ "format": format, "data": lazy(package, &music.data) });
    }
    if let Some(texture) = native_as::<Texture>(body) {
        let mips = |mips: &[unreal_packages::object::ue1::Mip]| -> Json {
            let mip = |mip: &unreal_packages::object::ue1::Mip| {
                json!({ "data": lazy(package, &mip.data), "width": mip.width,
                        "height": mip.height, "width_bits": mip.width_bits,
                        "height_bits": mip.height_bits })
            };
            mips.iter().map(mip).collect()
        };
        let mut json = json!({ "mips": mips(&texture.mips) });
        if let Some(compressed) = &texture.compressed {
            json["compressed"] = mips(compressed);
        }
        return json;
    }
    if let Some(texture) = native_as::<ue3::Texture2D>(body) {
        return texture_2d(package, texture);
    }
    if let Some(wave) = native_as::<SoundNodeWave>(body) {
        let file = package.versions().file();
        let all = [
            (&wave.raw_data, 0),
            (&wave.pc_data, 0),
            (&wave.xbox_360_data, 0),
            (&wave.ps3_data, 0),
            (&wave.wii_u_data, 845),
            (&wave.iphone_data, 851),
            (&wave.flash_data, 854),
        ];
        let bulks: Vec<_> = all
            .iter()
            .filter(|(_, since)| file >= *since)
            .map(|(data, _)| bulk(package, data))
            .collect();
        return json!({ "bulks": bulks });
    }
    Json::Null
}

fn texture_2d(package: &Package, texture: &ue3::Texture2D) -> Json {
    let mips = |mips: &[ue3::Mip]| -> Json {
        let mip = |mip: &ue3::Mip| json!({ "data": bulk(package, &mip.data), "width": mip.size_x, "height": mip.size_y });
        mips.iter().map(mip).collect()
    };
    let mut json = json!({ "source_art": bulk(package, &texture.base.source_art),
                           "mips": mips(&texture.mips) });
    let file = package.versions().file();
    if file >= 567 {
        json["cache"] = json!(texture.texture_file_cache.to_string());
    }
    if file >= 674 {
        json["pvrtc"] = mips(&texture.pvrtc_mips);
    }
    if file >= 857 {
        json["flash"] = json!([
            texture.flash_max_resolution,
            mips(&texture.atitc_mips),
            bulk(package, &texture.flash_data)
        ]);
    }
    if file >= 864 {
        json["etc"] = mips(&texture.etc_mips);
    }
    json
}
