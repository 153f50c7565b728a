//! Meshes as files of Unreal's importers, and back.

use proptest::prelude::*;
use unreal_packages::mesh::{
    Animation, Bone, Influences, Lod, Mesh, MeshMaterial, MeshPlacement, MeshSection, Morph,
    Socket, Track,
};

use crate::meshes::tetrahedron;

/// The records of a chunk: how many, and their bytes.
fn chunk<'a>(file: &'a [u8], name: &str) -> Option<(usize, &'a [u8])> {
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let mut at = 0;
    while at < file.len() {
        let (size, count) = (number(at + 24), number(at + 28));
        let own = file[at..at + 20].split(|byte| *byte == 0).next().unwrap();
        let records = &file[at + 32..at + 32 + size * count];
        if own == name.as_bytes() {
            return Some((count, records));
        }
        at += 32 + size * count;
    }
    None
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.chunks_exact(4);
    words.map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn bone(name: &str, parent: Option<usize>, rotation: [f32; 4]) -> Bone {
    let rest = MeshPlacement { translation: [1.0, 2.0, 3.0], rotation, ..MeshPlacement::default() };
    Bone { name: name.to_owned(), parent, rest }
}

/// A tetrahedron that two bones move.
fn skinned() -> Mesh {
    let moved = |weights: &[(u16, f32)]| Influences::of(weights.iter().copied()).unwrap();
    let one = moved(&[(0, 1.0)]);
    Mesh {
        name: "Fin".to_owned(),
        lods: vec![Lod {
            influences: vec![one, one, moved(&[(0, 0.25), (1, 0.75)]), moved(&[(1, 1.0)])],
            uvs: vec![vec![[0.0, 0.25], [1.0, 0.0], [0.5, 1.0], [0.0, 0.0]]],
            ..tetrahedron()
        }],
        materials: vec![MeshMaterial {
            name: "Skins.Dark.Blue".to_owned(),
            ..MeshMaterial::default()
        }],
        bones: vec![
            bone("Root", None, [0.5, -0.5, 0.5, 0.5]),
            bone("Tip", Some(0), [0.1, 0.7, 0.1, 0.7]),
        ],
        ..Mesh::default()
    }
}

#[test]
fn meshes_with_bones_become_psk_in_its_axes() {
    let made = skinned().to_psk(0).unwrap();
    assert_eq!((made.extension, made.notes.len()), ("psk", 0));
    let names = ["ACTRHEAD", "PNTS0000", "VTXW0000", "FACE0000", "MATT0000", "REFSKELT"];
    for name in names.iter().chain(&["RAWWEIGHTS"]) {
        assert!(chunk(&made.bytes, name).is_some(), "{name}");
    }
    assert!(chunk(&made.bytes, "VTXNORMS").is_none(), "normals are those of the triangles");
    let (count, points) = chunk(&made.bytes, "PNTS0000").unwrap();
    assert_eq!(count, 4);
    // To the right is the other way.
    assert_eq!(floats(points)[6..9], [0.0, -100.0, 0.0]);
    let (_, faces) = chunk(&made.bytes, "FACE0000").unwrap();
    assert_eq!(faces[..6], [1, 0, 0, 0, 2, 0], "the first two corners are exchanged");
    let (_, materials) = chunk(&made.bytes, "MATT0000").unwrap();
    assert_eq!(materials[..5], *b"Blue\0", "importers look for the last part of the name");
    let (_, bones) = chunk(&made.bytes, "REFSKELT").unwrap();
    let numbers = |bone: usize| floats(&bones[bone * 120 + 76..bone * 120 + 104]);
    assert_eq!(numbers(0), [-0.5, -0.5, -0.5, 0.5, 1.0, -2.0, 3.0]);
    assert_eq!(numbers(1), [0.1, -0.7, 0.1, 0.7, 1.0, -2.0, 3.0], "the other way round");
    assert_eq!(bones[68], 1, "one child");
    let (count, weights) = chunk(&made.bytes, "RAWWEIGHTS").unwrap();
    assert_eq!(count, 5);
    assert_eq!(floats(&weights[..4]), [1.0]);
}

#[test]
fn files_of_meshes_say_the_same_mesh() {
    let mesh = skinned();
    let read = Mesh::of_psk(&mesh.to_psk(0).unwrap().bytes).unwrap();
    let (lod, own) = (&read.lods[0], &mesh.lods[0]);
    assert_eq!(lod.positions, own.positions);
    assert_eq!((&lod.uvs, &lod.influences), (&own.uvs, &own.influences));
    assert_eq!((&lod.sections, &read.bones), (&own.sections, &mesh.bones));
    assert_eq!(read.materials[0].name, "Blue");
}

#[test]
fn what_psk_has_no_place_for_becomes_pskx() {
    let plain = skinned();
    let with = |change: fn(&mut Lod)| {
        let mut mesh = plain.clone();
        change(&mut mesh.lods[0]);
        mesh.to_psk(0).unwrap()
    };
    let colors = with(|lod| lod.colors = vec![[1; 4], [2; 4], [3; 4], [4; 4]]);
    assert_eq!(chunk(&colors.bytes, "VERTEXCOLOR").unwrap().1[4..8], [2; 4]);
    let undrawn = with(|lod| {
        lod.positions.push([0.0; 3]);
        lod.influences.push(lod.influences[0]);
        lod.uvs[0].push([0.0; 2]);
        lod.colors = vec![[1; 4], [1; 4], [1; 4], [1; 4], [2; 4]];
    });
    assert_eq!(undrawn.extension, "psk", "the vertex of another colour has no triangle");
    let uvs = with(|lod| lod.uvs.push(vec![[0.5, 0.5]; 4]));
    assert_eq!(chunk(&uvs.bytes, "EXTRAUVS0").unwrap().0, 4);
    let normals = with(|lod| lod.normals = vec![[0.0, 1.0, 0.0]; 4]);
    assert_eq!(floats(&chunk(&normals.bytes, "VTXNORMS").unwrap().1[..12]), [0.0, -1.0, 0.0]);
    let morphs = with(|lod| {
        let mut positions = lod.positions.clone();
        positions[1] = [100.0, 7.0, 0.0];
        lod.morphs = vec![Morph { name: "Blink".to_owned(), positions }];
    });
    let (count, moved) = chunk(&morphs.bytes, "MRPHDATA").unwrap();
    assert_eq!((count, &floats(moved)[..3]), (1, &[0.0, 7.0, 0.0][..]), "morphs stay as they are");
    for made in [colors, uvs, normals, morphs] {
        assert_eq!(made.extension, "pskx");
        let read = Mesh::of_psk(&made.bytes).unwrap();
        let again = read.to_psk(0).unwrap();
        assert_eq!(
            again.bytes,
            Mesh { materials: plain.materials.clone(), ..read }.to_psk(0).unwrap().bytes
        );
    }
    let still = Mesh { bones: Vec::new(), lods: vec![tetrahedron()], ..skinned() };
    assert_eq!(still.to_psk(0).unwrap().extension, "pskx", "nothing moves it");
}

#[test]
fn meshes_without_bones_stand_where_their_placement_says() {
    let placement = MeshPlacement {
        translation: [10.0, 0.0, 0.0],
        rotation: [0.0, 0.0, 1.0, 0.0],
        scale: [2.0, -1.0, 1.0],
    };
    let mut mesh = Mesh { lods: vec![tetrahedron()], placement, ..Mesh::default() };
    let made = mesh.to_psk(0).unwrap();
    let read = Mesh::of_psk(&made.bytes).unwrap();
    // Half a turn around Z, after the sizes; a mirror turns triangles around.
    assert_eq!(
        read.lods[0].positions[..3],
        [[10.0, 0.0, 0.0], [10.0, 100.0, 0.0], [-190.0, 0.0, 0.0]]
    );
    assert_eq!(read.lods[0].sections[0].indices[..3], [0, 1, 2]);
    mesh = Mesh { placement, sockets: vec![Socket::default()], ..skinned() };
    let made = mesh.to_psk(0).unwrap();
    assert_eq!(made.notes.len(), 2, "{:?}", made.notes);
    assert_eq!(made.bytes, skinned().to_psk(0).unwrap().bytes, "bones stay where they are");
}

#[test]
fn vertices_of_one_place_share_a_point() {
    let mut mesh = skinned();
    let lod = &mut mesh.lods[0];
    // A seam of the texture: vertex 4 is vertex 1 with other texture coordinates.
    lod.positions.push(lod.positions[1]);
    lod.influences.push(lod.influences[1]);
    lod.uvs[0].push([0.75, 0.5]);
    lod.sections[0].indices[9] = 4;
    let made = mesh.to_psk(0).unwrap();
    assert_eq!(chunk(&made.bytes, "PNTS0000").unwrap().0, 4);
    assert_eq!(chunk(&made.bytes, "VTXW0000").unwrap().0, 5);
    // Another bone makes another point.
    mesh.lods[0].influences[4] = Influences::of([(1, 1.0)]).unwrap();
    let made = mesh.to_psk(0).unwrap();
    assert_eq!(chunk(&made.bytes, "PNTS0000").unwrap().0, 5);
}

/// A cube of 24 vertices that a bone moves: four at each side, with its normal or that of the whole cube.
fn cube(is_flat: bool) -> Mesh {
    let mut lod = Lod { uvs: vec![Vec::new()], ..Lod::default() };
    let mut indices = Vec::new();
    for side in 0..6_usize {
        let (axis, sign) = (side / 2, if side % 2 == 0 { 1.0 } else { -1.0 });
        let first = lod.positions.len() as u32;
        for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let mut position = [0.0; 3];
            (position[axis], position[(axis + 1) % 3]) = (sign, u * sign);
            position[(axis + 2) % 3] = v;
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            lod.normals.push(if is_flat { normal } else { position });
            lod.positions.push(position.map(|it| it * 100.0));
            lod.uvs[0].push([u, v]);
        }
        indices.extend([0, 2, 1, 0, 3, 2].map(|at| first + at));
    }
    lod.influences = vec![Influences::of([(0, 1.0)]).unwrap(); 24];
    lod.sections = vec![MeshSection { material: 0, indices }];
    Mesh { lods: vec![lod], ..skinned() }
}

