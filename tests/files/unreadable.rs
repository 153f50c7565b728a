//! A file that is not read says by which rule.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use unreal_packages::Error;
use unreal_packages::environment::Ini;
use unreal_packages::error::{Unreadable, UnrealError, UnrealErrors};
use unreal_packages::file::{open_lock, read, read_found};

fn rule<T>(result: Result<T, Error>) -> Unreadable {
    let error = result.map(drop).unwrap_err();
    match error.unreal() {
        Some(UnrealError::NotReadable { why, .. }) => *why,
        _ => panic!("{error}"),
    }
}

#[test]
fn files_that_are_not_read_say_by_which_rule() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    assert_eq!(rule(read_found(folder.path())), Unreadable::Folder);
    assert_eq!(rule(read_found(Path::new("/dev/null"))), Unreadable::SpecialFile);
    let _listener = UnixListener::bind(place("socket")).unwrap();
    assert_eq!(rule(read_found(&place("socket"))), Unreadable::SpecialFile);
    // The words of one rule in a name are not that rule.
    std::fs::write(place("a pipe"), b"").unwrap();
    symlink(place("a pipe"), place("a folder")).unwrap();
    assert_eq!(rule(open_lock(&place("a folder"))), Unreadable::Link);
    let sparse = |name: &str, length: u64| {
        std::fs::File::create(place(name)).unwrap().set_len(length).unwrap();
        place(name)
    };
    assert_eq!(rule(read_found(&sparse("holes", 1 << 30))), Unreadable::Holes);
    assert_eq!(rule(Ini::open(sparse("large.ini", 200 << 20))), Unreadable::TooLarge);
    // A device that was named is read, and no regular file needs to take its place.
    assert_eq!(rule(read(Path::new("/dev/zero"))), Unreadable::TooLarge);
}
