//! How examples end, where that is not with 0.

/// How lines begin, and the code with which their last `upk` ends.
pub const CODES: &[(&str, i32)] = &[
    // What differs ends with 1, and is written down with 0.
    ("upk diff Old.u New.u --as-edits", 0),
    ("upk diff Old.u New.u --html", 0),
    ("upk diff Old.pak New.pak -o", 0),
    ("upk diff Old.", 1),
    ("upk diff Old/", 1),
    ("upk diff Old New", 1),
    ("upk diff Map.unr.bak Map.unr", 1),
    // No repository of git.
    ("upk git-setup --dry-run", 2),
    ("upk git-setup --global --dry-run", 0),
    ("upk git-setup", 2),
    // Neither a GUID nor rows of the released one.
    ("upk check New/MyMod.u --against Released/MyMod.u", 1),
    // A class that the engine's own code has was changed.
    ("upk check-layout Old/Engine.u", 1),
    // Nothing is packed yet.
    ("upk redirect Server -o Redirect --check", 1),
    // The mods alone lack the game's packages.
    ("upk doctor mods", 1),
    // Nothing leads to two of its packages.
    ("upk doctor ~/Projects/MyProject --unused", 1),
    ("upk doctor --scan nightly --format github", 1),
    // Its line says so.
    ("upk remove Skins.utx Dark --env", 1),
];

/// The code with which this line ends.
pub fn code(text: &str) -> i32 {
    CODES.iter().find(|(start, _)| text.starts_with(start)).map_or(0, |(_, code)| *code)
}
