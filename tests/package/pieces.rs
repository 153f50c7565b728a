//! Rows in pieces that copies share.

use unreal_packages::table::{NameEntry, Pieces};

fn entry(text: &str) -> NameEntry {
    NameEntry { text: text.into(), ..NameEntry::default() }
}

fn texts(rows: &Pieces<NameEntry>) -> Vec<String> {
    rows.iter().map(|row| row.text.text(&[]).unwrap().into_owned()).collect()
}

#[test]
fn rows_are_those_of_a_list() {
    for count in [0, 1, 255, 256, 257, 511, 512, 513, 1000] {
        let mut list: Vec<NameEntry> = (0..count).map(|row| entry(&row.to_string())).collect();
        let mut rows: Pieces<NameEntry> = list.clone().into();
        let mut pushed = Pieces::default();
        list.iter().cloned().for_each(|row| pushed.push(row));
        assert!(rows == pushed, "{count}");
        assert_eq!((rows.len(), rows.is_empty()), (count, count == 0));
        assert!(rows.iter().eq(list.iter()) && rows.iter().rev().eq(list.iter().rev()));
        assert!(rows.iter_mut().zip(&mut list).all(|(one, other)| one == other));
        for row in [0, 1, 255, 256, 257, 512, 1000] {
            assert_eq!(rows.get(row), list.get(row), "{row} of {count}");
            assert_eq!(rows.get_mut(row), list.get_mut(row), "{row} of {count}");
            let (mut shorter, mut short) = (rows.clone(), list.clone());
            shorter.truncate(row);
            short.truncate(row);
            assert!(shorter.iter().eq(short.iter()), "{count} to {row}");
            shorter.push(entry("more"));
            short.push(entry("more"));
            assert!(shorter.iter().eq(short.iter()) && shorter == short.into(), "{count} to {row}");
        }
    }
}

#[test]
fn a_change_is_no_change_of_copies() {
    let mut rows: Pieces<NameEntry> = (0..600).map(|row| entry(&row.to_string())).collect();
    let copy = rows.clone();
    let is_shared = |rows: &Pieces<NameEntry>, row: usize| std::ptr::eq(&rows[row], &copy[row]);
    assert!((0..600).all(|row| is_shared(&rows, row)));
    rows[300] = entry("other");
    rows.get_mut(301).unwrap().text = "another".into();
    assert_eq!((&*texts(&copy)[300], &*texts(&rows)[300]), ("300", "other"));
    assert_eq!((&*texts(&copy)[301], &*texts(&rows)[301]), ("301", "another"));
    // The pieces without a change are still the same.
    assert!((0..256).chain(512..600).all(|row| is_shared(&rows, row)));
    assert!((256..512).all(|row| !is_shared(&rows, row)));
    assert_eq!(format!("{:?}", [5, 6].into_iter().collect::<Pieces<_>>()), "[5, 6]");
    rows.truncate(10);
    rows.push(entry("last"));
    assert_eq!((copy.len(), rows.len()), (600, 11));
}

#[test]
fn saving_leaves_shared_what_is_shared() {
    use unreal_packages::generate::Builder;
    use unreal_packages::package::Package;

    let mut builder = Builder::new(69).name("None");
    for row in 0..600 {
        builder = builder.export(format!("Thing{row}").as_str(), "Engine.Info", [0]);
    }
    let package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let copy = package.clone();
    assert_eq!(copy.to_bytes().unwrap(), package.to_bytes().unwrap());
    let same = |row: usize| std::ptr::eq(&copy.tables().names[row], &package.tables().names[row]);
    assert!((0..600).all(same));
}
