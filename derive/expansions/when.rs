/// A field that an earlier one announces.
struct Header {
    flags: u32,
    #[archive(when = self.flags & 1 != 0)]
    extra: u32,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Header {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[];
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        ar.step(::farchive::archive::Step::Field("flags"));
        let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
            &mut self.flags,
            ar,
        );
        ar.step(::farchive::archive::Step::Leave);
        if let ::core::result::Result::Err(error) = result {
            return ::core::result::Result::Err(error.in_field("flags"));
        }
        if (self.flags & 1 != 0) {
            ar.step(::farchive::archive::Step::Field("extra"));
            let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
                &mut self.extra,
                ar,
            );
            ar.step(::farchive::archive::Step::Leave);
            if let ::core::result::Result::Err(error) = result {
                return ::core::result::Result::Err(error.in_field("extra"));
            }
        } else if let ::core::result::Result::Err(error) = ::farchive::archive::private::absent(
            &mut self.extra,
            ar,
            "extra",
        ) {
            return ::core::result::Result::Err(error);
        }
        ::core::result::Result::Ok(())
    }
}
