//! Shader maps of UE5: bytes made here number by number.

use unreal_packages::object::ue4::asset::shader_map::ShaderMaps;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Archived, ErrorKind, Loader, Saver, Versions};

use super::{context, laws_at};

fn i32s(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn release(major: u8, minor: u8) -> Versions {
    let versions = EngineRelease::new(major, minor).versions();
    versions.with_cooked(true).with_filter_editor_only(true)
}

/// A resource whose code lies in a library, or here.
fn resource(is_new: bool, code: Option<&[u8]>) -> Vec<u8> {
    let quality: &[u8] = if is_new { &[4] } else { &[4, 0, 0, 0] };
    let platform: &[u8] = if is_new { &[0; 8] } else { &[9] };
    let code = code.map_or(Vec::new(), |code| {
        [&i32s(&[1])[..], &[8; 20], &i32s(&[1, code.len() as i32]), code, &i32s(&[90]), &[3]]
            .concat()
    });
    [
        i32s(&[1, 1]),
        quality.to_vec(),
        i32s(&[3]),
        vec![7; 20],
        i32s(&[8, 5, 8, 5]),
        [&i32s(&[6])[..], b"memory"].concat(),
        // A type in memory; a type of shaders; where a name stands.
        [&i32s(&[1, 0, 0, 96])[..], &[6; 20]].concat(),
        [&i32s(&[1, 0])[..], &[5; 8]].concat(),
        i32s(&[0, 1, 0, 0, 0, 1, 4]),
        i32s(&[i32::from(code.is_empty())]),
        platform.to_vec(),
        vec![2; 20],
        code,
    ]
    .concat()
}

/// A name, a location for each of the resources, and the resources.
fn maps(resources: &[Vec<u8>], shift: i32) -> Vec<u8> {
    let mut start = shift;
    let mut locations = i32s(&[resources.len() as i32]);
    for resource in resources {
        locations.extend([&i32s(&[start])[..], &[3, 4]].concat());
        start += resource.len() as i32;
    }
    let name = [&i32s(&[1, 2])[..], b"A\0", &[1, 0, 2, 0]].concat();
    let data = resources.concat();
    let head = i32s(&[resources.len() as i32]);
    [&head[..], &name, &locations, &i32s(&[data.len() as i32]), &data].concat()
}

fn loaded(bytes: &[u8], versions: &Versions) -> (ShaderMaps, [u64; 2]) {
    let mut value = ShaderMaps::default();
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context(bytes));
    value.serialize(&mut loader).unwrap();
    assert_eq!(loader.remaining(), 0);
    let counted = [loader.opaque(), loader.payload()];
    assert_eq!(super::saved_from(&mut value, versions, bytes, 0), bytes);
    (value, counted)
}

#[test]
fn resources_are_typed_but_for_their_memory() {
    let all = [(release(5, 1), Some(&b"code"[..])), (release(5, 1), None), (release(5, 6), None)];
    for (versions, code) in all {
        let is_new = versions.is_release(EngineRelease::new(5, 2));
        let one = resource(is_new, code);
        let bytes = maps(&[one.clone(), one], 0);
        let (value, counted) = loaded(&bytes, &versions);
        assert_eq!(counted, [12, code.map_or(0, |code| 2 * code.len() as u64)]);
        let map = &value.resources.as_ref().unwrap()[1].map;
        assert_eq!((map.quality_level, map.feature_level), (4, 3));
        assert_eq!(map.content.type_dependencies[0].layout_size, 96);
        assert_eq!(map.content.script_names[0].patches, [4]);
        assert_eq!(map.code.entries.len(), usize::from(code.is_some()));
    }
}

#[test]
fn resources_that_are_something_else_stay_bytes() {
    let one = resource(true, None);
    let longer = [&one[..], &[0]].concat();
    let later = maps(std::slice::from_ref(&one), 4);
    let with_code = resource(true, Some(b"code"));
    let cases = [
        (maps(&[longer], 0), release(5, 6)),
        (later, release(5, 6)),
        (maps(&[with_code], 0), release(5, 6)),
        (maps(std::slice::from_ref(&one), 0), release(5, 1)),
        (maps(std::slice::from_ref(&one), 0), release(5, 8)),
        (maps(&[one], 0), release(4, 23)),
    ];
    for (bytes, versions) in cases {
        let (value, [opaque, _]) = loaded(&bytes, &versions);
        assert!(value.resources.is_none(), "{versions}");
        assert_eq!(opaque, value.data.len());
    }
}

#[test]
fn a_resource_stays_where_its_location_says() {
    let versions = release(5, 6);
    let one = resource(true, None);
    let bytes = maps(&[one.clone(), one], 0);
    let (mut value, _) = loaded(&bytes, &versions);
    value.resources.as_mut().unwrap()[0].map.content.shader_types[0] = 1;
    super::saved_from(&mut value, &versions, &bytes, 0);
    value.resources.as_mut().unwrap()[0].map.content.script_names[0].patches.push(8);
    let mut saver = Saver::new(versions.clone()).with_context(context(&bytes));
    let error = value.serialize(&mut saver).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
}

#[test]
fn shader_maps_hold_the_laws() {
    for versions in [release(5, 1), release(5, 6), release(4, 23)] {
        let value = ShaderMaps { count: 1, ..ShaderMaps::default() };
        laws_at(&value, &ShaderMaps::default(), &versions);
        let resources = Some(vec![Default::default()]);
        let value = ShaderMaps { count: 1, resources, ..ShaderMaps::default() };
        if versions.ue5() > 0 {
            laws_at(&value, &ShaderMaps::default(), &versions);
        }
    }
}
