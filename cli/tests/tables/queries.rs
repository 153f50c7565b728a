//! The questions of docs/queries.md.

use unreal_packages::content::{Image, NewTexture, NewTextures};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, NewAsset, NewRows, Profile, create};
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyKind, Type};
use unreal_packages::{EngineRelease, Guid};

use crate::common::{Folder, small_package, upk};
use crate::duckdb::python;

/// A package with textures of one picture.
fn textures(names: &[&str]) -> Vec<u8> {
    let picture = Image::from_rgba(16, 16, vec![[200, 40, 10, 255]; 256]).unwrap();
    let mut package = create(&Profile::UT99).unwrap();
    let added = package.edit(|edit| {
        let new = NewTexture::default();
        names.iter().try_for_each(|name| edit.add_texture(name, &picture, &new).map(drop))
    });
    added.unwrap();
    package.to_bytes().unwrap()
}

/// A map with lights, one of which has a skin, and an import that is missing.
fn map() -> Vec<u8> {
    let mut package = create(&Profile::UT99).unwrap();
    let byte = Type::new(PropertyKind::Byte);
    let object = Type::new(PropertyKind::Object);
    let vector: Type = "struct:Vector".parse().unwrap();
    let filled = package.edit(|edit| {
        for (at, radius) in [16, 64, 200].into_iter().enumerate() {
            let light = format!("Light{at}");
            edit.add_blank_object(&light, "Engine.Light")?;
            edit.add_property(&light, "LightRadius", &byte, &radius.to_string())?;
            edit.add_property(&light, "Location", &vector, &format!("(X={radius}.5,Y=-2,Z=0)"))?;
        }
        edit.add_import("Skins.Walls.Brick", "Engine.Texture")?;
        edit.add_import("Lost.Thing", "Engine.Texture")?;
        edit.add_property("Light0", "Skin", &object, "Texture'Skins.Walls.Brick'").map(drop)
    });
    filled.unwrap();
    package.to_bytes().unwrap()
}

/// A redirector of UE4 and a package that still goes through it.
fn redirected() -> [Vec<u8>; 2] {
    let release = EngineRelease::new(4, 27);
    let redirector = |target: i32| {
        let mut body = [0; 12].to_vec();
        body.extend(target.to_le_bytes());
        let builder = Builder::for_release(release).name("None");
        let builder = builder.import("/Game/New.New", "/Script/Engine.Texture2D");
        let class = "/Script/CoreUObject.ObjectRedirector";
        builder.export("Old", class, body).build().unwrap()
    };
    let found = Package::from_bytes(redirector(0)).unwrap().find("/Game/New.New").unwrap();
    let user = Builder::for_release(release).name("None");
    let user = user.import("Old.Old", "/Script/Engine.Texture2D").build().unwrap();
    [redirector(found.value()), user]
}

/// A data table with two rows.
fn table() -> Vec<u8> {
    let mut rows = NewRows::of("/Script/MyGame.Weapon");
    rows.column("Damage", Type::new(PropertyKind::Float));
    rows.row("Sword", ["12.5"]).unwrap();
    rows.row("Bow", ["7"]).unwrap();
    let asset = NewAsset::data_table("/Game/DT", rows);
    asset.build(EngineRelease::new(5, 4)).unwrap().to_bytes().unwrap()
}

/// `packages`, scanned as `before`, changed, and scanned as `depot`.
fn world() -> Folder {
    let folder = Folder::new();
    folder.write("packages/Skins.utx", textures(&["Walls.Brick", "Walls.Stone"]));
    folder.write("packages/Copies.utx", textures(&["Walls.Brick"]));
    folder.write("packages/Arena.unr", map());
    let engine = Builder::new(69).name("BRICK").export("Light", "Core.Class", []);
    folder.write("packages/Engine.u", engine.guid(Guid::new(1, 0, 0, 0)).build().unwrap());
    folder.write("packages/Gone.u", small_package(69));
    folder.write("packages/Broken.u", &small_package(69)[..40]);
    let [redirector, user] = redirected();
    folder.write("packages/Old.uasset", redirector);
    folder.write("packages/User.uasset", user);
    folder.write("packages/DT.uasset", table());
    for name in ["Botpack.Enforcer", "UnrealI.Skaarj"] {
        let (package, _) = name.split_once('.').unwrap();
        let builder = Builder::new(69).import(name, "Core.Class");
        folder.write(&format!("packages/Uses{package}.u"), builder.build().unwrap());
    }
    let kit = Builder::new(868).export("Level", "Core.Class", []);
    folder.write("packages/Kit.udk", kit.build().unwrap());
    let sparks = Builder::for_release(EngineRelease::new(5, 4)).name("None");
    let sparks = sparks.import("/Niagara/Sparks.Sparks", "/Script/Niagara.NiagaraSystem");
    folder.write("packages/Sparks.uasset", sparks.build().unwrap());
    let scan = |out: &str| {
        upk(&["scan", &folder.arg("packages"), "-o", &folder.arg(out)]).exits(0);
    };
    scan("before");
    scan("depot");
    std::fs::remove_file(folder.path("packages/Gone.u")).unwrap();
    folder.write("packages/Copies.utx", textures(&["Walls.Brick", "Other.New"]));
    scan("depot");
    folder
}

/// Runs every statement between empty lines of the first argument's list, and prints how many rows each has.
const ASK: &str = "
import json, sys, duckdb
con = duckdb.connect()
con.execute(open('depot/tables.sql').read())
print(json.dumps([con.execute(query).fetchall() for query in json.loads(sys.argv[1])], default=str))
";

