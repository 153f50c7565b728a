/// A field of some versions in between; the compiler compares the constants.
struct Summary {
    #[since(FIRST)]
    #[until(LAST + 1)]
    middle: u32,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    const _: () = ::core::assert!(
        (FIRST) < (LAST + 1),
        "field `middle` is in no version: on the first axis, `until` must be above `since`"
    );
    #[automatically_derived]
    impl __farchive::Archived for Summary {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: FIRST as i64,
            },
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: (LAST + 1) as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Summary>,
                doc: "A field of some versions in between; the compiler compares the constants.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "middle",
                            ty: "u32",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: FIRST as i64,
                                    name: ::core::option::Option::Some("FIRST"),
                                },
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Until,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: (LAST + 1) as i64,
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
            if __farchive::Archive::versions(ar).number() >= FIRST
                && __farchive::Archive::versions(ar).number() < (LAST + 1)
            {
                ar.step(__farchive::archive::Step::Field("middle"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.middle,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("middle"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.middle,
                ar,
                "middle",
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
};
