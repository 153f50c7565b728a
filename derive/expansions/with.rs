/// A field with a serialiser of its own, in some versions only.
struct Level {
    #[since(2)]
    #[archive(with = array::counted_u32)]
    tiles: Vec<Tile>,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Level {
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
                path: ::core::any::type_name::<Level>,
                doc: "A field with a serialiser of its own, in some versions only.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "tiles",
                            ty: "Vec<Tile>",
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
                            with: ::core::option::Option::Some("array::counted_u32"),
                            role: ::core::option::Option::None,
                            links: &[
                                __farchive::archive::layout::Link {
                                    layout: __farchive::archive::layout::Probe::<Tile>::LINK,
                                    value: __farchive::archive::layout::Probe::<Tile>::VALUE,
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
            <__farchive::archive::layout::Probe<Vec<Tile>>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            if __farchive::Archive::versions(ar).number() >= 2 {
                ar.step(__farchive::archive::Step::Field("tiles"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::archive::private::within(
                    {
                        #[allow(unused_imports)]
                        use __farchive::archive::layout::Unlinked as _;
                        const { <__farchive::archive::layout::Probe<Tile>>::NESTS }
                    },
                    ar,
                    |ar| array::counted_u32(&mut self.tiles, ar),
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("tiles"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.tiles,
                ar,
                "tiles",
            ) {
                return ::core::result::Result::Err(error);
            }
            ::core::result::Result::Ok(())
        }
    }
};
