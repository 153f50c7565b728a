//! C++ headers of classes, checked by a compiler.

use super::programs::compile_cpp;

/// Fails with what the compiler says.
#[track_caller]
pub fn compile(header: &str, defines: &str) {
    const PRELUDE: &str = "typedef unsigned char BYTE; typedef int INT; typedef float FLOAT; typedef char ANSICHAR;\n\
        typedef unsigned int UBOOL; typedef unsigned int DWORD;\n#define BITFIELD DWORD\n\
        #define DECLARE_FUNCTION(name) void name(void*, void*);\n#define CHECK_LAYOUTS\n\
        struct FString { void* d; INT n, m; }; template<class T> struct TArray { T* d; INT n, m; };\n\
        template<class T> struct TScriptInterface { void* o; void* i; };\n#ifdef UE3\n\
        struct FName { INT i, n; }; template<class K, class V> struct TMap { INT x[15]; };\n#else\n\
        struct FName { INT i; }; template<class K, class V> struct TMap { INT x[5]; };\n#endif\n\
        struct FScriptDelegate { void* o; FName n; };\n";
    if let Err(said) = compile_cpp(&format!("{defines}\n{PRELUDE}{header}")) {
        panic!("{said}");
    }
}
