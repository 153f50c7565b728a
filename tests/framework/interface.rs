//! What an archive of one's own must understand.

#[test]
fn an_archive_answers_few_functions() {
    let interface = include_str!("../../src/archive/interface.rs");
    let (_, body) = interface.split_once("pub trait Archive {").unwrap();
    let functions = body.lines().filter_map(|line| line.strip_prefix("    fn "));
    let names: Vec<&str> = functions.filter_map(|line| line.split(['(', '<']).next()).collect();
    let (hot, asked): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| matches!(*name, "serialize_compact" | "save_bytes"));
    assert!((14..=16).contains(&asked.len()), "{}: {asked:?}", asked.len());
    // Numbers have bodies, which an archive replaces only to be fast.
    let (_, numbers) = body.split_once("numbers! {").unwrap();
    let numbers = numbers.lines().take_while(|line| *line != "    }");
    let numbers = numbers.filter(|line| line.ends_with(',') && !line.contains("///")).count();
    assert!((10..=12).contains(&(numbers + hot.len())), "{numbers} {hot:?}");
}
