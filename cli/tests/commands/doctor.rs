//! `upk doctor` on projects of UE4 and UE5: what is no finding, unused packages, rules of one's own, mending.

use serde_json::Value;
use unreal_packages::environment::RULES;
use unreal_packages::generate::{Builder, NewAsset};
use unreal_packages::package::{FurtherSections, Package};
use unreal_packages::primitive::SoftObjectPath;
use unreal_packages::{EngineRelease, Name};

use crate::common::{Folder, upk};

const RELEASE: EngineRelease = EngineRelease::new(5, 4);

/// A project, and the packages that it has.
struct Project(Folder);

impl Project {
    fn new() -> Self {
        let it = Self(Folder::new());
        it.0.write("My.uproject", "{}");
        it
    }

    fn file(name: &str, end: &str) -> String {
        format!("Content/{}.{end}", name.strip_prefix("/Game/").unwrap())
    }

    /// An asset that refers softly to these paths: its header lists them, as that of each later release does.
    fn asset(&self, name: &str, class: &str, soft: &[&str]) {
        let file = Self::file(name, "uasset");
        let (class, last) = (format!("/Script/Engine.{class}"), name.rsplit('/').next().unwrap());
        if soft.is_empty() {
            let asset = NewAsset::object(name, &class).tag("Kind", "x");
            self.0.write(&file, asset.to_bytes(RELEASE).unwrap());
            return;
        }
        let mut sections = FurtherSections::default();
        // Names are numbered as they come, each once.
        let mut names = vec!["None"];
        for path in soft {
            let (asset, sub_path) = path.split_once(':').unwrap_or((path, ""));
            let (package, asset) = asset.split_once('.').unwrap();
            let [package_name, asset_name] = [package, asset].map(|text| {
                let row = names.iter().position(|name| *name == text).unwrap_or(names.len());
                names.resize(names.len().max(row + 1), text);
                Name::new(row as i32)
            });
            let sub_path = sub_path.into();
            let path = SoftObjectPath { package_name, asset_name, sub_path, ..Default::default() };
            sections.soft_object_paths.push(path);
        }
        let builder = names.into_iter().fold(Builder::for_release(RELEASE), Builder::name);
        let builder = builder.sections(sections).export(last, &*class, [0; 8]);
        self.0.write(&file, builder.build().unwrap());
    }

    /// What an asset refers to softly.
    fn soft(&self, name: &str) -> Vec<String> {
        let package = self.0.open(&Self::file(name, "uasset"));
        let paths = package.tables().further.soft_object_paths.iter();
        paths.map(|path| path.text(&package.context()).to_string()).collect()
    }

    /// A package that imports these objects, with an object that has no properties.
    fn importer(&self, name: &str, end: &str, imports: &[(&str, &str)], object: (&str, &str)) {
        let builder =
            imports.iter().fold(Builder::for_release(RELEASE), |builder, (path, class)| {
                builder.import(*path, format!("/Script/Engine.{class}"))
            });
        let bytes = builder.name("None").export(object.0, object.1, [0; 13]).build().unwrap();
        self.0.write(&Self::file(name, end), bytes);
    }

    /// A redirector, as a rename leaves one.
    fn redirector(&self, name: &str, to: &str, class: &str) {
        let last = name.rsplit('/').next().unwrap();
        let class = format!("/Script/Engine.{class}");
        // The last one whose properties begin with no byte of their own.
        let builder =
            || Builder::for_release(EngineRelease::new(5, 1)).name("None").import(to, &*class);
        let first = Package::from_bytes(builder().build().unwrap()).unwrap();
        let index = |text: &str| (first.names().find(text).unwrap() as u64).to_le_bytes();
        let target = first.find(to).unwrap().value().to_le_bytes();
        // No properties, no GUID, and where it leads.
        let body = [&index("None")[..], &[0; 4], &target].concat();
        let redirector = "/Script/CoreUObject.ObjectRedirector";
        let bytes = builder().export(last, redirector, body).build().unwrap();
        self.0.write(&Self::file(name, "uasset"), bytes);
    }

