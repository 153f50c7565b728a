//! Packed keys of generated animations of UE3: each encoding and form, and what does not fit.

use unreal_packages::Package;
use unreal_packages::archive::Span;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::{Mesh, MeshOptions, PackageMeshes};
use unreal_packages::object::geometry::{Plane, Vector};
use unreal_packages::object::ue3::asset::animation::AnimSequence;
use unreal_packages::object::ue3::asset::skeletal_mesh::{Bone, SkeletalMesh, SkeletalMeshHead};
use unreal_packages::primitive::Payload;
use unreal_packages::property::PropertyList;

/// Packed keys, and the properties that say how they are packed.
#[derive(Default)]
struct Packed<'a> {
    encoding: &'a str,
    translation: &'a str,
    rotation: &'a str,
    frames: i32,
    offsets: &'a [i32],
    bytes: Vec<u8>,
}

fn floats(all: &[f32]) -> Vec<u8> {
    all.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn words(all: &[u16]) -> Vec<u8> {
    all.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A package with a mesh of two bones, and an animation of two seconds that is packed so.
fn package(packed: &Packed<'_>) -> (Package, usize) {
    let mut package = create(&Profile::UDK).unwrap();
    let row = package
        .edit(|edit| {
            let names = [edit.add_name("Root")?, edit.add_name("Arm")?];
            let upright = Plane { w: 1.0, ..Plane::default() };
            let bones = names.map(|name| Bone {
                name,
                orientation: upright,
                position: Vector { x: 7.0, ..Vector::default() },
                ..Bone::default()
            });
            let head = SkeletalMeshHead { bones: bones.to_vec(), ..SkeletalMeshHead::default() };
            let mut mesh = SkeletalMesh::default();
            mesh.head = head;
            edit.add_object("Man", "Engine.SkeletalMesh", PropertyList::default(), mesh)?;
            edit.add_object("Moves", "Engine.AnimSet", PropertyList::default(), ())?;
            let known = "array:name".parse()?;
            edit.add_property("Moves", "TrackBoneNames", &known, "(\"Root\",\"arm\")")?;
            let sequence = AnimSequence {
                compressed: Payload(Span::owned(packed.bytes.clone())),
                ..AnimSequence::default()
            };
            let name = "Moves.Wave";
            let row =
                edit.add_object(name, "Engine.AnimSequence", PropertyList::default(), sequence)?;
            let offsets: Vec<_> = packed.offsets.iter().map(ToString::to_string).collect();
            for (property, kind, text) in [
                ("SequenceLength", "float", "2.0".to_owned()),
                ("NumFrames", "int", packed.frames.to_string()),
                ("CompressedTrackOffsets", "array:int", format!("({})", offsets.join(","))),
                ("KeyEncodingFormat", "byte-enum:AnimationKeyFormat", packed.encoding.to_owned()),
                (
                    "TranslationCompressionFormat",
                    "byte-enum:AnimationCompressionFormat",
                    packed.translation.to_owned(),
                ),
                (
                    "RotationCompressionFormat",
                    "byte-enum:AnimationCompressionFormat",
                    packed.rotation.to_owned(),
                ),
            ] {
                if !text.is_empty() {
                    edit.add_property(name, property, &kind.parse()?, &text)?;
                }
            }
            Ok(row)
        })
        .unwrap();
    (package, row)
}

fn read(packed: &Packed<'_>) -> unreal_packages::Result<Mesh> {
    let (package, row) = package(packed);
    package.animation(row, &MeshOptions::default())
}

/// The first parts of the rotations of the arm's track, with their seconds.
fn arm(mesh: &Mesh) -> Vec<(f32, f32)> {
    let track = mesh.animations[0].tracks.iter().find(|track| track.bone == 1).unwrap();
    assert!(track.translations.is_empty(), "the set moves the root alone");
    track.rotations.iter().map(|(time, rotation)| (*time, rotation[0])).collect()
}

/// One key of the root: a place, and no rotation.
fn root() -> Vec<u8> {
    floats(&[1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
}

fn near(all: &[(f32, f32)], wanted: &[(f32, f32)]) -> bool {
    all.len() == wanted.len()
        && all.iter().zip(wanted).all(|(a, b)| (a.0 - b.0).abs() < 1e-3 && (a.1 - b.1).abs() < 1e-3)
}

#[test]
fn rotations_come_out_of_every_form_turned_around() {
    let keys = 3;
    for (form, bytes) in [
        ("ACF_None", floats(&[0.6, 0.0, 0.0, 0.8, 0.0, 0.0, 0.0, 1.0, -0.6, 0.0, 0.0, 0.8])),
        ("ACF_Float96NoW", floats(&[0.6, 0.0, 0.0, 0.0, 0.0, 0.0, -0.6, 0.0, 0.0])),
        ("ACF_Fixed48NoW", words(&[52427, 32767, 32767, 32767, 32767, 32767, 13107, 32767, 32767])),
        ("ACF_Fixed32NoW", {
            let key = |x: u32| (x << 21 | 1023 << 10 | 511).to_le_bytes();
            [key(1637), key(1023), key(409)].concat()
        }),
        ("ACF_IntervalFixed32NoW", {
            let bounds = floats(&[0.2, 0.0, 0.0, 0.8, 0.0, 0.0]);
            let key = |x: u32| (x << 21 | 1023 << 10 | 511).to_le_bytes();
            [bounds, [key(1534), key(767), key(0)].concat()].concat()
        }),
    ] {
        let bytes = [root(), bytes].concat();
        let packed = Packed {
            encoding: "AKF_ConstantKeyLerp",
            rotation: form,
            frames: keys,
            offsets: &[0, 1, 12, 1, 0, 1, 24, keys],
            bytes,
            ..Packed::default()
        };
        let mesh = read(&packed).unwrap();
        assert!(
            near(&arm(&mesh), &[(0.0, -0.6), (1.0, 0.0), (2.0, 0.6)]),
            "{form}: {:?}",
            arm(&mesh)
        );
        let track = &mesh.animations[0].tracks[0];
        assert_eq!(track.translations, [(0.0, [1.0, 2.0, 3.0])], "{form}");
        mesh.to_glb().unwrap();
    }
}

#[test]
fn keys_have_the_frames_that_stand_behind_them() {
    for (frames, times) in [(21, vec![0, 5, 20]), (401, words(&[0, 100, 400]))] {
        let keys = floats(&[0.6, 0.0, 0.0, 0.0, 0.0, 0.0, -0.6, 0.0, 0.0]);
        let packed = Packed {
            encoding: "AKF_VariableKeyLerp",
            rotation: "ACF_Float96NoW",
            frames,
            offsets: &[0, 1, 12, 1, 0, 1, 24, 3],
            bytes: [root(), keys, times].concat(),
            ..Packed::default()
        };
        assert!(near(&arm(&read(&packed).unwrap()), &[(0.0, -0.6), (0.5, 0.0), (2.0, 0.6)]));
    }
}

#[test]
fn tracks_with_heads_say_their_own_form() {
    let head = |form: u32, flags: u32, keys: u32| (form << 28 | flags << 24 | keys).to_le_bytes();
    // Of the root nothing is stored, and of the arm no position; of the arm's rotation the first part of two keys, and frames behind a multiple of 4.
    let keys = [&head(2, 1 | 8, 3)[..], &words(&[52427, 32767, 13107]), &[0, 0, 0, 5, 20]].concat();
    let packed = Packed {
        encoding: "AKF_PerTrackCompression",
        frames: 21,
        offsets: &[-1, -1, -1, 0],
        bytes: keys,
        ..Packed::default()
    };
    let mesh = read(&packed).unwrap();
    assert!(near(&arm(&mesh), &[(0.0, -0.6), (0.5, 0.0), (2.0, 0.6)]), "{:?}", arm(&mesh));
    let root = &mesh.animations[0].tracks[0];
    assert_eq!(root.translations, [(0.0, [0.0; 3])]);
    assert_eq!(root.rotations, [(0.0, [0.0, 0.0, 0.0, 1.0])]);
}

#[test]
fn keys_that_do_not_fit_are_refused() {
    let whole = |offsets: &'static [i32]| Packed {
        encoding: "AKF_VariableKeyLerp",
        rotation: "ACF_Float96NoW",
        frames: 21,
        offsets,
        bytes: [root(), floats(&[0.0; 6]), vec![0, 20, 0, 0]].concat(),
        ..Packed::default()
    };
    assert!(read(&whole(&[0, 1, 12, 1, 0, 1, 24, 2])).is_ok());
    for (packed, reason) in [
        (whole(&[0, 1, 12, 1, 0, 1, 24, 3]), "stored outside"),
        (whole(&[0, 1, 12, 1, 0, 1, 24, i32::MAX]), "stored outside"),
        (whole(&[0, 1, 12, 1, 0, 1, i32::MAX, 2]), "stored outside"),
        (whole(&[0, 1, 12, 1, 0, 1, 24, -1]), "stored outside"),
        // Four lists that are nearly all that is there.
        (
            Packed {
                encoding: "AKF_ConstantKeyLerp",
                bytes: vec![0; 48],
                ..whole(&[0, 4, 0, 4, 0, 4, 0, 4])
            },
            "share their keys",
        ),
        (
            Packed {
                rotation: "ACF_Float32NoW",
                bytes: vec![0; 60],
                ..whole(&[0, 1, 12, 1, 0, 1, 24, 2])
            },
            "ACF_Float32NoW, which is not known",
        ),
        (
            Packed { encoding: "AKF_PerTrackCompression", bytes: vec![0xf0; 60], ..whole(&[0; 4]) },
            "unknown form 15",
        ),
    ] {
        let error = read(&packed).unwrap_err().to_string();
        assert!(error.contains(reason) && error.contains("Wave (AnimSequence)"), "{error}");
    }
}
