//! The commands, one a file.

mod actors;
mod add;
mod add_import;
mod add_name;
mod breaks;
mod cache;
mod check_layout;
mod classes;
mod compare;
mod completions;
mod compress;
mod config;
mod conform;
mod convert;
mod copy;
mod decompress;
mod demo;
mod deps;
mod detect;
mod diff;
mod doctor;
mod dump;
mod duplicate;
mod edit;
mod edit_script;
mod embed;
mod env;
mod explain;
mod extract;
mod from_json;
mod get;
mod git_setup;
mod grep;
mod headers;
mod import;
mod info;
mod layout;
mod list;
mod ls;
mod make;
mod man;
mod map;
mod maps;
mod merge;
mod move_object;
mod new;
mod objects;
mod optional_save;
mod pack;
mod package_map;
mod page;
mod placing;
mod prune;
mod redirect;
mod refs;
mod remove;
mod rename;
mod renamed;
mod replace_body;
mod report;
mod restore;
mod retarget;
mod save_report;
mod scan;
mod script;
mod set;
mod set_code;
mod set_flags;
mod set_guid;
mod set_string;
mod source;
mod storage;
mod texts;
mod to_json;
mod unpack;
mod uses;
mod verify;
mod version_facts;

pub use env::environment;

use clap::Subcommand;

use self::edit::Editing;
use crate::args::OpenArgs;
use crate::failure::CommandResult;
use crate::output::Output;

