/// An enum whose tag stands in another field.
#[repr(u8)]
#[archive(tagged)]
enum Body {
    Empty,
    Move(i8, i8),
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Body {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = __DISCRIMINANT_0 + 1;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Body>,
                doc: "An enum whose tag stands in another field.",
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
                            name: "Move",
                            value: __DISCRIMINANT_1 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[],
                            fields: &[
                                __farchive::archive::layout::Field {
                                    name: "0",
                                    ty: "i8",
                                    doc: "",
                                    bounds: &[],
                                    when: ::core::option::Option::None,
                                    with: ::core::option::Option::None,
                                    role: ::core::option::Option::None,
                                    links: &[],
                                },
                                __farchive::archive::layout::Field {
                                    name: "1",
                                    ty: "i8",
                                    doc: "",
                                    bounds: &[],
                                    when: ::core::option::Option::None,
                                    with: ::core::option::Option::None,
                                    role: ::core::option::Option::None,
                                    links: &[],
                                },
                            ],
                        },
                    ],
                },
            };
            &LAYOUT
        };
        const NESTS: bool = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            <__farchive::archive::layout::Probe<i8>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = __DISCRIMINANT_0 + 1;
            let mut discriminant: u8 = __farchive::archive::Tagged::tag(self);
            ar.step(
                __farchive::archive::Step::Keyed(
                    __farchive::archive::Keyed::Variant(
                        &[
                            ("Empty", __DISCRIMINANT_0 as i64),
                            ("Move", __DISCRIMINANT_1 as i64),
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
            if let ::core::result::Result::Err(error) = __farchive::archive::Tagged::serialize_tagged(
                self,
                discriminant,
                ar,
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
    #[automatically_derived]
    impl __farchive::archive::Tagged for Body {
        type Tag = u8;
        fn tag(&self) -> u8 {
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = __DISCRIMINANT_0 + 1;
            match *self {
                Self::Empty { .. } => __DISCRIMINANT_0,
                Self::Move { .. } => __DISCRIMINANT_1,
            }
        }
        #[inline]
        fn serialize_tagged<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            tag: u8,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = __DISCRIMINANT_0 + 1;
            if __farchive::ArchiveExt::is_loading(ar) {
                let discriminant: u8 = tag;
                *self = match discriminant {
                    __DISCRIMINANT_0 => Self::Empty {},
                    __DISCRIMINANT_1 => {
                        Self::Move(
                            ::core::default::Default::default(),
                            ::core::default::Default::default(),
                        )
                    }
                    _ => {
                        return ::core::result::Result::Err(
                            __farchive::archive::private::unknown_variant::<
                                Self,
                                _,
                            >(ar, discriminant as i64, "Body", 0),
                        );
                    }
                };
            }
            match self {
                Self::Empty {} => {}
                Self::Move(_0, _1) => {
                    ar.step(__farchive::archive::Step::Field("0"));
                    let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                        &mut *_0,
                        ar,
                    );
                    ar.step(__farchive::archive::Step::Leave);
                    if let ::core::result::Result::Err(error) = result {
                        return ::core::result::Result::Err(error.in_field("0"));
                    }
                    ar.step(__farchive::archive::Step::Field("1"));
                    let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                        &mut *_1,
                        ar,
                    );
                    ar.step(__farchive::archive::Step::Leave);
                    if let ::core::result::Result::Err(error) = result {
                        return ::core::result::Result::Err(error.in_field("1"));
                    }
                }
            }
            ::core::result::Result::Ok(())
        }
    }
};
