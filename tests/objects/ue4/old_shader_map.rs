//! Shader maps of UE4.10, 4.13 and 4.14: bytes made here number by number.

use unreal_packages::object::ue4::asset::old_shader::OldShader;
use unreal_packages::object::ue4::asset::old_shader_map::OldShaderMap;
use unreal_packages::object::ue4::asset::shader_map::ShaderMaps;
use unreal_packages::object::ue4::asset::shader_registers::Registers;
use unreal_packages::primitive::{NameReferences, NameRemap, Payload};
use unreal_packages::version::{EngineRelease, UE4, UnrealVersions};
use unreal_packages::{Archived, ErrorKind, FString, Loader, References, Remap, Versions};

use super::{context, laws_at, span};

/// Rows of [`super::context`].
const FIRST: i32 = 3;
const FOLDED: i32 = 5;
const CONSTANT: i32 = 6;
const VECTOR: i32 = 7;
const SWIZZLE: i32 = 8;
const SCALAR: i32 = 9;
const SEEN: i32 = 10;
const FACTORY: i32 = 11;
const UNSEEN: i32 = 12;
const KNOWN: [u32; 3] = [482, 505, 508];

fn version(ue4: u32) -> Versions {
    let versions = EngineRelease::new(4, 14).versions();
    versions.with(UE4, ue4).with_release(None).with_cooked(true).with_filter_editor_only(true)
}

/// A resource as it stands in a file.
struct Bytes {
    bytes: Vec<u8>,
    ue4: u32,
    /// Where the first byte stands.
    base: usize,
    /// What is added to rows of names.
    shift: i32,
    /// Type of the shader that draws meshes.
    mesh_type: i32,
}

impl Bytes {
    fn of(ue4: u32) -> Self {
        Self { bytes: Vec::new(), ue4, base: 0, shift: 0, mesh_type: SEEN }
    }

    fn i32s(&mut self, numbers: &[i32]) -> &mut Self {
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        self
    }

    fn name(&mut self, row: i32) -> &mut Self {
        let row = row + self.shift;
        self.i32s(&[row, 0])
    }

    fn some(&mut self, count: usize, byte: u8) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, byte);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.i32s(&[text.len() as i32 + 1]);
        self.bytes.extend(text.as_bytes());
        self.some(1, 0)
    }

    /// A number that becomes the position behind what `inner` writes.
    fn before_end(&mut self, inner: impl FnOnce(&mut Self)) {
        let at = self.bytes.len();
        self.i32s(&[0]);
        inner(self);
        let end = (self.base + self.bytes.len()) as u32;
        self.bytes[at..at + 4].copy_from_slice(&end.to_le_bytes());
    }

    /// Only from 4.13 on.
    fn newer(&mut self) -> bool {
        self.ue4 >= 505
    }

    fn no_pipelines(&mut self) {
        if self.newer() {
            self.i32s(&[0]);
        }
    }

    fn shader(&mut self, kind: i32, factory: Option<i32>) {
        self.name(kind);
        self.before_end(|out| {
            out.some(2, 7).i32s(&[1, 1]).some(2, 8).i32s(&[0]);
            let newer = out.newer();
            out.some(if newer { 142 } else { 138 }, 1).i32s(&[1, 1, 0, 0, 0, 0]);
            if newer {
                out.name(FIRST).i32s(&[32, 16, 2]).some(2, 8);
            }
            out.text("M").some(if newer { 20 } else { 98 }, 2);
            if let Some(factory) = factory {
                out.name(factory).some(1, 0).some(20, 3);
                out.before_end(|out| {
                    out.some(6, 4);
                });
            }
            out.some(10, 5).some(20, 21).some(20, 22);
            if newer {
                out.name(0);
            }
            out.name(factory.unwrap_or(0)).some(20, if factory.is_some() { 3 } else { 0 });
            out.name(kind).some(20, 23).i32s(&[3, 0, 1]).text("FView").some(2, 0).i32s(&[1]);
            out.name(0).i32s(&[3, 0, 4]).some(4, 90).some(20, 21).i32s(&[9, 1]);
            if out.ue4 >= 508 {
                out.i32s(&[4]);
            }
        });
    }

    fn expressions(&mut self) {
        self.i32s(&[1]).name(FOLDED).name(CONSTANT).i32s(&[0; 4]).some(1, 15);
        self.name(SWIZZLE).name(VECTOR).name(FIRST).i32s(&[0; 4]);
        self.bytes.extend([0, 1, 2, 255, 3, 2]);
        if self.ue4 >= 508 {
            self.i32s(&[15]);
        }
        self.i32s(&[1]).name(SCALAR).name(FIRST).i32s(&[0]).i32s(&[0; 7]);
        self.i32s(&[1, 0, 0, 0, 0, 0]);
        match self.ue4 {
            482 => {}
            505 => _ = self.i32s(&[0, 1]),
            _ => _ = self.i32s(&[0, 1, 1]),
        }
    }

    /// One resource with a map of two shaders.
    fn maps(mut self) -> Vec<u8> {
        let kind = self.mesh_type;
        self.i32s(&[1, 1, 1, 0]).some(16, 1).i32s(&[2, 3]);
        self.i32s(&[1]).name(FIRST).i32s(&[1, 0]).some(16, 2).i32s(&[0, 0, 1]).some(16, 3);
        self.i32s(&[0, 1]).name(kind).some(20, 23);
        self.no_pipelines();
        self.i32s(&[1]).name(FACTORY).some(20, 3).some(40, 6).i32s(&[5]).text("M");
        self.expressions();
        self.text("Compiling").i32s(&[1]);
        self.shader(SEEN, None);
        self.no_pipelines();
        self.i32s(&[1]).name(FACTORY).i32s(&[1]);
        self.shader(kind, Some(FACTORY));
        self.no_pipelines();
        self.bytes
    }
}

