//! Names of packages as C++ takes them: a package may hold any text.

use std::collections::HashSet;

/// Words that C++ keeps for itself and script does not, then the types and macros that headers use.
const RESERVED: &str = "\
    alignas alignof and and_eq asm auto bitand bitor bool catch char char16_t char32_t class compl \
    const const_cast constexpr decltype delete double dynamic_cast enum explicit export extern false \
    float friend inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq \
    private protected public register reinterpret_cast short signed sizeof static_assert static_cast \
    template this thread_local throw true try typedef typeid typename union unsigned using virtual \
    void volatile wchar_t xor xor_eq break case continue default do else for goto if return static \
    struct switch while \
    ANSICHAR BITFIELD BYTE DWORD FLOAT FName FScriptDelegate FString FStringNoInit INT NULL TArray \
    TArrayNoInit TMap TScriptInterface TRUE FALSE UBOOL ProcessEvent FindFunctionChecked NAME_None \
    appMemcpy GCC_PACK DECLARE_CLASS DECLARE_FUNCTION DECLARE_WITHIN NO_DEFAULT_CONSTRUCTOR \
    AUTOGENERATE_NAME AUTOGENERATE_FUNCTION NAMES_ONLY DLL_IMPORT";

/// A name that C++ takes: letters, digits and `_`, no digit first, no word of the language.
pub(super) fn identifier(name: &str) -> String {
    let mut text = identifier_part(name);
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    if RESERVED.split_ascii_whitespace().any(|word| word == text) {
        text.push('_');
    }
    text
}

/// A name as the end of an identifier.
pub(super) fn identifier_part(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// This identifier, or the first that is not taken with `_` behind it; where many are, with a number.
pub(super) fn free_identifier(text: String, taken: &mut HashSet<String>) -> String {
    let underscores = (0..4).map(|count| format!("{text}{}", "_".repeat(count)));
    // Numbers from the count of names on are nearly always free: a package may repeat one name for ever.
    let numbers = (taken.len()..).map(|number| format!("{text}_{number}"));
    let mut choices = underscores.chain(numbers);
    let free = choices.find(|choice| !taken.contains(choice)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

/// The value of a constant without its quotes, for a macro; `None` where it would end or swallow the line.
pub(super) fn macro_value(value: &str) -> Option<&str> {
    let bare =
        ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    let bare = bare.unwrap_or(value).trim();
    let breaks = |c: char| c.is_control() || matches!(c, '"' | '\\' | '\u{2028}' | '\u{2029}');
    (!bare.contains(breaks) && !bare.contains("/*")).then_some(bare)
}

/// The last part of a path.
pub(super) fn last_part(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The package of a path.
pub(super) fn first_part(path: &str) -> &str {
    path.split('.').next().unwrap_or(path)
}
