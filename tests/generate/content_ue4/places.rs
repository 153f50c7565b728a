//! Sizes of cooked textures behind the bodies and in files of bulk data of both kinds.

use std::sync::Arc;

use unreal_packages::content::PackageContents;
use unreal_packages::generate::Builder;
use unreal_packages::object::ue4::asset::platform_data::{CookedPlatform, Mip};
use unreal_packages::object::ue4::asset::texture::ImageTexture;
use unreal_packages::object::ue4::bulk::BulkData;
use unreal_packages::package::{Companion, CompanionKind, FurtherSections, Package};
use unreal_packages::primitive::LongPosition;
use unreal_packages::property::PropertyList;
use unreal_packages::{Archived, Name, Saver, Span};

use super::replaced::replace;
use super::{gradient, inline, of_sizes};

/// Large sizes in other places: files of bulk data of both kinds, and behind the bodies.
#[test]
fn sizes_in_every_place_stay_there() {
    /// Behind the bodies, in `.ubulk`, in `.uptnl`.
    const PLACES: [u32; 3] = [0x1, 0x1_0501, 0x1_0d01];
    let plain = |side: i32| (side * side * 4) as usize;
    // Those of a size of 32 and one of 16.
    for (first, second) in [(0, 0), (2, 1), (2, 0), (1, 0), (2, 2)] {
        let mut texture = ImageTexture { cooked: true, ..ImageTexture::default() };
        let (mut files, mut mips) = ([vec![], vec![1; 8], vec![2; 8]], Vec::new());
        for side in [32, 16, 8, 4, 2, 1] {
            let bytes = vec![side as u8; plain(side)];
            let place = match side {
                32 => Some(first),
                16 => Some(second),
                _ => None,
            };
            let bulk = match place {
                None => inline(&bytes),
                Some(place) => BulkData {
                    flags: PLACES[place],
                    element_count: bytes.len() as i64,
                    size_on_disk: bytes.len() as i64,
                    offset: LongPosition::Stale(files[place].len() as i64),
                    ..BulkData::default()
                },
            };
            if let Some(place) = place {
                files[place].extend(bytes);
            }
            mips.push(Mip { bulk, size_x: side, size_y: side, size_z: 1, ..Mip::default() });
        }
        let data = of_sizes((32, 32), "PF_B8G8R8A8", mips);
        texture.platforms.platforms =
            vec![CookedPlatform { format: Name::new(1), data, ..CookedPlatform::default() }];
        // Something else stands behind it.
        let other = sized(&mut files[0]);
        let [behind, bulk, optional] = files;
        let mut sections = FurtherSections::default();
        sections.bulk_data = Span::owned(behind);
        let mut made = two_textures(sections, &mut texture, other);
        for (kind, name, bytes) in [
            (CompanionKind::Bulk, "Thing.ubulk", bulk.clone()),
            (CompanionKind::OptionalBulk, "Thing.uptnl", optional.clone()),
        ] {
            Companion::lent(kind, name.into(), Arc::new(bytes::Bytes::from(bytes)))
                .add_to(&mut made);
        }
        let lengths = |package: &Package| {
            let files = package.companions().iter().map(|file| file.read().unwrap().len());
            let mut all = vec![package.tables().further.bulk_data.len() as usize];
            all.extend(files);
            all
        };
        let shown = |package: &Package, row| package.contents().texture_image(row).unwrap();
        let (old, neighbour, sizes_before) = (shown(&made, 0), shown(&made, 1), lengths(&made));
        let saved = made.to_bytes().unwrap();
        replace(&mut made, &gradient(64, 64).to_png().unwrap()).unwrap();
        let about = format!("{first} {second}");
        assert!(shown(&made, 0).to_rgba() == gradient(64, 64).to_rgba(), "{about}");
        assert!(shown(&made, 1) == neighbour, "{about}");
        // What is larger than all stands where the largest stood; files keep what else is in them.
        let mut wanted = sizes_before.clone();
        for (side, place) in [(64, first), (32, first), (16, second)] {
            wanted[place] += plain(side);
        }
        if first == 0 {
            wanted[0] -= plain(32)
        }
        if second == 0 {
            wanted[0] -= plain(16)
        }
        assert_eq!(lengths(&made), wanted, "{about}");
        if first == 0 && second == 0 {
            let again = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
            assert!(shown(&again, 0).to_rgba() == gradient(64, 64).to_rgba());
            assert!(shown(&again, 1) == neighbour);
            // And back.
            replace(&mut made, &old.to_png().unwrap()).unwrap();
            assert_eq!(made.to_bytes().unwrap().len(), saved.len());
            assert!(shown(&made, 0) == old && shown(&made, 1) == neighbour);
            // All sizes fit into the body.
            replace(&mut made, &gradient(8, 8).to_png().unwrap()).unwrap();
            let again = Package::from_bytes(made.to_bytes().unwrap()).unwrap();
            assert_eq!(lengths(&again), [plain(8)]);
            assert!(shown(&again, 0).to_rgba() == gradient(8, 8).to_rgba());
            assert!(shown(&again, 1) == neighbour);
        }
    }
}

/// Bulk data of a size of 8 texels behind all that stands there.
fn sized(behind: &mut Vec<u8>) -> BulkData {
    let bulk = BulkData {
        flags: 1,
        element_count: 256,
        size_on_disk: 256,
        offset: LongPosition::Stale(behind.len() as i64),
        ..BulkData::default()
    };
    behind.extend((0..=255_u8).collect::<Vec<_>>());
    bulk
}

/// A package of a texture, and of one with this bulk data for its only size.
fn two_textures(sections: FurtherSections, first: &mut ImageTexture, other: BulkData) -> Package {
    let mip = Mip { bulk: other, size_x: 8, size_y: 8, size_z: 1, ..Mip::default() };
    let mut second = first.clone();
    second.platforms.platforms[0].data = of_sizes((8, 8), "PF_B8G8R8A8", vec![mip]);
    let start = Builder::for_release(super::UE4).name("Platform").sections(sections);
    let names = Package::from_bytes(Builder::for_release(super::UE4).build().unwrap()).unwrap();
    let body = |texture: &mut ImageTexture| {
        let mut saver = Saver::new(names.versions().clone());
        PropertyList::default().serialize(&mut saver).unwrap();
        0_u32.serialize(&mut saver).unwrap();
        texture.serialize(&mut saver).unwrap();
        saver.into_bytes()
    };
    let class = "/Script/Engine.Texture2D";
    let builder =
        start.export("Thing", class, body(first)).export("Other", class, body(&mut second));
    Package::from_bytes(builder.build().unwrap()).unwrap()
}