fn loaded(bytes: &[u8], versions: &Versions) -> unreal_packages::Result<(ShaderMaps, [u64; 3])> {
    let mut value = ShaderMaps::default();
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context(bytes));
    value.serialize(&mut loader)?;
    Ok((value, [loader.remaining(), loader.opaque(), loader.payload()]))
}

fn map(maps: &mut ShaderMaps) -> &mut OldShaderMap {
    maps.old[0].map.as_mut().unwrap()
}

/// The shader that draws no mesh, and the one that does.
fn shaders(maps: &mut ShaderMaps) -> [&mut OldShader; 2] {
    let map = map(maps);
    [&mut map.shaders[0], &mut map.meshes[0].shaders[0]]
}

#[test]
fn old_shader_maps_are_typed_whole() {
    for ue4 in KNOWN {
        let versions = version(ue4);
        let bytes = Bytes::of(ue4).maps();
        let (mut maps, counted) = loaded(&bytes, &versions).unwrap();
        assert_eq!(counted, [0, 0, 8], "{ue4}: no opaque byte, code twice");
        assert_eq!(super::saved_from(&mut maps, &versions, &bytes, 0), bytes, "{ue4}");
        assert_eq!(map(&mut maps).output.vectors.len(), 1);
        assert!(map(&mut maps).output.requires_scene_color);
        let [material, mesh] = shaders(&mut maps);
        assert_eq!(material.parameters, Registers::Numbers(vec![0x0505; 5]));
        assert_eq!(mesh.factory.parameters, Registers::Numbers(vec![0x0404; 3]));
        assert_eq!((mesh.factory.factory.index.value(), mesh.factory.source_hash), (11, [3; 20]));
        // The laws save without a source: texts and code are owned.
        map(&mut maps).friendly_name = FString::from("M");
        map(&mut maps).debug_description = FString::from("Compiling");
        for shader in shaders(&mut maps) {
            shader.material.debug_description = FString::from("M");
            shader.compiled.buffers[0].structure = FString::from("FView");
            shader.compiled.code = Payload(span(b"code"));
        }
        laws_at(&maps, &ShaderMaps::default(), &versions);
    }
}

