//! Findings for code scanning: SARIF 2.1.0, <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use unreal_packages::environment::{DoctorRule, Severity};
use unreal_packages::scan::ScanFinding;

use super::baseline::fingerprint;
use crate::failure::Failure;

/// The document with all findings.
pub fn document(findings: &[&ScanFinding]) -> Result<String, Failure> {
    let rules: BTreeMap<&str, Severity> =
        findings.iter().map(|finding| (finding.rule.as_str(), finding.severity)).collect();
    let rules: Vec<Value> =
        rules.into_iter().map(|(code, severity)| rule(code, severity)).collect();
    let results: Vec<Value> = findings.iter().map(|finding| result(finding)).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "upk",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            } },
            "results": results,
        }],
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// A rule with where it is explained: one of its own has a section, one of a project's own the section of all.
fn rule(code: &str, severity: Severity) -> Value {
    const PAGE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/doctor.md");
    let known = DoctorRule::of(code);
    let section = known.map_or("rules-of-ones-own", |rule| rule.code);
    let severity = known.map_or(severity, |rule| rule.severity);
    let mut rule = json!({
        "id": code,
        "helpUri": format!("{PAGE}#{section}"),
        "defaultConfiguration": { "level": severity.word() },
    });
    if let Some(known) = known {
        rule["shortDescription"] = json!({ "text": known.summary });
    }
    rule
}

fn result(finding: &ScanFinding) -> Value {
    let mut result = json!({
        "ruleId": finding.rule,
        "level": finding.severity.word(),
        "message": { "text": finding.message },
        "partialFingerprints": { "finding/v1": fingerprint(finding) },
    });
    if let Some(path) = &finding.path {
        result["locations"] = json!([{
            "physicalLocation": { "artifactLocation": { "uri": uri(path) } },
            "logicalLocations": finding.object.iter().map(|object| {
                json!({ "fullyQualifiedName": object })
            }).collect::<Vec<_>>(),
        }]);
    }
    result
}

/// A path as a reference: bytes that may not stand there are escaped.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into());
            }
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
