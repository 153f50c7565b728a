//! `upk map`: a level from above.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::content::{EditorText, PackageContents};
use unreal_packages::inspect::{Defaults, LevelMap, PackageValues};
use unreal_packages::package::Package;
use unreal_packages::version::EngineFacts;

use super::objects::WhereArgs;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, count, table};
use crate::target::{OverwriteArgs, Target};

/// Show where the actors of a level stand, or draw it from above
///
/// Places are those in the world: from UE4 on of the root component, through all that it hangs on. With --svg brushes
/// are drawn as polygons, paths between navigation points as lines, other actors as dots in the colour of their class.
///
/// With --t3d the actors are written as the text that the engine's editor pastes and imports: classes, stored properties,
/// components (UE3 to UE5), polygons of brushes (UE1 and UE2, whose text `upk import` reads). It holds no flags, no state
/// frames and no geometry that was built.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk map Map.unr
  upk map Map.unr --svg Map.svg
  upk map Arena.unr --t3d Lights.t3d 'Light*'
  upk map Map.umap --json")]
pub struct Map {
    /// The level
    file: PathBuf,
    /// Draw it into this file; - for standard output
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Write the actors as the editor's text into this file; - for standard output
    #[arg(long, value_name = "OUT", conflicts_with = "svg")]
    t3d: Option<PathBuf>,
    /// The actors to write: paths, or rows as #12, with wildcards, --where or @FILE many; all without
    #[arg(requires = "t3d")]
    actors: Vec<String>,
    #[command(flatten)]
    which: WhereArgs,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    #[command(flatten)]
    open: OpenArgs,
}

impl Map {
    /// Draws, or prints one row an actor.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let overwrite = self.overwrite.overwrite;
        let target = self.svg.as_ref().or(self.t3d.as_ref());
        let package = self.open.open(&self.file)?;
        let target = target.map(|path| Target::new(path, overwrite, Form::Any, out)).transpose()?;
        let defaults = self.open.defaults(&self.file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        let map = package.values().with_defaults(defaults).level_map()?;
        let Some(target) = target else { return print(&map, out) };
        if self.t3d.is_some() {
            return self.text(&package, &map, target, out);
        }
        target.write(map.to_svg().as_bytes(), out)?;
        let shown = target.shown();
        match out.is_json() {
            true => out.object(&json!({ "output": shown, "actors": map.actors.len(),
                                        "paths": map.paths.len() }))?,
            false => out.summary(format!("wrote {shown}: {}", sums(&map)))?,
        }
        Ok(Outcome::Fine)
    }
}

impl Map {
    /// Writes the actors as the editor's text.
    fn text(
        &self,
        package: &Package,
        map: &LevelMap,
        target: Target,
        out: &mut Output,
    ) -> CommandResult {
        let mut rows: Vec<usize> = map.actors.iter().map(|actor| actor.row).collect();
        let pattern = ["*".to_owned()];
        let words = if self.actors.is_empty() { &pattern[..] } else { &self.actors[..] };
        if !self.actors.is_empty() || self.which.has_conditions() {
            let wanted = self.which.objects(words, package, &self.open, &self.file)?;
            let wanted: HashSet<usize> =
                wanted.iter().filter_map(|row| package.find_export(row).ok()).collect();
            rows.retain(|row| wanted.contains(row));
        }
        if rows.is_empty() {
            let next = "`upk map FILE` lists the actors";
            return Err(Failure::failed(format!("none of them is an actor\n  next: {next}")));
        }
        let EditorText { text, left_out } = match package.versions().has_actor_text() {
            true => {
                let text = package.contents().map_text(&rows)?.to_string();
                EditorText { text, left_out: Vec::new() }
            }
            false => package.contents().level_text(&rows)?,
        };
        target.write(text.as_bytes(), out)?;
        let shown = target.shown();
        match out.is_json() {
            true => out.object(&json!({ "output": shown, "actors": rows.len(),
                                        "left_out": left_out }))?,
            false => {
                let actors = count(rows.len() as u64, "actor", "actors");
                out.summary(format!("wrote {shown}: {actors}"))?;
                for line in left_out {
                    out.summary(format!("left out  {line}"))?;
                }
            }
        }
        Ok(Outcome::Fine)
    }
}

fn print(map: &LevelMap, out: &mut Output) -> Result<Outcome, Failure> {
    if out.is_json() {
        for actor in &map.actors {
            out.object(&json!({
                "row": actor.row, "path": actor.path, "class": actor.class, "place": actor.place,
                "brush": actor.brush.map(|it| it.name()), "outline": actor.outline,
            }))?;
        }
        let actors: HashMap<usize, &String> =
            map.actors.iter().map(|actor| (actor.row, &actor.path)).collect();
        for path in &map.paths {
            let name = |row| actors.get(&row);
            out.object(&json!({ "from": name(path.from), "to": name(path.to) }))?;
        }
        return Ok(Outcome::Fine);
    }
    let mut rows = Vec::new();
    for actor in &map.actors {
        let mut row = vec![actor.path.clone(), actor.class.clone()];
        match actor.place {
            Some(place) => row.extend(place.map(|part| format!("{part:.1}"))),
            None => row.extend(["", "", ""].map(str::to_owned)),
        }
        row.push(actor.brush.map_or("", |it| it.name()).to_owned());
        rows.push(row);
    }
    let header = ["actor", "class", "x", "y", "z", "brush"];
    for line in table(&header, &[false, false, true, true, true, false], &rows) {
        out.line(line)?;
    }
    out.summary(sums(map))?;
    Ok(Outcome::Fine)
}

fn sums(map: &LevelMap) -> String {
    let brushes = map.actors.iter().filter(|actor| actor.brush.is_some()).count();
    format!(
        "{}, {}, {}",
        count(map.actors.len() as u64, "actor", "actors"),
        count(brushes as u64, "brush", "brushes"),
        count(map.paths.len() as u64, "path", "paths")
    )
}
