/// Every bound must hold.
struct Header {
    #[since(100)]
    #[since(engine = 3)]
    #[archive(when = self.count > 0 || ar.is_loading())]
    extra: u32,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Header {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: 100 as i64,
            },
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(ENGINE),
                value: 3 as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Header>,
                doc: "Every bound must hold.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "extra",
                            ty: "u32",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: 100 as i64,
                                    name: ::core::option::Option::None,
                                },
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(ENGINE),
                                    value: 3 as i64,
                                    name: ::core::option::Option::None,
                                },
                            ],
                            when: ::core::option::Option::Some(
                                "self.count > 0 || ar.is_loading()",
                            ),
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
            if __farchive::Archive::versions(ar).number() >= 100
                && __farchive::Archive::versions(ar).get(ENGINE) >= 3
                && (self.count > 0 || ar.is_loading())
            {
                ar.step(__farchive::archive::Step::Field("extra"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.extra,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("extra"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.extra,
                ar,
                "extra",
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
};
