//! Control rigs: bytes made here number by number.

use unreal_packages::object::ue4::rig::hierarchy::RigHierarchy;
use unreal_packages::object::ue4::rig::machine::RigVm;
use unreal_packages::version::{EngineRelease, custom};
use unreal_packages::{Archived, Guid, Loader, Versions};

use super::{named, saved_from};

/// Row 0 is "None".
const NAMES: &[&str] =
    &["None", "ERigElementType::Bone", "Curve", "Root", "Smile", "Imported", "Unheard"];
const BONE: i32 = 1;
const CURVE: i32 = 2;
const ROOT: i32 = 3;
const SMILE: i32 = 4;
const IMPORTED: i32 = 5;
const UNHEARD: i32 = 6;

fn i32s(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn versions(minor: u8, changed: &[(Guid, i32)]) -> Versions {
    let mut versions = EngineRelease::new(5, minor).versions();
    let mut list = versions.custom_versions.as_deref().unwrap_or_default().to_vec();
    list.retain(|(known, _)| changed.iter().all(|(guid, _)| guid != known));
    list.extend_from_slice(changed);
    versions.set_custom_versions(list);
    versions
}

fn loaded<T: Archived + Default>(bytes: &[u8], versions: &Versions) -> (T, [u64; 2]) {
    let mut value = T::default();
    let context = named(bytes, NAMES);
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context);
    value.serialize(&mut loader).unwrap_or_else(|error| panic!("{versions}: {error}"));
    assert_eq!(loader.remaining(), 0, "{versions}");
    (value, [loader.opaque(), loader.payload()])
}

fn key(kind: i32, name: i32) -> Vec<u8> {
    i32s(&[kind, 0, name, 0])
}

/// A bone and a curve, as control rigs of this version store them.
fn hierarchy(version: i32, kind: i32) -> Vec<u8> {
    let metadata = if (20..28).contains(&version) { i32s(&[0]) } else { Vec::new() };
    let transform = [&[7; 80][..], &i32s(&[0])].concat();
    let bone = [key(kind, ROOT), metadata.clone(), transform.repeat(4), i32s(&[IMPORTED, 0])];
    let is_set = if version >= 16 { i32s(&[1]) } else { Vec::new() };
    let curve = [key(CURVE, SMILE), metadata, is_set, 0.5_f32.to_le_bytes().to_vec()];
    let (first, second) = (key(kind, ROOT), key(CURVE, SMILE));
    let elements = match version {
        32.. => [first, second, bone.concat(), curve.concat()],
        _ => [first, bone.concat(), second, curve.concat()],
    };
    let previous = if version >= 25 { i32s(&[0, 0]) } else { Vec::new() };
    let kept = if version >= 28 { i32s(&[0]) } else { Vec::new() };
    [i32s(&[2]), elements.concat(), key(0, 0), previous, kept].concat()
}

#[test]
fn hierarchies_of_every_version_are_typed() {
    for version in [13, 16, 20, 25, 28, 32] {
        let versions = versions(3, &[(custom::CONTROL_RIG, version)]);
        let bytes = hierarchy(version, BONE);
        let (mut value, counted) = loaded::<RigHierarchy>(&bytes, &versions);
        assert_eq!(counted, [0, 0]);
        assert_eq!((value.elements.len(), value.parents.len()), (2, 2));
        assert!(value.elements[0].bone_type.is_some() && value.parents[0].one.is_some());
        let curve = value.elements[1].curve.as_ref().unwrap();
        assert_eq!((curve.value, curve.is_value_set), (0.5, version >= 16));
        assert_eq!(saved_from(&mut value, &versions, &bytes, 0), bytes);
    }
}

#[test]
fn an_element_of_unknown_kind_is_refused() {
    let versions = versions(3, &[(custom::CONTROL_RIG, 27)]);
    let bytes = hierarchy(27, UNHEARD);
    let mut loader = Loader::new(&bytes, versions).with_context(named(&bytes, NAMES));
    let error = RigHierarchy::default().serialize(&mut loader).unwrap_err();
    assert!(error.to_string().contains("unknown kind"), "{error}");
}

#[test]
fn a_compressed_hierarchy_is_payload() {
    for (stored, counted) in [(1, [0, 5]), (0, [5, 0])] {
        let versions = versions(6, &[(custom::CONTROL_RIG, 38)]);
        let settings = i32s(&[38, 1, 1, 1, 1, 0, 1, 0, 0]);
        let bytes = [settings, i32s(&[1, BONE, 0, 90, stored, 5]), b"bytes".to_vec()].concat();
        let (mut value, found) = loaded::<RigHierarchy>(&bytes, &versions);
        assert_eq!(found, counted);
        assert_eq!(value.compressed.as_ref().map(|rig| rig.size), Some(90));
        assert_eq!(saved_from(&mut value, &versions, &bytes, 0), bytes);
    }
}

/// A call with an operand, a copy, a jump if something is so, the end.
fn machine(version: i32) -> Vec<u8> {
    let operand = [0_u8, 1, 0, 0xff, 0xff];
    let predicates = if version >= 2 { vec![0; 4] } else { Vec::new() };
    let call = [&[101, 101, 3, 0, 1, 0][..], &predicates, &operand].concat();
    let bytes = if version < 18 { vec![8, 0] } else { Vec::new() };
    let copy = [&[68, 68][..], &operand, &operand, &bytes, &[2]].concat();
    let jump = [&[77, 77][..], &operand, &i32s(&[5, 1])].concat();
    let code = [i32s(&[4]), call, copy, jump, vec![80], i32s(&[0, 0])].concat();
    let context = if version >= 8 { i32s(&[0]) } else { Vec::new() };
    // Hash, paths, functions, code, parameters, registers for debugging.
    [i32s(&[9, 0, 0]), code, context, i32s(&[0, 0])].concat()
}

#[test]
fn code_of_rigs_is_typed() {
    let versions = versions(3, &[(custom::RIG_VM, 2)]);
    let bytes = machine(2);
    let (mut value, counted) = loaded::<RigVm>(&bytes, &versions);
    assert_eq!((value.hash, counted), (9, [0, 0]));
    let code = &value.code.instructions;
    assert_eq!(code.iter().map(|it| it.opcode).collect::<Vec<_>>(), [101, 68, 77, 80]);
    assert_eq!((code[0].function, code[0].operands.len()), (3, 1));
    assert_eq!((code[1].bytes, code[1].register_type), (8, 2));
    assert_eq!((code[2].target, code[2].condition), (5, true));
    assert_eq!(saved_from(&mut value, &versions, &bytes, 0), bytes);
}