    /// What the doctor finds: codes with what they are about.
    fn findings(&self, arguments: &[&str]) -> Vec<(String, String)> {
        let root = self.0.arg("");
        let run = upk(&[&["doctor", &root, "--json"], arguments].concat());
        let rows = run.json();
        let mut all: Vec<(String, String)> = rows[..rows.len() - 1]
            .iter()
            .map(|row| {
                let about = row["object"].as_str().or(row["package"].as_str()).unwrap_or_default();
                (row["finding"].as_str().unwrap().to_owned(), about.to_owned())
            })
            .collect();
        all.sort();
        all
    }

    fn totals(&self) -> Value {
        upk(&["doctor", &self.0.arg(""), "--json"]).json().pop().unwrap()
    }
}

fn found(code: &str, about: &str) -> (String, String) {
    (code.to_owned(), about.to_owned())
}

#[test]
fn every_rule_has_a_section_and_sarif_names_it() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/doctor.md");
    let page = std::fs::read_to_string(page).unwrap();
    for rule in RULES {
        let heading = format!("\n## {}\n\n", rule.code);
        let (_, section) = page.split_once(&heading).unwrap_or_else(|| panic!("{}", rule.code));
        let severity = rule.severity.word();
        let first = section.split([',', '.']).next().unwrap();
        assert_eq!(first.to_lowercase(), severity, "{}", rule.code);
    }
    let known = |heading: &str| RULES.iter().any(|rule| rule.code == heading);
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    let codes = headings.filter(|heading| heading.starts_with(|c: char| c.is_lowercase()));
    for code in codes {
        assert!(known(code), "{code} is no rule");
    }
    let project = Project::new();
    project.importer(
        "/Game/Map",
        "umap",
        &[("/Game/Gone.Gone", "StaticMesh")],
        ("Map", "/Script/Engine.World"),
    );
    let run = upk(&["doctor", &project.0.arg(""), "--format", "sarif"]).exits(1);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let rule = &document["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "package-missing");
    assert!(
        rule["helpUri"].as_str().unwrap().ends_with("/docs/doctor.md#package-missing"),
        "{rule}"
    );
    assert_eq!(rule["defaultConfiguration"]["level"], "error");
}

#[test]
fn roots_that_are_not_at_hand_are_counted() {
    let project = Project::new();
    project.0.write("Plugins/Rocks/Rocks.uplugin", "{}");
    project.importer(
        "/Game/Map",
        "umap",
        &[
            ("/Engine/BasicShapes/Cube.Cube", "StaticMesh"),
            ("/Engine/BasicShapes/Cone.Cone", "StaticMesh"),
            ("/Niagara/Spark.Spark", "Texture2D"),
            ("/Rocks/Gone.Gone", "StaticMesh"),
            ("/Game/Gone.Gone", "StaticMesh"),
        ],
        ("Map", "/Script/Engine.World"),
    );
    let missing = [found("package-missing", "/Game/Gone"), found("package-missing", "/Rocks/Gone")];
    assert_eq!(project.findings(&[]), missing);
    assert_eq!(project.totals()["elsewhere"], serde_json::json!({ "Engine": 2, "Niagara": 1 }));
    let run = upk(&["doctor", &project.0.arg("")]).exits(1);
    assert!(
        run.out.contains("elsewhere: 2 of /Engine/, 1 of /Niagara/\n  next: name the"),
        "{run:?}"
    );
    // With the engine at hand all of it is looked at.
    let cube = NewAsset::object("/Engine/BasicShapes/Cube", "/Script/Engine.StaticMesh");
    project.0.write("Engine/Content/BasicShapes/Cube.uasset", cube.to_bytes(RELEASE).unwrap());
    let all = project.findings(&[]);
    for about in ["/Engine/BasicShapes/Cone", "/Niagara/Spark", "/Game/Gone", "/Rocks/Gone"] {
        assert!(all.contains(&found("package-missing", about)), "{about}: {all:?}");
    }
    assert_eq!(all.len(), 4, "{all:?}");
}

