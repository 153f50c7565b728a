"""Compares the tables of a scan with what the other commands say, row by row, in SQL.

Arguments: the command, the folder of the tables, and the folders that were scanned.
"""

import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import duckdb

upk, out, folders = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]


def lines(*arguments):
    run = subprocess.run([upk, *arguments, "--json"], capture_output=True)
    assert run.returncode in (0, 1, 2), (arguments, run.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


con = duckdb.connect()
con.execute((out / "tables.sql").read_text())
verified = [row for row in lines("verify", *folders) if "path" in row]
# Save games and the like are no packages.
known = {path for (path,) in con.execute("SELECT path FROM packages").fetchall()}
verified = [row for row in verified if row["path"] in known]
opened = [row["path"] for row in verified if row["status"] in ("identical", "different")]


def cut(text):
    # Tables keep a MB of a text (docs/scan.md).
    kept = text.encode()[: 1 << 20].decode(errors="ignore")
    return text if kept == text else kept + "…"


def of_package(path):
    def rows(*arguments):
        return [dict(row, file=path) for row in lines(*arguments)]

    properties = [row for row in rows("get", path, "*") if "property" in row]
    for row in properties:
        row["value"] = cut(row["value"])
    return {
        "names": rows("list", path, "--names"),
        "imports": rows("list", path, "--imports"),
        "exports": rows("list", path),
        "properties": properties,
    }


found = {"names": [], "imports": [], "exports": [], "properties": []}
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for rows in pool.map(of_package, opened):
        for table, more in rows.items():
            found[table].extend(more)
needed, soft = [], []
for folder in folders:
    here = [path for path in opened if path.startswith(folder.rstrip("/") + "/")]
    for path, row in zip(here, lines("deps", *here, "--env", folder, "--imports"), strict=True):
        for known in row["imports"]:
            (needed if known["kind"] == "hard" else soft).append(dict(known, file=path))
found["needed"] = [
    {key: row[key] for key in ("file", "import", "path", "class", "package", "optional")}
    for row in needed
]
found["soft"] = [{key: row[key] for key in ("file", "path", "package")} for row in soft]
found["verified"] = [
    {
        **{key: row[key] for key in ("path", "status", "bytes", "file_version", "ue4", "ue5")},
        **{key: (row["image"] or row)[key] for key in ("typed", "payload", "opaque", "gap")},
        "licensee": row["licensee_version"],
        "game": row["game"],
        "reason": row["reason"],
        "exports": row["exports"],
    }
    for row in verified
]
found["undecoded"] = [
    {
        "file": row["path"],
        "object": body["path"],
        "bytes": body["bytes"],
        "reason": body["reason"],
    }
    for row in verified
    for body in row["not_decoded"]
]
found["misplaced"] = [
    {"file": row["path"], "object": wrong["place"]}
    for row in verified
    for wrong in row["positions"]["wrong"]
]
for row in found["exports"] + found["names"]:
    # A column of 64 bits has a sign: the highest flag is one.
    row["flag_bits"] -= (row["flag_bits"] >> 63) << 64
TYPES = {
    "names": "file VARCHAR, \"row\" BIGINT, name VARCHAR, flag_bits BIGINT",
    "imports": "file VARCHAR, \"row\" BIGINT, path VARCHAR, class VARCHAR",
    "exports": "file VARCHAR, \"row\" BIGINT, path VARCHAR, class VARCHAR, super VARCHAR, \"outer\" VARCHAR,"
    " archetype VARCHAR, size BIGINT, \"offset\" BIGINT, flag_bits BIGINT",
    "properties": "file VARCHAR, object VARCHAR, property VARCHAR, type VARCHAR, value VARCHAR",
    "needed": "file VARCHAR, import BIGINT, path VARCHAR, class VARCHAR, package VARCHAR, optional BOOLEAN",
    "soft": "file VARCHAR, path VARCHAR, package VARCHAR",
    "verified": "path VARCHAR, status VARCHAR, bytes BIGINT, file_version BIGINT, ue4 BIGINT, ue5 BIGINT,"
    " typed BIGINT, payload BIGINT, opaque BIGINT, gap BIGINT, licensee BIGINT, game VARCHAR,"
    " reason VARCHAR, exports BIGINT",
    "undecoded": "file VARCHAR, object VARCHAR, bytes BIGINT, reason VARCHAR",
    "misplaced": "file VARCHAR, object VARCHAR",
}
with tempfile.TemporaryDirectory() as folder:
    for table, rows in found.items():
        path = pathlib.Path(folder) / f"{table}.json"
        with path.open("w") as file:
            for row in rows:
                print(json.dumps(row), file=file)
        columns = ", ".join(
            f"'{name.strip(chr(34))}': '{kind}'"
            for name, kind in (column.split() for column in TYPES[table].split(", "))
        )
        con.execute(
            f"CREATE TABLE said_{table} AS SELECT * FROM read_json('{path}', format='newline_delimited',"
            f" maximum_object_size=1000000000, columns={{{columns}}})"
        )

con.execute("CREATE VIEW p AS SELECT package_id, path AS file, engine FROM packages")
COMPARED = {
    "names": (
        # Where there are no flags `list` prints a zero, or what else stands there.
        "SELECT file, i, text, flags FROM names JOIN p USING (package_id) WHERE flags IS NOT NULL"
        " UNION ALL SELECT file, i, text, NULL FROM names JOIN p USING (package_id) WHERE flags IS NULL",
        "SELECT file, \"row\", name, CASE WHEN flags IS NOT NULL THEN flag_bits END FROM said_names"
        " JOIN p USING (file) JOIN names ON names.package_id = p.package_id AND i = \"row\"",
    ),
    "imports": (
        "SELECT file, i, path, class FROM imports JOIN p USING (package_id)",
        "SELECT file, \"row\", path, class FROM said_imports",
    ),
    "where imports lie": (
        # `deps` has one spelling of a name for all: names are the same in any case.
        "SELECT file, i, lower(path), lower(class), lower(resolved_package), optional"
        " FROM imports JOIN p USING (package_id)",
        "SELECT file, import, lower(path), lower(class), lower(package), optional FROM said_needed",
    ),
    "exports": (
        "SELECT file, i, path, class, super, \"outer\", archetype, size, \"offset\", flags"
        " FROM exports JOIN p USING (package_id)",
        "SELECT file, \"row\", path, class, super, \"outer\", archetype, size, \"offset\", flag_bits FROM said_exports",
    ),
    "properties": (
        "SELECT file, CASE WHEN count(*) OVER (PARTITION BY file, lower(e.path)) > 1 THEN '' ELSE export END,"
        " x.path, type, text FROM properties x JOIN p USING (package_id)"
        " JOIN exports e ON e.package_id = x.package_id AND e.i = export_i",
        "SELECT file, object, property, type, value FROM said_properties",
    ),
    "soft references": (
        "SELECT DISTINCT file, lower(replace(to_path, ':', '.')), lower(to_package)"
        " FROM refs r JOIN p USING (package_id)"
        " WHERE kind = 'soft' AND starts_with(to_path, '/') AND length(to_path) > 1 AND (from_i IS NULL"
        " OR package_id NOT IN (SELECT package_id FROM refs WHERE from_i IS NULL))",
        "SELECT DISTINCT file, lower(replace(path, ':', '.')), lower(package) FROM said_soft",
    ),
    "packages": (
        "SELECT path, status, bytes, file_version, ue4, ue5, typed, payload, opaque, gap, licensee, game,"
        " (SELECT count(*) FROM exports e WHERE e.package_id = k.package_id)"
        " FROM packages k WHERE status = 'opened'",
        "SELECT path, 'opened', bytes, file_version, ue4, ue5, typed, payload, opaque, gap, licensee, game,"
        " exports FROM said_verified WHERE status IN ('identical', 'different')",
    ),
    "what can't be opened": (
        "SELECT path, status, bytes, error FROM packages WHERE status <> 'opened'",
        "SELECT path, status, bytes, reason FROM said_verified WHERE status IN ('failed', 'unsupported')",
    ),
    # `verify` says more: the opaque parts of one body each, also of one that is read to its end.
    "bodies that are not decoded": (
        "SELECT DISTINCT file, object, message FROM findings JOIN p USING (package_id) WHERE rule = 'not-decoded'",
        "SELECT DISTINCT file, object, message FROM (SELECT file, object,"
        " 'its body is not decoded whole: ' || reason AS message FROM said_undecoded)"
        " SEMI JOIN (findings JOIN p USING (package_id)) USING (file, object, message)",
    ),
    "opaque bytes of bodies": (
        "SELECT path, opaque FROM packages WHERE opaque > 0",
        "SELECT file, sum(bytes) FROM said_undecoded GROUP BY file HAVING sum(bytes) > 0",
    ),
    "wrong positions": (
        "SELECT file, object FROM findings JOIN p USING (package_id) WHERE rule = 'wrong-position'",
        "SELECT file, object FROM said_misplaced",
    ),
}
# An object whose path others have is a row for `get`.
con.execute(
    "UPDATE said_properties SET object = '' WHERE (file, lower(object)) IN"
    " (SELECT (file, lower(path)) FROM exports JOIN p USING (package_id)"
    " GROUP BY ALL HAVING count(*) > 1) OR starts_with(object, '#')"
)
COMPARED["properties"] = (
    "SELECT file, CASE WHEN (file, lower(export)) IN (SELECT (file, lower(path)) FROM exports"
    " JOIN p USING (package_id) GROUP BY ALL HAVING count(*) > 1) THEN '' ELSE export END,"
    " x.path, type, text FROM properties x JOIN p USING (package_id)",
    COMPARED["properties"][1],
)
wrong = False
for what, (scanned, said) in COMPARED.items():
    only_scanned = con.execute(f"({scanned}) EXCEPT ALL ({said})").fetchall()
    only_said = con.execute(f"({said}) EXCEPT ALL ({scanned})").fetchall()
    count = con.execute(f"SELECT count(*) FROM ({said})").fetchone()[0]
    print(f"{what}: {count} rows, {len(only_scanned)} only in the tables, {len(only_said)} only said")
    for row in [*only_scanned[:3], *only_said[:3]]:
        print("   ", str(row)[:400])
    wrong |= bool(only_scanned or only_said)

import polars
import pyarrow.dataset

# The same numbers of rows for every reader.
for table in ("packages", "names", "imports", "exports", "properties", "refs", "findings"):
    files = sorted(str(file) for file in (out / table).glob("[0-9]*.parquet"))
    counts = {
        "duckdb": con.execute(f"SELECT count(*) FROM read_parquet({files!r})").fetchone()[0],
        "pyarrow": pyarrow.dataset.dataset(files, format="parquet").to_table().num_rows,
        "polars": polars.read_parquet(files).height,
    }
    print(table, counts)
    wrong |= len(set(counts.values())) != 1
sys.exit(wrong)
