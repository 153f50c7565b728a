/// Ranges that tile: the heritage list gave way to the GUID.
struct Summary {
    #[until(version::HERITAGE_REMOVED)]
    heritage_count: u32,
    #[since(version::HERITAGE_REMOVED)]
    guid: Guid,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Summary {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: version::HERITAGE_REMOVED as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Summary>,
                doc: "Ranges that tile: the heritage list gave way to the GUID.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "heritage_count",
                            ty: "u32",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Until,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: version::HERITAGE_REMOVED as i64,
                                    name: ::core::option::Option::Some("HERITAGE_REMOVED"),
                                },
                            ],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "guid",
                            ty: "Guid",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: version::HERITAGE_REMOVED as i64,
                                    name: ::core::option::Option::Some("HERITAGE_REMOVED"),
                                },
                            ],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[
                                __farchive::archive::layout::Link {
                                    layout: __farchive::archive::layout::Probe::<Guid>::LINK,
                                    value: __farchive::archive::layout::Probe::<Guid>::VALUE,
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
            <__farchive::archive::layout::Probe<u32>>::NESTS
                || <__farchive::archive::layout::Probe<Guid>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            if __farchive::Archive::versions(ar).number() < version::HERITAGE_REMOVED {
                ar.step(__farchive::archive::Step::Field("heritage_count"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.heritage_count,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("heritage_count"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.heritage_count,
                ar,
                "heritage_count",
            ) {
                return ::core::result::Result::Err(error);
            }
            if __farchive::Archive::versions(ar).number() >= version::HERITAGE_REMOVED {
                ar.step(__farchive::archive::Step::Field("guid"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.guid,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("guid"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.guid,
                ar,
                "guid",
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
};
