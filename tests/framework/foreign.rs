//! Types of other crates, and a function for those without a feature.

use bytes::{Bytes, BytesMut};
use farchive::{Archive, Archived, ErrorKind, Loader, Result, with};
use glam::{DVec2, IVec3, Mat2, Quat, Vec2, Vec3, Vec3A};
use indexmap::{IndexMap, IndexSet};
use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use smallvec::{SmallVec, smallvec};
use uuid::Uuid;

use crate::stored::{own, refused, stored};

#[test]
fn vectors_are_their_components() {
    assert_eq!(
        stored(IVec3::new(1, -1, 2), &[1, 0, 0, 0, 255, 255, 255, 255, 2, 0, 0, 0]),
        json!({ "x": 1, "y": -1, "z": 2 })
    );
    let floats = |values: &[f32]| values.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    stored(Vec2::new(1.0, 2.0), &floats(&[1.0, 2.0]));
    stored(Vec3::new(1.0, 2.0, 3.0), &floats(&[1.0, 2.0, 3.0]));
    stored(Vec3A::new(1.0, 2.0, 3.0), &floats(&[1.0, 2.0, 3.0]));
    stored(Quat::from_xyzw(0.0, 0.5, 0.0, 1.0), &floats(&[0.0, 0.5, 0.0, 1.0]));
    stored(Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]), &floats(&[1.0, 2.0, 3.0, 4.0]));
    stored(DVec2::new(1.0, 0.0), &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn lists_and_maps_keep_their_order() {
    let map: IndexMap<u8, bool> = [(9, true), (2, false)].into_iter().collect();
    let document = stored(map, &[2, 0, 0, 0, 9, 1, 2, 0]);
    assert_eq!(document, json!([{ "key": 9, "value": true }, { "key": 2, "value": false }]));
    stored(IndexSet::<u16>::from_iter([9, 2]), &[2, 0, 0, 0, 9, 0, 2, 0]);
    let error = refused::<IndexMap<u8, bool>>(&[2, 0, 0, 0, 9, 1, 9, 0], 1);
    assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
    assert_eq!(error.path(), "[1]");
    let list: SmallVec<[u16; 2]> = smallvec![1, 2, 3];
    assert_eq!(stored(list, &[3, 0, 0, 0, 1, 0, 2, 0, 3, 0]), json!([1, 2, 3]));
    stored(Bytes::from_static(&[1, 2]), &[2, 0, 0, 0, 1, 2]);
    stored(BytesMut::from(&[1, 2][..]), &[2, 0, 0, 0, 1, 2]);
}

#[test]
fn times_and_ids_are_texts_in_documents() {
    let id = Uuid::from_bytes([
        0x67, 0xe5, 0x50, 0x44, 0x10, 0xb1, 0x42, 0x6f, 0x92, 0x47, 0xbb, 0x68, 0x0e, 0x5f, 0xe0,
        0xc8,
    ]);
    assert_eq!(stored(id, id.as_bytes()), json!("67e55044-10b1-426f-9247-bb680e5fe0c8"));
    let time = Timestamp::new(1, 5).expect("a time");
    let bytes = [1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0];
    assert_eq!(stored(time, &bytes), json!("1970-01-01T00:00:01.000000005Z"));
    stored(SignedDuration::new(1, 5), &bytes);
    let (date, noon) = (Date::constant(2024, 2, 29), Time::constant(12, 30, 1, 7));
    assert_eq!(stored(date, &[0xe8, 7, 2, 29]), json!("2024-02-29"));
    stored(noon, &[12, 30, 1, 7, 0, 0, 0]);
    let both = DateTime::from_parts(date, noon);
    assert_eq!(
        stored(both, &[0xe8, 7, 2, 29, 12, 30, 1, 7, 0, 0, 0]),
        json!("2024-02-29T12:30:01.000000007")
    );
    let error = refused::<Date>(&[0xe7, 7, 2, 29], 1);
    assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
    assert_eq!(error.offset(), Some(0));
    let far = [&i64::MAX.to_le_bytes()[..], &[0; 4]].concat();
    assert!(Timestamp::default().serialize(&mut Loader::new(&far, own(1))).is_err());
}

/// A type of another crate for which there is no feature.
mod other_crate {
    #[derive(Debug, Clone, Default, PartialEq)]
    pub struct Colour {
        pub rgb: [u8; 3],
    }
}

/// A module of forms for its types.
mod colour {
    use super::*;

    pub fn serialize<A: Archive + ?Sized>(
        colour: &mut other_crate::Colour,
        ar: &mut A,
    ) -> Result<()> {
        colour.rgb.serialize(ar)
    }
}

#[test]
fn a_foreign_type_needs_no_type_around_it() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Palette {
        #[archive(with = colour::serialize)]
        background: other_crate::Colour,
        #[archive(with = with::each_u8(colour::serialize))]
        colours: Vec<other_crate::Colour>,
        #[archive(with = with::optional(colour::serialize))]
        border: Option<other_crate::Colour>,
    }
    let colour = |rgb| other_crate::Colour { rgb };
    let palette = Palette {
        background: colour([1, 2, 3]),
        colours: vec![colour([4, 5, 6])],
        border: Some(colour([7, 8, 9])),
    };
    stored(palette, &[1, 2, 3, 1, 4, 5, 6, 1, 7, 8, 9]);
}
