//! Words that begin or belong to declarations (spec: ue1-3/12 §12.2 to §12.6).

/// Words of functions, those of their kinds among them.
pub(super) const FUNCTION: &[&str] = &[
    "native",
    "intrinsic",
    "final",
    "static",
    "iterator",
    "latent",
    "singular",
    "simulated",
    "exec",
    "private",
    "protected",
    "public",
    "const",
    "noexport",
    "invariant",
    "reliable",
    "unreliable",
    "server",
    "client",
    "dllimport",
    "event",
    "function",
    "operator",
    "preoperator",
    "postoperator",
    "delegate",
    "overloaded",
    "k2call",
    "k2override",
    "k2pure",
    "k2latent",
    "virtual",
    "editoronly",
    "noexportheader",
    "demorecording",
];

/// Words that values in parentheses may follow.
pub(super) const FUNCTION_WITH_VALUE: &[&str] =
    &["native", "intrinsic", "operator", "public", "private", "protected", "const"];

/// Words of variables.
pub(super) const VARIABLE: &[&str] = &[
    "const",
    "input",
    "export",
    "editconst",
    "editconstarray",
    "editfixedsize",
    "native",
    "intrinsic",
    "transient",
    "config",
    "localized",
    "travel",
    "globalconfig",
    "ondemand",
    "init",
    "new",
    "duplicatetransient",
    "noexport",
    "cache",
    "noimport",
    "noclear",
    "editinline",
    "edfindable",
    "editinlineuse",
    "deprecated",
    "editinlinenotify",
    "databinding",
    "automated",
    "serializetext",
    "repnotify",
    "interp",
    "nontransactional",
    "editoronly",
    "notforconsole",
    "repretry",
    "deepcopy",
    "editcombotype",
    "privatewrite",
    "protectedwrite",
    "archetype",
    "edithide",
    "edittextbox",
    "crosslevelpassive",
    "crosslevelactive",
    "private",
    "protected",
    "public",
    "allowabstract",
    "component",
    "actionnoresolve",
    "editdisplay",
    "autoload",
    "instanced",
    "noduplicate",
    "editinlineall",
];

/// Words of structs.
pub(super) const STRUCT: &[&str] = &[
    "native",
    "export",
    "transient",
    "atomic",
    "immutable",
    "strictconfig",
    "immutablewhencooked",
    "atomicwhencooked",
    "init",
    "long",
    "private",
    "protected",
    "public",
    "noexport",
];

/// Words of parameters.
pub(super) const PARAMETER: &[&str] =
    &["optional", "out", "coerce", "skip", "const", "init", "editinline", "export", "ref"];

/// Blocks that are no code.
pub(super) const BLOCK: &[&str] =
    &["defaultproperties", "cpptext", "structcpptext", "cppstruct", "structdefaultproperties"];

/// Words that declarations begin with.
pub(super) const DECLARATION: &[&str] = &[
    "class",
    "const",
    "enum",
    "struct",
    "var",
    "replication",
    "function",
    "event",
    "operator",
    "preoperator",
    "postoperator",
    "delegate",
    "state",
    "auto",
    "simulated",
    "native",
    "static",
    "final",
    "exec",
    "private",
    "protected",
    "defaultproperties",
    "cpptext",
    "import",
];

/// Whether a list has a word, in any case.
pub(super) fn has(words: &[&str], word: &str) -> bool {
    words.iter().any(|it| it.eq_ignore_ascii_case(word))
}