#[test]
fn a_plugin_has_a_root_of_its_own() {
    let folder = Folder::new();
    folder.write("Rocks.uplugin", "{}");
    let rock = NewAsset::object("/Rocks/Rock", "/Script/Engine.StaticMesh");
    folder.write("Content/Rock.uasset", rock.to_bytes(RELEASE).unwrap());
    let wall = Builder::for_release(RELEASE)
        .import("/Rocks/Rock.Rock", "/Script/Engine.StaticMesh")
        .import("/Engine/Any.Any", "/Script/Engine.StaticMesh");
    folder.write("Content/Wall.uasset", wall.build().unwrap());
    upk(&["doctor", &folder.arg("")]).exits(0);
}

#[test]
fn what_the_editor_makes_anew_is_no_finding() {
    let project = Project::new();
    project.asset(
        "/Game/BP_Door",
        "Blueprint",
        &[
            "/Game/BP_Door.SKEL_BP_Door_C:ReceiveTick",
            "/Game/BP_Door.BP_Door:EventGraph.K2Node_Event_3",
            // What was within it before it was moved.
            "/Game/Old/BP_Door.BP_Door:EventGraph.K2Node_Event_3",
        ],
    );
    // Of another package it says something, and so does an asset that is not there.
    project.asset(
        "/Game/Table",
        "DataAsset",
        &["/Game/Old/BP_Door.BP_Door", "/Game/BP_Door.Gone", "/Game/BP_Door.SKEL_BP_Door_C"],
    );
    let soft = [
        found("soft-object-missing", "/Game/BP_Door.Gone"),
        found("soft-package-missing", "/Game/Old/BP_Door"),
    ];
    assert_eq!(project.findings(&[]), soft);
}

#[test]
fn maps_and_their_actors_belong_together() {
    let project = Project::new();
    let actor = "/Game/__ExternalActors__/Map/3/AB/XYZ";
    project.importer(actor, "uasset", &[], ("Lamp_3", "/Script/Engine.PointLight"));
    let level = Builder::for_release(RELEASE)
        .name("None")
        .export("Map", "/Script/Engine.World", [0; 8])
        .export("Map.PersistentLevel", "/Script/Engine.Level", [0; 8]);
    project.0.write("Content/Map.umap", level.build().unwrap());
    project.asset(
        "/Game/Table",
        "DataAsset",
        &["/Game/Map.Map:PersistentLevel.Lamp_3", "/Game/Map.Map:PersistentLevel.Lamp_4"],
    );
    let lamp = "/Game/Map.Map:PersistentLevel.Lamp_4";
    assert_eq!(project.findings(&[]), [found("soft-object-missing", lamp)]);
    // Nothing leads to the table; the actor is the map's.
    let all = project.findings(&["--unused"]);
    assert_eq!(all.last(), Some(&found("unused", "/Game/Table")), "{all:?}");
    assert_eq!(all.len(), 2, "{all:?}");
}

#[test]
fn what_maps_and_texts_lead_to_is_used() {
    let project = Project::new();
    let map = |imports: &[(&str, &str)]| {
        project.importer("/Game/Maps/Town", "umap", imports, ("Town", "/Script/Engine.World"));
    };
    map(&[("/Game/Old/Rock.Rock", "StaticMesh")]);
    project.redirector("/Game/Old/Rock", "/Game/Rock.Rock", "StaticMesh");
    project.asset("/Game/Rock", "StaticMesh", &["/Game/Moss.Moss"]);
    for name in ["/Game/Moss", "/Game/UI/Menu", "/Game/UI/Parts/Bar", "/Game/Hero", "/Game/Alone"] {
        project.asset(name, "DataAsset", &[]);
    }
    // Two that lead to one another alone.
    project.asset("/Game/Left", "DataAsset", &["/Game/Right.Right"]);
    project.asset("/Game/Right", "DataAsset", &["/Game/Left.Left"]);
    let ini = "[X]\n+DirectoriesToAlwaysCook=(Path=\"/Game/UI\")\n";
    project.0.write("Config/DefaultGame.ini", ini);
    project.0.write("Source/My/Hero.cpp", "FObjectFinder<UX> F(TEXT(\"/Game/Hero.Hero\"));");
    let unused = ["/Game/Alone", "/Game/Left", "/Game/Right"].map(|name| found("unused", name));
    assert_eq!(project.findings(&["--unused"]), unused);
    assert_eq!(project.findings(&[]), []);
}

