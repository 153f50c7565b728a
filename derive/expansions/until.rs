/// Ranges that tile: the heritage list gave way to the GUID.
struct Summary {
    #[until(version::HERITAGE_REMOVED)]
    heritage_count: u32,
    #[since(version::HERITAGE_REMOVED)]
    guid: Guid,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Summary {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::File,
            value: version::HERITAGE_REMOVED as i64,
        },
    ];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "Ranges that tile: the heritage list gave way to the GUID.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "heritage_count",
                        ty: "u32",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Until,
                                axis: ::farchive::version::Axis::File,
                                value: version::HERITAGE_REMOVED as i64,
                                name: ::core::option::Option::Some("HERITAGE_REMOVED"),
                            },
                        ],
                        when: ::core::option::Option::None,
                        with: ::core::option::Option::None,
                        links: &[],
                    },
                    ::farchive::archive::layout::Field {
                        name: "guid",
                        ty: "Guid",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::File,
                                value: version::HERITAGE_REMOVED as i64,
                                name: ::core::option::Option::Some("HERITAGE_REMOVED"),
                            },
                        ],
                        when: ::core::option::Option::None,
                        with: ::core::option::Option::None,
                        links: &[
                            ::farchive::archive::layout::Link {
                                layout: ::farchive::archive::layout::Probe::<Guid>::LINK,
                                value: ::farchive::archive::layout::Probe::<Guid>::VALUE,
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
        <::farchive::archive::layout::Probe<u32>>::NESTS
            || <::farchive::archive::layout::Probe<Guid>>::NESTS
    };
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        if ::farchive::Archive::versions(ar).file < version::HERITAGE_REMOVED {
            ar.step(::farchive::archive::Step::Field("heritage_count"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.heritage_count,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("heritage_count"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.heritage_count,
            ar,
            "heritage_count",
        ) {
            return ::core::result::Result::Err(error);
        }
        if ::farchive::Archive::versions(ar).file >= version::HERITAGE_REMOVED {
            ar.step(::farchive::archive::Step::Field("guid"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.guid,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("guid"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.guid,
            ar,
            "guid",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
