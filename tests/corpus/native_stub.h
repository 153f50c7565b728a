// The macros and base types that headers of native classes build on, as far as a compiler needs them.
// UE3 is defined where names have a number.
#include <stddef.h>

typedef unsigned char BYTE;
typedef int INT;
typedef float FLOAT;
typedef char ANSICHAR;
typedef unsigned int UBOOL;
typedef unsigned int DWORD;
#define BITFIELD DWORD
#define DLL_IMPORT
#define GCC_PACK(n) __attribute__((aligned(n)))
#define SUPPORTS_PRAGMA_PACK 1

enum EName { NAME_None };
struct FName {
    INT Index;
#ifdef UE3
    INT Number;
#endif
    FName() {}
    FName(EName name) : Index(name) {}
};
struct FString { void* Data; INT Num, Max; };
struct FStringNoInit : FString {};
template<class T> struct TArray { T* Data; INT Num, Max; };
template<class T> struct TArrayNoInit : TArray<T> {};
#ifdef UE3
template<class K, class V> struct TMap { INT Data[15]; };
#else
template<class K, class V> struct TMap { INT Data[5]; };
#endif
template<class T> struct TScriptInterface { void* Object; T* Interface; };
struct FScriptDelegate { void* Object; FName Function; };
struct FOutputDevice;
struct FFrame;

class UFunction;
UFunction* FindFunctionChecked(FName name);
void ProcessEvent(UFunction* function, void* parameters);
void appMemcpy(void* to, const void* from, size_t count);

enum EClassFlags { CLASS_Transient = 0x8, CLASS_Config = 0x4, CLASS_NativeReplication = 0x800 };
#define DECLARE_FUNCTION(name) void name(FFrame& Stack, void* const Result);
#define DECLARE_CLASS(name, super, flags, package) \
    enum { Flags##name = (flags) }; \
    typedef super SuperOf##name; \
    static const char* PackageOf##name() { return #package; }
#define DECLARE_WITHIN(name) typedef class name* WithinOf##name;
#define NO_DEFAULT_CONSTRUCTOR(name) \
    name() {} \
    name(const name&);
