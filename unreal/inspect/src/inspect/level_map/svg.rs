//! A level as a drawing (SVG 1.1).

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use super::actor::{BrushUse, LevelMap};

/// Parts of the drawing's longer side that are left free around it.
const MARGIN: f64 = 0.04;
/// Parts of the longer side that a dot measures.
const DOT: f64 = 0.004;
/// Classes that the legend names; more are counted.
const NAMED: usize = 40;
/// Pixels of the longer side.
const PIXELS: f64 = 1000.0;

/// The rectangle that something covers.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    least: [f64; 2],
    most: [f64; 2],
}

impl Bounds {
    fn of(points: impl Iterator<Item = [f64; 2]>) -> Self {
        let none = Self { least: [f64::INFINITY; 2], most: [f64::NEG_INFINITY; 2] };
        let all = points.fold(none, |all, point| Self {
            least: std::array::from_fn(|at| all.least[at].min(point[at])),
            most: std::array::from_fn(|at| all.most[at].max(point[at])),
        });
        match all.least[0].is_finite() {
            true => all,
            false => Self { least: [0.0; 2], most: [1.0; 2] },
        }
    }

    fn side(&self) -> f64 {
        (self.most[0] - self.least[0]).max(self.most[1] - self.least[1]).max(1.0)
    }
}

/// Draws brushes below paths below actors.
pub fn draw(map: &LevelMap) -> String {
    let places = map.actors.iter().filter_map(|actor| actor.place.map(|it| [it[0], it[1]]));
    let corners = map.actors.iter().flat_map(|actor| actor.outline.iter().flatten().copied());
    let is_number = |point: &[f64; 2]| point.iter().all(|part| part.is_finite());
    let bounds = Bounds::of(places.chain(corners).filter(is_number));
    let side = bounds.side();
    let margin = side * MARGIN;
    let [x, y] = bounds.least.map(|part| part - margin);
    let [width, height] = [0, 1].map(|at| bounds.most[at] - bounds.least[at] + 2.0 * margin);
    let legend = side * 0.35;
    let mut out = String::new();
    let scale = PIXELS / side;
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\" width=\"{:.0}\" height=\"{:.0}\" \
         font-family=\"sans-serif\">",
        number(x),
        number(y),
        number(width + legend),
        number(height),
        (width + legend) * scale,
        height * scale,
    );
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fafafa\"/>",
        number(x),
        number(y),
        number(width + legend),
        number(height)
    );
    let line = side * 0.001;
    brushes(map, line, &mut out);
    paths(map, line, &mut out);
    let colors = actors(map, side * DOT, &mut out);
    write_legend(&colors, [x + width, y + margin], side, &mut out);
    out.push_str("</svg>\n");
    out
}

fn brushes(map: &LevelMap, line: f64, out: &mut String) {
    let _ = writeln!(
        out,
        "<g class=\"brushes\" fill-opacity=\"0.06\" stroke-width=\"{}\" stroke-opacity=\"0.7\">",
        number(line)
    );
    for actor in map.actors.iter().filter(|actor| !actor.outline.is_empty()) {
        let usage = actor.brush.unwrap_or(BrushUse::Other);
        let color = match usage {
            BrushUse::Builder => "#d02020",
            BrushUse::Add => "#2050c0",
            BrushUse::Subtract => "#a07020",
            BrushUse::Other => "#607080",
            BrushUse::Mover => "#9020a0",
            BrushUse::Volume => "#209040",
        };
        let mut path = String::new();
        for polygon in &actor.outline {
            for (at, [x, y]) in polygon.iter().enumerate() {
                let letter = if at == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{letter}{} {}", number(*x), number(*y));
            }
            path.push('Z');
        }
        let _ = writeln!(
            out,
            "<path class=\"{}\" d=\"{path}\" fill=\"{color}\" stroke=\"{color}\"><title>{}</title></path>",
            usage.name(),
            escaped(&actor.path)
        );
    }
    out.push_str("</g>\n");
}

