/// Fields without names are known by their number.
struct Pair(u32, #[since(2)] i32);

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Pair {
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
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Pair>,
                doc: "Fields without names are known by their number.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "0",
                            ty: "u32",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "1",
                            ty: "i32",
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
                || <__farchive::archive::layout::Probe<i32>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            ar.step(__farchive::archive::Step::Field("0"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                &mut self.0,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("0"));
            }
            if __farchive::Archive::versions(ar).number() >= 2 {
                ar.step(__farchive::archive::Step::Field("1"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.1,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("1"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.1,
                ar,
                "1",
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
};
