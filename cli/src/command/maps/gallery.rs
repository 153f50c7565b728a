//! Maps as one page, which needs nothing beside it: no scripts, no network.

use std::io::{self, Write};
use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::Sums;
use super::row::MapRow;
use crate::html::{HEAD, escape};
use crate::output::{count, grouped};

/// How the page looks: light or dark as the reader's system is.
const STYLE: &str = include_str!("gallery/style.css");
/// Bytes of pictures in one page; a reader's browser has to hold them.
const MOST_BYTES: usize = 256 << 20;
/// Packages that are named beside a map.
const NAMED: usize = 40;

/// A page that is written map by map.
pub struct Gallery<'a> {
    to: &'a mut dyn Write,
    /// Bytes of pictures that the page may still take.
    left: usize,
}

impl<'a> Gallery<'a> {
    /// Begins the page.
    pub fn new(to: &'a mut dyn Write, folders: &[PathBuf]) -> io::Result<Self> {
        let names: Vec<_> = folders.iter().map(|path| path.display().to_string()).collect();
        let title = escape(&names.join(", "));
        writeln!(
            to,
            "{HEAD}<title>Maps of {title}</title>\n<style>\n{STYLE}</style></head><body>\n\
             <header><h1>Maps of {title}</h1></header>\n<main>"
        )?;
        Ok(Self { to, left: MOST_BYTES })
    }

    /// Adds a map.
    pub fn add(&mut self, row: &MapRow) -> io::Result<()> {
        let facts = &row.facts;
        let title = facts.title.as_deref().unwrap_or(&row.stem);
        write!(self.to, "<article>")?;
        match &row.picture {
            Some(picture) if picture.bytes.len() <= self.left => {
                self.left -= picture.bytes.len();
                let kind = if picture.extension == "jpg" { "jpeg" } else { &picture.extension };
                let (kind, name) = (escape(kind), escape(&row.stem));
                write!(
                    self.to,
                    "<img loading=lazy alt=\"Screenshot of {name}\" src=\"data:image/{kind};base64,{}\">",
                    STANDARD.encode(&picture.bytes)
                )?;
            }
            _ => write!(self.to, "<div class=none aria-hidden=true></div>")?,
        }
        write!(self.to, "<h2>{}</h2><p>{}</p><dl>", escape(title), escape(&row.file))?;
        if let Some(error) = &row.error {
            return writeln!(
                self.to,
                "<dt>Error</dt><dd class=error>{}</dd></dl></article>",
                escape(error)
            );
        }
        let named = row.needs.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = row.needs.len().saturating_sub(NAMED);
        let needs = if more > 0 { format!("{named} and {more} more") } else { named };
        for (label, text) in [
            ("Author", facts.author.clone()),
            ("Players", facts.players.clone()),
            ("Game", row.game_type.clone()),
            ("Size", Some(format!("{} bytes", grouped(row.bytes)))),
            ("Needs", Some(needs).filter(|needs| !needs.is_empty())),
            ("About", facts.description.clone()),
        ] {
            if let Some(text) = text {
                write!(self.to, "<dt>{label}</dt><dd>{}</dd>", escape(&text))?;
            }
        }
        writeln!(self.to, "</dl></article>")
    }

    /// Ends the page.
    pub fn finish(self, sums: &Sums) -> io::Result<()> {
        let maps = count(sums.maps, "map", "maps");
        writeln!(
            self.to,
            "</main>\n<footer>{maps}, {} bytes, {} can't be read</footer>\n</body></html>",
            grouped(sums.bytes),
            sums.failed
        )
    }
}
