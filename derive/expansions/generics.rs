/// Bounds are added for what the code needs, and for nothing else.
struct Wrapper<'a, T: Clone, U, const N: usize>
where
    U: Copy,
{
    always: T,
    #[since(2)]
    list: Vec<T>,
    #[since(3)]
    array: [u8; N],
    #[archive(skip)]
    marker: PhantomData<&'a U>,
}

// Expands to:

const _: () = {
    use ::farchive as __farchive;
    #[automatically_derived]
    impl<'a, T: Clone, U, const N: usize> __farchive::Archived for Wrapper<'a, T, U, N>
    where
        U: Copy,
        T: __farchive::Archived,
        Vec<T>: ::core::default::Default + ::core::cmp::PartialEq,
        [u8; N]: ::core::default::Default + ::core::cmp::PartialEq,
        PhantomData<&'a U>: ::core::default::Default,
    {
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
            &__farchive::archive::layout::Layout {
                path: ::core::any::type_name::<Self>,
                doc: "Bounds are added for what the code needs, and for nothing else.",
                shape: __farchive::archive::layout::Shape::Struct {
                    fields: &[
                        __farchive::archive::layout::Field {
                            name: "always",
                            ty: "T",
                            doc: "",
                            bounds: &[],
                            when: ::core::option::Option::None,
                            with: ::core::option::Option::None,
                            role: ::core::option::Option::None,
                            links: &[],
                        },
                        __farchive::archive::layout::Field {
                            name: "list",
                            ty: "Vec<T>",
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
                            name: "array",
                            ty: "[u8; N]",
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
                    ],
                },
            }
        };
        const NESTS: bool = {
            #[allow(unused_imports)]
            use __farchive::archive::layout::Unlinked as _;
            <__farchive::archive::layout::Probe<T>>::NESTS
                || <__farchive::archive::layout::Probe<Vec<T>>>::NESTS
                || <__farchive::archive::layout::Probe<[u8; N]>>::NESTS
        };
        #[inline]
        fn serialize<__A: __farchive::Archive + ?::core::marker::Sized>(
            &mut self,
            ar: &mut __A,
        ) -> ::core::result::Result<(), __farchive::Error> {
            ar.step(__farchive::archive::Step::Field("always"));
            let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                &mut self.always,
                ar,
            );
            ar.step(__farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("always"));
            }
            if __farchive::Archive::versions(ar).number() >= 2 {
                ar.step(__farchive::archive::Step::Field("list"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.list,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("list"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.list,
                ar,
                "list",
            ) {
                return ::core::result::Result::Err(error);
            }
            if __farchive::Archive::versions(ar).number() >= 3 {
                ar.step(__farchive::archive::Step::Field("array"));
                let result: ::core::result::Result<(), __farchive::Error> = __farchive::Archived::serialize(
                    &mut self.array,
                    ar,
                );
                ar.step(__farchive::archive::Step::Leave);
                if let ::core::result::Result::Err(error) = result {
                    return ::core::result::Result::Err(error.in_field("array"));
                }
            } else if let ::core::result::Result::Err(error) = __farchive::archive::private::absent(
                &mut self.array,
                ar,
                "array",
            ) {
                return ::core::result::Result::Err(error);
            }
            if __farchive::ArchiveExt::is_loading(ar) {
                self.marker = ::core::default::Default::default();
            }
            ::core::result::Result::Ok(())
        }
    }
};