#[test]
fn references_are_mended_in_all_packages_or_in_none() {
    let project = Project::new();
    project.asset("/Game/Rock", "StaticMesh", &[]);
    project.asset("/Game/New/Tree", "StaticMesh", &[]);
    project.redirector("/Game/Old/Rock", "/Game/Rock.Rock", "StaticMesh");
    project.importer(
        "/Game/Town",
        "umap",
        &[("/Game/Old/Rock.Rock", "StaticMesh")],
        ("Town", "/Script/Engine.World"),
    );
    // Both are imported already: one import stays.
    let both = [("/Game/Old/Rock.Rock", "StaticMesh"), ("/Game/Rock.Rock", "StaticMesh")];
    project.importer("/Game/City", "umap", &both, ("City", "/Script/Engine.Thing"));
    project.asset("/Game/Table", "DataAsset", &["/Game/Old/Rock.Rock", "/Game/Gone/Tree.Tree"]);
    for name in ["/Game/A/Bush", "/Game/B/Bush"] {
        project.asset(name, "StaticMesh", &[]);
    }
    project.asset("/Game/Other", "DataAsset", &["/Game/Gone/Bush.Bush", "/Game/Gone/Fern.Fern"]);
    let (root, table) = (project.0.arg(""), "Content/Table.uasset");
    let before = ["Town.umap", "City.umap", "Table.uasset"]
        .map(|it| project.0.read(&format!("Content/{it}")));
    let dry = upk(&["doctor", &root, "--fix", "--dry-run"]).exits(0);
    assert!(
        dry.out.contains("Table.uasset: /Game/Gone/Tree -> /Game/New/Tree (the only package"),
        "{dry:?}"
    );
    assert!(
        dry.out.contains("Town.umap: /Game/Old/Rock.Rock -> /Game/Rock.Rock (a redirector"),
        "{dry:?}"
    );
    assert!(dry.out.contains("left: /Game/Gone/Bush in /Game/Other: several could be meant: /Game/A/Bush, /Game/B/Bush"), "{dry:?}");
    assert!(dry.out.ends_with("4 references would be mended in 3 packages, 1 left\n"), "{dry:?}");
    for (file, bytes) in ["Town.umap", "City.umap", "Table.uasset"].iter().zip(&before) {
        assert_eq!(&project.0.read(&format!("Content/{file}")), bytes, "{file}");
    }

    // Now for good.
    let town = project.0.path("Content/Town.umap");
    let mut locked = std::fs::metadata(&town).unwrap().permissions();
    let rows = upk(&["doctor", &root, "--fix", "--json"]).exits(0).json();
    let summary = &rows.last().unwrap()["summary"];
    assert_eq!((&summary["packages"], &summary["references"]), (&3.into(), &4.into()), "{summary}");
    assert_eq!(project.soft("/Game/Table"), ["/Game/Rock.Rock", "/Game/New/Tree.Tree"]);
    assert_eq!(project.soft("/Game/Other"), ["/Game/Gone/Bush.Bush", "/Game/Gone/Fern.Fern"]);
    for file in ["Content/Town.umap", "Content/City.umap"] {
        let run = project.0.run("list", file, &["--imports"]).exits(0);
        assert!(run.out.contains("/Game/Rock.Rock") && !run.out.contains("/Game/Old"), "{run:?}");
        project.0.run("verify", file, &[]).exits(0);
    }
    assert_eq!(
        project.findings(&[]),
        [
            found("soft-package-missing", "/Game/Gone/Bush"),
            found("soft-package-missing", "/Game/Gone/Fern"),
        ]
    );
    let again = upk(&["doctor", &root, "--fix"]).exits(0);
    assert!(again.out.contains("0 references mended in 0 packages, 1 left"), "{again:?}");
    // And back again.
    let name = summary["run"].as_str().unwrap();
    upk(&["restore", &project.0.arg("Content"), "--run", name]).exits(0);
    for (file, bytes) in ["Town.umap", "City.umap", "Table.uasset"].iter().zip(&before) {
        assert_eq!(&project.0.read(&format!("Content/{file}")), bytes, "{file}");
    }
    // A package that can't be written keeps the others from it.
    locked.set_readonly(true);
    std::fs::set_permissions(&town, locked).unwrap();
    let run = upk(&["doctor", &root, "--fix"]).exits(1);
    assert!(run.err.contains("Town.umap: it is read-only\n  next: check it out first"), "{run:?}");
    assert!(
        run.out.ends_with("1 of 3 packages can't be mended, so that nothing was written\n"),
        "{run:?}"
    );
    assert!(project.0.read(table) == before[2], "{run:?}");
}

