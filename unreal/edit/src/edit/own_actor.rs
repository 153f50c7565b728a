//! Packages of one actor each, as levels of UE5 store theirs (`__ExternalActors__`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};

use super::Edit;
use super::rename_package::RenamePackage;
use super::renaming::Renamed;
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::inspect::own_path::package_path;
use crate::primitive::{FString, Guid, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Digits of a package's name: 128 bits by 36 letters and numbers.
const DIGITS: usize = 25;
const ALPHABET: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Folders that the digits are split into: one digit, two, the rest.
const FOLDERS: [usize; 2] = [1, 3];
/// What stands between the level's folders and the digits.
const EXTERNAL: &str = "/__ExternalActors__/";

/// The package that the editor stores an actor of a level in: the level's path, behind its root `__ExternalActors__`, then
/// the MD5 of the actor's path in lower case, as 25 digits of base 36. `map` is the package of the level,
/// `/Game/Maps/Arena`, `actor` the name of the actor in it.
///
/// 15 of 18 packages of one actor in the corpora are called so; the other three are of one map, whose packages have kept
/// the paths of another name. C++: `ULevel::GetActorPackageName`.
///
/// ```
/// use unreal_packages::edit::actor_package;
///
/// let actor = "BP_Bomb_C_UAID_1C1B0D944A3C906A01_1202875439";
/// assert_eq!(
///     actor_package("/Game/FirstPerson/Maps/WorldPartitionMap", actor),
///     "/Game/__ExternalActors__/FirstPerson/Maps/WorldPartitionMap/6/SZ/5ZG6FY0Q8EC27KEY1MJOUT"
/// );
/// ```
pub fn actor_package(map: &str, actor: &str) -> String {
    let whole = map.strip_prefix('/').unwrap_or(map);
    let (root, folders) = whole.split_once('/').unwrap_or((whole, ""));
    below(&format!("/{root}{EXTERNAL}{folders}"), map, actor)
}

/// The same below this path.
fn below(folder: &str, map: &str, actor: &str) -> String {
    let short = map.rsplit('/').next().unwrap_or_default();
    let path = format!("{map}.{short}:PersistentLevel.{actor}").to_lowercase();
    // As the engine writes a text: how long it is with the zero behind it, then both.
    let mut hash = Md5::new();
    match path.is_ascii() {
        true => {
            hash.update((path.len() as i32 + 1).to_le_bytes());
            hash.update(path.as_bytes());
            hash.update([0]);
        }
        false => {
            let wide: Vec<u16> = path.encode_utf16().chain([0]).collect();
            hash.update((-(wide.len() as i32)).to_le_bytes());
            wide.iter().for_each(|unit| hash.update(unit.to_le_bytes()));
        }
    }
    let words: [u8; 16] = hash.finalize().into();
    // Four numbers of 32 bits, the first one counts most.
    let mut number = words.chunks_exact(4).fold(0_u128, |all, word| {
        all << 32 | u128::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    });
    let mut digits = [b'0'; DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(number % 36) as usize];
        number /= 36;
    }
    let digits = String::from_utf8_lossy(&digits).into_owned();
    let [one, two] = FOLDERS;
    format!("{folder}/{}/{}/{}", &digits[..one], &digits[one..two], &digits[two..])
}

/// An actor of its own package, made of another one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OwnActor {
    /// The path of its package: the file belongs there.
    pub package: String,
    /// The name of the actor.
    pub name: String,
    /// What has got another path or name.
    pub renamed: Renamed,
}

impl Edit {
    /// Makes the actor of a package of one actor another actor of the same level: it gets this name, or one that no other
    /// actor has, GUIDs of its own, also in what the header tells the level of it, and its package the path that the
    /// editor looks for it at. What the header says of its place stays until the editor saves it.
    ///
    /// # Errors
    /// `Refused` for a package that is not that of one actor, and for bodies that are not decoded whole, in which GUIDs would
    /// stay; `Exists` for the actor's own name; those of [`Edit::rename_object`] and
    /// [`Edit::rename_package`].
    pub fn make_own_actor(&mut self, name: Option<&str>) -> Result<OwnActor> {
        let row = self.own_actor()?;
        let index = PackageIndex::export(row);
        let level = self.path(self.outer(index));
        let Some(map) = level.split('.').next().filter(|map| map.starts_with('/')) else {
            return Err(not_one("its level has no package"));
        };
        let map = map.to_owned();
        let old = self.object_name(index);
        let name = match name {
            Some(name) => name.to_owned(),
            None => unique_name(&old),
        };
        if name.eq_ignore_ascii_case(&old) {
            return Err(ErrorKind::Exists { what: noun::EXPORT, name }.into());
        }
        let here = package_path(self).ok_or_else(|| not_one("it does not say its path"))?;
        let folder = self.folder_of(&here, &map);
        self.transact(|edit| {
            let mut renamed = edit.rename_object(&edit.exports().path(row), &name)?;
            // A GUID that is not seen would be that of two actors.
            let all: Vec<usize> = (0..edit.exports().len()).collect();
            edit.decode_rows(all.iter().copied())?;
            let guids = edit.make_unique(&all);
            edit.update_level_tags(&guids);
            let package = below(&folder, &map, &name);
            let options = RenamePackage::new().keep_object(true);
            let moved = edit.rename_package(&package, &options)?;
            renamed.objects.extend(moved.objects);
            renamed.changes.extend(moved.changes);
            renamed.soft_paths += moved.soft_paths;
            renamed.care.extend(moved.care);
            Ok(OwnActor { package, name, renamed })
        })
    }