fn paths(map: &LevelMap, line: f64, out: &mut String) {
    let places: HashMap<usize, [f64; 3]> =
        map.actors.iter().filter_map(|actor| Some((actor.row, actor.place?))).collect();
    let _ = writeln!(
        out,
        "<g class=\"paths\" stroke=\"#e08000\" stroke-opacity=\"0.5\" stroke-width=\"{}\">",
        number(line)
    );
    for path in &map.paths {
        let (Some(from), Some(to)) = (places.get(&path.from), places.get(&path.to)) else {
            continue;
        };
        let _ = writeln!(
            out,
            "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            number(from[0]),
            number(from[1]),
            number(to[0]),
            number(to[1])
        );
    }
    out.push_str("</g>\n");
}

/// Draws the dots, and says which class has which colour and how many.
fn actors(map: &LevelMap, radius: f64, out: &mut String) -> Vec<(String, String, usize)> {
    let mut classes: BTreeMap<&str, usize> = BTreeMap::new();
    let dots = || map.actors.iter().filter(|actor| actor.outline.is_empty());
    for actor in dots().filter(|actor| actor.place.is_some()) {
        *classes.entry(short(&actor.class)).or_default() += 1;
    }
    let mut ordered: Vec<(&str, usize)> = classes.into_iter().collect();
    ordered.sort_by_key(|(class, count)| (std::cmp::Reverse(*count), *class));
    let color = |at: usize| {
        // Steps of the golden angle keep neighbours in the legend apart.
        let hue = (at as f64 * 137.508) % 360.0;
        format!("hsl({hue:.0},65%,{}%)", 40 + (at % 3) * 8)
    };
    let colors: HashMap<&str, String> =
        ordered.iter().enumerate().map(|(at, (class, _))| (*class, color(at))).collect();
    out.push_str("<g class=\"actors\">\n");
    for actor in dots() {
        let (Some([x, y, z]), Some(color)) = (actor.place, colors.get(short(&actor.class))) else {
            continue;
        };
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{color}\"><title>{} ({}) at {} {} {}</title></circle>",
            number(x),
            number(y),
            number(radius),
            escaped(&actor.path),
            escaped(&actor.class),
            number(x),
            number(y),
            number(z)
        );
    }
    out.push_str("</g>\n");
    let row = |(class, count): &(&str, usize)| ((*class).to_owned(), colors[class].clone(), *count);
    ordered.iter().map(row).collect()
}

fn write_legend(
    classes: &[(String, String, usize)],
    [x, y]: [f64; 2],
    side: f64,
    out: &mut String,
) {
    let size = side * 0.016;
    let _ = writeln!(out, "<g class=\"legend\" font-size=\"{}\">", number(size));
    let mut lines: Vec<(String, &str)> = classes
        .iter()
        .take(NAMED)
        .map(|(class, color, count)| (format!("{} ({count})", escaped(class)), color.as_str()))
        .collect();
    if let Some(more) = classes.len().checked_sub(NAMED).filter(|more| *more > 0) {
        lines.push((format!("and {more} classes more"), "none"));
    }
    for (at, (text, color)) in lines.iter().enumerate() {
        let y = y + at as f64 * size * 1.4;
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{color}\"/><text x=\"{}\" y=\"{}\">{text}</text>",
            number(x + size),
            number(y),
            number(size * 0.4),
            number(x + size * 2.0),
            number(y + size * 0.35)
        );
    }
    out.push_str("</g>\n");
}

fn short(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// A number to a hundredth; what is none is 0.
fn number(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text in XML 1.0, which has no other control characters than these.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(character),
            _ if character.is_control() || matches!(character, '\u{FFFE}' | '\u{FFFF}') => {
                out.push('\u{FFFD}');
            }
            _ => out.push(character),
        }
    }
    out
}
