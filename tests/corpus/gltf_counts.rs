//! Numbers of a binary glTF file, by its JSON alone: nothing of the library that has written it reads them.

use std::collections::BTreeSet;

use serde_json::Value;

/// A mesh of a file: one level of detail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileLevel {
    pub triangles: usize,
    pub vertices: usize,
    /// Morph targets.
    pub shapes: usize,
}

/// Meshes, joints and animations of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileCounts {
    pub levels: Vec<FileLevel>,
    pub joints: usize,
    /// Keys of the longest channel of each animation.
    pub frames: Vec<usize>,
    /// Materials with a picture of their colours, of those that any part has.
    pub textured: usize,
}

/// The JSON of a binary file.
pub fn json(file: &[u8]) -> Value {
    assert_eq!(&file[..4], b"glTF");
    assert_eq!(&file[16..20], b"JSON");
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&file[20..20 + length]).unwrap()
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

impl FileCounts {
    pub fn of(file: &[u8]) -> Self {
        let root = json(file);
        let count = |accessor: &Value| {
            let accessor = accessor.as_u64().unwrap() as usize;
            root["accessors"][accessor]["count"].as_u64().unwrap() as usize
        };
        let level = |mesh: &Value| {
            let parts = list(mesh, "primitives");
            let corners: usize = parts.iter().map(|part| count(&part["indices"])).sum();
            assert_eq!(corners % 3, 0);
            // Parts with different materials share their vertices.
            let positions: BTreeSet<u64> =
                parts.iter().map(|part| part["attributes"]["POSITION"].as_u64().unwrap()).collect();
            FileLevel {
                triangles: corners / 3,
                vertices: positions.iter().map(|accessor| count(&(*accessor).into())).sum(),
                shapes: parts.first().map_or(0, |part| list(part, "targets").len()),
            }
        };
        let longest = |animation: &Value| {
            let inputs = list(animation, "samplers").iter().map(|sampler| count(&sampler["input"]));
            inputs.max().unwrap_or(0)
        };
        let parts = list(&root, "meshes").iter().flat_map(|mesh| list(mesh, "primitives"));
        let used: BTreeSet<_> = parts.filter_map(|part| part["material"].as_u64()).collect();
        let is_textured = |material: &&u64| {
            let material = &root["materials"][**material as usize];
            !material["pbrMetallicRoughness"]["baseColorTexture"].is_null()
        };
        Self {
            levels: list(&root, "meshes").iter().map(level).collect(),
            joints: list(&root, "skins").first().map_or(0, |skin| list(skin, "joints").len()),
            frames: list(&root, "animations").iter().map(longest).collect(),
            textured: used.iter().filter(is_textured).count(),
        }
    }
}
