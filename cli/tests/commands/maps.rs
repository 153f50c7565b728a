//! `upk maps`.

use unreal_packages::content::Image;

use crate::common::{Folder, small_package, upk};

/// A map with a title, an author and a screenshot.
fn map(folder: &Folder, name: &str, title: &str) {
    let pixels = vec![[10, 200, 30, 255]; 64 * 64];
    let picture = Image::from_rgba(64, 64, pixels).unwrap().to_png().unwrap();
    folder.write("in/Screenshot.png", picture);
    std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
    let (file, input) = (folder.arg(name), folder.arg("in"));
    upk(&["new", "textures", "--game", "ut99", "-o", &file, &input]).exits(0);
    let add = |args: &[&str]| {
        let args: Vec<&str> = [&["add", &file][..], args, &["--in-place", "--no-backup"]].concat();
        upk(&args).exits(0);
    };
    add(&["MyLevel", "Engine.Level"]);
    let title = format!("Title={title}");
    let values = ["Author=A. Nobody", "IdealPlayerCount=2-6 players", "Screenshot=Screenshot"];
    add(&[&["LevelInfo0", "Engine.LevelInfo", &title][..], &values].concat());
}

#[test]
fn maps_say_what_they_are() {
    let folder = Folder::new();
    map(&folder, "Maps/DM-Deck.unr", "The <b>Deck</b>");
    folder.write("Maps/Skins.utx", small_package(69));
    let rows = folder.run("maps", "Maps", &["--json"]).exits(0).json();
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!(row["title"], "The <b>Deck</b>");
    assert_eq!(row["author"], "A. Nobody");
    assert_eq!(row["players"], "2-6 players");
    assert_eq!((&row["players_min"], &row["players_max"]), (&2.into(), &6.into()));
    assert_eq!(row["game_type"], "Deathmatch");
    assert_eq!(row["screenshot"], "Screenshot");
    assert_eq!(row["needs"], serde_json::json!(["Engine"]));
    assert_eq!(row["bytes"], folder.read("Maps/DM-Deck.unr").len());
    assert_eq!(row["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(row["sha1"].as_str().unwrap().len(), 40);
    let run = folder.run("maps", "Maps", &[]).exits(0);
    assert!(run.out.contains("\"The <b>Deck</b>\", by A. Nobody, players 2-6 players"), "{run:?}");
    assert!(run.out.ends_with("0 can't be read\n"), "{run:?}");
}

#[test]
fn a_map_that_cannot_be_read_is_a_row() {
    let folder = Folder::new();
    map(&folder, "Maps/DM-Deck.unr", "Deck");
    let whole = folder.read("Maps/DM-Deck.unr");
    folder.write("Maps/Cut.unr", &whole[..200]);
    folder.write("Maps/Empty.unr", "");
    folder.write("Maps/None.unr", small_package(69));
    let rows = folder.run("maps", "Maps", &["--json"]).exits(1).json();
    let errors: Vec<_> = rows.iter().map(|row| !row["error"].is_null()).collect();
    assert_eq!(errors, [true, false, true, true], "{rows:?}");
    assert_eq!(rows[3]["error"], "it has no level");
}

#[test]
fn a_table_has_no_formula() {
    let folder = Folder::new();
    map(&folder, "DM-B.unr", "Nice;=HYPERLINK(1)");
    let run = folder.run("maps", "DM-B.unr", &["--csv", "-"]).exits(0);
    assert!(run.out.contains(",Nice;'=HYPERLINK(1),"), "{run:?}");
    map(&folder, "DM-A.unr", "+cmd|x");
    let run = folder.run("maps", "DM-A.unr", &["--csv", "-"]).exits(0);
    let mut lines = run.out.lines();
    assert!(lines.next().unwrap().starts_with("file,title,author,players,"), "{run:?}");
    assert!(lines.next().unwrap().contains(",'+cmd|x,A. Nobody,"), "{run:?}");
    let out = folder.arg("maps.csv");
    folder.run("maps", "DM-A.unr", &["--csv", &out]).exits(0);
    folder.run("maps", "DM-A.unr", &["--csv", &out]).exits(2);
    folder.run("maps", "DM-A.unr", &["--csv", &out, "--overwrite"]).exits(0);
}

#[test]
fn the_gallery_shows_the_screenshot_and_obeys_nothing() {
    let folder = Folder::new();
    map(&folder, "Maps/DM-Deck.unr", "The <script>alert(1)</script>");
    folder.write("Maps/Broken.unr", "<html>");
    let out = folder.arg("maps.html");
    folder.run("maps", "Maps", &["--html", &out]).exits(1);
    let page = String::from_utf8(folder.read("maps.html")).unwrap();
    assert!(page.contains("src=\"data:image/png;base64,iVBOR"), "{page}");
    assert!(page.contains("The &lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    assert!(!page.contains("<script"), "{page}");
    assert_eq!(page.matches("<article>").count(), 2);
    assert!(page.ends_with("</body></html>\n"));
}

#[test]
fn containers_are_folders_and_what_is_no_map_is_none() {
    let folder = Folder::new();
    map(&folder, "Maps/DM-Deck.unr", "Deck");
    folder.write("Game/DM-Deck.umap", folder.read("Maps/DM-Deck.unr"));
    let out = folder.arg("Game_P.pak");
    folder.run("pack", "Game", &["-o", &out]).exits(0);
    let rows = folder.run("maps", "Game_P.pak", &["--json"]).exits(0).json();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["title"], "Deck");
    // What the editor leaves where a map was has its extension.
    folder.write("All/Moved.umap", small_package(69));
    assert!(folder.run("maps", "All", &["--json"]).exits(0).json().is_empty());
    // What can't be looked into is said.
    let whole = folder.read("Game_P.pak");
    folder.write("All/Locked.pak", &whole[whole.len() / 2..]);
    let run = folder.run("maps", "All", &[]);
    assert!(run.code == 1 && run.err.contains("Locked.pak"), "{run:?}");
}
