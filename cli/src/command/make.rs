//! `upk make`: packages from UnrealScript.

mod editor;
mod sources;
mod watch;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use unreal_packages::compile::Diagnostic;
use unreal_packages::edit::PackageEdit;
use unreal_packages::environment::{Environment, Settings, find_ignoring_case};
use unreal_packages::make::{GameCompiler, MadePackage, Maker};
use unreal_packages::package::Package;
use unreal_packages::{Error, Guid};

use self::editor::EditorServer;
use self::sources::{Job, class_files, is_newer};
pub(super) use self::sources::{add_environment, stem};
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::input;
use crate::output::{Output, count, grouped};
use crate::target::Target;

/// Make a package from UnrealScript, as the engine's own `ucc make` does
///
/// SRC is a folder of classes (.uc), or one with a folder Classes in it. What the classes build on is looked for in --env.
/// With the folder of a game instead, the packages of its ini file ([EditPackages]) are made whose file is missing or
/// older than their classes; an older one is replaced with --overwrite. The text and the values that `upk source` writes come back as they were.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk make MyMod -o Made.u --env ~/Games/UT
  upk make MyMod --check                          errors and warnings only
  upk make MyMod/Classes -o Made.u --profile ut469
  upk make MyMod -o Made.u --like Released/MyMod.u  rows and GUID of an older one
