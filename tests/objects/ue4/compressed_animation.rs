//! Packed keys of animations, as cookers from 4.23 on store them.

use unreal_packages::object::ue4::asset::anim_sequence::AnimSequence;
use unreal_packages::object::ue4::asset::compressed_animation::{
    CompressedAnimation, EarlyKeyForms, KeyForms, KeyStream,
};
use unreal_packages::object::ue4::strip::StripFlags;
use unreal_packages::primitive::Payload;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Name, Span, Versions};

use super::{inline, laws_at, saved};

fn cooked(major: u8, minor: u8) -> Versions {
    let release = EngineRelease::new(major, minor);
    let versions = release.versions().with_release(Some(release));
    versions.with_cooked(true).with_filter_editor_only(true)
}

fn stored(bytes: &'static [u8]) -> KeyStream {
    KeyStream { size: bytes.len() as i32, bytes: Span::owned(bytes), ..KeyStream::default() }
}

fn animation(packed: CompressedAnimation) -> AnimSequence {
    let strip = StripFlags { global: 1, class: 0 };
    AnimSequence { strip, has_compressed: true, packed, ..AnimSequence::default() }
}

const FORMS: KeyForms = KeyForms {
    formats: [2, 6, 6, 6],
    byte_count: 3,
    offset_count: 2,
    scale_offset_count: 1,
    scale_strip_size: 1,
};

fn common(stream: KeyStream) -> CompressedAnimation {
    CompressedAnimation {
        raw_size: 400,
        track_to_bone: vec![0, 2],
        curve_names: vec![Name::new(3)],
        stream,
        curve_codec: "/Engine/Curves".into(),
        curve_stream: Payload(Span::owned(&b"curve"[..])),
        ..CompressedAnimation::default()
    }
}

#[test]
fn keys_say_their_forms_before_them_in_4_23_and_4_24() {
    let KeyForms { formats, byte_count, offset_count, scale_offset_count, scale_strip_size } =
        FORMS;
    let early_form = EarlyKeyForms {
        formats,
        frame_count: 9,
        offset_count,
        scale_offset_count,
        scale_strip_size,
        byte_count,
    };
    let packed = CompressedAnimation { early_form, ..common(stored(b"numbers, keys")) };
    assert_eq!(packed.forms(), Some((FORMS, 9)));
    for minor in [23, 24] {
        laws_at(&animation(packed.clone()), &AnimSequence::default(), &cooked(4, minor));
    }
    // Behind them: later releases have no such place.
    let error = saved(&mut animation(packed), &cooked(4, 25), 0).unwrap_err();
    assert!(error.to_string().contains("early_form"), "{error}");
}

#[test]
fn keys_say_their_forms_behind_them_from_4_25_on() {
    for (major, minor) in [(4, 25), (4, 27), (5, 0), (5, 1), (5, 3), (5, 5)] {
        for (codec, form) in [("AnimCompress_PerTrack_0", Some(FORMS)), ("ACL_0", None)] {
            let packed = CompressedAnimation {
                bone_codec: codec.into(),
                frame_count: 9,
                form,
                ..common(stored(b"numbers, keys"))
            };
            assert_eq!(packed.forms(), form.map(|form| (form, 9)));
            let value = animation(packed);
            laws_at(&value, &AnimSequence::default(), &cooked(major, minor));
        }
    }
    // In bulk data.
    let stream = KeyStream { size: 4, in_bulk: true, bulk: inline(b"keys"), ..stored(b"") };
    let packed = CompressedAnimation { form: Some(FORMS), ..common(stream) };
    laws_at(&animation(packed), &AnimSequence::default(), &cooked(4, 27));
}
