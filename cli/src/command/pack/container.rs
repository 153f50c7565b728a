//! The files of a folder into a container.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use clap::Args;
use serde_json::json;
use unreal_packages::EngineRelease;
use unreal_packages::container::iostore::{ChunkKind, IoStoreOptions, IoStoreWriter};
use unreal_packages::container::pak::{PakOptions, PakVersion, PakWriter};
use unreal_packages::container::{
    BlockMethod, GameContainer, is_package, package_id, package_name,
};
use unreal_packages::file::{self, FileOrigin, Replacement};
use unreal_packages::package::{OpenOptions, SaveOptions, ZenContext, ZenPackage};
use unreal_packages::table::PACKAGE_TAG;

use super::walk::Found;
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped, note_early, printable};
use crate::progress;
use crate::target::unwritten;

/// What files of bulk data end in, the longest first.
const BULK_DATA: [&str; 3] = [".m.ubulk", ".ubulk", ".uptnl"];

/// How a container is made of a folder.
#[derive(Debug, Args)]
pub struct ContainerArgs {
    /// Make the container for the game of this one: versions and mount point, shader maps of packages
    #[arg(long, value_name = "CONTAINER", help_heading = "Containers")]
    like: Option<PathBuf>,
    /// Make it for this engine release
    #[arg(long, value_name = "RELEASE", conflicts_with = "like", help_heading = "Containers")]
    engine: Option<EngineRelease>,
    /// Compress what becomes smaller by it: zlib, gzip, zstd, lz4
    #[arg(long, value_name = "METHOD", value_parser = method, help_heading = "Containers")]
    compress: Option<BlockMethod>,
    /// What paths in the container start at
    #[arg(long, value_name = "MOUNT", default_value = "../../../", help_heading = "Containers")]
    mount: String,
}

fn method(text: &str) -> Result<BlockMethod, String> {
    match BlockMethod::named(text) {
        Some(BlockMethod::Oodle) => Err("there is no open compressor for Oodle".to_owned()),
        Some(method) => Ok(method),
        None => Err("zlib, gzip, zstd and lz4 are known".to_owned()),
    }
}

/// The versions of containers that a release writes.
fn pak_version(engine: Option<EngineRelease>) -> Result<PakVersion, Failure> {
    let release = |major, minor| EngineRelease::new(major, minor);
    let number = match engine {
        None => 11,
        Some(engine) if engine < release(4, 3) => 2,
        Some(engine) if engine < release(4, 16) => 3,
        Some(engine) if engine < release(4, 20) => 4,
        Some(engine) if engine < release(4, 21) => 5,
        Some(engine) if engine < release(4, 22) => 7,
        Some(engine) if engine < release(4, 23) => return Ok(PakVersion::V8A),
        Some(engine) if engine < release(4, 25) => 8,
        Some(engine) if engine < release(4, 26) => 9,
        Some(engine) if engine < release(5, 8) => 11,
        Some(engine) if engine < release(6, 0) => 12,
        Some(_) => 15,
    };
    Ok(PakVersion::new(number)?)
}

/// Versions of the table of contents and of the container header.
fn store_versions(engine: EngineRelease) -> Result<(u8, i32), Failure> {
    let release = |major, minor| EngineRelease::new(major, minor);
    Ok(match engine {
        engine if engine < release(4, 26) => {
            let next = "make a .pak file for it";
            return Err(Failure::usage(format!(
                "games before 4.26 have no IoStore containers\n  next: {next}"
            )));
        }
        engine if engine < release(4, 27) => (2, 0),
        engine if engine < release(5, 0) => (3, 0),
        engine if engine < release(5, 1) => (5, 1),
        engine if engine < release(5, 3) => (5, 2),
        engine if engine < release(5, 4) => (5, 3),
        engine if engine < release(5, 5) => (6, 3),
        engine if engine < release(5, 6) => (8, 4),
        engine if engine < release(6, 0) => (8, 5),
        _ => (10, 5),
    })
}

