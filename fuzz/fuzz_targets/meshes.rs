#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| farchive_fuzz::targets::run("meshes", data));
