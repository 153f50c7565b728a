//! `layout`: tables, pages and patterns of formats.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::common;

use common::{Folder, upk};

fn fields(of: &Value) -> Vec<&str> {
    of["fields"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect()
}

#[test]
fn a_table_has_order_offset_type_versions_and_meaning() {
    let run = upk(&["layout", "generation"]).exits(0);
    let line = |text: &str| run.out.lines().any(|line| line.contains(text));
    assert!(line("table::generation::Generation"), "{}", run.out);
    assert!(line("1     0x0  i32   export_count"), "{}", run.out);
    assert!(line("3     0x8  i32   net_object_count  from 322"), "{}", run.out);
    assert!(line("Exports of this generation."), "{}", run.out);
}

#[test]
fn a_version_shows_what_it_has() {
    let at = |version: &str| upk(&["layout", "Generation", "--at", version, "--json"]).exits(0);
    assert_eq!(fields(&at("321/0").object()), ["export_count", "name_count"]);
    let newer = at("322").object();
    assert_eq!(fields(&newer), ["export_count", "name_count", "net_object_count"]);
    assert_eq!(newer["fields"][2]["offset"], 8);
    assert_eq!(newer["fields"][2]["bounds"][0]["text"], "from 322");
    let import = upk(&["layout", "import", "--engine", "5.4", "--json"]).exits(0).object();
    assert_eq!(import["fields"][1]["offset"], 8, "a name is 8 bytes in UE5");
}

#[test]
fn names_have_any_case_and_modules_tell_them_apart() {
    let all = upk(&["layout", "POLYS", "--json"]).exits(0).json();
    assert!(all.len() > 1, "{all:?}");
    let one = upk(&["layout", "ue3::polys", "--json"]).exits(0).object();
    assert_eq!(one["type"], "object::ue3::world::polys::Polys");
    let listed = upk(&["layout", "--json"]).exits(0).json();
    assert!(listed.len() >= 450, "{}", listed.len());
}

#[test]
fn what_is_not_there_is_said_with_what_is_near() {
    let run = upk(&["layout", "Exprt"]).exits(1);
    assert!(run.err.contains("did you mean Export?"), "{}", run.err);
    let run = upk(&["layout", "Zzzzzzzzzz"]).exits(1);
    assert!(run.err.contains("`upk layout`"), "{}", run.err);
    for wrong in [
        &["layout", "Export", "--at", "x"][..],
        &["layout", "Export", "--at", "69", "--engine", "5.4"],
        &["layout", "Export", "--imhex"],
        &["layout", "Polys", "--at", "69", "--imhex"],
        &["layout", "--all"],
        &["layout", "--markdown", "x"],
    ] {
        upk(wrong).exits(2);
    }
}

#[test]
fn a_pattern_declares_what_it_uses() {
    let run = upk(&["layout", "Generation", "--at", "322", "--imhex"]).exits(0);
    for text in ["#pragma endian little", "struct Generation {", "s32 net_object_count;"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    let old = upk(&["layout", "Generation", "--at", "69", "--imhex"]).exits(0);
    assert!(!old.out.contains("net_object_count"), "{}", old.out);
    assert!(old.out.contains("u8 fifth;"), "compact indices are functions: {}", old.out);
}

/// Every page below `folder`, by its path there.
fn pages(folder: &Path, inside: &str, pages: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let (path, name) = {
            let entry = entry.unwrap();
            (entry.path(), entry.file_name().into_string().unwrap())
        };
        match path.is_dir() {
            true => self::pages(&path, &format!("{inside}{name}/"), pages),
            false => {
                _ = pages.insert(inside.to_owned() + &name, std::fs::read_to_string(path).unwrap())
            }
        }
    }
}

/// The page and place that a link on `page` leads to.
fn target(page: &str, link: &str) -> (String, String) {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    if file.is_empty() {
        return (page.to_owned(), anchor.to_owned());
    }
    let mut folders: Vec<&str> = page.split('/').collect();
    folders.pop();
    for part in file.split('/') {
        match part {
            ".." => _ = folders.pop(),
            part => folders.push(part),
        }
    }
    (folders.join("/"), anchor.to_owned())
}

#[test]
fn pages_show_every_type_and_their_links_lead_somewhere() {
    let folder = Folder::new();
    let to = folder.arg("Format");
    let run = upk(&["layout", "--all", "--markdown", &to, "--json"]).exits(0).object();
    let mut written = BTreeMap::new();
    pages(Path::new(&to), "", &mut written);
    assert_eq!(run["pages"], written.len());
    let titles: BTreeSet<(String, String)> = written
        .iter()
        .flat_map(|(page, text)| {
            let titles = text.lines().filter_map(|line| line.strip_prefix("## "));
            titles.map(move |title| (page.clone(), title.to_lowercase()))
        })
        .collect();
    for listed in upk(&["layout", "--json"]).exits(0).json() {
        let path = listed["type"].as_str().unwrap();
        let (module, name) = path.rsplit_once("::").unwrap();
        let page = module.replace("::", "/") + ".md";
        assert!(titles.contains(&(page, name.to_lowercase())), "{path}");
    }
    let mut links = 0;
    for (page, text) in &written {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let (file, anchor) = target(page, link.0);
            assert!(written.contains_key(&file), "{page}: {}", link.0);
            assert!(anchor.is_empty() || titles.contains(&(file, anchor)), "{page}: {}", link.0);
            links += 1;
        }
    }
    assert!(links > 1000, "{links}");
    // What is there stays unless that is wanted.
    upk(&["layout", "--all", "--markdown", &to]).exits(1);
    upk(&["layout", "--all", "--markdown", &to, "--overwrite"]).exits(0);
}