#[test]
fn hard_edges_need_pskx() {
    let made = cube(true).to_psk(0).unwrap();
    assert_eq!(made.extension, "pskx", "importers round what has one point");
    assert_eq!(chunk(&made.bytes, "PNTS0000").unwrap().0, 24);
    let read = Mesh::of_psk(&made.bytes).unwrap();
    assert_eq!(read.lods[0].normals, cube(true).lods[0].normals);
    // Without normals nothing is lost.
    let mut plain = cube(true);
    plain.lods[0].normals.clear();
    let made = plain.to_psk(0).unwrap();
    assert_eq!(made.extension, "psk");
    assert_eq!(chunk(&made.bytes, "PNTS0000").unwrap().0, 8);
    // What is read of it is round, and stays .psk.
    let read = Mesh::of_psk(&made.bytes).unwrap();
    let normals = &read.lods[0].normals;
    for (at, position) in read.lods[0].positions.iter().enumerate() {
        let first = read.lods[0].positions.iter().position(|it| it == position).unwrap();
        assert_eq!(normals[at], normals[first], "one point has one normal");
    }
    assert_eq!(read.to_psk(0).unwrap().bytes, made.bytes);
}

#[test]
fn many_wedges_have_wide_numbers() {
    let count = 22_000_u32;
    let corner = |at: u32| [at as f32, (at % 7) as f32, (at % 5) as f32];
    let lod = Lod {
        positions: (0..count * 3).map(corner).collect(),
        sections: vec![MeshSection { material: 3, indices: (0..count * 3).collect() }],
        ..Lod::default()
    };
    let made = Mesh { lods: vec![lod], ..Mesh::default() }.to_psk(0).unwrap();
    assert!(chunk(&made.bytes, "FACE0000").is_none());
    let (faces, records) = chunk(&made.bytes, "FACE3200").unwrap();
    assert_eq!((faces, records.len()), (22_000, 22_000 * 18));
    assert_eq!(
        chunk(&made.bytes, "MATT0000").unwrap().0,
        4,
        "materials up to the one that is used"
    );
    let read = Mesh::of_psk(&made.bytes).unwrap();
    assert_eq!(read.lods[0].positions[65_999], corner(65_999));
    assert_eq!(read.lods[0].triangle_count(), 22_000);
}

