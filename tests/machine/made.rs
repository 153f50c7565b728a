//! Made packages, read again by a reader that shares nothing with the library.

use std::panic::{AssertUnwindSafe, catch_unwind};
use unreal_packages::generate::create;

use unreal_packages::FString;
use unreal_packages::content::{NewTextures, TextEdits};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Profile;
use unreal_packages::object::{Native, text::TextBuffer};

use crate::common::everything::everything;
use crate::common::open;
use crate::reader::{compare, run};

pub fn an_independent_reader_sees_the_same() {
    for profile in Profile::ALL {
        for package in [create(profile).unwrap(), everything(profile)] {
            let bytes = package.to_bytes().unwrap();
            let seen = run(&bytes);
            assert_eq!(compare(&open(&bytes), &seen, &profile.to_string()), 0, "nothing unread");
        }
    }
}

pub fn the_independent_reader_sees_differences() {
    let bytes = everything(&Profile::UT99).to_bytes().unwrap();
    let seen = run(&bytes);
    let mut other = open(&bytes);
    let row = other.find_export("Deep.Deeper.Text").unwrap();
    other
        .edit(|edit| {
            edit.change_body(row, |body| {
                if let Native::Object(object) = &mut body.native
                    && let Some(text) = object.downcast_mut::<TextBuffer>()
                {
                    text.text = FString::new("A bext.");
                }
                Ok(())
            })
        })
        .unwrap();
    let other = open(&other.to_bytes().unwrap());
    let look = AssertUnwindSafe(|| compare(&other, &seen, "changed"));
    let differs = catch_unwind(look);
    assert!(differs.is_err());
}

#[cfg(feature = "content")]
pub fn an_independent_reader_sees_made_content_the_same() {
    use unreal_packages::content::{Image, NewTexture};
    use unreal_packages::object::TextureFormat;
    let pixels = (0..64u8).map(|at| [at * 4, 255 - at, at, if at % 9 == 0 { 0 } else { 255 }]);
    let image = Image::from_rgba(8, 8, pixels.collect()).unwrap();
    for profile in Profile::ALL {
        let mut package = create(profile).unwrap();
        for format in TextureFormat::ALL.iter().copied() {
            let new = NewTexture { format: Some(format), ..NewTexture::default() };
            let path = format!("Group.{format}");
            let _ = package.edit(|edit| edit.add_texture(&path, &image, &new));
        }
        package.edit(|edit| edit.add_text("Text", "Grüße")).unwrap();
        assert!(package.exports().len() > 3, "{profile}");
        let bytes = package.to_bytes().unwrap();
        let seen = run(&bytes);
        assert_eq!(compare(&open(&bytes), &seen, &profile.to_string()), 0);
    }
}
