/// A field of later versions.
struct Generation {
    export_count: u32,
    #[since(322)]
    net_object_count: u32,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Generation {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: 322 as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Generation>,
                doc: "A field of later versions.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "export_count",
                            ty: "u32",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "net_object_count",
                            ty: "u32",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: 322 as i64,
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
            ar.step(__farchive::archive::Step::Field("export_count"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                &mut self.export_count,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("export_count"));
            }
            if __farchive::Archive::versions(ar).number() >= 322 {
                ar.step(__farchive::archive::Step::Field("net_object_count"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.net_object_count,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(
                        error.in_field("net_object_count"),
                    );
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.net_object_count,
                ar,
                "net_object_count",
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
};
