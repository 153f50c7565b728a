//! What a file keeps when it is replaced, and what is not replaced at all.

use std::path::Path;

use unreal_packages::ErrorKind;
use unreal_packages::error::{Noun, UnrealError, UnrealErrors};
use unreal_packages::file::{Disk, FileOrigin, Replacement, file_name_fault, read, safe_file_name};

use super::world::{HEADER, Scene, World};

fn world() -> World {
    World::new(Scene { pair: false, there: true, backup: false, size: 40 })
}

fn refused(path: &Path) -> String {
    let error = Replacement::new(path, b"new").overwrite(true).commit().unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::NotReplaceable { .. })), "{error}");
    error.to_string()
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_asked_for() {
    let world = world();
    let path = world.path(HEADER);
    let error = Replacement::new(&path, b"new").commit().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Exists { what: Noun::File, .. }), "{error}");
    assert_eq!(world.state(), "old");
    world.replace(Disk::default()).unwrap();
    assert_eq!((world.state(), world.names().len()), ("new", 1));
}

/// Two programs change one file: the second is told, and the change of the first stays.
#[test]
fn what_another_program_has_written_is_not_lost() {
    let world = world();
    let path = world.path(HEADER);
    let (bytes, state) = read(&path).unwrap();
    let state = [state.unwrap()];
    let commit = || Replacement::new(&path, b"mine").overwrite(true).read(&state).commit();
    let times = std::fs::metadata(&path).unwrap().modified().unwrap();
    let restore_time =
        || std::fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
    let mut other = bytes.to_vec();
    // Another size; another content of the same size and time; a new file of the same content; no file.
    std::fs::write(&path, b"theirs").unwrap();
    assert!(commit().unwrap_err().to_string().contains("size"));
    other[0] ^= 1;
    std::fs::write(&path, &other).unwrap();
    assert!(commit().unwrap_err().to_string().contains("written to"));
    restore_time();
    assert!(commit().unwrap_err().to_string().contains("content"));
    assert_eq!(std::fs::read(&path).unwrap(), other);
    std::fs::write(&path, &bytes).unwrap();
    restore_time();
    commit().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(commit().unwrap_err().to_string().contains("gone"));
    assert!(world.names().is_empty(), "{:?}", world.names());
}

#[test]
fn read_only_files_and_folders_are_not_replaced() {
    let world = world();
    let path = world.path(HEADER);
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions.clone()).unwrap();
    assert!(refused(&path).contains("read-only"));
    assert!(refused(path.parent().unwrap()).contains("folder"));
    assert_eq!((world.state(), world.is_tidy()), ("old", true));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    /// A file made without ado says what the umask leaves.
    #[test]
    fn new_files_follow_the_umask_and_old_ones_keep_their_mode() {
        let world = world();
        let plain = world.path("plain");
        std::fs::write(&plain, b"").unwrap();
        let new = world.path("new");
        Replacement::new(&new, b"new").commit().unwrap();
        assert_eq!(mode(&new), mode(&plain));
        let path = world.path(HEADER);
        for wanted in [0o600, 0o640, 0o664, 0o755] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(wanted)).unwrap();
            let done = Replacement::new(&path, b"new").overwrite(true).backup(true).commit();
            assert_eq!(mode(&path), wanted);
            let backup = done.unwrap().backups.remove(0);
            assert_eq!(mode(&backup), wanted);
            std::fs::remove_file(backup).unwrap();
        }
    }

    #[test]
    fn hard_links_are_refused_and_symbolic_ones_followed() {
        let world = world();
        let path = world.path(HEADER);
        let second = world.path("second");
        std::fs::hard_link(&path, &second).unwrap();
        assert!(refused(&path).contains("hard links"));
        std::fs::remove_file(&second).unwrap();
        symlink(&path, &second).unwrap();
        Replacement::new(&second, b"new").overwrite(true).commit().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert!(second.symlink_metadata().unwrap().is_symlink());
        std::fs::remove_file(&path).unwrap();
        assert!(refused(&second).contains("leads to no file"));
    }

    /// Whoever made the folder decides where they lead.
    #[test]
    fn links_that_were_found_are_refused() {
        let world = world();
        let (file, link) = (world.path(HEADER), world.path("link"));
        let write = |path: &Path| {
            Replacement::new(path, b"new").origin(FileOrigin::Found).overwrite(true).commit()
        };
        for target in [file.clone(), world.path("nothing")] {
            symlink(&target, &link).unwrap();
            let error = write(&link).unwrap_err();
            assert!(matches!(error.unreal(), Some(UnrealError::NotReplaceable { .. })), "{error}");
            assert!(error.to_string().contains("it is a link"), "{error}");
            let set = Replacement::new(&file, b"new").with(&link, b"new");
            set.origin(FileOrigin::Found).overwrite(true).commit().unwrap_err();
            std::fs::remove_file(&link).unwrap();
        }
        assert_eq!((world.state(), world.names().len()), ("old", 1));
        // What is no link is replaced, in a folder that is reached through one, too.
        let outer = tempfile::tempdir().unwrap();
        symlink(file.parent().unwrap(), outer.path().join("folder")).unwrap();
        write(&outer.path().join("folder").join(HEADER)).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn devices_and_pipes_are_refused() {
        let number = |path: &Path| std::fs::metadata(path).unwrap().ino();
        let null = Path::new("/dev/null");
        let before = number(null);
        assert!(refused(null).contains("device"));
        assert_eq!(number(null), before);
    }
}

#[test]
fn names_are_safe_on_every_system() {
    for (text, name) in [
        ("Rough", "Rough"),
        ("Con", "Con_"),
        ("lpt1", "lpt1_"),
        ("com0", "com0_"),
        ("a:b/c\\d", "a_b_c_d"),
        ("", "_"),
        (" x ", "x_"),
        ("..", "__"),
    ] {
        assert_eq!(safe_file_name(text), name, "{text}");
        assert_eq!(file_name_fault(name), None, "{name}");
    }
    let long = "ß".repeat(300);
    assert!(safe_file_name(&long).len() <= 255);
    for bad in
        ["", ".", "..", "a/b", "a\\b", "C:x", "CON", "con.u", "Nul.uxx", "COM3.u", "x.", "a\nb"]
    {
        assert!(file_name_fault(bad).is_some(), "{bad:?}");
    }
    for good in ["Botpack.u", "Console.u", "community.u", "a b.u", "ß.u"] {
        assert_eq!(file_name_fault(good), None, "{good}");
    }
}
