//! Judges what is said of a whole type: bits, tags, and the variant that keeps unknown ones.

use quote::ToTokens;

use crate::attr::Errors;
use crate::check::number;
use crate::model::{Body, Model};

/// The integers that bits can stand in, and how many each has.
pub const BITS: [(&str, i64); 4] = [("u8", 8), ("u16", 16), ("u32", 32), ("u64", 64)];

/// What only structs or only enums can be.
pub fn check_type(model: &Model, errors: &mut Errors) {
    let is_enum = matches!(model.body, Body::Enum { .. });
    if model.of_type.tagged && !is_enum {
        let message = "`tagged` is for enums, whose tag stands in another field; a struct has none";
        errors.at(&model.ident, message);
    }
    let Some(bits) = &model.of_type.bits else { return };
    if !matches!(model.body, Body::Struct(_)) {
        errors.at(bits, "`bits` is for structs: their fields are parts of one number");
    }
    if !BITS.iter().any(|(name, _)| bits == name) {
        errors.at(bits, "`bits` needs the integer that is stored: `u8`, `u16`, `u32` or `u64`");
    }
}

/// Fields of bits stand together in one number, in every version.
pub fn check_bits(model: &Model, errors: &mut Errors) {
    let room = model.of_type.bits.as_ref();
    let room = room.and_then(|bits| BITS.iter().find(|(name, _)| bits == name));
    let mut taken = 0;
    for field in model.fields() {
        let attributes = &field.attributes;
        match (&attributes.bits, &model.of_type.bits) {
            (None, Some(_)) if attributes.skip.is_none() => {
                let message = format!(
                    "{} needs its number of bits: `#[archive(bits = NUMBER)]`",
                    field.describe()
                );
                errors.at(field.member.to_token_stream(), message);
            }
            (Some((_, attribute)), None) => {
                let message = "`bits` needs the number in which all fields of the struct are bits: \
                               `#[archive(bits = u16)]` before it";
                errors.at(attribute, message);
            }
            (Some((width, attribute)), Some(_)) => {
                let alone =
                    attributes.keys().iter().all(|(key, _)| matches!(*key, "bits" | "rename"));
                if !alone || !attributes.bounds.is_empty() {
                    let message = "bits are there in every version and have one form: a struct of other \
                                   bits is another type";
                    errors.at(attribute, message);
                }
                taken += number(width).unwrap_or_default();
                if let Some((name, most)) = room.filter(|(_, most)| taken > *most) {
                    let message = format!(
                        "`{name}` has {most} bits; up to {} there are {taken}",
                        field.describe()
                    );
                    errors.at(attribute, message);
                    taken = 0;
                }
            }
            (None, _) => {}
        }
    }
}

/// A variant that keeps unknown tags is the last one and begins with the tag.
pub fn check_others(model: &Model, errors: &mut Errors) {
    for (index, variant) in model.variants().iter().enumerate() {
        let Some(attribute) = &variant.attributes.other else { continue };
        if index + 1 < model.variants().len() {
            errors.at(
                attribute,
                "`other` keeps the tags that no variant above it has: it stands last",
            );
        }
        if let Some(value) = &variant.discriminant {
            errors.at(value, "a variant that keeps unknown tags has no discriminant of its own");
        }
        if let Some(bound) = variant.attributes.bounds.first() {
            errors.at(
                &bound.attribute,
                "a variant that keeps unknown tags is there in every version",
            );
        }
        match variant.fields.first() {
            None => {
                let message = "a variant that keeps unknown tags needs a field for the tag first, such as \
                               `Other(u8)`";
                errors.at(&variant.ident, message);
            }
            Some(tag) => {
                if let Some((_, attribute)) = tag.attributes.keys().first() {
                    errors.at(
                        attribute,
                        "the field of the tag is stored as the tag: it has no other form",
                    );
                }
            }
        }
    }
}
