//! Redirect files.

use unreal_packages::compression::redirect::Redirect;
use unreal_packages::compression::{Uz, UzForm};
use unreal_packages::generate::Builder;

use proptest::prelude::*;

use super::noise;

const UZ: [Redirect; 2] = [Redirect::Uz(UzForm::FourStages), Redirect::Uz(UzForm::FiveStages)];

#[test]
fn redirect_files_hold_any_file() {
    for redirect in [Redirect::Uz2, Redirect::Uz3] {
        for bytes in [noise(10, 1), noise(0x8000, 2), noise(0x1_8001, 3), vec![0; 0x2_0000]] {
            let packed = redirect.pack(&bytes).unwrap();
            assert_eq!(Redirect::recognise(&packed), Some(redirect));
            assert!(redirect.unpack(&packed).unwrap() == bytes);
            assert!(redirect.unpack(&packed[..packed.len() - 1]).is_err());
            for at in 0..12 {
                for value in [0, 1, 0x7f, 0xff] {
                    let mut changed = packed.clone();
                    changed[at] = value;
                    let _ = Redirect::recognise(&changed);
                    let _ = redirect.unpack(&changed);
                }
            }
        }
    }
    let packed = Redirect::Uz2.pack(&noise(0x1_8001, 3)).unwrap();
    assert_eq!(packed[4..8], [0, 0x80, 0, 0]);
    let packed = Redirect::Uz3.pack(b"hello").unwrap();
    assert_eq!(packed[..8], [0x2e, 0x16, 0, 0, 5, 0, 0, 0]);
    for version in [61, 69, 128, 868] {
        let package = Builder::new(version).build().unwrap();
        assert_eq!(Redirect::recognise(&package), None);
    }
}

#[test]
fn uz_files_hold_any_file_under_its_name() {
    let runs: Vec<u8> = (0..600).flat_map(|run| vec![(run % 3) as u8; run]).collect();
    let texts = [
        Vec::new(),
        vec![7],
        vec![0; 5],
        (0..=255).collect(),
        b"texture sound texture mesh ".repeat(30),
        noise(0x4_0001, 4),
        vec![9; 0x9_0000],
        runs,
    ];
    for redirect in UZ {
        for text in &texts {
            let packed = redirect.pack_named("Straße.u", text).unwrap();
            assert_eq!(Redirect::recognise(&packed), Some(redirect), "{} bytes", text.len());
            assert_eq!(redirect.name(&packed).unwrap().as_deref(), Some("Straße.u"));
            assert!(redirect.unpack(&packed).unwrap() == *text, "{} bytes", text.len());
            let short = redirect.unpack_within(&packed, Some(text.len() as u64));
            assert!(short.is_ok(), "the limit is what comes out");
            if text.len() > 0x4000 {
                let error = redirect.unpack_within(&packed, Some(0x1000)).unwrap_err();
                assert!(error.to_string().contains("the limit is"), "{error}");
            }
        }
    }
    assert_eq!(Redirect::Uz2.name(&[]).unwrap(), None);
}

/// Worked out by hand from the description: RLE folds nothing; the suffixes of `banana`, the end above all.
#[test]
fn uz_files_have_the_bytes_of_the_description() {
    let packed = UZ[0].pack_named("a.u", b"banana").unwrap();
    assert_eq!(packed[..9], [0xd2, 4, 0, 0, 4, b'a', b'.', b'u', 0]);
    // A block of six bytes, its numbers, seven rows; all of them symbols.
    assert_eq!(packed[9..13], [19, 0, 0, 0]);
    let uz = Uz::read(&packed).unwrap();
    assert_eq!((uz.form, uz.data.len()), (UzForm::FourStages, packed.len() as u64 - 9));
}

#[test]
fn damaged_uz_files_end_with_an_error_or_a_file() {
    for redirect in UZ {
        let packed = redirect.pack_named("Mod.u", &noise(300, 5)).unwrap();
        for at in 0..packed.len() {
            let _ = redirect.unpack_within(&packed[..at], Some(1 << 20));
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = packed.clone();
                changed[at] = value;
                let _ = redirect.unpack_within(&changed, Some(1 << 20));
            }
        }
    }
    // A tree of one leaf, whose codes have no bits: two thousand million symbols in no byte.
    let mut bomb = vec![0xd2, 4, 0, 0, 2, b'x', 0, 0xff, 0xff, 0xff, 0x7f, 0, 0];
    let error = UZ[0].unpack(&bomb).unwrap_err();
    assert!(error.to_string().contains("the limit is"), "{error}");
    // Branches without end.
    bomb.truncate(11);
    bomb.extend([0xff; 200]);
    let error = UZ[0].unpack(&bomb).unwrap_err();
    assert!(error.to_string().contains("more leaves"), "{error}");
}

proptest! {
    #[test]
    fn what_uz_packs_it_unpacks(
        pieces in prop::collection::vec((any::<u8>(), 1usize..300), 0..60),
        five in any::<bool>(),
    ) {
        let text: Vec<u8> = pieces.into_iter().flat_map(|(byte, run)| vec![byte; run]).collect();
        let packed = UZ[usize::from(five)].pack(&text).unwrap();
        prop_assert_eq!(UZ[usize::from(five)].unpack(&packed).unwrap(), text);
    }

    #[test]
    fn short_alphabets_come_back(text in prop::collection::vec(0u8..3, 0..400)) {
        for redirect in UZ {
            prop_assert_eq!(redirect.unpack(&redirect.pack(&text).unwrap()).unwrap(), text.clone());
        }
    }
}