    /// The row of the one actor whose level is in another package.
    fn own_actor(&self) -> Result<usize> {
        let is_of_level = |row: &usize| {
            let ObjectRef::Import(level) = self.tables().exports[*row].outer_index.target() else {
                return false;
            };
            let level = self.tables().imports.get(level);
            level.is_some_and(|it| self.name_text(it.class_name).eq_ignore_ascii_case("Level"))
        };
        let mut actors = (0..self.exports().len()).filter(is_of_level);
        match (actors.next(), actors.next()) {
            (Some(actor), None) => Ok(actor),
            (None, _) => Err(not_one("no object of it lies in a level of another package")),
            _ => Err(not_one("several objects of it lie in a level of another package")),
        }
    }

    /// The folder that the digits of the package's path stand in: levels may be stored elsewhere than they are called.
    fn folder_of(&self, here: &str, map: &str) -> String {
        let mut parts = here.rsplitn(FOLDERS.len() + 2, '/');
        let folder = parts.nth(FOLDERS.len() + 1).filter(|folder| folder.contains(EXTERNAL));
        let usual = || {
            let whole = actor_package(map, "");
            whole.rsplitn(FOLDERS.len() + 2, '/').last().unwrap_or_default().to_owned()
        };
        folder.map_or_else(usual, str::to_owned)
    }

    /// What the header tells the level of the actor names its GUIDs in bytes (C++: `FWorldPartitionActorDesc`).
    fn update_level_tags(&mut self, guids: &[(Guid, Guid)]) {
        let source = self.source_bytes();
        let (order, game) = (self.versions().byte_order, self.versions().game());
        let mut assets = Vec::new();
        let known = self.tables().further.asset_registry.iter().flat_map(|it| &it.assets);
        for (row, asset) in known.enumerate() {
            let mut changed = asset.clone();
            let mut is_changed = false;
            for tag in &mut changed.tags {
                let Ok(text) = tag.value.text(&source) else { continue };
                let Ok(mut bytes) = STANDARD.decode(text.as_bytes()) else { continue };
                let count: usize =
                    guids.iter().map(|(old, new)| replace(&mut bytes, old, new)).sum();
                if count > 0 {
                    tag.value = FString::new_in(&STANDARD.encode(&bytes), order, game);
                    is_changed = true;
                }
            }
            if is_changed {
                assets.push((row, changed));
            }
        }
        for (row, asset) in assets {
            self.set_asset(row, asset);
        }
    }
}

/// Replaces a GUID in bytes, and counts how often it was there.
fn replace(bytes: &mut [u8], old: &Guid, new: &Guid) -> usize {
    let (old, new) = (stored(old), stored(new));
    let (mut at, mut count) = (0, 0);
    while let Some(window) = bytes.get_mut(at..at + old.len()) {
        if *window == old[..] {
            window.copy_from_slice(&new);
            (at, count) = (at + old.len(), count + 1);
        } else {
            at += 1;
        }
    }
    count
}

fn stored(guid: &Guid) -> Vec<u8> {
    [guid.a, guid.b, guid.c, guid.d].iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A name that no other actor has, as the editor makes them: `BP_Bomb_C_UAID_1C1B0D944A3C906A01_1202875439`.
fn unique_name(old: &str) -> String {
    let base = old.split("_UAID_").next().unwrap_or(old);
    let Guid { a, b, c, d } = Guid::random();
    format!("{base}_UAID_{a:08X}{b:08X}{:02X}_{:010}", c & 0xff, d % 1_000_000_000)
}

fn not_one(why: &str) -> Error {
    Error::refused(format!("it is no package of one actor: {why}"), Vec::new())
}
