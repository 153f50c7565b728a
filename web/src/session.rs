//! The packages that are open.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};
use unreal_packages::container::zen::{KnownObjects, ScriptPaths};
use unreal_packages::package::Package;
use unreal_packages::property::Mappings;
use unreal_packages::{EngineRelease, Game};

use crate::actor_place;
use crate::answer::Answer;
use crate::change::Change;
use crate::compared;
use crate::containers::OpenContainers;
use crate::content;
use crate::curves;
use crate::dependencies;
use crate::details;
use crate::failure::{Failure, Result};
use crate::fields;
use crate::find;
use crate::graph;
use crate::inspector;
use crate::layout;
use crate::lent::LentFile;
use crate::level;
use crate::meshes;
use crate::opened::{Form, Opened};
use crate::proof;
use crate::properties;
use crate::request::{Part, Request};
use crate::sample;
use crate::search;
use crate::sizes;

/// What is open, by number.
#[derive(Debug, Default)]
pub struct Session {
    packages: BTreeMap<u32, Opened>,
    containers: Option<OpenContainers>,
    next: u32,
}

impl Session {
    /// Answers a request; `inputs` are the bytes that come with it.
    pub fn answer(&mut self, request: &[u8], inputs: Vec<Vec<u8>>) -> Answer {
        let answer = Request::parse(request).and_then(|request| self.carry_out(request, inputs));
        answer.unwrap_or_else(|failure| Answer::failed(&failure))
    }

    fn package(&mut self, number: u32) -> Result<&mut Opened> {
        self.packages.get_mut(&number).ok_or_else(|| {
            Failure::new(format!("no package {number} is open"), "Open the file once more.")
        })
    }

    /// What an open package answers.
    ///
    /// What goes through here is a function of its own: a browser compiles a function that runs often once more as a
    /// whole, and with all requests in one function that takes 12 MB.
    #[inline(never)]
    fn opened<T>(&mut self, number: u32, ask: impl FnOnce(&mut Opened) -> T) -> Result<T> {
        Ok(ask(self.package(number)?))
    }

    /// What a package answers as it is now; a function of its own as in [`Session::opened`].
    #[inline(never)]
    fn shown<T>(&mut self, number: u32, ask: impl FnOnce(&Package) -> T) -> Result<T> {
        Ok(ask(self.package(number)?.package()))
    }

    /// The packages that a change of a package goes by.
    fn others(
        &mut self,
        package: u32,
        change: &Change,
        lent: &[LentFile],
    ) -> Result<Vec<(String, Package)>> {
        if let Change::Conform { to } = change {
            let old = self.package(*to)?;
            return Ok(vec![(old.name.clone(), old.package().clone())]);
        }
        let options = self.package(package)?.neighbor_options();
        let mut others = Vec::new();
        for file in lent {
            // What can't be opened declares nothing.
            if let Ok(package) = options.open_bytes(file.read()?) {
                others.push((file.name.clone(), package));
            }
        }
        Ok(others)
    }

    fn containers(&mut self) -> Result<&mut OpenContainers> {
        self.containers
            .as_mut()
            .ok_or_else(|| Failure::new("no container is open", "Open the file once more."))
    }

