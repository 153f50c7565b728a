//! The laws for every class of UE2 and SWAT 4, in all their families and versions.

mod mesh;
mod world;

use std::fmt::Debug;
use std::sync::Arc;

use unreal_packages::Versions;
use unreal_packages::archive::{
    Annotate, Archived, Context, Counter, Loader, References, Remap, Saver, Span,
};
use unreal_packages::object::VengeanceHeader;
use unreal_packages::object::ue2::*;
use unreal_packages::primitive::{
    FString, LazyPayload, NameReferences, NameRemap, PackageIndex, Payload, TransArray,
};
use unreal_packages::property::PackageContext;
use unreal_packages::version::{Game, UnrealVersions};

/// Main line, the line of UT2004, SWAT 4: one below, at and above every bound.
fn everywhere() -> Vec<Versions> {
    let mainline = [99, 111, 112, 113, 114, 115, 119, 120, 123, 124, 125, 126, 127, 128, 129];
    let ut = [118, 120, 121, 122, 123, 124, 125, 126, 127, 128];
    let mut all: Vec<_> = mainline.iter().map(|&file| Versions::ue1_to_3(file, 0)).collect();
    all.extend(ut.iter().map(|&file| Versions::ue1_to_3(file, 29)));
    all.push(Versions::ue1_to_3(129, 27));
    all
}

fn is_swat(versions: &Versions) -> bool {
    versions.game() == Game::Swat4
}

fn is_ut(versions: &Versions, since: u32) -> bool {
    versions.licensee() >= 25 && versions.file() >= since && !is_swat(versions)
}

/// Values that only some versions have.
fn only<T: Default>(there: bool, value: T) -> T {
    if there { value } else { T::default() }
}

fn header(versions: &Versions, version: i32, subversion: i32) -> VengeanceHeader {
    only(is_swat(versions), VengeanceHeader { kind: 3, version, subversion })
}

fn object(row: usize) -> PackageIndex {
    PackageIndex::export(row)
}

fn payload<const N: usize>(count: usize) -> Payload<N> {
    Payload(Span::owned((0..count * N).map(|byte| byte as u8).collect::<Vec<_>>()))
}

fn lazy<const N: usize>(count: usize) -> LazyPayload<N> {
    LazyPayload { data: payload(count), ..LazyPayload::default() }
}

fn stream<const N: usize>(count: usize) -> Stream<N> {
    Stream { data: payload(count), revision: 7 }
}

fn objects<T: From<Vec<PackageIndex>>>(rows: &[usize]) -> T {
    rows.iter().map(|&row| object(row)).collect::<Vec<_>>().into()
}

fn save<T: Archived>(value: &mut T, source: &[u8], versions: &Versions) -> Vec<u8> {
    let context = Arc::new(Context::new(source.to_vec().into(), Vec::new()));
    let mut saver = Saver::new(versions.clone()).with_context(context);
    value.serialize(&mut saver).expect("the value can be saved");
    saver.into_bytes()
}

/// Every law for one value: `rows` are the exports and `names` the names that it refers to.
#[track_caller]
fn obeys<T>(value: &T, versions: &Versions, rows: &[usize], names: &[i32])
where
    T: Archived + Default + Clone + PartialEq + Debug,
{
    let mut subject = value.clone();
    let bytes = save(&mut subject, &[], versions);
    assert_eq!(subject, *value, "saving changed the value in {versions}");

    let mut counter = Counter::new(versions.clone());
    subject.serialize(&mut counter).expect("the value can be counted");
    assert_eq!(counter.length(), bytes.len() as u64, "counting and saving disagree in {versions}");

    let mut references = References::new(versions.clone());
    subject.serialize(&mut references).expect("the value can be visited");
    for &row in rows {
        let index = object(row).value();
        assert!(references.objects().contains_key(&index), "export {row} in {versions}");
    }
    let found = references.objects().keys().filter(|&&index| index != 0).count();
    assert_eq!(found, rows.len(), "other objects in {versions}");
    for name in names {
        assert!(references.names().contains_key(name), "name {name} in {versions}");
    }

    let mut saver = Saver::new(versions.clone());
    let mut annotate = Annotate::new(&mut saver);
    subject.serialize(&mut annotate).expect("the value can be explained");
    let mut at = 0;
    for record in annotate.into_records() {
        assert_eq!(record.start, at, "{} in {versions}", record.path);
        at = record.end;
    }
    assert_eq!(at, bytes.len() as u64, "bytes are not explained in {versions}");

    let mut remap = Remap::names_and_objects(versions.clone(), &Some, &Some);
    subject.serialize(&mut remap).expect("the value can be renumbered");
    assert_eq!(subject, *value, "renumbering changed the value in {versions}");

    let mut loaded = value.clone();
    let mut loader = Loader::new(&bytes, versions.clone());
    loaded.serialize(&mut loader).expect("what was saved can be loaded");
    assert_eq!(loader.remaining(), 0, "bytes are left in {versions}");
    assert_eq!(loader.opaque(), 0, "opaque bytes in {versions}");
    assert_eq!(save(&mut loaded, &bytes, versions), bytes, "another body in {versions}");

    for end in 0..bytes.len() {
        let mut loaded = T::default();
        let loaded = loaded.serialize(&mut Loader::new(&bytes[..end], versions.clone()));
        assert!(loaded.is_err(), "{end} of {} bytes load in {versions}", bytes.len());
    }
    // Every byte replaced: an error or another value, never a panic; what loads can be saved again.
    for at in 0..bytes.len() {
        for byte in [0x00, 0x3f, 0x7f, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] = byte;
            let mut loaded = T::default();
            let mut loader = Loader::new(&damaged, versions.clone());
            if loaded.serialize(&mut loader).is_ok() {
                let used = damaged.len() - loader.remaining() as usize;
                let saved = save(&mut loaded, &damaged, versions);
                assert_eq!(saved, damaged[..used], "byte {at} as {byte:#x} in {versions}");
            }
        }
    }
}

