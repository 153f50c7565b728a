//! The help of `upk`: its commands by task, and options that only some of them need.

use clap::{Arg, Command, CommandFactory};

use crate::args::Cli;

/// The heading of options for packages that say less about themselves than others.
pub const COOKED: &str = "Games, unversioned and cooked packages";
/// The heading of options that every command has.
const COMMON: &str = "Options of every command";

/// Commands by task, in the order of the help.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Look into packages",
        &[
            "info", "list", "get", "grep", "dump", "explain", "source", "script", "refs", "map",
            "layout", "detect",
        ],
    ),
    (
        "Change packages",
        &[
            "set",
            "edit",
            "add",
            "duplicate",
            "copy",
            "move",
            "rename",
            "remove",
            "retarget",
            "embed",
            "set-code",
            "set-string",
            "set-flags",
            "set-guid",
            "add-name",
            "add-import",
            "replace-body",
            "prune",
            "restore",
        ],
    ),
    ("Pictures, sounds, meshes, tables", &["extract", "import"]),
    ("Make packages", &["new", "make", "to-json", "from-json", "convert"]),
    (
        "Compare, merge, release",
        &["diff", "merge", "git-setup", "conform", "check", "check-layout", "headers"],
    ),
    ("Folders of packages", &["verify", "doctor", "scan", "maps", "deps", "uses", "classes"]),
    ("Game servers", &["compare", "package-map", "redirect", "cache"]),
    ("Containers and packed files", &["ls", "unpack", "pack", "decompress", "compress"]),
    ("The command itself", &["demo", "page", "config", "report", "completions", "man", "help"]),
];

/// Commands that open no package of a game: they need neither keys nor trust in what lies around.
const WITHOUT_PACKAGES: &[&str] = &["completions", "demo", "git-setup", "layout", "man"];

/// Commands that only packages of UE1 to UE3 are for.
const BEFORE_UE4: &[&str] =
    &["cache", "check", "compare", "conform", "make", "package-map", "redirect", "set-string"];

/// Commands that work on several threads.
const PARALLEL: &[&str] = &[
    "classes", "compare", "deps", "detect", "diff", "doctor", "edit", "extract", "grep", "import",
    "maps", "new", "pack", "redirect", "rename", "scan", "unpack", "uses", "verify",
];

/// The command line with the help that users see.
pub fn command() -> Command {
    let plain = Cli::command();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{}Options:{}\n{{options}}{{after-help}}",
        grouped(&plain),
        plain.get_styles().get_header().render(),
        plain.get_styles().get_header().render_reset(),
    );
    without_groups().help_template(template)
}

/// The same without the list of commands by task, which only the help of `upk` itself shows: it is as much work as
/// everything else before a command begins.
pub fn without_groups() -> Command {
    let plain = Cli::command();
    let common: Vec<Arg> =
        plain.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    let names: Vec<String> = plain.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    let fitted = |command: Command, name: &String| {
        command.mut_subcommand(name, |it| with_common(without_needless(it, name), name, &common))
    };
    names.iter().fold(plain, fitted)
}

/// The options of every command under a heading of their own, those hidden that this command never needs.
fn with_common(command: Command, name: &str, common: &[Arg]) -> Command {
    let is_needed = |arg: &Arg| match arg.get_id().as_str() {
        "jobs" => PARALLEL.contains(&name),
        "keys" | "follow_links" | "trust_config" => !WITHOUT_PACKAGES.contains(&name),
        _ => true,
    };
    let own = |arg: &Arg| {
        let heading = if arg.get_id() == "keys" { COOKED } else { COMMON };
        arg.clone().help_heading(heading).hide(!is_needed(arg))
    };
    command.args(common.iter().map(own))
}

/// Without options for cooked packages where there can be none.
fn without_needless(command: Command, name: &str) -> Command {
    if !BEFORE_UE4.contains(&name) {
        return command;
    }
    const OF_LATER: [&str; 3] = ["engine", "mappings", "script_objects"];
    let has = |id: &&str| command.get_arguments().any(|arg| arg.get_id() == *id);
    let ids: Vec<&str> = OF_LATER.into_iter().filter(has).collect();
    ids.into_iter().fold(command, |command, id| command.mut_arg(id, |arg| arg.hide(true)))
}

/// The list of commands, by task: clap has one list, which is taken apart by its lines.
fn grouped(plain: &Command) -> String {
    let listed = |name: &&'static str| match *name {
        "help" => Some(Command::new("help").about("Print this message, or the help of a command")),
        name => {
            let command = plain.find_subcommand(name)?;
            Some(Command::new(name).about(command.get_about().cloned().unwrap_or_default()))
        }
    };
    let all = GROUPS.iter().flat_map(|(_, names)| *names).filter_map(&listed);
    let mut list = Command::new("upk").disable_help_subcommand(true).help_template("{subcommands}");
    for (order, command) in all.enumerate() {
        list = list.subcommand(command.display_order(order));
    }
    let list = list.render_help().ansi().to_string();
    let mut entries: Vec<String> = Vec::new();
    for line in list.lines() {
        let begins = line.strip_prefix("  ").is_some_and(|rest| !rest.starts_with(' '));
        match entries.last_mut() {
            Some(entry) if !begins => entry.push_str(&format!("\n{line}")),
            _ => entries.push(line.to_owned()),
        }
    }
    let header = plain.get_styles().get_header();
    let (mut entries, mut text) = (entries.into_iter(), String::new());
    for (heading, names) in GROUPS {
        let there = names.iter().filter(|name| listed(name).is_some()).count();
        text.push_str(&format!("{}{heading}:{}\n", header.render(), header.render_reset()));
        for entry in entries.by_ref().take(there) {
            // Braces would be places of the template.
            text.push_str(&entry.replace(['{', '}'], ""));
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_stands_in_one_group() {
        let plain = Cli::command();
        let all: BTreeSet<&str> = plain.get_subcommands().map(Command::get_name).collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let once: BTreeSet<&str> = grouped.iter().copied().collect();
        assert_eq!(grouped.len(), once.len(), "a command stands in two groups");
        let optional = ["help", "page"];
        let missing: Vec<_> = all.difference(&once).collect();
        assert!(missing.is_empty(), "in no group: {missing:?}");
        let unknown: Vec<_> =
            once.difference(&all).filter(|name| !optional.contains(name)).collect();
        assert!(unknown.is_empty(), "no commands: {unknown:?}");
        for name in WITHOUT_PACKAGES.iter().chain(BEFORE_UE4).chain(PARALLEL) {
            assert!(all.contains(name) || *name == "page", "{name}");
        }
    }

    #[test]
    fn abouts_have_no_braces() {
        for command in Cli::command().get_subcommands() {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.contains(['{', '}']), "{about}");
        }
    }
}
