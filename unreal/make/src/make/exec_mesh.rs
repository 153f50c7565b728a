//! Lines that import meshes: `#exec MESH IMPORT MESH=Skull ANIVFILE=Skull_a.3d DATAFILE=Skull_d.3d`, and those that say more
//! of such a mesh.
//!
//! Spec: ue1-3/16 §16.9. Where nothing else is said of one rule, it was compared on the lines and meshes of 14 public ones.

use crate::content::mesh::{MeshEdits, NewSequence, NewVertexMesh};
use crate::edit::PackageEdit;
use crate::error::{Error, Result};
use crate::package::Package;
use crate::primitive::PackageIndex;

use super::exec::ExecLine;
use super::maker::Maker;

/// Units of a turn by which lines say angles: 256 are one.
const TURN: f32 = 256.0;
/// Frames a second where a line does not say it.
const RATE: f32 = 30.0;
/// Numbers of textures of a mesh: polygons say them in a byte.
const MOST_TEXTURES: usize = 256;

impl Maker {
    /// Makes the mesh of a line, by all lines that are about it. `Ok(None)` for another line.
    pub(super) fn import_mesh(
        &self,
        line: &ExecLine,
        lines: &[ExecLine],
        content: &mut Package,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Option<String>> {
        if let (Some(file), Some(name)) = (line.value("FILE"), line.value("MESH")) {
            return import_gltf((file, name), lines, content, read);
        }
        let (Some(data), Some(animation), Some(name)) =
            (line.value("DATAFILE"), line.value("ANIVFILE"), line.value("MESH"))
        else {
            return Ok(None);
        };
        let mut file = |path: &str| {
            read(path).ok_or_else(|| Error::invalid(format!("there is no file '{path}'")))
        };
        let (data, animation) = (file(data)?, file(animation)?);
        for axis in ["X", "Y", "Z"] {
            if number(line, axis)?.unwrap_or(0.0) != 0.0 {
                return Err(Error::invalid(format!(
                    "what {axis} of a line that imports a mesh does is not known, but for 0"
                )));
            }
        }
        let mut new = NewVertexMesh {
            without_levels: number(line, "MLOD")? == Some(0.0),
            unmirrored: number(line, "UNMIRROR")?.unwrap_or(0.0) != 0.0,
            ..NewVertexMesh::default()
        };
        let mut textures: Vec<(usize, String)> = Vec::new();
        let maps = maps_of(name, lines);
        for line in lines {
            let (is_of_mesh, is_of_map) = is_about(line, name, &maps);
            match line.verb() {
                "MESH ORIGIN" if is_of_mesh => {
                    three(line, ["X", "Y", "Z"], &mut new.origin)?;
                    let mut angles = [0.0; 3];
                    three(line, ["PITCH", "YAW", "ROLL"], &mut angles)?;
                    new.rotation = angles.map(|angle| (angle * 65536.0 / TURN) as i32);
                }
                "MESH LODPARAMS" if is_of_mesh => {
                    for (key, place) in [
                        ("STRENGTH", &mut new.lod_strength),
                        ("MORPH", &mut new.lod_morph),
                        ("HYSTERESIS", &mut new.lod_hysteresis),
                        ("ZDISP", &mut new.lod_z_displace),
                    ] {
                        *place = number(line, key)?.unwrap_or(*place);
                    }
                    if let Some(least) = number(line, "MINVERTS")? {
                        new.lod_min_vertices = least as i32;
                    }
                }
                "MESH SEQUENCE" if is_of_mesh => new.sequences.push(sequence(line)?),
                "MESH NOTIFY" if is_of_mesh => notify(line, &mut new.sequences)?,
                "MESHMAP SCALE" if is_of_map => three(line, ["X", "Y", "Z"], &mut new.scale)?,
                "MESHMAP SETTEXTURE" if is_of_map => {
                    let at = whole(line, "NUM")?.unwrap_or(0);
                    let at = usize::try_from(at).ok().filter(|at| *at < MOST_TEXTURES);
                    let at = at.ok_or_else(|| Error::invalid("a texture has no such number"))?;
                    textures.push((at, line.value("TEXTURE").unwrap_or_default().to_owned()));
                }
                _ => {}
            }
        }
        content.edit(|edit| {
            for (at, name) in textures {
                if new.textures.len() <= at {
                    new.textures.resize(at + 1, PackageIndex::NULL);
                }
                // One that is not at hand is none, as compilers have it.
                new.textures[at] = match self.texture(edit, &name) {
                    Some(own) => own,
                    None => match self.objects.find("Texture", &name) {
                        Some(known) => {
                            let class = known.classes.last().map_or("Engine.Texture", |it| it);
                            edit.add_import(&known.path, class)?
                        }
                        None => PackageIndex::NULL,
                    },
                };
            }
            edit.add_vertex_mesh(name, &data, &animation, &new)
        })?;
        Ok(Some(name.to_owned()))
    }

    /// The texture of this name among those that were imported.
    fn texture(&self, content: &Package, name: &str) -> Option<PackageIndex> {
        let last = name.rsplit('.').next().unwrap_or(name);
        let rows = (0..content.exports().len()).map(PackageIndex::export);
        let is = |index: &PackageIndex| content.object_name(*index).eq_ignore_ascii_case(last);
        rows.into_iter().find(is)
    }
}

/// Makes the mesh of a line that names a glTF file: `#exec MESH IMPORT MESH=Crate FILE=Models\Crate.glb`. Compilers of the
/// engine know no such line.
fn import_gltf(
    (path, name): (&str, &str),
    lines: &[ExecLine],
    content: &mut Package,
    read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Option<String>> {
    let file = read(path).ok_or_else(|| Error::invalid(format!("there is no file '{path}'")))?;
    let maps = maps_of(name, lines);
    let says_more = |line: &&ExecLine| {
        let (is_of_mesh, is_of_map) = is_about(line, name, &maps);
        line.verb() != "MESH IMPORT" && (is_of_mesh || is_of_map)
    };
    if let Some(line) = lines.iter().find(says_more) {
        let verb = line.verb();
        return Err(Error::invalid(format!(
            "a glTF file says frames, sequences, sizes and materials of its mesh: leave the lines of {verb} away"
        )));
    }
    content.edit(|edit| edit.add_mesh(name, &file))?;
    Ok(Some(name.to_owned()))
}

/// The mesh of a map that a line makes.
pub(super) fn mesh_of<'a>(map: &str, lines: &'a [ExecLine]) -> Option<&'a str> {
    let makes = |line: &&ExecLine| {
        line.verb() == "MESHMAP NEW"
            && line.value("MESHMAP").is_some_and(|it| it.eq_ignore_ascii_case(map))
    };
    lines.iter().find(makes)?.value("MESH")
}