/// The default value and a filled one, in every version.
#[track_caller]
fn obeys_everywhere<T>(filled: impl Fn(&Versions) -> (T, Vec<usize>, Vec<i32>))
where
    T: Archived + Default + Clone + PartialEq + Debug,
{
    for versions in everywhere() {
        obeys(&T::default(), &versions, &[], &[]);
        let (value, rows, names) = filled(&versions);
        obeys(&value, &versions, &rows, &names);

        let bytes = save(&mut T::default(), &[], &versions);
        let mut reused = value;
        reused.serialize(&mut Loader::new(&bytes, versions.clone())).expect("a default loads");
        assert_eq!(save(&mut reused, &bytes, &versions), bytes, "fields are left in {versions}");
    }
}

#[test]
fn resources() {
    obeys_everywhere(|_| (SoundGroup { sounds: objects(&[1, 2]) }, vec![1, 2], vec![]));
    obeys_everywhere(|_| {
        let sound = ProceduralSound { base_sound: object(1), ..ProceduralSound::default() };
        (sound, vec![1], vec![])
    });
    obeys_everywhere(|_| {
        let check = PackageCheckInfo {
            package_id: FString::from("Engine"),
            allowed_ids: vec![FString::from("00ff"); 2],
            unknown: [1, 2],
        };
        (check, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let header = VengeanceHeader { kind: 3, version: 0, subversion: 1 };
        let mip = Mip { header, extra: lazy(1), data: lazy(4), u_size: 2, ..Mip::default() };
        (Texture { mips: vec![mip, Mip::default()] }, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let group = ActorGroup {
            header: VengeanceHeader { kind: 3, version: 3, subversion: 3 },
            name: FString::from("Walls"),
            actors: TransArray { maximum: 1, items: objects(&[1]) },
            parent: object(2),
            children: TransArray { maximum: 1, items: objects(&[3]) },
            other: object(4),
            ..ActorGroup::default()
        };
        (group, vec![1, 2, 3, 4], vec![])
    });
    obeys_everywhere(|_| (LevelInfo::default(), vec![], vec![]));
}

#[test]
fn parts_that_were_always_zero_are_not_guessed() {
    let versions = Versions::ue1_to_3(129, 27);
    let mut bytes = save(&mut LevelInfo::default(), &[], &versions);
    *bytes.last_mut().expect("two zeros") = 1;
    let loaded = LevelInfo::default().serialize(&mut Loader::new(&bytes, versions));
    assert!(loaded.is_err());
}

#[test]
fn what_a_family_lacks_is_refused() {
    let refused = |mut mesh: StaticMesh, file: u32, licensee: u32| {
        let mut saver = Saver::new(Versions::ue1_to_3(file, licensee));
        assert!(mesh.serialize(&mut saver).is_err(), "{file}/{licensee}");
    };
    let havok = StaticMesh { havok_proxy: object(1), ..StaticMesh::default() };
    refused(havok.clone(), 129, 0);
    refused(havok, 128, 29);
    let floats = StaticMesh { unknown_floats: vec![1.0], ..StaticMesh::default() };
    refused(floats.clone(), 129, 27);
    refused(floats, 128, 0);
    let ut = UtCollision { nodes: payload(1), triangles: payload(1) };
    let collision = Collision { ut, ..Collision::default() };
    refused(StaticMesh { collision, ..StaticMesh::default() }, 129, 0);
}