/// Two seconds in three frames, of the tip alone.
fn moved() -> Mesh {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let track = Track {
        bone: 1,
        translations: vec![(0.0, [0.0, 1.0, 0.0])],
        rotations: vec![(0.0, [0.0, 0.0, 0.0, 1.0]), (2.0, [0.0, 0.0, 1.0, 0.0])],
        scales: vec![(0.0, [1.0; 3]), (2.0, [3.0; 3])],
    };
    let animation = Animation {
        name: "Wave".to_owned(),
        frame_seconds: 1.0,
        tracks: vec![track],
        ..Animation::default()
    };
    let mut mesh = Mesh { animations: vec![animation], ..skinned() };
    mesh.bones[0].rest.rotation = [0.0, 0.0, half, half];
    mesh
}

#[test]
fn animations_have_a_key_of_every_bone_in_every_frame() {
    let made = moved().to_psa().unwrap();
    assert_eq!((made.extension, made.notes.len()), ("psa", 0));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let (count, keys) = chunk(&made.bytes, "ANIMKEYS").unwrap();
    assert_eq!(count, 6);
    let key = |at: usize| floats(&keys[at * 32..at * 32 + 28]);
    assert_eq!(key(2), [1.0, -2.0, 3.0, 0.0, 0.0, -half, half], "what nothing moves is at rest");
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near(&key(3), &[0.0, -1.0, 0.0, 0.0, 0.0, half, half]), "{:?}", key(3));
    assert!(near(&key(5), &[0.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0]), "{:?}", key(5));
    let (_, sizes) = chunk(&made.bytes, "SCALEKEYS").unwrap();
    assert_eq!(floats(sizes)[12..15], [2.0; 3]);
    let (count, sequences) = chunk(&made.bytes, "ANIMINFO").unwrap();
    assert_eq!((count, &sequences[..5]), (1, &b"Wave\0"[..]));
    assert_eq!(floats(&sequences[152..156]), [1.0], "frames of a second");
    let read = Mesh::of_psa(&made.bytes).unwrap();
    assert_eq!(read.animations[0].tracks[1].rotations.len(), 3);
    assert_eq!(read.to_psa().unwrap().bytes, made.bytes);
}

