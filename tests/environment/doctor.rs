//! What is wrong in a folder.

use unreal_packages::edit::PackageEdit;
use unreal_packages::environment::{CacheState, Finding};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectFlags;

use crate::game::{
    Folder, INI, SERVER_SIDE_ONLY, base_code, builder, doctor, game, guid, mod_code,
};

#[test]
fn a_clean_game_has_no_findings_and_each_package_is_opened_once() {
    let folder = game();
    let environment = folder.environment();
    let mut last = 0;
    let findings = environment.doctor(&mut |step| {
        assert!(step.done >= last && step.total == 10);
        last = step.done;
    });
    assert_eq!(findings, []);
    assert_eq!((environment.opened(), last), (5, 10));
}

/// Changes a clean game and expects one finding.
fn one_finding(change: impl FnOnce(&Folder)) -> Finding {
    let folder = game();
    change(&folder);
    let mut findings = doctor(&folder.environment());
    assert_eq!(findings.len(), 1, "{findings:?}");
    findings.remove(0)
}

#[test]
fn the_doctor_finds_each_fault_once() {
    let finding = one_finding(|folder| {
        folder.write("textures/Broken.utx", b"nonsense");
    });
    assert_eq!(finding.word(), "unreadable");
    let finding = one_finding(|folder| {
        let whole = std::fs::read(folder.path("System/Botpack.u")).unwrap();
        folder.write("System/Half.u", &whole[..whole.len() / 2]);
    });
    assert_eq!(finding.word(), "unreadable");
    let finding = one_finding(|folder| {
        for name in ["A", "B"] {
            let bytes = Builder::new(69)
                .import("Gone.X", "Engine.Texture")
                .import("Gone.Y", "Engine.Texture");
            folder.write(&format!("maps/{name}.unr"), bytes.build().unwrap());
        }
    });
    let needed_by = vec!["A".to_owned(), "B".to_owned()];
    assert_eq!(
        finding,
        Finding::PackageMissing { package: "Gone".to_owned(), needed_by, count: 2 }
    );
    let finding = one_finding(|folder| {
        let bytes = builder(30).import("Skins.Skins.Red", "Engine.Texture").build().unwrap();
        folder.write("maps/Red.unr", bytes);
    });
    assert_eq!(finding.word(), "object-missing");
    let finding = one_finding(|folder| {
        let bytes = builder(30).import("Skins.Skins.Blue", "Engine.Palette").build().unwrap();
        folder.write("maps/Blue.unr", bytes);
    });
    assert_eq!(finding.word(), "class-differs");
    let finding = one_finding(|folder| {
        let bytes = builder(31).export("Secret", "Engine.Texture", []).build().unwrap();
        let mut package = Package::from_bytes(bytes).unwrap();
        package.edit(|edit| edit.set_object_flags(0, ObjectFlags(0x7_0000))).unwrap();
        folder.write("textures/Hidden.utx", package.to_bytes().unwrap());
        let bytes = builder(30).import("Hidden.Secret", "Engine.Texture").build().unwrap();
        folder.write("maps/Peek.unr", bytes);
    });
    assert_eq!(finding.word(), "not-public");
    let finding = one_finding(|folder| {
        folder.write("maps/Botpack.unr", builder(30).build().unwrap());
    });
    assert!(matches!(finding, Finding::SameName { paths, .. } if paths.len() == 2));
    let finding = one_finding(|folder| {
        for (number, name, other) in [(30, "Left", "Right"), (31, "Right", "Left")] {
            let bytes = builder(number).import(format!("{other}.Thing"), "Core.Class").export(
                "Thing",
                "Core.Class",
                [],
            );
            folder.write(&format!("System/{name}.u"), bytes.build().unwrap());
        }
    });
    let packages = vec!["Left".to_owned(), "Right".to_owned()];
    assert_eq!(finding, Finding::Circle { packages });
    let finding = one_finding(|folder| {
        let order = INI.replace(
            "Packages=Engine\r\nEditPackages=Botpack",
            "Packages=Botpack\r\nEditPackages=Engine",
        );
        folder.write("System/UnrealTournament.ini", order);
    });
    let (package, needs) = ("Botpack".to_owned(), "Engine".to_owned());
    assert_eq!(finding, Finding::BuildOrder { package, needs, listed: true });
    let finding = one_finding(|folder| {
        folder.write("maps/Twin.unr", builder(5).name("Other").build().unwrap());
    });
    assert!(matches!(finding, Finding::SameGuid { paths, .. } if paths.len() == 2));
    let finding = one_finding(|folder| {
        let bytes = builder(30).flags(SERVER_SIDE_ONLY).export("Rules", "Core.Class", []);
        folder.write("System/Admin.u", bytes.build().unwrap());
        let bytes = builder(31).import("Admin.Rules", "Core.Class").build().unwrap();
        folder.write("maps/Ruled.unr", bytes);
    });
    let (package, needs) = ("Ruled".to_owned(), "Admin".to_owned());
    assert_eq!(finding, Finding::ServerSideOnly { package, needs });
    let finding = one_finding(|folder| {
        let bytes = builder(99).build().unwrap();
        folder.write(&format!("Cache/{}.uxx", guid(10)), bytes);
    });
    let state = CacheState::GuidDiffers { header: guid(99) };
    assert!(matches!(finding, Finding::Cache { state: found, .. } if found == state));
}

