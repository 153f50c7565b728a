//! Each file of `expansions/` holds a type and, behind a marker, the code that it becomes.
//! `UPDATE_GOLDEN=1 cargo test -p farchive-derive` writes the code anew.

use std::fs;
use std::path::{Path, PathBuf};

use quote::quote;
use syn::{DeriveInput, File};

use crate::expand::derive;

const MARKER: &str = "\n// Expands to:\n\n";

fn expansion_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("expansions");
    let entries = fs::read_dir(folder).expect("the folder of the expansions");
    let mut files: Vec<_> = entries.map(|it| it.expect("an entry").path()).collect();
    files.sort();
    files
}

fn expand_text(input: &str) -> String {
    let input: DeriveInput = syn::parse_str(input).expect("a type");
    let file: File = syn::parse2(derive(&input)).expect("the code that the derive writes parses");
    prettyplease::unparse(&file)
}

#[test]
fn expansions_are_as_committed() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut stale = Vec::new();
    for path in expansion_files() {
        let text = fs::read_to_string(&path).expect("a readable expansion");
        let (input, committed) = text.split_once(MARKER).unwrap_or((text.trim_end(), ""));
        let expanded = expand_text(input);
        if expanded != committed && update {
            let text = format!("{}\n{MARKER}{expanded}", input.trim_end());
            fs::write(&path, text).expect("a writable expansion");
        } else if expanded != committed {
            stale.push(format!("{}:\n{expanded}", path.display()));
        }
    }
    assert!(stale.is_empty(), "differs from what is committed:\n{}", stale.join("\n"));
}

#[test]
fn every_error_of_a_type_is_reported_with_one_stub() {
    let input: DeriveInput = syn::parse_quote! {
        #[since(1)]
        struct Wrong<T: Copy> {
            #[since(5)]
            #[until(5)]
            first: T,
            #[archive(what)]
            second: u8,
        }
    };
    let code = derive(&input);
    let stub = quote!(impl<T: Copy> __farchive::Archived for Wrong<T>).to_string();
    let text = code.to_string();
    assert_eq!(text.matches("compile_error").count(), 3, "{text}");
    assert!(text.contains(&stub), "{text}");
}