fn ask(folder: &Folder, queries: &[String]) -> Vec<Vec<serde_json::Value>> {
    let queries = serde_json::to_string(queries).unwrap();
    let answers =
        python(ASK, &[&queries], Some(&folder.path(""))).unwrap_or_else(|why| panic!("{why}"));
    serde_json::from_str(&answers).unwrap()
}

pub fn questions_of_the_page_have_answers() {
    let page = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/queries.md"),
    );
    let page = page.unwrap();
    let blocks = page.split("```sql\n").skip(1);
    let queries: Vec<String> =
        blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect();
    assert!(queries.len() >= 12, "{} questions", queries.len());
    let folder = world();
    let answers = ask(&folder, &queries);
    for (query, rows) in queries.iter().zip(&answers) {
        println!("{} rows: {}", rows.len(), query.lines().next().unwrap());
        assert!(!rows.is_empty(), "no answer to\n{query}");
    }
    let answer = |part: &str| {
        let at = queries.iter().position(|query| query.contains(part));
        serde_json::to_string(&answers[at.unwrap_or_else(|| panic!("no question with {part}"))])
            .unwrap()
    };
    assert!(answer("HAVING count(DISTINCT package_id) > 1").contains("Copies: Walls.Brick"));
    assert!(answer("AS missing").contains("[\"Lost\"]"), "{}", answer("AS missing"));
    assert!(answer("'Skins.Walls.Brick'").contains("Light0"));
    assert!(answer("WITH RECURSIVE").contains("Skins"));
    let bright = answer("'LightRadius'");
    assert!(
        bright.contains("Light1") && bright.contains("Light2") && !bright.contains("Light0"),
        "{bright}"
    );
    let changes = answer("FULL JOIN read_parquet('before/packages");
    assert!(changes.contains("Gone.u") && changes.contains("removed"), "{changes}");
    let upgrade = answer("AS saved_with");
    assert!(upgrade.contains("\"4.27\",\"editor\""), "{upgrade}");
    assert!(!upgrade.contains("5.4"), "the newest need not be saved again: {upgrade}");
    let games = answer("AS game,");
    for game in ["\"ut99\",1", "\"unreal\",1", "\"udk\",1", "(UE1)"] {
        assert!(games.contains(game), "{game}: {games}");
    }
    let assets = answer("largest_in");
    assert!(assets.contains("/Script/Engine.DataTable\",1"), "{assets}");
    let plugin = answer("'/Niagara/'");
    assert!(plugin.contains("Sparks.uasset") && plugin.contains("/Script/Niagara"), "{plugin}");
    let tags = answer("'RowStructure'");
    assert!(tags.contains("/Script/MyGame.Weapon") && tags.contains("/Game/DT"), "{tags}");
    let growth = answer("AS growth");
    let first: Vec<serde_json::Value> = serde_json::from_str(&growth).unwrap();
    assert_eq!(first[0][0], "Copies.utx", "{growth}");
    assert_eq!(first.last().unwrap()[0], "Gone.u", "{growth}");
    let objects = answer("FULL JOIN old USING");
    assert!(objects.contains("Other.New"), "{objects}");
    assert!(!objects.contains("Walls.Brick"), "it says what it said before: {objects}");
    let redirectors = answer("packages_using_it DESC");
    assert!(
        redirectors.contains("/Game/New.New") && redirectors.ends_with(",1]]"),
        "{redirectors}"
    );
    assert!(!answer("NOT regexp_matches").contains("Skins.utx"), "the map uses it");
    assert!(answer("NOT regexp_matches").contains("User.uasset"));
}

pub fn questions_to_leaves_have_answers() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/queries.md");
    let page = std::fs::read_to_string(page).unwrap();
    let blocks = page.split("```sql leaves\n").skip(1);
    let queries: Vec<String> =
        blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect();
    assert_eq!(queries.len(), 2);
    let folder = Folder::new();
    folder.write("packages/Arena.unr", map());
    folder.write("packages/DT.uasset", table());
    let (packages, depot) = (folder.arg("packages"), folder.arg("depot"));
    upk(&["scan", &packages, "-o", &depot, "--tables", "leaves"]).exits(0);
    let answers = ask(&folder, &queries);
    let cells: Vec<_> = answers[0].iter().map(|row| (&row[2], &row[3])).collect();
    assert_eq!(serde_json::json!(cells), serde_json::json!([["[Sword]", 12.5], ["[Bow]", 7.0]]));
    let places: Vec<_> = answers[1].iter().map(|row| [&row[2], &row[3], &row[4]]).collect();
    let wanted = [[16.5, -2.0, 0.0], [64.5, -2.0, 0.0], [200.5, -2.0, 0.0]];
    assert_eq!(serde_json::json!(places), serde_json::json!(wanted));
}

pub fn views_leave_former_rows_out() {
    let folder = world();
    for number in 0..20 {
        folder.write(&format!("packages/Mod{number}.u"), small_package(60 + number));
    }
    let scan = || upk(&["scan", &folder.arg("packages"), "-o", &folder.arg("depot")]).exits(0);
    scan();
    folder.write("packages/Mod3.u", small_package(69));
    scan();
    let count = |from: &str| format!("SELECT count(*) FROM {from}");
    let answers =
        ask(&folder, &[count("exports"), count("read_parquet('depot/exports/*.parquet')")]);
    let [seen, stored] = [0, 1].map(|at: usize| answers[at][0][0].as_u64().unwrap());
    assert_eq!(stored, seen + 3, "three objects of the former package");
}