#[test]
fn a_server_side_package_may_use_another_one() {
    let folder = game();
    let flags = SERVER_SIDE_ONLY;
    let rules = builder(30).flags(flags).export("Rules", "Core.Class", []).build().unwrap();
    folder.write("System/Admin.u", rules);
    let more = builder(31).flags(flags).import("Admin.Rules", "Core.Class").build().unwrap();
    folder.write("System/More.u", more);
    assert_eq!(doctor(&folder.environment()), []);
}

#[test]
fn files_of_one_guid_with_the_same_bytes_are_one_package() {
    let folder = game();
    let botpack = std::fs::read(folder.path("System/Botpack.u")).unwrap();
    folder.write(&format!("Cache/{}.uxx", guid(3)), botpack);
    let index = std::fs::read_to_string(folder.path("Cache/Cache.ini")).unwrap();
    folder.write("Cache/Cache.ini", format!("{index}{}=Botpack.u\r\n", guid(3)));
    assert_eq!(doctor(&folder.environment()), []);
}

#[test]
fn many_packages_are_opened_once_each() {
    let folder = Folder::new();
    for number in 0..300 {
        let needed = (number * 7) % 300;
        let bytes = builder(1000 + number)
            .import(format!("P{needed}.Thing"), "Engine.Texture")
            .export("Thing", "Engine.Texture", [])
            .build()
            .unwrap();
        folder.write(&format!("P{number}.utx"), bytes);
    }
    let environment = folder.environment();
    let findings = doctor(&environment);
    let missing = |finding: &Finding| matches!(finding, Finding::PackageMissing { package, .. } if package == "Engine");
    assert!(findings.len() == 1 && missing(&findings[0]), "{findings:?}");
    assert_eq!(environment.opened(), 300);
    assert_eq!(environment.users_of("P7", "Thing").len(), 1);
    assert_eq!(environment.opened(), 300, "what is known is not read again");
}

#[test]
fn damaged_packages_end_nothing() {
    let folder = Folder::new();
    folder.write("Base.u", base_code());
    let whole = mod_code();
    let mut number = 0;
    for cut in (0..whole.len()).step_by(3) {
        number += 1;
        folder.write(&format!("Cut{number}.u"), &whole[..cut]);
        let mut bad = whole.clone();
        bad[cut] ^= 0xff;
        folder.write(&format!("Bad{number}.u"), bad);
    }
    let environment = folder.environment();
    let findings = doctor(&environment);
    assert!(findings.iter().any(|finding| finding.word() == "unreadable"));
    environment.classes(&mut |_| {});
    for (id, _) in environment.files() {
        if let Ok(mut package) = environment.open_file(id) {
            environment.add_class_layouts(&mut package);
            package.decode_all();
        }
    }
}

/// Peak memory of this process, KiB; 0 where the system does not say.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// A folder of packages that need one another, every hundredth of them damaged.
fn large_folder(count: u32) -> Folder {
    let folder = Folder::new();
    for number in 0..count {
        let of = |step: u32| (number * step + 1) % count;
        let mut package = builder(1000 + number).import("Core.Object", "Core.Class");
        for step in [7, 11, 13, 17] {
            package = package.import(format!("P{}.Group.Skin", of(step)), "Engine.Texture");
        }
        package = package.export("Group", "Core.Package", []);
        package = package.export("Group.Skin", "Engine.Texture", vec![0; 4096]);
        let mut bytes = package.build().unwrap();
        if number % 100 == 99 {
            bytes.truncate(60);
        }
        folder.write(&format!("P{number}.utx"), bytes);
    }
    folder
}

