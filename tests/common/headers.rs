//! C++ headers of classes, checked by a compiler.

use super::programs::compile_cpp;

/// The macros and types that headers build on.
const STUB: &str = include_str!("../corpus/native_stub.h");

/// Lets the compiler read headers as a program includes them: plain, then for the names alone. `before` is
/// what they build on beside the stub. Fails with what the compiler says.
#[track_caller]
pub fn compile(before: &str, headers: &str, defines: &str) {
    let names = "#define NAMES_ONLY\n#define AUTOGENERATE_NAME(name) extern FName Again_##name;\n\
        #define AUTOGENERATE_FUNCTION(cls,idx,name) static_assert(sizeof(&cls::name) > 0 && idx >= -1, \"\");\n";
    let source = format!("{defines}\n{STUB}{before}{headers}{names}{headers}");
    if let Err(said) = compile_cpp(&source) {
        let errors: Vec<&str> =
            said.lines().filter(|line| line.contains("error")).take(20).collect();
        panic!("{}", errors.join("\n"));
    }
}