    fn carry_out(&mut self, request: Request, inputs: Vec<Vec<u8>>) -> Result<Answer> {
        let value = match request {
            Request::Known {} => known(),
            Request::Containers { lent } => {
                let containers = self.containers.insert(OpenContainers::new(&lent));
                containers.value()
            }
            Request::Unlock { key } => self.containers()?.unlock(&key)?,
            Request::FilterFiles { text, packages } => self.containers()?.filter(&text, packages),
            Request::Files { from, count } => self.containers()?.rows(from, count),
            Request::Take { container, row } => return self.containers()?.take(container, row),
            Request::Open { name, game, engine, parts, imported, lent } => {
                let mut parts: Vec<_> = parts.into_iter().zip(inputs).collect();
                let form = form((game, engine), &mut parts, imported, &lent)?;
                let opened = open(name, form, parts)?;
                let number = self.next;
                let mut summary = details::summary(&opened);
                summary["package"] = json!(number);
                self.packages.insert(number, opened);
                self.next += 1;
                summary
            }
            Request::Sample { name } => return sample::make(&name),
            Request::Close { package } => {
                json!({ "closed": self.packages.remove(&package).is_some() })
            }
            Request::Summary { package } => self.opened(package, |it| details::summary(it))?,
            Request::Tree { package, from, count } => {
                self.opened(package, |it| it.tree_rows(from, count))?
            }
            Request::Toggle { package, key, open } => {
                self.opened(package, |it| it.toggle(&key, open))??
            }
            Request::Filter { package, text } => self.opened(package, |it| it.filter(&text))?,
            Request::Locate { package, key } => self.opened(package, |it| it.locate(&key))??,
            Request::Details { package, key } => {
                self.opened(package, |it| details::of(it, &key))??
            }
            Request::Rows { package, key, from, count } => {
                self.opened(package, |it| details::rows(it, &key, from, count))??
            }
            Request::Properties { package, row } => {
                self.shown(package, |it| properties::listed(it, row))??
            }
            Request::Within { package, row, path } => {
                self.shown(package, |it| properties::within(it, row, &path))??
            }
            Request::References { package, key } => {
                self.shown(package, |it| details::references(it, &key))??
            }
            Request::Bytes { package, from, length } => {
                let source = self.package(package)?.package().source();
                let end = from.saturating_add(length).min(source.len() as u64);
                let bytes = source.get(from as usize..end as usize).unwrap_or_default();
                return Ok(Answer::with(&json!({ "from": from }), bytes.to_vec()));
            }
            Request::Fields { package, from, length } => {
                self.shown(package, |it| fields::window(it, from, length))??
            }
            Request::Field { package, at } => self.shown(package, |it| fields::at(it, at))??,
            Request::Inspect { package, at } => self.shown(package, |it| inspector::at(it, at))?,
            Request::ActorPlace { package, row } => {
                self.shown(package, |it| actor_place::of(it, row))??
            }
            Request::Layout { name } => layout::page(&name)?,
            Request::LevelMap { package } => return self.shown(package, level::map)?,
            Request::Graphs { package, row } => self.shown(package, |it| graph::owners(it, row))?,
            Request::NodeGraph { package, row } => {
                self.shown(package, |it| graph::of(it, row))??
            }
            Request::ObjectBytes { package } => self.shown(package, sizes::of)?,
            Request::Curves { package, row } => self.shown(package, |it| curves::of(it, row))??,
            Request::Dependencies { package } => self.shown(package, dependencies::of)?,
            Request::PropertyRange { package, row, path } => {
                self.shown(package, |it| fields::of_property(it, row, &path))??
            }
            Request::Search { package, text } => {
                self.shown(package, |it| search::hits(it, &text))??
            }
            Request::Find { package, what, text, from, backwards } => {
                self.shown(package, |it| find::next(it, what, &text, from, backwards))??
            }
            Request::Picture { package, key } => {
                return self.shown(package, |it| content::picture(it, &key))?;
            }
            Request::Mesh { package, row, mut lent, paths } => {
                lent.iter_mut().zip(paths).for_each(|(file, path)| file.name = path);
                return self.opened(package, |it| meshes::of(it, row, lent))?;
            }
            Request::Content { package, row, from } => {
                return self.shown(package, |it| content::file(it, row, from))?;
            }
            Request::Dds { package, row } => {
                return self.shown(package, |it| content::dds(it, row))?;
            }
            Request::Table { package, row, format } => {
                return self.shown(package, |it| content::table_file(it, row, &format))?;
            }
            Request::Code { package, row } => self.opened(package, |it| it.code(row))??,
            Request::Proof { package, parts } => {
                let (value, map) = self.opened(package, |it| proof::of(it, parts))?;
                return Ok(Answer::with(&value, map));
            }
            Request::Change { package, mut change, lent } => {
                let others = self.others(package, &change, &lent)?;
                if let Change::Import(import) = &mut change {
                    import.bytes = inputs.into_iter().next().unwrap_or_default().into();
                }
                self.opened(package, |it| it.change(change, others))??
            }
            Request::Undo { package } => self.opened(package, Opened::undo)??,
            Request::Redo { package } => self.opened(package, Opened::redo)??,
            Request::Changes { package } => self.opened(package, |it| it.changes())?,
            Request::Save { package } => return self.opened(package, |it| it.save())?,
            Request::Compare { old, new, original } => {
                let old = self.package(old)?;
                let old = if original { old.original() } else { old.package() }.clone();
                self.shown(new, |new| compared::of(&old, new))?
            }
        };
        Ok(Answer::of(&value))
    }
}

fn known() -> Value {
    let games: Vec<_> = Game::ALL
        .iter()
        .map(|game| json!({ "slug": game.slug(), "title": game.to_string() }))
        .collect();
    let releases: Vec<_> = EngineRelease::all().map(|release| release.to_string()).collect();
    json!({ "games": games, "releases": releases, "samples": sample::NAMES,
            "version": env!("CARGO_PKG_VERSION") })
}

/// The bytes of all parts of a kind.
fn taken(parts: &mut Vec<(Part, Vec<u8>)>, kind: Part) -> Vec<Vec<u8>> {
    let (taken, rest) = std::mem::take(parts).into_iter().partition(|(part, _)| *part == kind);
    *parts = rest;
    taken.into_iter().map(|(_, bytes)| bytes).collect()
}

fn form(
    (game, engine): (Option<String>, Option<String>),
    parts: &mut Vec<(Part, Vec<u8>)>,
    imported: Option<Vec<String>>,
    lent: &[LentFile],
) -> Result<Form> {
    let text = |text: Option<String>| text.filter(|text| !text.is_empty());
    let mappings = taken(parts, Part::Mappings).pop();
    let scripts = match &taken(parts, Part::Scripts)[..] {
        [objects] => ScriptPaths::from_bytes(objects).ok(),
        [names, objects] => ScriptPaths::from_ue4(names, objects).ok(),
        _ => None,
    };
    let imported = imported.unwrap_or_default();
    Ok(Form {
        game: text(game).map(|game| game.parse::<Game>()).transpose()?,
        engine: text(engine).map(|engine| engine.parse::<EngineRelease>()).transpose()?,
        mappings: mappings.map(|bytes| Mappings::from_bytes(&bytes)).transpose()?.map(Arc::new),
        import_names: scripts.map(|scripts| Arc::new(KnownObjects::new(scripts)) as Arc<_>),
        imported: imported.iter().filter_map(|id| id.parse().ok()).collect(),
        companions: lent.iter().filter_map(LentFile::companion).collect(),
    })
}

// As in `Session::opened`.
#[inline(never)]
fn open(name: String, form: Form, mut parts: Vec<(Part, Vec<u8>)>) -> Result<Opened> {
    let bodies = taken(&mut parts, Part::Bodies).pop().map(Bytes::from);
    let header = taken(&mut parts, Part::Header).pop().unwrap_or_default();
    Opened::new(name, form, header.into(), bodies)
}
