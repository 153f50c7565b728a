/// Bounds on axes that constants stand for: `ENGINE` and `axes::LICENSEE`.
struct Header {
    #[since(engine = 5)]
    #[until(engine = 9)]
    flags: u32,
    #[since(axes::licensee = 3)]
    count: u32,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Header {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(ENGINE),
                value: 5 as i64,
            },
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(ENGINE),
                value: 9 as i64,
            },
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(axes::LICENSEE),
                value: 3 as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Header>,
                doc: "Bounds on axes that constants stand for: `ENGINE` and `axes::LICENSEE`.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "flags",
                            ty: "u32",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(ENGINE),
                                    value: 5 as i64,
                                    name: ::core::option::Option::None,
                                },
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Until,
                                    measure: __farchive::version::Measure::Axis(ENGINE),
                                    value: 9 as i64,
                                    name: ::core::option::Option::None,
                                },
                            ],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "count",
                            ty: "u32",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(axes::LICENSEE),
                                    value: 3 as i64,
                                    name: ::core::option::Option::None,
                                },
                            ],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
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
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            if __farchive::Archive::versions(ar).get(ENGINE) >= 5
                && __farchive::Archive::versions(ar).get(ENGINE) < 9
            {
                ar.step(__farchive::archive::Step::Field("flags"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.flags,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("flags"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.flags,
                ar,
                "flags",
            ) {
                return ::core::result::Result::Err(error);
            }
            if __farchive::Archive::versions(ar).get(axes::LICENSEE) >= 3 {
                ar.step(__farchive::archive::Step::Field("count"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.count,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("count"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.count,
                ar,
                "count",
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
};