#[test]
fn sequences_without_frames_have_no_tracks() {
    let mut file = moved().to_psa().unwrap().bytes;
    // A second and third sequence that have no frame: 168 bytes each, behind the first.
    let name = file.windows(8).position(|it| it == b"ANIMINFO").unwrap();
    file[name + 28..name + 32].copy_from_slice(&3_u32.to_le_bytes());
    let mut empty = file[name + 32..name + 200].to_vec();
    empty[164..].fill(0);
    let behind = name + 200;
    file.splice(behind..behind, [empty.clone(), empty].concat());
    let read = Mesh::of_psa(&file).unwrap();
    let tracks: Vec<usize> = read.animations.iter().map(|it| it.tracks.len()).collect();
    assert_eq!(tracks, [2, 0, 0], "memory follows the keys that are stored");
    assert_eq!(read.to_psa().unwrap().bytes, moved().to_psa().unwrap().bytes);
}

#[test]
fn sequences_follow_each_other() {
    let mut mesh = moved();
    let mut again = mesh.animations[0].clone();
    again.name = "Again".to_owned();
    mesh.animations.extend([again.clone(), again]);
    let made = mesh.to_psa().unwrap();
    let (_, sequences) = chunk(&made.bytes, "ANIMINFO").unwrap();
    let first = |at: usize| sequences[at * 168 + 160..at * 168 + 164].to_vec();
    assert_eq!([first(0), first(1), first(2)].map(|it| it[0]), [0, 3, 6]);
}

#[test]
fn what_the_files_can_not_say_is_refused_or_noted() {
    let said = |change: fn(&mut Mesh)| {
        let mut mesh = moved();
        change(&mut mesh);
        mesh.to_psk(0).err().or_else(|| mesh.to_psa().err()).map(|error| error.to_string())
    };
    assert_eq!(said(|_| {}), None);
    type Change = fn(&mut Mesh);
    let errors: [(Change, &str); 7] = [
        (|mesh| mesh.lods.clear(), "0 levels of detail"),
        (|mesh| mesh.lods[0].sections.clear(), "no triangles"),
        (|mesh| mesh.lods[0].sections[0].material = 256, "257 materials"),
        (|mesh| mesh.lods[0].sections[0].material = usize::MAX - 1, "materials"),
        (|mesh| mesh.bones[1].parent = None, "one root"),
        (|mesh| mesh.bones[1].parent = Some(1), "bone 1 (Tip) hangs on bone 1"),
        (|mesh| mesh.animations[0].tracks[0].rotations[1].0 = 1e30, "keys that are written"),
    ];
    for (change, expected) in errors {
        let error = said(change).expect(expected);
        assert!(error.contains(expected), "{error}");
    }
    assert!(said(|mesh| mesh.animations.clear()).unwrap().contains("no animation moves"));
    assert!(said(|mesh| mesh.animations[0].tracks[0].bone = 9).unwrap().contains("bone 9 of 2"));
    let mut mesh = moved();
    mesh.bones[1].name = "ä".repeat(32);
    mesh.bones[1].rest.scale = [2.0; 3];
    mesh.animations[0].tracks[0].rotations[1].0 = 1.5;
    let notes = mesh.to_psa().unwrap().notes.join("\n");
    for part in ["is cut to 63 bytes", "sizes of 1 bones", "stand between two frames"] {
        assert!(notes.contains(part), "{notes}");
    }
    let read = Mesh::of_psa(&mesh.to_psa().unwrap().bytes).unwrap();
    assert_eq!(read.bones[1].name, "ä".repeat(31), "characters stay whole");
}