Next: upk verify MyMod.u")]
pub struct Make {
    /// A folder of classes, or a game's folder
    #[arg(value_name = "SRC", default_value = ".")]
    source: PathBuf,
    /// The package to write; its name is the package's name; - for standard output
    #[arg(short, long, value_name = "OUT.u")]
    output: Option<PathBuf>,
    /// The compiler whose package is made: unreal, ut436, ut469, deusex, ut2003, ut2004, udk
    #[arg(long = "profile", value_name = "GAME")]
    profile: Option<GameCompiler>,
    /// Take order of tables, GUID and header from this package
    #[arg(long, value_name = "OLD.u")]
    like: Option<PathBuf>,
    /// The GUID, instead of a random one
    #[arg(long, value_name = "GUID")]
    guid: Option<Guid>,
    /// Conform the package to the one that players have, as upk conform does
    #[arg(long, value_name = "OLD.u", conflicts_with = "like")]
    conform_to: Option<PathBuf>,
    /// Take textures, sounds and other content from this package, what `#exec` lines import alike
    #[arg(long, value_name = "OLD.u")]
    content: Option<PathBuf>,
    /// Compile for the debugger: with its marks, and the macro debug defined (UE3)
    #[arg(long)]
    debug: bool,
    /// Write the C++ header of the native classes into this folder, as upk headers does
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    headers: Option<PathBuf>,
    /// Say what is wrong and write nothing
    #[arg(long)]
    check: bool,
    /// Do it again whenever a class changes, until this is ended (Ctrl+C)
    #[arg(long, conflicts_with = "headers")]
    watch: bool,
    /// Answer an editor on standard input and output (Language Server Protocol): errors while classes are written, what
    /// a word means, where it is declared, what may stand behind a dot
    #[arg(long, conflicts_with_all = ["output", "like", "guid", "conform_to", "content", "headers", "check", "watch", "debug"])]
    lsp: bool,
    /// Replace a file that is there
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Make {
    /// Makes the package, or those of a game.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match (self.lsp, self.watch) {
            (true, _) => {
                EditorServer::new(&self.source, self.profile.as_ref(), &self.open).run(out)
            }
            (false, true) => self.watch(out),
            (false, false) => self.once(self.overwrite, out),
        }
    }

    /// Makes it once.
    fn once(&self, overwrite: bool, out: &mut Output) -> CommandResult {
        let files = class_files(&self.source)?;
        if files.is_empty() {
            return self.game(overwrite, out);
        }
        let mut job = Job::of_folder(&self.source, files, self.output.clone());
        match (&self.output, self.check) {
            (Some(path), _) if !input::is_standard(path) => job.name = stem(path),
            (None, false) => {
                let next = "-o Name.u says where the package goes, --check that none is written";
                return Err(Failure::usage(format!("no package is named\n  next: {next}")));
            }
            _ => {}
        }
        let environment = self.open.environment(&self.source)?;
        self.make(&job, environment.as_deref(), overwrite, out)
    }

    /// The packages of a game that are missing or older than their classes.
    fn game(&self, overwrite: bool, out: &mut Output) -> CommandResult {
        let settings = Settings::detect_with(&self.source, input::links())
            .map_err(|error| Failure::Usage(error.into()))?;
        if settings.edit_packages.is_empty() {
            let shown = self.source.display();
            let next = "name a folder with .uc files, or a game's folder whose ini file has [EditPackages]";
            return Err(Failure::usage(format!("'{shown}' has no classes\n  next: {next}")));
        }
        let system = find_ignoring_case(&self.source, "System").unwrap_or(self.source.clone());
        let mut outcome = Outcome::Fine;
        for name in &settings.edit_packages {
            let Some(folder) = find_ignoring_case(&self.source, name) else { continue };
            let files = class_files(&folder)?;
            let output = system.join(format!("{name}.u"));
            if files.is_empty() || is_newer(&output, &files) {
                continue;
            }
            let job = Job { name: name.clone(), folder, files, output: Some(output) };
            // What was made before is there now.
            let environment = Environment::open(&self.source)?;
            if !matches!(self.make(&job, Some(&environment), overwrite, out)?, Outcome::Fine) {
                return Ok(Outcome::Wrong);
            }
            outcome = Outcome::Fine;
        }
        Ok(outcome)
    }

    fn make(
        &self,
        job: &Job,
        environment: Option<&Environment>,
        overwrite: bool,
        out: &mut Output,
    ) -> CommandResult {
        let like = self.like.as_ref().map(|path| self.open.open(path)).transpose()?;
        let compiler = match &self.profile {
            Some(compiler) => compiler.clone(),
            None => compiler_of(like.as_ref(), environment)?,
        };
        let form = Form::of_versions(&compiler.profile.versions());
        let target = match (&job.output, self.check) {
            (Some(path), false) => Some(Target::new(path, overwrite, form, out)?),
            _ => None,
        };
        let mut maker = Maker::for_game(&job.name, &compiler);
        if self.debug {
            maker.dialect(compiler.dialect().with_debug_marks(true));
        }
        if let Some(environment) = environment {
            add_environment(&mut maker, environment, &job.name)?;
        }
        job.add_files(&mut maker, self.debug)?;
        if let Some(path) = &self.content {
            maker.content(self.open.open(path)?);
        }
        let imported = job.add_content(&mut maker, &compiler)?;
        if let Some(like) = like {
            maker.like(like);
        }
        if let Some(guid) = self.guid {
            maker.guid(guid);
        }
        if self.check {
            let diagnostics = maker.check()?;
            report(&diagnostics, out)?;
            let errors = diagnostics.iter().filter(|it| it.is_error()).count() as u64;
            let classes = job.files.len() as u64;
            if out.is_json() {
                out.object(&json!({
                    "kind": "check", "package": job.name, "classes": classes, "errors": errors,
                }))?;
            } else {
                let (classes, errors) =
                    (count(classes, "class", "classes"), count(errors, "error", "errors"));
                out.summary(format!("{}: {classes}, {errors}", job.name))?;
            }
            return Ok(if errors > 0 { Outcome::Wrong } else { Outcome::Fine });
        }
        let MadePackage { package, diagnostics } = maker.make()?;
        report(&diagnostics, out)?;
        let Some(mut package) = package else { return Ok(Outcome::Wrong) };
        if let Some(path) = &self.conform_to {
            let old = self.open.open(path)?;
            package.edit(|edit| edit.conform_to(&old).map(drop))?;
        }
        let bytes = package.to_bytes()?;
        if let Some(target) = &target {
            target.write(&bytes, out)?;
        }
        if let Some(folder) = &self.headers {
            self.write_headers(job, &package, folder, out)?;
        }
        self.done(job, (&package, &imported), &bytes, target.as_ref(), out)?;
        Ok(Outcome::Fine)
    }

    fn write_headers(
        &self,
        job: &Job,
        package: &Package,
        folder: &Path,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let environment = self.open.around(&self.source)?;
        let text = environment.classes_around(package, &job.name).cpp_header(&job.name, &[]);
        std::fs::create_dir_all(folder).map_err(|error| Error::io(folder, error))?;
        let path = folder.join(format!("{}Classes.h", job.name));
        let target = Target::new(&path, self.overwrite, Form::Source, out)?;
        target.write(text.as_bytes(), out)?;
        if !out.is_json() {
            out.summary(format!("header to {}", target.shown()))?;
        }
        Ok(())
    }

    fn done(
        &self,
        job: &Job,
        (package, imported): (&Package, &[String]),
        bytes: &[u8],
        target: Option<&Target>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let shown = target.map(Target::shown);
        if out.is_json() {
            return out.object(&json!({
                "kind": "make", "package": job.name, "classes": job.files.len(),
                "exports": package.exports().len(), "bytes": bytes.len(),
                "guid": package.guid().to_string(), "imported": imported, "output": shown,
            }));
        }
        let classes = count(job.files.len() as u64, "class", "classes");
        let objects = count(package.exports().len() as u64, "object", "objects");
        let size = grouped(bytes.len() as u64);
        for path in imported {
            out.line(format!("  {path} (imported)"))?;
        }
        let what = format!("{}: {classes}, {objects}, {size} bytes", job.name);
        out.summary(match shown {
            Some(shown) => format!("{what} to {shown}"),
            None => format!("{what}, nothing written"),
        })
    }
}

/// The compiler of an older package, or that of the packages around.
fn compiler_of(
    like: Option<&Package>,
    environment: Option<&Environment>,
) -> Result<GameCompiler, Failure> {
    let around = || {
        let core = environment?.open_package("Core").ok()?;
        Some(core.versions().clone())
    };
    let versions = like.map(|like| like.versions().clone()).or_else(around);
    let known = versions.and_then(|versions| GameCompiler::of_versions(&versions));
    Ok(known.map_or_else(|| "ut436".parse(), Ok)?)
}

fn report(diagnostics: &[Diagnostic], out: &mut Output) -> Result<(), Failure> {
    for found in diagnostics {
        if out.is_json() {
            out.object(&diagnostic_json(found))?;
        } else {
            out.lines(found)?;
        }
    }
    Ok(())
}

/// A message for scripts.
pub(super) fn diagnostic_json(found: &Diagnostic) -> Value {
    json!({
        "kind": if found.is_error() { "error" } else { "warning" },
        "file": found.file, "line": found.line, "column": found.column,
        "message": found.message, "hint": found.hint,
    })
}
