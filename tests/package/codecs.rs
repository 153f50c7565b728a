//! Methods of compression, with and without the codecs.

use unreal_packages::compression::Method;
#[cfg(not(feature = "compression"))]
use unreal_packages::compression::{Block, Framing, compress, decompress};

#[test]
fn flags_name_one_method_each() {
    for &method in Method::ALL {
        assert_eq!(Method::from_flags(method.flag()), Some(method));
        assert_eq!(Method::from_flags(method.flag() | 0x10), Some(method));
        assert_eq!(method.slug().parse::<Method>().unwrap(), method);
    }
    assert_eq!(Method::from_flags(0), None);
    assert_eq!(Method::from_flags(3), None);
    assert!("brotli".parse::<Method>().is_err());
}

#[cfg(not(feature = "compression"))]
#[test]
fn without_codecs_the_feature_is_named() {
    use unreal_packages::archive::Span;
    let data = Span::owned(vec![1, 2, 3]);
    let block = Block { compressed_size: 3, uncompressed_size: 1, data };
    let framing = Framing {
        block_size: 0x2_0000,
        compressed_size: 3,
        uncompressed_size: 1,
        blocks: vec![block],
        ..Framing::default()
    };
    for &method in Method::ALL {
        let error = decompress(&framing, &[], method).unwrap_err().to_string();
        assert!(error.contains("feature 'compression'"), "{error}");
        assert!(compress(&[0], method, 0x2_0000).is_err());
    }
}
