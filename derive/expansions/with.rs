/// A field with a serialiser of its own, in some versions only.
struct Level {
    #[since(2)]
    #[archive(with = array::counted_u32)]
    tiles: Vec<Tile>,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Level {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::File,
            value: 2 as i64,
        },
    ];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "A field with a serialiser of its own, in some versions only.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "tiles",
                        ty: "Vec<Tile>",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::File,
                                value: 2 as i64,
                                name: ::core::option::Option::None,
                            },
                        ],
                        when: ::core::option::Option::None,
                        with: ::core::option::Option::Some("array::counted_u32"),
                        links: &[
                            ::farchive::archive::layout::Link {
                                layout: ::farchive::archive::layout::Probe::<Tile>::LINK,
                                value: ::farchive::archive::layout::Probe::<Tile>::VALUE,
                            },
                        ],
                    },
                ],
            },
        }
    };
    const NESTS: bool = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        <::farchive::archive::layout::Probe<Vec<Tile>>>::NESTS
    };
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        if ::farchive::Archive::versions(ar).file >= 2 {
            ar.step(::farchive::archive::Step::Field("tiles"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::archive::private::within(
                {
                    #[allow(unused_imports)]
                    use ::farchive::archive::layout::Unlinked as _;
                    const { <::farchive::archive::layout::Probe<Tile>>::NESTS }
                },
                ar,
                |ar| array::counted_u32(&mut self.tiles, ar),
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("tiles"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.tiles,
            ar,
            "tiles",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