/// What to do; each type says what it does.
#[derive(Debug, Subcommand)]
pub enum Command {
    Info(info::Info),
    List(list::List),
    Ls(ls::Ls),
    Verify(verify::Verify),
    Explain(explain::Explain),
    Layout(layout::Layout),
    Dump(dump::Dump),
    Script(script::Script),
    Source(source::Source),
    Refs(refs::Refs),
    Get(get::Get),
    Grep(grep::Grep),
    Diff(diff::Diff),
    Merge(merge::Merge),
    GitSetup(git_setup::GitSetup),
    Set(set::Set),
    #[command(name = "edit")]
    EditScript(edit_script::EditScript),
    Convert(convert::Convert),
    Detect(detect::Detect),
    Deps(deps::Deps),
    Uses(uses::Uses),
    Doctor(doctor::Doctor),
    Scan(scan::Scan),
    PackageMap(package_map::PackageMap),
    Compare(compare::Compare),
    Redirect(redirect::Redirect),
    Map(map::Map),
    Maps(maps::Maps),
    Cache(cache::Cache),
    Classes(classes::Classes),
    CheckLayout(check_layout::CheckLayout),
    Headers(headers::Headers),
    Rename(rename::Rename),
    Move(move_object::Move),
    Remove(remove::Remove),
    Duplicate(duplicate::Duplicate),
    Copy(copy::Copy),
    Add(add::Add),
    Retarget(retarget::Retarget),
    Embed(embed::Embed),
    Prune(prune::Prune),
    Conform(conform::Conform),
    Check(conform::Check),
    AddName(add_name::AddName),
    AddImport(add_import::AddImport),
    SetGuid(set_guid::SetGuid),
    SetString(set_string::SetString),
    SetCode(set_code::SetCode),
    SetFlags(set_flags::SetFlags),
    ReplaceBody(replace_body::ReplaceBody),
    Restore(restore::Restore),
    Compress(compress::Compress),
    Decompress(decompress::Decompress),
    Pack(pack::Pack),
    Unpack(unpack::Unpack),
    ToJson(to_json::ToJson),
    FromJson(from_json::FromJson),
    New(new::New),
    Make(make::Make),
    Extract(extract::Extract),
    Import(import::Import),
    #[command(visible_alias = "view")]
    Page(page::Page),
    Demo(demo::Demo),
    Config(config::ShowConfig),
    Report(report::Report),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Command {
    /// The command as one that changes objects, names, imports of a package.
    fn editing(&self) -> Option<&dyn Editing> {
        Some(match self {
            Self::Set(command) => command,
            Self::SetString(command) => command,
            Self::Rename(command) => command,
            Self::Remove(command) => command,
            Self::Prune(command) => command,
            Self::Move(command) => command,
            Self::Duplicate(command) => command,
            Self::Copy(command) => command,
            Self::Add(command) => command,
            Self::Retarget(command) => command,
            Self::Embed(command) => command,
            Self::AddName(command) => command,
            Self::AddImport(command) => command,
            Self::SetGuid(command) => command,
            Self::SetCode(command) => command,
            Self::SetFlags(command) => command,
            Self::ReplaceBody(command) => command,
            Self::Import(command) => command,
            _ => return None,
        })
    }

    /// Whether it only prints, as much as there is: what a pager is for.
    pub fn is_read(&self) -> bool {
        matches!(
            self,
            Self::Info(_)
                | Self::List(_)
                | Self::Ls(_)
                | Self::Explain(_)
                | Self::Layout(_)
                | Self::Dump(_)
                | Self::Script(_)
                | Self::Source(_)
                | Self::Refs(_)
                | Self::Get(_)
                | Self::Grep(_)
                | Self::Diff(_)
                | Self::Deps(_)
                | Self::Uses(_)
                | Self::Map(_)
                | Self::Classes(_)
                | Self::CheckLayout(_)
                | Self::Headers(_)
                | Self::Config(_)
        )
    }

    /// How an editing command that asks classes for their defaults opens other packages.
    fn open_mut(&mut self) -> Option<&mut OpenArgs> {
        match self {
            Self::Set(command) => Some(&mut command.save.open),
            Self::Duplicate(command) => Some(&mut command.edit.save.open),
            Self::Remove(command) => Some(&mut command.edit.save.open),
            _ => None,
        }
    }

    /// Carries it out.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match self {
            Self::Info(command) => command.run(out),
            Self::List(command) => command.run(out),
            Self::Ls(command) => command.run(out),
            Self::Verify(command) => command.run(out),
            Self::Explain(command) => command.run(out),
            Self::Layout(command) => command.run(out),
            Self::Dump(command) => command.run(out),
            Self::Script(command) => command.run(out),
            Self::Source(command) => command.run(out),
            Self::Refs(command) => command.run(out),
            Self::Get(command) => command.run(out),
            Self::Grep(command) => command.run(out),
            Self::Diff(command) => command.run(out),
            Self::Merge(command) => command.run(out),
            Self::GitSetup(command) => command.run(out),
            Self::Set(command) => command.run(out),
            Self::EditScript(command) => command.run(out),
            Self::Convert(command) => command.run(out),
            Self::Detect(command) => command.run(out),
            Self::Deps(command) => command.run(out),
            Self::Uses(command) => command.run(out),
            Self::Doctor(command) => command.run(out),
            Self::Scan(command) => command.run(out),
            Self::PackageMap(command) => command.run(out),
            Self::Compare(command) => command.run(out),
            Self::Redirect(command) => command.run(out),
            Self::Map(command) => command.run(out),
            Self::Maps(command) => command.run(out),
            Self::Cache(command) => command.run(out),
            Self::Classes(command) => command.run(out),
            Self::CheckLayout(command) => command.run(out),
            Self::Headers(command) => command.run(out),
            Self::Rename(command) => command.run(out),
            Self::Move(command) => command.run(out),
            Self::Remove(command) => command.run(out),
            Self::Duplicate(command) => command.run(out),
            Self::Copy(command) => command.run(out),
            Self::Add(command) => command.run(out),
            Self::Retarget(command) => command.run(out),
            Self::Embed(command) => command.run(out),
            Self::Prune(command) => command.run(out),
            Self::Conform(command) => command.run(out),
            Self::Check(command) => command.run(out),
            Self::AddName(command) => command.run(out),
            Self::AddImport(command) => command.run(out),
            Self::SetGuid(command) => command.run(out),
            Self::SetString(command) => command.run(out),
            Self::SetCode(command) => command.run(out),
            Self::SetFlags(command) => command.run(out),
            Self::ReplaceBody(command) => command.run(out),
            Self::Restore(command) => command.run(out),
            Self::Compress(command) => command.run(out),
            Self::Decompress(command) => command.run(out),
            Self::Pack(command) => command.run(out),
            Self::Unpack(command) => command.run(out),
            Self::ToJson(command) => command.run(out),
            Self::FromJson(command) => command.run(out),
            Self::New(command) => command.run(out),
            Self::Make(command) => command.run(out),
            Self::Extract(command) => command.run(out),
            Self::Import(command) => command.run(out),
            Self::Page(command) => command.run(out),
            Self::Demo(command) => command.run(out),
            Self::Config(command) => command.run(out),
            Self::Report(command) => command.run(out),
            Self::Completions(command) => command.run(out),
            Self::Man(command) => command.run(out),
        }
    }
}
