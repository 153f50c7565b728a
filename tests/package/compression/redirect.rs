//! Redirect files.

use farchive::compression::redirect::Redirect;
use farchive::generate::Builder;

use super::noise;

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
