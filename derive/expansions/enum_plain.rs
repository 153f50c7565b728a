/// Discriminants as in Rust: written, or one more than the last.
#[repr(u8)]
enum Kind {
    Empty,
    Full = 5,
    Overfull,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Kind {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = 5;
            const __DISCRIMINANT_2: u8 = __DISCRIMINANT_1 + 1;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Kind>,
                doc: "Discriminants as in Rust: written, or one more than the last.",
                shape: __farchive::archive::layout::Shape::Enum {
                    repr: "u8",
                    variants: &[
                        __farchive::archive::layout::Variant {
                            name: "Empty",
                            value: __DISCRIMINANT_0 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[],
                            fields: &[],
                        },
                        __farchive::archive::layout::Variant {
                            name: "Full",
                            value: __DISCRIMINANT_1 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[],
                            fields: &[],
                        },
                        __farchive::archive::layout::Variant {
                            name: "Overfull",
                            value: __DISCRIMINANT_2 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[],
                            fields: &[],
                        },
                    ],
                },
            };
            &LAYOUT
        };
        const NESTS: bool = false;
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = 5;
            const __DISCRIMINANT_2: u8 = __DISCRIMINANT_1 + 1;
            let mut discriminant: u8 = match *self {
                Self::Empty { .. } => __DISCRIMINANT_0,
                Self::Full { .. } => __DISCRIMINANT_1,
                Self::Overfull { .. } => __DISCRIMINANT_2,
            };
            ar.step(
                __farchive::archive::Step::Keyed(
                    __farchive::archive::Keyed::Variant(
                        &[
                            ("Empty", __DISCRIMINANT_0 as i64),
                            ("Full", __DISCRIMINANT_1 as i64),
                            ("Overfull", __DISCRIMINANT_2 as i64),
                        ],
                    ),
                ),
            );
            ar.step(__farchive::archive::Step::Field("discriminant"));
            let result: ::core::result::Result<(), __farchive::Error> = ar
                .serialize_u8(&mut discriminant);
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("discriminant"));
            }
            if __farchive::ArchiveExt::is_loading(ar) {
                *self = match discriminant {
                    __DISCRIMINANT_0 => Self::Empty {},
                    __DISCRIMINANT_1 => Self::Full {},
                    __DISCRIMINANT_2 => Self::Overfull {},
                    _ => {
                        return ::core::result::Result::Err(
                            __farchive::archive::private::unknown_variant::<
                                Self,
                                _,
                            >(
                                ar,
                                discriminant as i64,
                                "Kind",
                                ::core::mem::size_of::<u8>(),
                            ),
                        );
                    }
                };
            }
            ar.step(
                __farchive::archive::Step::Meaning(
                    match *self {
                        Self::Empty { .. } => "Empty",
                        Self::Full { .. } => "Full",
                        Self::Overfull { .. } => "Overfull",
                    },
                ),
            );
            ::core::result::Result::Ok(())
        }
    }
};
