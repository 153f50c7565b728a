//! Words of errors: where the value starts, what it is, and since when.

use farchive::{Archived, ErrorKind, with};

use crate::stored::refused;

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Row {
    id: u16,
    kind: Kind,
    name: String,
    #[archive(with = with::bool_u32)]
    flag: bool,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u16)]
enum Kind {
    #[default]
    Plain,
    #[since(2)]
    #[until(4)]
    Odd = 7,
    #[since(3)]
    Late,
}

#[test]
fn an_error_stands_at_the_start_of_its_value() {
    for (bytes, version, message) in [
        (&[0, 0, 9, 0][..], 1, "kind at 0x2 (version 1): 9 is no variant of Kind"),
        (
            &[0, 0, 7, 0],
            1,
            "kind at 0x2 (version 1): 7 is the variant Odd of Kind, which is there from 2 and until 4",
        ),
        (
            &[0, 0, 8, 0],
            2,
            "kind at 0x2 (version 2): 8 is the variant Late of Kind, which is there from 3",
        ),
        (
            &[0, 0, 0, 0, 2, 0, 0, 0, 0xc3, 0x28],
            1,
            "name.characters at 0x8 (version 1): the bytes are no text: they are not UTF-8",
        ),
        (
            &[0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0],
            1,
            "flag at 0x8 (version 1): a form that this type can't keep: a truth value above 1",
        ),
    ] {
        assert_eq!(refused::<Row>(bytes, version).to_string(), message);
    }
}

#[test]
fn a_magic_value_stands_at_the_start() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    #[archive(magic = b"LEVL")]
    struct Level {
        width: u8,
    }
    let error = refused::<Level>(b"LEVE\x05", 1);
    assert_eq!(error.to_string(), "magic at 0x0 (version 1): 'LEVL' belongs here, found 'LEVE'");
}

#[test]
fn kinds_say_what_a_program_can_act_upon() {
    let error = refused::<Kind>(&[8, 0], 2);
    let ErrorKind::VariantNotInVersion { value, variant, bounds, .. } = error.kind() else {
        panic!("{error}");
    };
    assert_eq!((*value, *variant, bounds.as_str()), (8, "Late", "from 3"));
}
