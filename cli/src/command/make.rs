//! `upk make`: packages from UnrealScript.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use serde_json::{Value, json};
use unreal_packages::compile::Diagnostic;
use unreal_packages::edit::PackageEdit;
use unreal_packages::environment::{Definition, Environment, Settings, find_ignoring_case};
use unreal_packages::file::{self, Links, leads_into};
use unreal_packages::make::{GameCompiler, MadePackage, Maker, source_text};
use unreal_packages::package::Package;
use unreal_packages::{Error, Guid};

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
    /// Write the C++ header of the native classes into this folder, as upk headers does
    #[arg(long, value_name = "DIR", conflicts_with = "check")]
    headers: Option<PathBuf>,
    /// Say what is wrong and write nothing
    #[arg(long)]
    check: bool,
    /// Replace a file that is there
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// A package to be made.
struct Job {
    name: String,
    folder: PathBuf,
    files: Vec<PathBuf>,
    output: Option<PathBuf>,
}

impl Make {
    /// Makes the package, or those of a game.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let files = class_files(&self.source)?;
        if files.is_empty() {
            return self.game(out);
        }
        let name = match (&self.output, self.check) {
            (Some(path), _) if !input::is_standard(path) => stem(path),
            (None, false) => {
                let next = "-o Name.u says where the package goes, --check that none is written";
                return Err(Failure::usage(format!("no package is named\n  next: {next}")));
            }
            _ => {
                let is_classes = stem(&self.source).eq_ignore_ascii_case("Classes");
                let around = self.source.parent().filter(|_| is_classes);
                stem(around.unwrap_or(&self.source))
            }
        };
        let (folder, output) = (self.source.clone(), self.output.clone());
        let job = Job { name, folder, files, output };
        let environment = self.open.environment(&self.source)?;
        self.make(&job, environment.as_deref(), self.overwrite, out)
    }

    /// The packages of a game that are missing or older than their classes.
    fn game(&self, out: &mut Output) -> CommandResult {
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
            if !matches!(self.make(&job, Some(&environment), self.overwrite, out)?, Outcome::Fine) {
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
        let compiler = self.compiler(like.as_ref(), environment)?;
        let form = Form::of_versions(&compiler.profile.versions());
        let target = match (&job.output, self.check) {
            (Some(path), false) => Some(Target::new(path, overwrite, form, out)?),
            _ => None,
        };
        let mut maker = Maker::for_game(&job.name, &compiler);
        if let Some(environment) = environment {
            add_environment(&mut maker, environment, &job.name)?;
        }
        for path in &job.files {
            let (bytes, _) = file::read_found(path)?;
            let shown = path.file_name().map(|name| name.to_string_lossy().into_owned());
            maker.source(&shown.unwrap_or_default(), &source_text(&bytes));
        }
        if let Some(path) = &self.content {
            maker.content(self.open.open(path)?);
        }
        let base = around_classes(&job.folder);
        let imported = maker.import(|file| content_file(&base, file))?;
        if let Some(flags) = find_ignoring_case(&job.folder, &format!("{}.upkg", job.name)) {
            maker.flags(Definition::open(&flags)?.apply(compiler.profile.flags));
        }
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

    /// The compiler that was asked for, or that of the older package, or of the packages around.
    fn compiler(
        &self,
        like: Option<&Package>,
        environment: Option<&Environment>,
    ) -> Result<GameCompiler, Failure> {
        if let Some(compiler) = &self.profile {
            return Ok(compiler.clone());
        }
        let around = || {
            let core = environment?.open_package("Core").ok()?;
            Some(core.versions().clone())
        };
        let versions = like.map(|like| like.versions().clone()).or_else(around);
        let Some(versions) = versions else { return Ok("ut436".parse()?) };
        match GameCompiler::of_versions(&versions) {
            Some(compiler) => Ok(compiler),
            None => Ok("ut436".parse()?),
        }
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

/// Adds the packages of an environment that have code, those that others build on first.
pub(super) fn add_environment(
    maker: &mut Maker,
    environment: &Environment,
    own: &str,
) -> Result<(), Failure> {
    let mut names: Vec<String> = ["Core", "Engine"].map(str::to_owned).into();
    names.extend(environment.settings().edit_packages.iter().cloned());
    let is_code = |path: &Path| {
        path.extension()
            .is_some_and(|it| ["u", "upk"].iter().any(|end| it.eq_ignore_ascii_case(end)))
    };
    let paths = environment.files().map(|(_, file)| file.path.clone());
    names.extend(paths.filter(|path| is_code(path)).map(|path| stem(&path)));
    let mut seen: Vec<String> = vec![own.to_lowercase()];
    for name in names {
        if seen.contains(&name.to_lowercase()) {
            continue;
        }
        seen.push(name.to_lowercase());
        if let Ok(package) = environment.open_package(&name) {
            maker.environment(&name, &package)?;
        }
    }
    Ok(())
}

/// The class files of a folder, or of its folder Classes, by name.
fn class_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let inner = find_ignoring_case(folder, "Classes").filter(|path| path.is_dir());
    let folder = inner.as_deref().unwrap_or(folder);
    let failed = |error| Failure::from(Error::io(folder, error));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_class = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("uc"));
        if is_class && input::links().allow(&path, &[folder]) && path.is_file() {
            files.push(path);
        }
    }
    files.sort_by_key(|path| stem(path).to_lowercase());
    Ok(files)
}

/// The folder that lines of classes write their paths from: the one around the folder Classes.
fn around_classes(folder: &Path) -> PathBuf {
    let is_classes = stem(folder).eq_ignore_ascii_case("Classes");
    let around = folder.parent().filter(|it| is_classes && !it.as_os_str().is_empty());
    around.map_or_else(|| folder.to_owned(), Path::to_owned)
}

/// A file that a line of a class imports: in the folder of the package, or beside it.
fn content_file(base: &Path, written: &str) -> Option<Vec<u8>> {
    let written = written.replace('\\', "/");
    let parts: Vec<&str> = written.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    // One level up is the game's folder; further up, and paths from the root, lead out of it.
    let up = parts.iter().filter(|part| **part == "..").count();
    if written.starts_with('/') || written.contains(':') || up > 1 || up == 1 && parts[0] != ".." {
        return None;
    }
    let (folder, inner) = match up {
        1 => (dunce::canonicalize(base).ok()?.parent()?.to_owned(), parts[1..].join("/")),
        _ => (base.to_owned(), parts.join("/")),
    };
    let path = find_ignoring_case(&folder, &inner)?;
    let is_allowed = input::links() == Links::Followed || leads_into(&path, &[&folder]);
    is_allowed.then(|| file::read_found(&path).ok()).flatten().map(|(bytes, _)| bytes.to_vec())
}

/// The name of a package: that of its file.
pub(super) fn stem(path: &Path) -> String {
    let path = if path.file_stem().is_some() {
        path.to_owned()
    } else {
        dunce::canonicalize(path).unwrap_or_default()
    };
    path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a package is newer than all of its classes.
fn is_newer(package: &Path, files: &[PathBuf]) -> bool {
    let time = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    let Some(made) = time(package) else { return false };
    files.iter().all(|file| time(file).unwrap_or(SystemTime::UNIX_EPOCH) <= made)
}

fn report(diagnostics: &[Diagnostic], out: &mut Output) -> Result<(), Failure> {
    for found in diagnostics {
        if out.is_json() {
            out.object(&diagnostic_json(found))?;
        } else {
            out.line(found)?;
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
