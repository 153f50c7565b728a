//! Server against client, on official releases.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::common::{Folder, upk};
use crate::folders::corpus;

/// Each generation of a package on the server, each other one with the client: both use the older one's tables.
pub fn generations_of_real_releases_are_told_apart() {
    let mut releases: BTreeMap<String, Vec<(u64, std::path::PathBuf)>> = BTreeMap::new();
    for entry in std::fs::read_dir(corpus().join("conform")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let end = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if let Some((package, rest)) = name.split_once("_gen") {
            let digits = rest.split('.').next().unwrap_or_default();
            let Ok(generation) = digits.parse::<u64>() else { continue };
            releases.entry(format!("{package}.{end}")).or_default().push((generation, path));
        }
    }
    let mut pairs = 0;
    for (file, releases) in &releases {
        for (server, from) in releases {
            for (client, at) in releases {
                let folder = Folder::new();
                folder.write(&format!("server/{file}"), std::fs::read(from).unwrap());
                folder.write(&format!("client/{file}"), std::fs::read(at).unwrap());
                let [one, other] = ["server", "client"].map(|side| folder.arg(side));
                let rows: Vec<Value> = upk(&["compare", &one, &other, "--json"]).json();
                let name = file.split('.').next().unwrap();
                let row = rows.iter().find(|row| row["name"] == name).unwrap();
                let verdict = row["verdict"].as_str().unwrap();
                let expected = match client.cmp(server) {
                    std::cmp::Ordering::Less => "client-older",
                    std::cmp::Ordering::Equal => "same",
                    std::cmp::Ordering::Greater => "client-newer",
                };
                // Clients do not learn of some of them, whose files are compared all the same.
                assert!(verdict == expected || verdict == "server-side", "{row}");
                assert_eq!(row["common_generation"], *client.min(server), "{row}");
                assert_eq!(row["possible"], true, "{row}");
                pairs += usize::from(client != server);
            }
        }
    }
    assert!(pairs >= 30, "{pairs} pairs");
}