#[test]
#[ignore = "takes a minute: measures"]
fn ten_thousand_packages_take_no_more_memory_than_a_thousand() {
    let mut peaks = Vec::new();
    for count in [1_000, 10_000] {
        let folder = large_folder(count);
        let start = std::time::Instant::now();
        let mut bytes = 0;
        for entry in std::fs::read_dir(folder.path("")).unwrap() {
            bytes += std::fs::read(entry.unwrap().path()).unwrap().len();
        }
        let reading = start.elapsed();
        let start = std::time::Instant::now();
        let environment = folder.environment();
        let findings = doctor(&environment);
        let checking = start.elapsed();
        assert_eq!(environment.opened(), u64::from(count), "each package is opened once");
        let unreadable = findings.iter().filter(|finding| finding.word() == "unreadable").count();
        assert_eq!(unreadable as u32, count / 100);
        peaks.push(peak());
        let ratio = checking.as_secs_f64() / reading.as_secs_f64();
        println!(
            "{count} packages, {bytes} bytes: read in {reading:?}, checked in {checking:?} ({ratio:.1} times); \
             {} findings; peak {} KiB",
            findings.len(),
            peaks[peaks.len() - 1],
        );
        let environment = folder.environment();
        let start = std::time::Instant::now();
        let mut imports = 0;
        for (id, _) in environment.files() {
            imports += environment.resolve_file(id).map_or(0, |all| all.len());
        }
        println!("{imports} imports resolved in {:?}", start.elapsed());
        assert_eq!(environment.opened(), u64::from(count));
        peaks.pop();
        peaks.push(peak());
    }
    assert!(peaks[1] < peaks[0] + 32 * 1024, "{peaks:?}");
}

/// A code package that needs others.
fn code(number: u32, needed: &[String]) -> Vec<u8> {
    let import =
        |package: Builder, needed: &String| package.import(format!("{needed}.Thing"), "Core.Class");
    let thing = builder(number).export("Thing", "Core.Class", []);
    needed.iter().fold(thing, import).build().unwrap()
}

fn circles(needs: &[(&str, &[&str])]) -> Vec<Vec<String>> {
    let folder = Folder::new();
    for (number, (package, needed)) in needs.iter().enumerate() {
        let needed: Vec<String> = needed.iter().map(|name| (*name).to_owned()).collect();
        folder.write(&format!("{package}.u"), code(100 + number as u32, &needed));
    }
    let findings = doctor(&folder.environment()).into_iter();
    findings
        .filter_map(|finding| match finding {
            Finding::Circle { packages } => Some(packages),
            _ => None,
        })
        .collect()
}

#[test]
fn packages_that_reach_one_another_are_a_circle() {
    let none: [Vec<String>; 0] = [];
    assert_eq!(circles(&[("A", &["B", "C"]), ("B", &["C"]), ("C", &[])]), none);
    assert_eq!(circles(&[("A", &["A"])]), none);
    let two: [(&str, &[&str]); 6] = [
        ("A", &["B"]),
        ("B", &["C"]),
        ("C", &["A", "D"]),
        ("D", &["E"]),
        ("E", &["D"]),
        ("F", &["A"]),
    ];
    assert_eq!(circles(&two), [vec!["A", "B", "C"], vec!["D", "E"]]);
}

/// A chain of packages may be longer than a stack is deep.
#[test]
fn long_chains_are_followed_on_a_small_stack() {
    const LENGTH: u32 = 2_000;
    const STACK: usize = 192 << 10;
    let folder = Folder::new();
    for number in 0..LENGTH {
        let needed = (number + 1) % LENGTH;
        folder.write(&format!("P{number}.u"), code(1000 + number, &[format!("P{needed}")]));
    }
    let environment = folder.environment();
    let work = std::thread::Builder::new().stack_size(STACK);
    std::thread::scope(|scope| {
        let findings = work.spawn_scoped(scope, || doctor(&environment)).unwrap().join().unwrap();
        let is_whole = |finding: &Finding| matches!(finding, Finding::Circle { packages } if packages.len() == LENGTH as usize);
        assert!(findings.iter().any(is_whole));
    });
}
