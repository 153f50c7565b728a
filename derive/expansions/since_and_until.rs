/// A field of some versions in between; the compiler compares the constants.
struct Summary {
    #[since(FIRST)]
    #[until(LAST + 1)]
    middle: u32,
}

// Expands to:

const _: () = ::core::assert!(
    (FIRST) < (LAST + 1),
    "field `middle` is in no version: on the file version, `until` must be above `since`"
);
#[automatically_derived]
impl ::farchive::Archived for Summary {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::File,
            value: FIRST as i64,
        },
        ::farchive::archive::Threshold {
            axis: ::farchive::version::Axis::File,
            value: (LAST + 1) as i64,
        },
    ];
    const LAYOUT: &'static ::farchive::archive::layout::Layout = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        &::farchive::archive::layout::Layout {
            path: ::core::any::type_name::<Self>,
            doc: "A field of some versions in between; the compiler compares the constants.",
            shape: ::farchive::archive::layout::Shape::Struct {
                fields: &[
                    ::farchive::archive::layout::Field {
                        name: "middle",
                        ty: "u32",
                        doc: "",
                        bounds: &[
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Since,
                                axis: ::farchive::version::Axis::File,
                                value: FIRST as i64,
                                name: ::core::option::Option::Some("FIRST"),
                            },
                            ::farchive::archive::layout::Bound {
                                edge: ::farchive::archive::layout::Edge::Until,
                                axis: ::farchive::version::Axis::File,
                                value: (LAST + 1) as i64,
                                name: ::core::option::Option::None,
                            },
                        ],
                        when: ::core::option::Option::None,
                        with: ::core::option::Option::None,
                        links: &[],
                    },
                ],
            },
        }
    };
    const NESTS: bool = {
        #[allow(unused_imports)]
        use ::farchive::archive::layout::Unlinked as _;
        <::farchive::archive::layout::Probe<u32>>::NESTS
    };
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        if ::farchive::Archive::versions(ar).file >= FIRST
            && ::farchive::Archive::versions(ar).file < (LAST + 1)
        {
            ar.step(::farchive::archive::Step::Field("middle"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.middle,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("middle"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.middle,
            ar,
            "middle",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