/// Whether a line names a mesh, and one of its maps.
fn is_about(line: &ExecLine, mesh: &str, maps: &[String]) -> (bool, bool) {
    let is =
        |key: &str, name: &str| line.value(key).is_some_and(|it| it.eq_ignore_ascii_case(name));
    (is("MESH", mesh), maps.iter().any(|map| is("MESHMAP", map)))
}

/// The names of the maps of a mesh: its own, and those that a line makes.
fn maps_of(mesh: &str, lines: &[ExecLine]) -> Vec<String> {
    let made = lines.iter().filter(|line| {
        line.verb() == "MESHMAP NEW"
            && line.value("MESH").is_some_and(|it| it.eq_ignore_ascii_case(mesh))
    });
    let made = made.filter_map(|line| line.value("MESHMAP").map(str::to_owned));
    std::iter::once(mesh.to_owned()).chain(made).collect()
}

fn number(line: &ExecLine, key: &str) -> Result<Option<f32>> {
    let Some(text) = line.value(key) else { return Ok(None) };
    match text.parse::<f32>() {
        Ok(number) if number.is_finite() => Ok(Some(number)),
        _ => Err(Error::invalid(format!("{key}={text} is no number"))),
    }
}

fn whole(line: &ExecLine, key: &str) -> Result<Option<i32>> {
    Ok(number(line, key)?.map(|number| number as i32))
}

fn three(line: &ExecLine, keys: [&str; 3], places: &mut [f32; 3]) -> Result<()> {
    for (key, place) in keys.into_iter().zip(places) {
        *place = number(line, key)?.unwrap_or(*place);
    }
    Ok(())
}

fn sequence(line: &ExecLine) -> Result<NewSequence> {
    Ok(NewSequence {
        name: line.value("SEQ").unwrap_or_default().to_owned(),
        group: line.value("GROUP").map(str::to_owned),
        start_frame: whole(line, "STARTFRAME")?.unwrap_or(0),
        frame_count: whole(line, "NUMFRAMES")?.unwrap_or(1),
        rate: number(line, "RATE")?.unwrap_or(RATE),
        notifies: Vec::new(),
    })
}

fn notify(line: &ExecLine, sequences: &mut [NewSequence]) -> Result<()> {
    let name = line.value("SEQ").unwrap_or_default();
    let known = sequences.iter_mut().find(|it| it.name.eq_ignore_ascii_case(name));
    let known = known.ok_or_else(|| {
        Error::invalid(format!(
            "a line notifies in sequence '{name}', which no line before it makes"
        ))
    })?;
    let function = line.value("FUNCTION").unwrap_or_default().to_owned();
    known.notifies.push((number(line, "TIME")?.unwrap_or(0.0), function));
    Ok(())
}