#[test]
fn damaged_files_are_errors() {
    for file in [moved().to_psk(0).unwrap().bytes, moved().to_psa().unwrap().bytes] {
        let read = |bytes: &[u8]| Mesh::of_psk(bytes).and(Mesh::of_psa(bytes)).is_ok();
        assert!(!read(&file), "a file is of one kind");
        let (mut refused, of_kind) = (0, |bytes: &[u8]| match bytes.starts_with(b"ACTR") {
            true => Mesh::of_psk(bytes),
            false => Mesh::of_psa(bytes),
        });
        assert!(of_kind(&file).is_ok());
        for end in 0..file.len() {
            refused += usize::from(of_kind(&file[..end]).is_err());
        }
        assert!(refused + 12 > file.len(), "{refused} of {}: chunks may be missing", file.len());
        for at in (0..file.len()).step_by(4) {
            for number in [u32::MAX, 0x7fff_ffff, 0, 1 << 24] {
                let mut damaged = file.clone();
                damaged[at..at + 4].copy_from_slice(&number.to_le_bytes());
                let _ = of_kind(&damaged);
            }
        }
    }
}

/// A small number without a rest, so that nothing is rounded.
fn number() -> impl Strategy<Value = f32> {
    (-512_i16..512).prop_map(|number| f32::from(number) / 4.0)
}

prop_compose! {
    fn any_mesh()(count in 3_usize..12)(
        positions in proptest::collection::vec([number(), number(), number()], count),
        uvs in proptest::collection::vec(
            proptest::collection::vec([number(), number()], count), 1..3),
        indices in proptest::collection::vec((0_usize..3, [0..count, 0..count, 0..count]), 1..9),
        moves in proptest::collection::vec(proptest::bool::ANY, count),
        colors in proptest::option::of(proptest::collection::vec(any::<[u8; 4]>(), count)),
        is_skinned in any::<bool>(),
    ) -> Mesh {
        let mut mesh = Mesh { bones: skinned().bones, ..Mesh::default() };
        let mut sections: Vec<MeshSection> =
            (0..3).map(|material| MeshSection { material, indices: Vec::new() }).collect();
        for (material, corners) in indices {
            sections[material].indices.extend(corners.map(|corner| corner as u32));
        }
        sections.retain(|section| !section.indices.is_empty());
        let bone = |moves: &bool| Influences::of([(u16::from(*moves), 1.0)]).unwrap();
        let influences: Vec<_> = moves.iter().map(bone).collect();
        let influences = if is_skinned { influences } else { Vec::new() };
        let colors = colors.unwrap_or_default();
        mesh.lods = vec![Lod { positions, uvs, sections, influences, colors, ..Lod::default() }];
        mesh
    }
}

/// The corners of all triangles with all that belongs to them.
fn corners(lod: &Lod) -> Vec<String> {
    let mut all = Vec::new();
    for section in &lod.sections {
        for at in &section.indices {
            let at = *at as usize;
            let uvs: Vec<_> = lod.uvs.iter().map(|uvs| uvs[at]).collect();
            let (color, moved) = (lod.colors.get(at), lod.influences.get(at));
            let of = (section.material, lod.positions[at], uvs, color, moved);
            all.push(format!("{of:?}"));
        }
    }
    all
}

proptest! {
    #[test]
    fn any_mesh_is_read_as_it_was_written(mesh in any_mesh()) {
        let made = mesh.to_psk(0).unwrap();
        let read = Mesh::of_psk(&made.bytes).unwrap();
        prop_assert_eq!(&read.bones, &mesh.bones);
        let mut own = mesh.lods[0].clone();
        // One colour for all says nothing, and is no reason for another kind of file.
        if made.extension == "psk" {
            own.colors.clear();
        }
        prop_assert_eq!(corners(&read.lods[0]), corners(&own));
        let again = read.to_psk(0).unwrap();
        let again = Mesh::of_psk(&again.bytes).unwrap();
        prop_assert_eq!(corners(&again.lods[0]), corners(&read.lods[0]));
    }
}