#[test]
fn ends_of_shaders_move_and_names_get_other_rows() {
    for ue4 in KNOWN {
        let versions = version(ue4);
        let bytes = Bytes::of(ue4).maps();
        let (mut maps, _) = loaded(&bytes, &versions).unwrap();
        let moved = Bytes { base: 1000, ..Bytes::of(ue4) }.maps();
        assert_ne!(moved, bytes);
        assert_eq!(super::saved_from(&mut maps, &versions, &bytes, 1000), moved, "{ue4}");

        let mut references = References::new(versions.clone());
        maps.serialize(&mut references).unwrap();
        let rows: Vec<i32> = references.names().keys().copied().collect();
        assert_eq!(rows, [0, FIRST, FOLDED, CONSTANT, VECTOR, SWIZZLE, SCALAR, SEEN, FACTORY]);
        let (up, same) = (|row: i32| Some(row + 1), |index: i32| Some(index));
        maps.serialize(&mut Remap::names_and_objects(versions.clone(), &up, &same)).unwrap();
        let renumbered = Bytes { shift: 1, ..Bytes::of(ue4) }.maps();
        assert_eq!(super::saved_from(&mut maps, &versions, &bytes, 0), renumbered, "{ue4}");
    }
}

#[test]
fn registers_of_types_that_were_not_seen_stay_bytes() {
    for ue4 in KNOWN {
        let versions = version(ue4);
        let bytes = Bytes { mesh_type: UNSEEN, ..Bytes::of(ue4) }.maps();
        let (mut maps, counted) = loaded(&bytes, &versions).unwrap();
        assert_eq!(counted, [0, 10, 8], "{ue4}");
        assert_eq!(super::saved_from(&mut maps, &versions, &bytes, 0), bytes, "{ue4}");
        let [material, mesh] = shaders(&mut maps);
        assert!(matches!(material.parameters, Registers::Numbers(_)));
        assert!(matches!(mesh.parameters, Registers::Opaque(_)));
    }
}

#[test]
fn what_is_not_known_is_refused() {
    let refused = |bytes: &[u8], ue4: u32| {
        let error = loaded(bytes, &version(ue4)).expect_err("refused");
        assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{ue4}: {error}");
    };
    for ue4 in [451, 498, 504, 510, 513] {
        refused(&Bytes::of(508).maps(), ue4);
    }
    for ue4 in KNOWN {
        let bytes = Bytes::of(ue4).maps();
        let place = |wanted: &[u8]| {
            bytes.windows(wanted.len()).rposition(|window| window == wanted).unwrap()
        };
        // A class of expressions that is not known; the end of the last shader; another type in it.
        let class = place(&[&SCALAR.to_le_bytes()[..], &[0; 4]].concat());
        let end = place(&(bytes.len() as u32 - if ue4 >= 505 { 4 } else { 0 }).to_le_bytes());
        let kind = place(&[&SEEN.to_le_bytes()[..], &[0; 4], &[23; 20]].concat());
        for at in [class, end, kind] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            refused(&changed, ue4);
        }
        if ue4 >= 505 {
            let mut with_pipelines = bytes.clone();
            let last = with_pipelines.len() - 4;
            with_pipelines[last] = 1;
            refused(&with_pipelines, ue4);
        }
    }
}

#[test]
fn hostile_counts_of_old_shader_maps_claim_no_memory() {
    for ue4 in KNOWN {
        let bytes = Bytes::of(ue4).maps();
        for at in (0..bytes.len() - 4).step_by(2) {
            for count in [i32::MAX, i32::MIN, 0x00ff_ffff] {
                let mut changed = bytes.clone();
                changed[at..at + 4].copy_from_slice(&count.to_le_bytes());
                if let Ok((mut maps, [left, ..])) = loaded(&changed, &version(ue4)) {
                    let again = super::saved_from(&mut maps, &version(ue4), &changed, 0);
                    let used = changed.len() - left as usize;
                    assert!(again == changed[..used], "{ue4} at {at}");
                }
            }
        }
        let mut many = bytes.clone();
        many[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = loaded(&many, &version(ue4)).expect_err("too many");
        assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
    }
}

#[test]
fn expressions_nest_only_so_deep() {
    let bytes = Bytes::of(482).maps();
    let first = [&FOLDED.to_le_bytes()[..], &[0; 4]].concat();
    let at = bytes.windows(8).position(|window| window == first).unwrap();
    let mut deep = bytes[..at].to_vec();
    for _ in 0..100 {
        deep.extend([&SWIZZLE.to_le_bytes()[..], &[0; 4]].concat());
    }
    deep.extend(&bytes[at..]);
    let error = loaded(&deep, &version(482)).expect_err("too deep");
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
}