fn read(path: &Path) -> unreal_packages::Result<Bytes> {
    file::read_found(path).map(|(bytes, _)| bytes)
}

impl ContainerArgs {
    /// Packs a folder into the container at `output`.
    pub fn pack(
        &self,
        folder: &Path,
        output: &Path,
        overwrite: bool,
        out: &mut Output,
    ) -> CommandResult {
        if let Some(like) = &self.like {
            containers::refuse_own(output, like)?;
        }
        for path in containers::parts(output) {
            if !overwrite && path.symlink_metadata().is_ok() {
                let path = path.display();
                let next = "name another file, or --overwrite";
                return Err(Failure::usage(format!("'{path}' is there already\n  next: {next}")));
            }
        }
        super::walk::refuse_inside(output, folder)?;
        let Found { files, left_out, backups } = super::walk::walk(folder)?;
        let like = self.like.as_deref().map(containers::folder).transpose()?.flatten();
        let like = like.map(|(_, open, _)| open);
        let is_pak = output.extension().is_some_and(|end| end.eq_ignore_ascii_case("pak"));
        match is_pak {
            true => self.pack_pak(&files, output, overwrite, like.as_deref())?,
            false => self.pack_store(&files, output, overwrite, like.as_deref())?,
        }
        let bytes: u64 = containers::parts(output)
            .iter()
            .filter_map(|path| std::fs::metadata(path).ok())
            .map(|metadata| metadata.len())
            .sum();
        for (path, reason) in &left_out {
            out.warn(printable(&format!("{} is left out: {reason}", path.display())))?;
        }
        if let Some(first) = backups.first() {
            let number = count(backups.len() as u64, "backup", "backups");
            let text = format!("{number} of edits left out: {}", first.display());
            note_early(&printable(&text), || json!({ "backups_left_out": backups }));
        }
        let (number, missing) = (files.len() as u64, left_out.len() as u64);
        if out.is_json() {
            out.object(&json!({ "input": folder, "output": output, "files": number,
                                "bytes": bytes, "left_out": missing }))?;
        } else {
            let (output, files) = (output.display(), count(number, "file", "files"));
            let rest = if missing == 0 { String::new() } else { format!(", {missing} left out") };
            out.summary(format!("wrote {output}: {files}, {} bytes{rest}", grouped(bytes)))?;
        }
        Ok(if missing == 0 { Outcome::Fine } else { Outcome::Wrong })
    }

    fn pack_pak(
        &self,
        files: &[(String, PathBuf)],
        output: &Path,
        overwrite: bool,
        like: Option<&GameContainer>,
    ) -> Result<(), Failure> {
        let version = match like {
            Some(GameContainer::Pak(pak)) => pak.version(),
            _ => pak_version(self.engine)?,
        };
        let options = PakOptions {
            version,
            mount_point: self.mount.clone(),
            method: self.compress,
            ..PakOptions::default()
        };
        let bar = progress::bar(files.len(), "files");
        let written = Replacement::by(output, |out| {
            let mut writer = PakWriter::new(out, options);
            for (inside, path) in files {
                writer.add(inside, &read(path)?)?;
                bar.inc(1);
            }
            writer.finish()
        });
        let result = written.overwrite(overwrite).commit();
        bar.finish_and_clear();
        result.map(drop).map_err(unwritten)
    }

