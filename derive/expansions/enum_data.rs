/// Variants with fields; later versions know more of them.
#[repr(i32)]
enum Shape<T> {
    Point,
    Circle(T),
    #[since(3)]
    Box {
        #[since(4)]
        corner: T,
        width: u32,
        #[archive(when = *width > 0)]
        height: u32,
        #[archive(skip)]
        area: u64,
    },
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl<T> __farchive::Archived for Shape<T>
    where
        T: __farchive::Archived,
        T: ::core::default::Default,
        T: ::core::default::Default + ::core::cmp::PartialEq,
    {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: 3 as i64,
            },
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: 4 as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            const __DISCRIMINANT_0: i32 = 0;
            const __DISCRIMINANT_1: i32 = __DISCRIMINANT_0 + 1;
            const __DISCRIMINANT_2: i32 = __DISCRIMINANT_1 + 1;
            &__farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Self>,
                doc: "Variants with fields; later versions know more of them.",
                shape: __farchive::archive::layout::Shape::Enum {
                    repr: "i32",
                    variants: &[
                        __farchive::archive::layout::Variant {
                            name: "Point",
                            value: __DISCRIMINANT_0 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[],
                            fields: &[],
                        },
                        __farchive::archive::layout::Variant {
                            name: "Circle",
                            value: __DISCRIMINANT_1 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[],
                            fields: &[
                                __farchive::archive::layout::Field {
                                    name: "0",
                                    ty: "T",
                                    doc: "",
                                    bounds: &[],
                                    when: ::core::option::Option::None,
                                    with: ::core::option::Option::None,
                                    role: ::core::option::Option::None,
                                    links: &[
                                        __farchive::archive::layout::Link {
                                            layout: __farchive::archive::layout::Probe::<T>::LINK,
                                            value: __farchive::archive::layout::Probe::<T>::VALUE,
                                        },
                                    ],
                                },
                            ],
                        },
                        __farchive::archive::layout::Variant {
                            name: "Box",
                            value: __DISCRIMINANT_2 as i64,
                            is_other: false,
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: 3 as i64,
                                    name: ::core::option::Option::None,
                                },
                            ],
                            fields: &[
                                __farchive::archive::layout::Field {
                                    name: "corner",
                                    ty: "T",
                                    doc: "",
                                    bounds: &[
                                        __farchive::archive::layout::Bound {
                                            edge: __farchive::archive::layout::Edge::Since,
                                            measure: __farchive::version::Measure::Axis(
                                                __farchive::version::Axis::FIRST,
                                            ),
                                            value: 4 as i64,
                                            name: ::core::option::Option::None,
                                        },
                                    ],
                                    when: ::core::option::Option::None,
                                    with: ::core::option::Option::None,
                                    role: ::core::option::Option::None,
                                    links: &[
                                        __farchive::archive::layout::Link {
                                            layout: __farchive::archive::layout::Probe::<T>::LINK,
                                            value: __farchive::archive::layout::Probe::<T>::VALUE,
                                        },
                                    ],
                                },
                                __farchive::archive::layout::Field {
                                    name: "width",
                                    ty: "u32",
                                    doc: "",
                                    bounds: &[],
                                    when: ::core::option::Option::None,
                                    with: ::core::option::Option::None,
                                    role: ::core::option::Option::None,
                                    links: &[],
                                },
                                __farchive::archive::layout::Field {
                                    name: "height",
                                    ty: "u32",
                                    doc: "",
                                    bounds: &[],
                                    when: ::core::option::Option::Some("*width > 0"),
                                    with: ::core::option::Option::None,
                                    role: ::core::option::Option::None,
                                    links: &[],
                                },
                            ],
                        },
                    ],
                },
            }
        };
        const NESTS: bool = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            <__farchive::archive::layout::Probe<T>>::NESTS
                || <__farchive::archive::layout::Probe<u32>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            const __DISCRIMINANT_0: i32 = 0;
            const __DISCRIMINANT_1: i32 = __DISCRIMINANT_0 + 1;
            const __DISCRIMINANT_2: i32 = __DISCRIMINANT_1 + 1;
            if __farchive::ArchiveExt::is_saving(ar) {
                match *self {
                    Self::Box {
                        ..
                    } if !(__farchive::Archive::versions(ar).number() >= 3) => {
                        return ::core::result::Result::Err(
                            __farchive::archive::private::variant_not_in_version(ar),
                        );
                    }
                    _ => {}
                }
            }
            let mut discriminant: i32 = match *self {
                Self::Point { .. } => __DISCRIMINANT_0,
                Self::Circle { .. } => __DISCRIMINANT_1,
                Self::Box { .. } => __DISCRIMINANT_2,
            };
            ar.step(
                __farchive::archive::Step::Keyed(
                    __farchive::archive::Keyed::Variant(
                        &[
                            ("Point", __DISCRIMINANT_0 as i64),
                            ("Circle", __DISCRIMINANT_1 as i64),
                            ("Box", __DISCRIMINANT_2 as i64),
                        ],
                    ),
                ),
            );
            ar.step(__farchive::archive::Step::Field("discriminant"));
            let result: ::core::result::Result<(), __farchive::Error> = ar
                .serialize_i32(&mut discriminant);
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("discriminant"));
            }
            if __farchive::ArchiveExt::is_loading(ar) {
                *self = match discriminant {
                    __DISCRIMINANT_0 => Self::Point {},
                    __DISCRIMINANT_1 => Self::Circle(::core::default::Default::default()),
                    __DISCRIMINANT_2 if __farchive::Archive::versions(ar).number()
                        >= 3 => {
                        Self::Box {
                            corner: ::core::default::Default::default(),
                            width: ::core::default::Default::default(),
                            height: ::core::default::Default::default(),
                            area: ::core::default::Default::default(),
                        }
                    }
                    _ => {
                        return ::core::result::Result::Err(
                            __farchive::archive::private::unknown_variant::<
                                Self,
                                _,
                            >(
                                ar,
                                discriminant as i64,
                                "Shape",
                                ::core::mem::size_of::<i32>(),
                            ),
                        );
                    }
                };
            }
            ar.step(
                __farchive::archive::Step::Meaning(
                    match *self {
                        Self::Point { .. } => "Point",
                        Self::Circle { .. } => "Circle",
                        Self::Box { .. } => "Box",
                    },
                ),
            );
            match self {
                Self::Point {} => {}
                Self::Circle(_0) => {
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
                Self::Box { corner, width, height, area } => {
                    if __farchive::Archive::versions(ar).number() >= 4 {
                        ar.step(__farchive::archive::Step::Field("corner"));
                        let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                            &mut *corner,
                            ar,
                        );
                        ar.step(__farchive::archive::Step::Leave);
                        if let ::core::result::Result::Err(error) = result {
                            return ::core::result::Result::Err(error.in_field("corner"));
                        }
                    } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                        &mut *corner,
                        ar,
                        "corner",
                    ) {
                        return ::core::result::Result::Err(error);
                    }
                    ar.step(__farchive::archive::Step::Field("width"));
                    let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                        &mut *width,
                        ar,
                    );
                    ar.step(__farchive::archive::Step::Leave);
                    if let ::core::result::Result::Err(error) = result {
                        return ::core::result::Result::Err(error.in_field("width"));
                    }
                    if (*width > 0) {
                        ar.step(__farchive::archive::Step::Field("height"));
                        let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                            &mut *height,
                            ar,
                        );
                        ar.step(__farchive::archive::Step::Leave);
                        if let ::core::result::Result::Err(error) = result {
                            return ::core::result::Result::Err(error.in_field("height"));
                        }
                    } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                        &mut *height,
                        ar,
                        "height",
                    ) {
                        return ::core::result::Result::Err(error);
                    }
                    let _ = &area;
                }
            }
            ::core::result::Result::Ok(())
        }
    }
};
