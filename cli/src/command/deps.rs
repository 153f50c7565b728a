//! `upk deps`: what packages need, and whether it is there.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use unreal_packages::container::GameContainer;
use unreal_packages::environment::{Dependency, Environment, Outcome as Found, Resolution};

use super::env::{environment, package_name, warn_of_containers};
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, table};
use crate::progress;

/// Trees are printed this deep.
const DEEPEST: usize = 64;

/// Show which packages and objects a package needs, and whether they are there
///
/// In UE4 and UE5 soft references count as well, apart from imports: packages that are loaded only when
/// something asks for them.
///
/// For a file the packages around it are looked for in its own folder, or in --env; for folders and game
/// folders every package of it is shown. Exit code 1 means that something is not there.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk deps MyMod.u --env ~/Games/UT
  upk deps MyMod.u --env ~/Games/UT --imports    every import, not only what is wrong
  upk deps MyMod.u --env ~/Games/UT --tree       what it needs needs
  upk deps ~/Games/UT --dot | dot -Tsvg -o deps.svg
  upk deps ~/Games/UT --json")]
pub struct Deps {
    /// A package, or folders
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Show every import, not only those that are wrong
    #[arg(long)]
    imports: bool,
    /// Show what a package needs as a tree
    #[arg(long, group = "form")]
    tree: bool,
    /// Print the packages as a graph for Graphviz
    #[arg(long, group = "form")]
    dot: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// What one package needs of another.
#[derive(Debug, Default, Serialize)]
struct Need {
    imports: u64,
    #[serde(skip_serializing_if = "is_zero")]
    soft: u64,
    wrong: u64,
    missing: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Need {
    /// How the package is needed.
    fn kind(&self) -> &'static str {
        match (self.imports, self.soft) {
            (0, _) => Dependency::Soft.word(),
            (_, 0) => Dependency::Hard.word(),
            _ => "hard, soft",
        }
    }
}

/// Whether a path is where packages are, not one itself.
fn is_place(path: &Path) -> bool {
    path.is_dir() || is_ini(path) || (path.is_file() && GameContainer::is_named_so(path))
}

/// One package and what it needs.
struct Package {
    name: String,
    resolutions: Vec<Resolution>,
}

impl Deps {
    /// Prints packages one after the other.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let folders = self.paths.iter().any(|path| is_place(path));
        if folders && self.paths.iter().any(|path| !is_place(path)) {
            return Err(Failure::usage(
                "name packages or folders, not both\n  next: use --env for folders",
            ));
        }
        if self.dot && !out.is_json() {
            out.line("digraph packages {")?;
        }
        let wrong = if folders { self.folders(out)? } else { self.files(out)? };
        if self.dot && !out.is_json() {
            out.line("}")?;
        }
        Ok(if wrong { Outcome::Wrong } else { Outcome::Fine })
    }

    fn files(&self, out: &mut Output) -> Result<bool, Failure> {
        let mut wrong = false;
        for path in &self.paths {
            let package = self.open.open_alone(path)?;
            let environment = self.open.around(path)?;
            let name = package_name(&environment, path);
            let resolutions = environment.resolve(&package, &name);
            wrong |= self.print(&environment, &Package { name, resolutions }, out)?;
        }
        Ok(wrong)
    }

    fn folders(&self, out: &mut Output) -> Result<bool, Failure> {
        let environment = environment(&self.paths, &self.open, &self.paths[0])?;
        warn_of_containers(&environment, out)?;
        let bar = progress::bar(environment.len(), "packages");
        let (mut wrong, mut packages, mut imports) = (false, 0, 0);
        for (id, file) in environment.files() {
            bar.inc(1);
            if !environment.is_found(id) {
                continue;
            }
            match environment.resolve_file(id) {
                Ok(resolutions) => {
                    packages += 1;
                    imports += resolutions.len() as u64;
                    let name = file.name.to_string();
                    wrong |= self.print(&environment, &Package { name, resolutions }, out)?;
                }
                Err(error) => {
                    wrong = true;
                    if out.is_json() {
                        let path = file.path.display().to_string();
                        out.object(&json!({ "package": file.name, "path": path,
                                            "error": error.to_string() }))?;
                    } else if !self.dot {
                        out.line(format!("{}: can't be opened: {error}", file.path.display()))?;
                    }
                }
            }
        }
        bar.finish_and_clear();
        if !out.is_json() && !self.dot {
            let packages = count(packages, "package", "packages");
            out.summary(format!("{packages}, {}", count(imports, "import", "imports")))?;
        }
        Ok(wrong)
    }

