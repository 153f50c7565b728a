/// A field that is never stored.
struct Cached {
    value: u32,
    #[archive(skip)]
    hash: u64,
}

// Expands to:

#[automatically_derived]
impl ::farchive::Archived for Cached {
    const THRESHOLDS: &'static [::farchive::archive::Threshold] = &[];
    #[inline]
    fn serialize<__A: ::farchive::Archive + ?::core::marker::Sized>(
        &mut self,
        ar: &mut __A,
    ) -> ::core::result::Result<(), ::farchive::Error> {
        ar.step(::farchive::archive::Step::Field("value"));
        let result: ::core::result::Result<(), ::farchive::Error> = ::farchive::Archived::serialize(
            &mut self.value,
            ar,
        );
        ar.step(::farchive::archive::Step::Leave);
        if let ::core::result::Result::Err(error) = result {
            return ::core::result::Result::Err(error.in_field("value"));
        }
        if ::farchive::ArchiveExt::is_loading(ar) {
            self.hash = ::core::default::Default::default();
        }
        ::core::result::Result::Ok(())
    }
}
