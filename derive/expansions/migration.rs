/// A default of old versions, and a field whose type was another one.
#[archive(after_load = check, before_save = prepare)]
struct Config {
    #[since(2)]
    #[archive(default = 60)]
    rate: u16,
    #[archive(was(until = 3, from = from_seconds, to = to_seconds))]
    play_time: u64,
    #[archive(rename = "type", flatten)]
    inner: Inner,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl __farchive::Archived for Config {
        const THRESHOLDS: &'static [__farchive::archive::Threshold] = &[
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: 2 as i64,
            },
            __farchive::archive::Threshold {
                measure: __farchive::version::Measure::Axis(
                    __farchive::version::Axis::FIRST,
                ),
                value: 3 as i64,
            },
        ];
        const LAYOUT: &'static __farchive::archive::layout::Layout = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            static LAYOUT: __farchive::archive::layout::Layout = __farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Config>,
                doc: "A default of old versions, and a field whose type was another one.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "rate",
                            ty: "u16",
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
                        __farchive::archive::layout::Field {
                            name: "play_time",
                            ty: "",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Until,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: 3 as i64,
                                    name: ::core::option::Option::None,
                                },
                            ],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::Some(
                                "as from_seconds takes it",
                            ),
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "play_time",
                            ty: "u64",
                            doc: "",
                            bounds: &[
                                __farchive::archive::layout::Bound {
                                    edge: __farchive::archive::layout::Edge::Since,
                                    measure: __farchive::version::Measure::Axis(
                                        __farchive::version::Axis::FIRST,
                                    ),
                                    value: 3 as i64,
                                    name: ::core::option::Option::None,
                                },
                            ],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "type",
                            ty: "Inner",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[
                                __farchive::archive::layout::Link {
                                    layout: __farchive::archive::layout::Probe::<Inner>::LINK,
                                    value: __farchive::archive::layout::Probe::<Inner>::VALUE,
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
            <__farchive::archive::layout::Probe<u16>>::NESTS
                || <__farchive::archive::layout::Probe<u64>>::NESTS
                || <__farchive::archive::layout::Probe<Inner>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            if __farchive::ArchiveExt::is_saving(ar) {
                let mut prepared = ::core::clone::Clone::clone(&*self);
                if let ::core::result::Result::Err(error) = prepare(&mut prepared, ar) {
                    return ::core::result::Result::Err(error);
                }
                return __farchive::archive::private::PreparedFields::serialize_fields(
                    &mut prepared,
                    ar,
                );
            }
            __farchive::archive::private::PreparedFields::serialize_fields(self, ar)
        }
    }
    #[automatically_derived]
    impl __farchive::archive::private::PreparedFields for Config {
        #[inline]
        fn serialize_fields<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            if __farchive::Archive::versions(ar).number() >= 2 {
                ar.step(__farchive::archive::Step::Field("rate"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.rate,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("rate"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent_as(
                &mut self.rate,
                || 60,
                ar,
                "rate",
            ) {
                return ::core::result::Result::Err(error);
            }
            if !__farchive::archive::private::is_visiting(ar)
                && __farchive::Archive::versions(ar).number() < 3
            {
                ar.step(__farchive::archive::Step::Field("play_time"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::archive::private::was(
                    &mut self.play_time,
                    from_seconds,
                    to_seconds,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("play_time"));
                }
            } else {
                ar.step(__farchive::archive::Step::Field("play_time"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.play_time,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("play_time"));
                }
            }
            if let ::core::result::Result::Err(error) = __farchive::Archived::serialize(
                &mut self.inner,
                ar,
            ) {
                return ::core::result::Result::Err(error);
            }
            if __farchive::ArchiveExt::is_loading(ar) {
                if let ::core::result::Result::Err(error) = check(self, ar) {
                    return ::core::result::Result::Err(error);
                }
            }
            ::core::result::Result::Ok(())
        }
    }
};