#[test]
fn rules_of_ones_own_are_those_of_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/doctor.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, text) = page.split_once("```toml\n").unwrap();
    let rules = text.split("```").next().unwrap().replace("16M", "1500");
    let project = Project::new();
    project.0.write("upk.toml", rules);
    project.asset("/Game/Meshes/Rock", "StaticMesh", &[]);
    project.asset("/Game/Meshes/SM_Tree", "StaticMesh", &[]);
    project.asset("/Game/Doors/BP_Door", "Blueprint", &[]);
    project.asset("/Game/Doors/Door", "AnimBlueprint", &[]);
    let imports = [
        ("/Game/Meshes/SM_Tree.SM_Tree", "StaticMesh"),
        ("/Game/Doors/BP_Door.BP_Door", "Blueprint"),
    ];
    project.importer("/Game/Maps/Town", "umap", &imports, ("Town", "/Script/Engine.World"));
    project.0.write("Content/Meshes/SM_Tree.ubulk", [0; 2000]);
    let own = [
        found("blueprint-name", "/Game/Doors/Door.Door"),
        found("maps-without-meshes", "/Game/Meshes/SM_Tree"),
        found("mesh-name", "/Game/Meshes/Rock.Rock"),
        found("mesh-size", "/Game/Meshes/SM_Tree.SM_Tree"),
        found("mesh-tags", "/Game/Meshes/Rock.Rock"),
        found("mesh-tags", "/Game/Meshes/SM_Tree.SM_Tree"),
    ];
    assert_eq!(project.findings(&[]), own);
    let root = project.0.arg("");
    let run = upk(&["doctor", &root]).exits(1);
    assert!(run.err.contains("upk.toml: 5 rules"), "{run:?}");
    assert!(
        run.out.contains("refers to /Game/Meshes/SM_Tree: maps place blueprints, not meshes"),
        "{run:?}"
    );
    let run = upk(&["doctor", &root, "--format", "sarif"]).exits(1);
    let document: Value = serde_json::from_str(&run.out).unwrap();
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let forbidden = rules.iter().find(|rule| rule["id"] == "maps-without-meshes").unwrap();
    assert!(forbidden["helpUri"].as_str().unwrap().ends_with("doctor.md#rules-of-ones-own"));
    assert_eq!(forbidden["defaultConfiguration"]["level"], "error");
    // A folder that brings a file along silences nothing and can't take a name that says something else.
    project.0.write(
        "upk.toml",
        "[[rules]]\ncode = \"package-missing\"\nseverity = \"note\"\nname = \"*\"\n",
    );
    let run = upk(&["doctor", &root]).exits(2);
    assert!(run.err.contains("a rule of `upk doctor` has this code"), "{run:?}");
}