    fn pack_store(
        &self,
        files: &[(String, PathBuf)],
        output: &Path,
        overwrite: bool,
        like: Option<&GameContainer>,
    ) -> Result<(), Failure> {
        let name = output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut options = match (like, self.engine) {
            (Some(GameContainer::IoStore(store)), _) => IoStoreOptions::like(store, name),
            (_, Some(engine)) => {
                let (version, header_version) = store_versions(engine)?;
                IoStoreOptions { version, header_version, ..IoStoreOptions::new(name) }
            }
            _ => {
                let next = "--like GAME.utoc, or --engine RELEASE";
                return Err(Failure::usage(format!(
                    "for which game is the container?\n  next: {next}"
                )));
            }
        };
        options.mount_point.clone_from(&self.mount);
        options.method = self.compress;
        let bar = progress::bar(files.len(), "files");
        let result = containers::write_store(output, overwrite, |out| {
            let mut writer = IoStoreWriter::new(out, options)?;
            let mut ids = std::collections::HashMap::new();
            let mut bodies = HashSet::new();
            for (inside, path) in files.iter().filter(|(inside, _)| is_package(inside)) {
                let (mut content, mut imported) = (read(path)?, None);
                if content.starts_with(&PACKAGE_TAG.to_le_bytes()) {
                    let made = self.zen_form(inside, path).map_err(|error| {
                        unreal_packages::Error::invalid(format!("{inside}: {error}"))
                    })?;
                    content = made.bytes.into();
                    imported = Some(made.imported);
                    let stem = inside.rsplit_once('.').map_or(inside.as_str(), |(stem, _)| stem);
                    bodies.insert(format!("{stem}.uexp").to_lowercase());
                }
                let header = containers::zen_header(&content, self.engine)
                    .map_err(|error| error.in_field("package"))?;
                let in_game = like.zip(package_id(&header));
                let mut known = in_game
                    .and_then(|(like, id)| like.store_entry(id).cloned())
                    .unwrap_or_default();
                if let Some(imported) = imported {
                    known.imported_packages = imported;
                }
                let id = writer.add_zen_package(inside, &header, known, &content)?;
                let stem = inside.rsplit_once('.').map_or(inside.as_str(), |(stem, _)| stem);
                ids.insert(stem.to_owned(), id);
                bar.inc(1);
            }
            let rest = files.iter().filter(|(inside, _)| !is_package(inside));
            for (inside, path) in rest.filter(|(path, _)| !bodies.contains(&path.to_lowercase())) {
                let kind = ChunkKind::of_path(inside);
                let stem = BULK_DATA.iter().find_map(|end| inside.strip_suffix(end));
                let Some(id) = stem.and_then(|stem| ids.get(stem)) else {
                    // Containers of the next run would lack it without a word.
                    let reason = format!(
                        "{inside} is no package and no bulk data of one: IoStore containers hold nothing \
                         else, put it into a .pak file"
                    );
                    return Err(unreal_packages::ErrorKind::Invalid { reason }.into());
                };
                writer.add(inside, *id, kind, &read(path)?)?;
                bar.inc(1);
            }
            writer.finish()
        });
        bar.finish_and_clear();
        result
    }
}

impl ContainerArgs {
    /// A package of two files as containers hold it.
    fn zen_form(&self, inside: &str, path: &Path) -> unreal_packages::Result<ZenPackage> {
        let mut options = OpenOptions::new().origin(FileOrigin::Found);
        if let Some(engine) = self.engine {
            options = options.engine(engine);
        }
        let package = options.open(path)?;
        // Those before 5.1 are known by their paths alone.
        let name = package_name(&format!("{}{inside}", self.mount.trim_start_matches("../")));
        Ok(ZenContext::new().name(&name).save(&package, &SaveOptions::new())?.0)
    }
}

/// Whether a folder is packed into a container.
pub fn is_wanted(input: &Path, output: &Path) -> Result<bool, Failure> {
    match (input.is_dir(), containers::is_patch(output)) {
        (true, true) => Ok(true),
        (true, false) => {
            let next = "name a .pak or .utoc file with -o";
            let shown = input.display();
            Err(Failure::usage(format!("'{shown}' is a folder\n  next: {next}")))
        }
        (false, true) => {
            let next = "name the folder that holds the files";
            let shown = input.display();
            Err(Failure::usage(format!("'{shown}' is no folder\n  next: {next}")))
        }
        (false, false) => Ok(false),
    }
}
