//! `upk deps`: what packages need, and whether it is there.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use farchive::environment::{Environment, Outcome as Found, Resolution};
use serde::Serialize;
use serde_json::json;

use super::env::{EnvArgs, environment, package_name};
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, table};
use crate::progress;

/// Trees are printed this deep.
const DEEPEST: usize = 64;

/// Show which packages and objects a package needs, and whether they are there
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
    env: EnvArgs,
    #[command(flatten)]
    open: OpenArgs,
}

/// What one package needs of another.
#[derive(Debug, Default, Serialize)]
struct Need {
    imports: u64,
    wrong: u64,
    missing: bool,
}

/// One package and what it needs.
struct Package {
    name: String,
    resolutions: Vec<Resolution>,
}

impl Deps {
    /// Prints packages one after the other.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let folders = self.paths.iter().any(|path| path.is_dir() || is_ini(path));
        if folders && self.paths.iter().any(|path| path.is_file() && !is_ini(path)) {
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
            let package = self.open.open(path)?;
            let environment = self.env.around(path, &self.open)?;
            let name = package_name(&environment, path);
            let resolutions = environment.resolve(&package, &name);
            wrong |= self.print(&environment, &Package { name, resolutions }, out)?;
        }
        Ok(wrong)
    }

    fn folders(&self, out: &mut Output) -> Result<bool, Failure> {
        let places: Vec<_> = self.paths.iter().chain(&self.env.env).cloned().collect();
        let environment = environment(&places, &self.open)?;
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
            out.line(format!("{packages}, {}", count(imports, "import", "imports")))?;
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
                let style = match () {
                    () if need.missing => " [color=red, style=dashed]",
                    () if need.wrong > 0 => " [color=red]",
                    () => "",
                };
                out.line(format!("  {} -> {}{style};", quoted(&package.name), quoted(name)))?;
            }
        } else if self.tree {
            out.line(&package.name)?;
            let mut seen = HashSet::from([package.name.to_ascii_lowercase()]);
            tree(environment, needs.keys().cloned().collect(), 1, &mut seen, out)?;
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
            vec![format!("  {name}"), need.imports.to_string(), state]
        };
        let rows: Vec<_> = needs.iter().map(row).collect();
        if !rows.is_empty() {
            for line in table(&["  package", "imports", "state"], &[false, true, false], &rows) {
                out.line(line)?;
            }
        }
        if self.imports {
            for found in &package.resolutions {
                out.line(format!("    {} ({}): {}", found.path, found.class, found.outcome))?;
            }
            return Ok(());
        }
        // A package that is not there says it all; its objects need no lines.
        for found in wrong.iter().filter(|found| found.outcome != Found::PackageMissing) {
            out.line(format!("    {} ({}): {}", found.path, found.class, found.outcome))?;
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
            need.imports += 1;
            need.wrong += u64::from(!found.is_fine());
            need.missing |= !found.is_fine() && found.outcome == Found::PackageMissing;
        }
        needs
    }
}

/// What packages need, and what these need; a package that was shown is not opened up again.
fn tree(
    environment: &Environment,
    names: BTreeSet<String>,
    depth: usize,
    seen: &mut HashSet<String>,
    out: &mut Output,
) -> Result<(), Failure> {
    for name in names {
        let indent = "  ".repeat(depth);
        let Some(id) = environment.find(&name) else {
            out.line(format!("{indent}{name} (missing)"))?;
            continue;
        };
        let digest = match environment.digest(id) {
            Ok(digest) => digest,
            Err(error) => {
                out.line(format!("{indent}{name} (can't be opened: {error})"))?;
                continue;
            }
        };
        let needs: BTreeSet<String> = digest.packages().into_iter().map(str::to_owned).collect();
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
