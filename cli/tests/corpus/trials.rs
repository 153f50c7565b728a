//! What people do with maps, each in one or two commands, on real maps of UE1 to UE5. Tables of the results are read by
//! the readers that share nothing with the library, values by `upk get`; `upk verify` rebuilds each result.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::common::Folder;
use crate::folders::corpus;
use crate::tasks::{copied, get};

/// What a task leaves behind.
enum Check {
    /// So many more objects of a class.
    Class(&'static str, i64),
    /// A value as `upk get` prints it.
    Value(&'static str, &'static str),
}

use Check::{Class, Value as Is};

struct Task {
    name: &'static str,
    map: &'static str,
    /// Commands with their arguments; the map stands behind the command.
    commands: &'static [&'static [&'static str]],
    checks: &'static [Check],
}

const PYRAMID: &str = "wild/classic/68_0_DM-Pyramid.unr";
const TIMED: &str = "classic/121_29_Comp-TimedTrigger.ut2";
const VEHICLES: &str = "classic/684_0_GPS-VehicleTest.udk";
const TRAPS: &str = "classic/512_0_DM-LoTrapTest.udk";
const EXAMPLE: &str = "modern/413_0_Example_Map.umap";
const MAIN: &str = "modern/522_1008_Main.umap";

const TASKS: &[Task] = &[
    Task {
        name: "lights of one colour are twice as bright",
        map: PYRAMID,
        commands: &[&[
            "set",
            "Light*.LightBrightness:=clamp(LightBrightness*2,0,255)",
            "--where",
            "class==Light && stored(LightBrightness) && LightHue<60",
        ]],
        checks: &[Class("Light", 0), Is("Light21.LightBrightness", "160")],
    },
    Task {
        name: "player starts stand higher",
        map: PYRAMID,
        commands: &[&["set", "PlayerStart*.Location+=(Z=64)"]],
        checks: &[Class("PlayerStart", 0), Is("PlayerStart0.Location.Z", "552.0993")],
    },
    Task {
        name: "a trigger opens what a tag names",
        map: PYRAMID,
        commands: &[&["set", "Trigger0.Event=Door", "Brush1.Tag=Door"]],
        checks: &[Is("Trigger0.Event", "Door"), Is("Brush1.Tag", "Door")],
    },
    Task {
        name: "a room is there twice",
        map: PYRAMID,
        commands: &[&[
            "duplicate",
            "*",
            "--where",
            "Location.X>1000 && (class==Light || class==Brush)",
            "--offset",
            "(X=8192)",
        ]],
        checks: &[Class("Model", 17), Class("Polys", 17), Class("LevelInfo", 0)],
    },
    Task {
        name: "inventory spots are gone",
        map: PYRAMID,
        commands: &[&["remove", "*", "--where", "class~InventorySpot", "--null-references"]],
        checks: &[Class("InventorySpot", -27), Class("PathNode", 0)],
    },
    Task {
        name: "all triggers have one tag",
        map: PYRAMID,
        commands: &[&["set", "Trigger*.Tag=Alarm"]],
        checks: &[Is("Trigger1.Tag", "Alarm"), Is("Trigger6.Tag", "Alarm")],
    },
    Task {
        name: "a light has a copy of its own name",
        map: PYRAMID,
        commands: &[
            &["duplicate", "Light21", "--as", "HallLight"],
            &["set", "HallLight.LightRadius=40"],
        ],
        checks: &[Class("Light", 1), Is("HallLight.LightRadius", "40")],
    },
    Task {
        name: "a ripper is a pulse gun",
        map: PYRAMID,
        commands: &[&["retarget", "Botpack.ripper", "Botpack.PulseGun"]],
        checks: &[Class("ripper", -1), Class("PulseGun", 1), Class("ShockRifle", 0)],
    },
    Task {
        name: "cameras of UE2 are gone",
        map: TIMED,
        commands: &[&["remove", "Camera*", "--null-references"]],
        checks: &[Class("Camera", -15), Class("LevelInfo", 0)],
    },
    Task {
        name: "cameras of UE2 stand higher",
        map: TIMED,
        commands: &[&["set", "*.Location+=(Z=16)", "--where", "class~Camera"]],
        checks: &[Is("Camera1.Location.Z", "16.0")],
    },
    Task {
        name: "player starts of UE3 are there twice",
        map: TRAPS,
        commands: &[&["duplicate", "*", "--where", "class~PlayerStart", "--offset", "(X=128)"]],
        checks: &[Class("PlayerStart", 6), Class("Brush", 0)],
    },
    Task {
        name: "a light of UE3 is gone with its components",
        map: TRAPS,
        commands: &[&["remove", "*", "--where", "class~DirectionalLight", "--null-references"]],
        checks: &[Class("DirectionalLight", -2), Class("DirectionalLightComponent", -2)],
    },
    Task {
        name: "weapon factories of UE3 stand elsewhere",
        map: TRAPS,
        commands: &[&["set", "*.Location+=(X=64)", "--where", "class~UTWeaponPickupFactory"]],
        checks: &[Class("UTWeaponPickupFactory", 0)],
    },
    Task {
        name: "an action of a sequence of UE3 is there twice",
        map: VEHICLES,
        commands: &[&[
            "duplicate",
            "TheWorld.PersistentLevel.Main_Sequence.SeqAct_UTCrowdSpawner_0",
            "--as",
            "SeqAct_UTCrowdSpawner_7",
        ]],
        checks: &[
            Class("SeqAct_UTCrowdSpawner", 1),
            Is(
                "TheWorld.PersistentLevel.Main_Sequence.SequenceObjects[3]",
                "SeqAct_UTCrowdSpawner'TheWorld.PersistentLevel.Main_Sequence.SeqAct_UTCrowdSpawner_7'",
            ),
        ],
    },
    Task {
        name: "a camera of UE2 has a copy beside it",
        map: TIMED,
        commands: &[&["duplicate", "Camera1", "--offset", "(X=256)"]],
        checks: &[Class("Camera", 1)],
    },
    Task {
        name: "a turret of UE5 has one component more",
        map: MAIN,
        commands: &[&[
            "add",
            "Main.PersistentLevel.BP_PawnTurret_C_0.ExtraLight",
            "/Script/Engine.PointLightComponent",
        ]],
        checks: &[Class("PointLightComponent", 1), Class("BP_PawnTurret_C", 0)],
    },
    Task {
        name: "the sun of UE5 is twice as bright",
        map: MAIN,
        commands: &[&["set", "*.Intensity*=2", "--where", "class~DirectionalLightComponent"]],
        checks: &[Is("Main.PersistentLevel.LightSource_0.LightComponent0.Intensity", "6.283186")],
    },
    Task {
        name: "the player start of UE4 is there twice",
        map: EXAMPLE,
        commands: &[&["duplicate", "*", "--where", "class~PlayerStart", "--offset", "(X=128)"]],
        checks: &[Class("PlayerStart", 1)],
    },
    Task {
        name: "the player start of UE4 is gone",
        map: EXAMPLE,
        commands: &[&["remove", "*", "--where", "class~PlayerStart", "--null-references"]],
        checks: &[Class("PlayerStart", -1)],
    },
    Task {
        name: "turrets of UE5 are there twice",
        map: MAIN,
        commands: &[&["duplicate", "*", "--where", "class~BP_PawnTurret_C", "--offset", "(Z=500)"]],
        checks: &[Class("BP_PawnTurret_C", 13), Class("StaticMeshActor", 0)],
    },
    Task {
        name: "meshes of UE5 are gone",
        map: MAIN,
        commands: &[&["remove", "*", "--where", "class~StaticMeshActor", "--null-references"]],
        checks: &[Class("StaticMeshActor", -13), Class("BlockingVolume", 0)],
    },
];

/// How many objects of each class a file has, as the independent readers see it.
fn classes(file: &Path) -> BTreeMap<String, i64> {
    let package = Package::open(file).unwrap();
    let versions = package.versions();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let seen: Value = match versions.ue4() {
        0 => {
            let run =
                Command::new("python3").arg(tests.join("reader.py")).arg(file).output().unwrap();
            serde_json::from_slice(&run.stdout).unwrap()
        }
        _ => {
            let told = json!({ "file": file, "ue4": versions.ue4(), "ue5": versions.ue5(),
                               "cooked_names": false });
            let mut reader = Command::new("python3")
                .arg(tests.join("reader_ue4.py"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            writeln!(reader.stdin.take().unwrap(), "{told}").unwrap();
            serde_json::from_slice(&reader.wait_with_output().unwrap().stdout).unwrap()
        }
    };
    assert_eq!(seen["error"], Value::Null, "{}", file.display());
    let mut found = BTreeMap::new();
    for export in seen["exports"].as_array().unwrap() {
        let class = export["class"].as_str().unwrap_or_default();
        let name = class.rsplit(['.', '/']).next().unwrap_or_default();
        *found.entry(name.to_owned()).or_default() += 1;
    }
    found
}

fn run(task: &Task) -> Result<(), String> {
    let file = corpus().join(task.map);
    let extension = file.extension().unwrap().to_str().unwrap();
    let map = format!("Map.{extension}");
    let folder: Folder = copied(&file, &map);
    let before = classes(&folder.path(&map));
    for words in task.commands {
        let rest = [&words[1..], &["--in-place", "--no-backup"]].concat();
        let run = match words[0] {
            // Paths stand before packages there.
            "set" => {
                let path = folder.arg(&map);
                let args = [&["set"], &rest[..], &[path.as_str()]].concat();
                crate::common::upk(&args)
            }
            command => folder.run(command, &map, &rest),
        };
        if run.code != 0 {
            return Err(format!("{words:?}: {}", run.err));
        }
    }
    folder.run("verify", &map, &[]).exits(0);
    let after = classes(&folder.path(&map));
    for check in task.checks {
        match check {
            Class(class, more) => {
                let count = |seen: &BTreeMap<String, i64>| seen.get(*class).copied().unwrap_or(0);
                let found = count(&after) - count(&before);
                if found != *more {
                    return Err(format!("{found} more of {class}, not {more}"));
                }
            }
            Is(path, value) => {
                let shown = get(&folder, &map, path);
                let shown = shown.trim_end().rsplit('=').next().unwrap_or_default();
                if shown != *value {
                    return Err(format!("{path} is {shown}, not {value}"));
                }
            }
        }
    }
    Ok(())
}

pub fn tasks_of_map_makers_take_one_or_two_commands() {
    let mut wrong = Vec::new();
    for task in TASKS {
        assert!(task.commands.len() <= 2);
        match run(task) {
            Ok(()) => println!("{}: {}", task.map, task.name),
            Err(fault) => wrong.push(format!("{}, {}: {fault}", task.name, task.map)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
