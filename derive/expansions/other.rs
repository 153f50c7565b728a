/// A variant that keeps unknown tags.
#[repr(u8)]
enum Chunk {
    End,
    #[since(2)]
    Name(String),
    #[archive(other)]
    Unknown { tag: u8, data: u32 },
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Chunk {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: 2 as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = __DISCRIMINANT_0 + 1;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Chunk>,
                doc: "A variant that keeps unknown tags.",
                shape: __farchive::archive::layout::Shape::Enum {
                    repr: "u8",
                    variants: &[
                        __farchive::archive::layout::Variant {
                            name: "End",
                            value: __DISCRIMINANT_0 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[],
                            fields: &[],
                        },
                        __farchive::archive::layout::Variant {
                            name: "Name",
                            value: __DISCRIMINANT_1 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: 2 as i64,
                                    name: ::core::option::Option::None,
                                },
                            ],
                            fields: &[
                                __farchive::archive::layout::Field {
                                    name: "0",
                                    ty: "String",
                                    doc: "",
                                    bounds: &[],
                                    when: ::core::option::Option::None,
                                    with: ::core::option::Option::None,
                                    role: ::core::option::Option::None,
                                    links: &[
                                        __farchive::archive::layout::Link {
                                            layout: __farchive::archive::layout::Probe::<String>::LINK,
                                            value: __farchive::archive::layout::Probe::<String>::VALUE,
                                        },
                                    ],
                                },
                            ],
                        },
                        __farchive::archive::layout::Variant {
                            name: "Unknown",
                            value: 0,
                            is_other: true,
                            doc: "",
                            bounds: &[],
                            fields: &[
                                __farchive::archive::layout::Field {
                                    name: "data",
                                    ty: "u32",
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
            <__farchive::archive::layout::Probe<String>>::NESTS
                || <__farchive::archive::layout::Probe<u8>>::NESTS
                || <__farchive::archive::layout::Probe<u32>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            const __DISCRIMINANT_0: u8 = 0;
            const __DISCRIMINANT_1: u8 = __DISCRIMINANT_0 + 1;
            if __farchive::ArchiveExt::is_saving(ar) {
                match *self {
                    Self::Name {
                        ..
                    } if !(__farchive::Archive::versions(ar).number() >= 2) => {
                        return ::core::result::Result::Err(
                            __farchive::archive::private::variant_not_in_version(ar),
                        );
                    }
                    Self::Unknown { tag: tag, .. } => {
                        match tag {
                            __DISCRIMINANT_0 => {
                                return ::core::result::Result::Err(
                                    __farchive::archive::private::tag_is_known(
                                        ar,
                                        tag as i64,
                                        "End",
                                    ),
                                );
                            }
                            __DISCRIMINANT_1 if __farchive::Archive::versions(ar)
                                .number() >= 2 => {
                                return ::core::result::Result::Err(
                                    __farchive::archive::private::tag_is_known(
                                        ar,
                                        tag as i64,
                                        "Name",
                                    ),
                                );
                            }
                            _ => {}
                        }
                    }
                    _ => {}
                }
            }
            let mut discriminant: u8 = match *self {
                Self::End { .. } => __DISCRIMINANT_0,
                Self::Name { .. } => __DISCRIMINANT_1,
                Self::Unknown { tag: tag, .. } => tag,
            };
            ar.step(
                __farchive::archive::Step::Keyed(
                    __farchive::archive::Keyed::Variant(
                        &[
                            ("End", __DISCRIMINANT_0 as i64),
                            ("Name", __DISCRIMINANT_1 as i64),
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
                    __DISCRIMINANT_0 => Self::End {},
                    __DISCRIMINANT_1 if __farchive::Archive::versions(ar).number()
                        >= 2 => Self::Name(::core::default::Default::default()),
                    _ => {
                        Self::Unknown {
                            tag: discriminant,
                            data: ::core::default::Default::default(),
                        }
                    }
                };
            }
            ar.step(
                __farchive::archive::Step::Meaning(
                    match *self {
                        Self::End { .. } => "End",
                        Self::Name { .. } => "Name",
                        Self::Unknown { .. } => "Unknown",
                    },
                ),
            );
            match self {
                Self::End {} => {}
                Self::Name(_0) => {
                    ar.step(__farchive::archive::Step::Field("0"));
                    let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                        &mut *_0,
                        ar,
                    );
                    ar.step(__farchive::archive::Step::Leave);
                    if let ::core::result::Result::Err(error) = result {
                        return ::core::result::Result::Err(error.in_field("0"));
                    }
                }
                Self::Unknown { tag: _, data } => {
                    ar.step(__farchive::archive::Step::Field("data"));
                    let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                        &mut *data,
                        ar,
                    );
                    ar.step(__farchive::archive::Step::Leave);
                    if let ::core::result::Result::Err(error) = result {
                        return ::core::result::Result::Err(error.in_field("data"));
                    }
                }
            }
            ::core::result::Result::Ok(())
        }
    }
};