    /// Prints one package; says whether something is not there.
    fn print(
        &self,
        environment: &Environment,
        package: &Package,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        let needs = package.needs();
        let wrong: Vec<_> = package.resolutions.iter().filter(|found| !found.is_fine()).collect();
        if out.is_json() {
            let shown: Vec<_> = package
                .resolutions
                .iter()
                .filter(|found| self.imports || !found.is_fine())
                .collect();
            out.object(&json!({ "package": package.name, "needs": needs, "imports": shown }))?;
        } else if self.dot {
            for (name, need) in &needs {
                let mut style = Vec::new();
                if need.wrong > 0 {
                    style.push("color=red");
                }
                match () {
                    () if need.missing => style.push("style=dashed"),
                    () if need.imports == 0 => style.push("style=dotted"),
                    () => {}
                }
                let style = match style.is_empty() {
                    true => String::new(),
                    false => format!(" [{}]", style.join(", ")),
                };
                out.line(format!("  {} -> {}{style};", quoted(&package.name), quoted(name)))?;
            }
        } else if self.tree {
            out.line(&package.name)?;
            let mut seen = HashSet::from([package.name.to_ascii_lowercase()]);
            let needs = needs.iter().map(|(name, need)| (name.clone(), need.imports == 0));
            tree(environment, needs.collect(), 1, &mut seen, out)?;
        } else {
            self.table(package, &needs, &wrong, out)?;
        }
        Ok(!wrong.is_empty())
    }

    fn table(
        &self,
        package: &Package,
        needs: &BTreeMap<String, Need>,
        wrong: &[&Resolution],
        out: &mut Output,
    ) -> Result<(), Failure> {
        out.line(format!(
            "{} needs {}",
            package.name,
            count(needs.len() as u64, "package", "packages")
        ))?;
        let row = |(name, need): (&String, &Need)| {
            let state = match need.wrong {
                _ if need.missing => "missing".to_owned(),
                0 => "found".to_owned(),
                wrong => format!("{wrong} not there"),
            };
            let number = need.imports + need.soft;
            vec![format!("  {name}"), number.to_string(), need.kind().to_owned(), state]
        };
        let rows: Vec<_> = needs.iter().map(row).collect();
        if !rows.is_empty() {
            let header = ["  package", "imports", "kind", "state"];
            for line in table(&header, &[false, true, false, false], &rows) {
                out.line(line)?;
            }
        }
        if self.imports {
            for found in &package.resolutions {
                out.line(import(found))?;
            }
            return Ok(());
        }
        // A package that is not there says it all; its objects need no lines.
        for found in wrong.iter().filter(|found| found.outcome != Found::PackageMissing) {
            out.line(import(found))?;
        }
        Ok(())
    }
}

impl Package {
    /// The packages that it needs; what only the engine's code has is none.
    fn needs(&self) -> BTreeMap<String, Need> {
        let mut needs: BTreeMap<String, Need> = BTreeMap::new();
        let mut spelling: BTreeMap<String, String> = BTreeMap::new();
        for found in &self.resolutions {
            if found.outcome == Found::Native && !found.path.contains('.') {
                continue;
            }
            let key = found.package.to_ascii_lowercase();
            let name = spelling.entry(key).or_insert_with(|| found.package.clone());
            let need = needs.entry(name.clone()).or_default();
            match found.kind {
                Dependency::Hard => need.imports += 1,
                Dependency::Soft => need.soft += 1,
            }
            need.wrong += u64::from(!found.is_fine());
            need.missing |= !found.is_fine() && found.outcome == Found::PackageMissing;
        }
        needs
    }
}

/// One import or soft reference.
fn import(found: &Resolution) -> String {
    let class = match found.kind {
        Dependency::Hard => found.class.as_str(),
        Dependency::Soft => Dependency::Soft.word(),
    };
    format!("    {} ({class}): {}", found.path, found.outcome)
}

/// What packages need, and what these need, with whether it is needed softly only; a package that was
/// shown is not opened up again, and what is loaded later not at all.
fn tree(
    environment: &Environment,
    names: BTreeMap<String, bool>,
    depth: usize,
    seen: &mut HashSet<String>,
    out: &mut Output,
) -> Result<(), Failure> {
    for (name, soft) in names {
        let indent = "  ".repeat(depth);
        let kind = if soft { " (soft)" } else { "" };
        let Some(id) = environment.find(&name) else {
            out.line(format!("{indent}{name}{kind} (missing)"))?;
            continue;
        };
        if soft {
            out.line(format!("{indent}{name}{kind}"))?;
            continue;
        }
        let digest = match environment.digest(id) {
            Ok(digest) => digest,
            Err(error) => {
                out.line(format!("{indent}{name} (can't be opened: {error})"))?;
                continue;
            }
        };
        let soft = (0..digest.soft.len()).map(|row| (digest.soft_reference(row).0, true));
        let hard = digest.packages().into_iter().map(|package| (package, false));
        let needs = soft.chain(hard).filter(|(package, _)| !package.starts_with("/Script/"));
        let needs: BTreeMap<String, bool> =
            needs.map(|(package, soft)| (package.to_owned(), soft)).collect();
        let again = !seen.insert(name.to_ascii_lowercase());
        let more = again && !needs.is_empty() || depth >= DEEPEST;
        out.line(format!("{indent}{name}{}", if more { " …" } else { "" }))?;
        if !again && depth < DEEPEST {
            tree(environment, needs, depth + 1, seen, out)?;
        }
    }
    Ok(())
}

fn is_ini(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ini"))
}

/// A text as Graphviz wants it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
