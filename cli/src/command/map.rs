//! `upk map`: a level from above.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use unreal_packages::content::{EditorText, PackageContents};
use unreal_packages::inspect::{Defaults, LevelMap, PackageValues};
use unreal_packages::mesh::{MeshObjects, MeshOptions, PackageMeshes, SceneContent};
use unreal_packages::package::Package;
use unreal_packages::version::EngineFacts;

use super::extract::around::Around;
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
///
/// With --glb the level becomes a scene of binary glTF: its geometry, meshes and terrains where they are placed, with
/// their materials, and lights. Meshes, materials and defaults of other packages come from --env.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk map Map.unr
  upk map Map.unr --svg Map.svg
  upk map Arena.unr --t3d Lights.t3d 'Light*'
  upk map Arena.unr --glb Arena.glb
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
    /// Write it as a scene of binary glTF into this file; - for standard output
    #[arg(long, value_name = "OUT", conflicts_with_all = ["svg", "t3d"])]
    glb: Option<PathBuf>,
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
        let target = self.svg.as_ref().or(self.t3d.as_ref()).or(self.glb.as_ref());
        let package = self.open.open(&self.file)?;
        let target = target.map(|path| Target::new(path, overwrite, Form::Any, out)).transpose()?;
        let defaults = self.open.defaults(&self.file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        if let (Some(target), true) = (&target, self.glb.is_some()) {
            return self.scene(&package, defaults, target, out);
        }
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
    /// Writes the level as a scene.
    fn scene(
        &self,
        package: &Package,
        defaults: Option<&dyn Defaults>,
        target: &Target,
        out: &mut Output,
    ) -> CommandResult {
        let around = self.open.environment(&self.file)?.map(|environment| {
            let around = Around::new(environment);
            around.add(package, &self.file);
            around
        });
        let folder = match self.file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let options = MeshOptions {
            folders: &[folder],
            objects: around.as_ref().map(|around| around as &dyn MeshObjects),
            ..MeshOptions::default()
        };
        let scene = package.level_scene(defaults, &options)?;
        target.write(&scene.to_glb()?, out)?;
        let (nodes, meshes) = (scene.nodes.len(), scene.meshes.len());
        let lights =
            scene.nodes.iter().filter(|it| matches!(it.shown, SceneContent::Light(_))).count();
        let shown = target.shown();
        if out.is_json() {
            out.object(&json!({ "output": shown, "placed": nodes - lights, "meshes": meshes,
                                "materials": scene.materials.len(), "lights": lights,
                                "left_out": scene.notes }))?;
            return Ok(Outcome::Fine);
        }
        let placed = count((nodes - lights) as u64, "thing", "things");
        let meshes = count(meshes as u64, "mesh", "meshes");
        let lights = count(lights as u64, "light", "lights");
        out.summary(format!("wrote {shown}: {placed} of {meshes}, {lights}"))?;
        for line in &scene.notes {
            out.summary(format!("  {line}"))?;
        }
        if around.is_none() && !scene.notes.is_empty() {
            out.summary("  next: --env GAME finds what other packages have")?;
        }
        Ok(Outcome::Fine)
    }

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
