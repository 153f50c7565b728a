//! The command line: what all commands share.

use std::collections::BTreeMap;
use std::ffi::OsString;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, FromArgMatches, Parser};
use unreal_packages::container::Containers;
use unreal_packages::container::zen::{ImportNames, KnownObjects, ScriptPaths};
use unreal_packages::environment::{Environment, EnvironmentDefaults, EnvironmentNames};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::file::{self, File};
use unreal_packages::package::{OpenOptions, Package, ReleaseDetection};
use unreal_packages::property::Mappings;
use unreal_packages::{EngineRelease, Error, Game};

use crate::color::ColorChoice;
use crate::command::{Command, environment};
use crate::config::Config;
use crate::containers;
use crate::failure::Failure;
use crate::files::parent_of;
use crate::former;
use crate::help;
use crate::input;
use crate::output::warn_early;

/// Look into, verify, explain, change and re-save Unreal Engine packages.
#[derive(Debug, Parser)]
#[command(
    name = "upk",
    // Not upk.exe.
    bin_name = "upk",
    version,
    arg_required_else_help = true,
    after_help = "\
Examples:
  upk demo                        see everything work, without any file
  upk info Engine.u               versions, flags, tables, where everything stands
  upk verify ~/Games/UT/System    rebuild every package and compare
  upk rename MyMod.u Skins.Blue DarkBlue -o Out.u

Exit codes: 0 fine; 1 something differs, failed or was refused; 2 wrong usage or unreadable input."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print JSON for scripts, one object a line
    #[arg(long, global = true)]
    pub json: bool,
    /// Print results alone: no progress, no sums
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Whether there are colours: on a terminal unless NO_COLOR is set, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// Print long output at once (else a terminal shows it by UPK_PAGER, PAGER or less)
    #[arg(long, global = true, hide_short_help = true)]
    pub no_pager: bool,
    /// Work on this many threads (default: one for each core)
    #[arg(long, value_name = "N", global = true, hide_short_help = true,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Open encrypted containers with this key: 0x and 64 digits, Base64 or 32 letters; GUID:KEY (may be repeated)
    #[arg(long = "key", value_name = "KEY", global = true, hide_short_help = true,
          value_parser = containers::key)]
    pub keys: Vec<String>,
    /// Follow links, and paths of ini files, that lead out of the folder that was given
    #[arg(long, global = true, hide_short_help = true)]
    pub follow_links: bool,
    /// Let every upk.toml name paths outside of its folder, and use one of another user (UPK_TRUST_CONFIG=DIR: those
    /// in a folder)
    #[arg(long, global = true, hide_short_help = true)]
    pub trust_config: bool,
}

impl Cli {
    /// The command line of this run.
    ///
    /// # Errors
    /// Wrong usage, and help that was asked for.
    pub fn read() -> Result<Self, clap::Error> {
        let words = former::current();
        let color = ColorChoice::of_words(words.iter().cloned());
        let asks = words.iter().skip(1).all(|word| word.to_string_lossy().starts_with('-'))
            || words.iter().any(|word| ["-h", "--help", "help"].iter().any(|it| **word == **it));
        let command = if asks { help::command() } else { help::without_groups() };
        let mut command = command.color(color.for_clap());
        let matches = command.try_get_matches_from_mut(words)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
}

/// How packages are opened.
#[derive(Debug, Clone, Args)]
pub struct OpenArgs {
    /// Use this game's layout instead of the detected one
    #[arg(long, value_name = "SLUG", default_value = Game::Detect.slug(), hide_default_value = true,
          value_parser = games(), help_heading = help::COOKED)]
    pub game: Game,
    /// Read packages of UE4 and UE5 that say no version as this engine release has saved them: 4.27, 5.4
    /// (else it is found by what reads them best: `upk detect`)
    #[arg(long, value_name = "RELEASE", help_heading = help::COOKED)]
    pub engine: Option<EngineRelease>,
    /// Names and types of properties (.usmap or .jmap), for cooked packages that leave them out
    #[arg(long, value_name = "FILE", help_heading = help::COOKED)]
    pub mappings: Option<PathBuf>,
    /// Let a compressed package become this large: bytes, or 512M, 4G (else 256M, or 64 times the file)
    #[arg(long, value_name = "SIZE", value_parser = OpenArgs::size)]
    pub max_image: Option<u64>,
    /// A game's folder, its ini file, or a folder of packages: what they declare is used (may be repeated)
    #[arg(long, value_name = "DIR")]
    pub env: Vec<PathBuf>,
    /// Names of compiled code for packages of containers: the ScriptObjects chunk of global.utoc; of UE4 the
    /// LoaderGlobalNames chunk, then, in a second one, the LoaderInitialLoadMeta chunk
    #[arg(long, value_name = "FILE", help_heading = help::COOKED)]
    pub script_objects: Vec<PathBuf>,
    /// What `env` names, made when it is asked for first.
    #[arg(skip)]
    around: Arc<OnceLock<Arc<Environment>>>,
    /// What imports of packages in containers are called, likewise.
    #[arg(skip)]
    names: Arc<OnceLock<Arc<dyn ImportNames>>>,
    /// The library's form of these arguments, by the `upk.toml` that adds to them.
    #[arg(skip)]
    made: Arc<Mutex<BTreeMap<Option<PathBuf>, OpenOptions>>>,
}

fn games() -> impl TypedValueParser<Value = Game> {
    let slugs = Game::ALL.iter().map(|game| game.slug());
    PossibleValuesParser::new(slugs).try_map(|slug| slug.parse::<Game>())
}

impl OpenArgs {
    /// A number of bytes, or of those that `K`, `M` and `G` stand for.
    pub fn size(text: &str) -> Result<u64, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            "G" => 1 << 30,
            unit => return Err(format!("{unit} is no unit; K, M and G are known")),
        };
        let number: u64 = digits.parse().map_err(|error| format!("{digits}: {error}"))?;
        number.checked_mul(unit).ok_or_else(|| "too many bytes".to_owned())
    }

    /// The arguments as words, by their options: for another command that is to open as this one does.
    pub fn words(&self) -> Vec<[OsString; 2]> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: OsString| words.push([option.into(), value]);
        if self.game != Game::Detect {
            add("--game", self.game.slug().into());
        }
        self.engine.iter().for_each(|engine| add("--engine", engine.to_string().into()));
        self.mappings.iter().for_each(|path| add("--mappings", path.into()));
        self.max_image.iter().for_each(|size| add("--max-image", size.to_string().into()));
        self.env.iter().for_each(|path| add("--env", path.into()));
        self.script_objects.iter().for_each(|path| add("--script-objects", path.into()));
        words
    }

    /// The library's form of these arguments, and of what `upk.toml` says for packages at `path`.
    pub fn options(&self, path: &Path) -> Result<OpenOptions, Failure> {
        let options = self.options_without_names(path)?;
        if let Some(known) = self.names.get() {
            return Ok(options.import_names(known.clone()));
        }
        let environment = self.environment(path)?;
        if environment.is_none() && self.script_objects.is_empty() {
            return Ok(options);
        }
        let in_container = environment.as_ref().and_then(|known| known.script_objects());
        let scripts = match in_container.filter(|_| self.script_objects.is_empty()) {
            Some(scripts) => scripts.clone(),
            None => self.scripts()?,
        };
        let scripts = Arc::new(scripts);
        let names: Arc<dyn ImportNames> = match environment {
            Some(environment) => Arc::new(EnvironmentNames::new(environment, scripts)),
            None => Arc::new(KnownObjects::new(Arc::unwrap_or_clone(scripts))),
        };
        Ok(options.import_names(self.names.get_or_init(|| names).clone()))
    }

    /// The same for the packages of `--env`: they are asked for names, and can't wait for each other's.
    pub fn options_of_others(&self, path: &Path) -> Result<OpenOptions, Failure> {
        let options = self.options_without_names(path)?;
        match self.script_objects.is_empty() {
            true => Ok(options),
            false => Ok(options.import_names(Arc::new(KnownObjects::new(self.scripts()?)))),
        }
    }

    /// The names of compiled code.
    fn scripts(&self) -> Result<ScriptPaths, Failure> {
        let read = |path: &PathBuf| read(path).map(|bytes| (path.clone(), bytes));
        let files: Vec<_> = self.script_objects.iter().map(read).collect::<Result<_, _>>()?;
        let scripts = match &*files {
            [] => return Ok(ScriptPaths::default()),
            [(_, objects)] => ScriptPaths::from_bytes(objects),
            [(_, names), (_, objects)] => ScriptPaths::from_ue4(names, objects),
            _ => {
                let next =
                    "name one chunk, of UE4 two: LoaderGlobalNames, then LoaderInitialLoadMeta";
                return Err(Failure::usage(format!(
                    "{} files of script objects\n  next: {next}",
                    files.len()
                )));
            }
        };
        scripts.map_err(|error| unopened(&files[0].0, error))
    }

    /// The same without names of imports.
    fn options_without_names(&self, path: &Path) -> Result<OpenOptions, Failure> {
        let config = Config::near(path)?;
        let mut options = self.options_without_engine(path)?;
        if let Some(release) = self.engine.or(config.engine) {
            options = options.engine(release);
        }
        Ok(options)
    }

    /// The same for those who look for the engine's release.
    pub fn options_without_engine(&self, path: &Path) -> Result<OpenOptions, Failure> {
        let config = Config::near(path)?;
        let mut known = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(options) = known.get(&config.path) {
            return Ok(options.clone());
        }
        let game = match self.game {
            Game::Detect => config.game.unwrap_or_default(),
            game => game,
        };
        let containers = containers::open(path, self.max_image)?;
        let mut options = OpenOptions::new().containers(containers).game(game);
        options = options.links(input::links());
        if let Some(bytes) = self.max_image {
            options = options.max_image(bytes);
        }
        match (&self.mappings, &config.mappings) {
            (Some(path), _) => options = options.mappings(mappings(path)?),
            (None, Some(path)) => {
                let found = found_mappings(path).map_err(|failure| config.blame(failure))?;
                options = options.mappings(found);
            }
            (None, None) => {}
        }
        known.insert(config.path.clone(), options.clone());
        Ok(options)
    }

    /// Opens the package at `path` and gives it what the packages of `--env` declare; a failure is one of
    /// the input.
    pub fn open(&self, path: &Path) -> Result<Package, Failure> {
        self.with_class_layouts(self.open_alone(path)?, path)
    }

    /// The same for those who only look: also where no engine release is known to read the package, as far as that
    /// goes.
    pub fn open_partly(&self, path: &Path) -> Result<Package, Failure> {
        let options = self.options(path)?.partly();
        self.with_class_layouts(Self::open_with(path, &options)?, path)
    }

    /// Opens the package at `path` alone, for commands that look at its environment themselves.
    pub fn open_alone(&self, path: &Path) -> Result<Package, Failure> {
        Self::open_with(path, &self.options(path)?)
    }

    fn open_with(path: &Path, options: &OpenOptions) -> Result<Package, Failure> {
        refuse_folder(path)?;
        let package = input::open(path, options).map_err(|error| unopened(path, error))?;
        if let Some(better) = ReleaseDetection::better(&package, options) {
            let (best, path) = (better.best_text(), path.display());
            warn_early(&format!(
                "{path}: {best} would read more of it than the release that was given"
            ));
        }
        Ok(package)
    }

    /// The packages of `--env`, or of the `upk.toml` near `path`, if there are any.
    pub fn environment(&self, path: &Path) -> Result<Option<Arc<Environment>>, Failure> {
        let config = Config::near(path)?;
        let places = if self.env.is_empty() { &config.env } else { &self.env };
        if places.is_empty() {
            return Ok(None);
        }
        if let Some(known) = self.around.get() {
            return Ok(Some(known.clone()));
        }
        let made = environment(places, self, path);
        let made = made.map_err(|failure| match self.env.is_empty() {
            true => config.blame(failure),
            false => failure,
        });
        let made = Arc::new(made?);
        Ok(Some(self.around.get_or_init(|| made).clone()))
    }

    /// The defaults of imported classes, from the packages of `--env`, if there are any.
    pub fn defaults(&self, path: &Path) -> Result<Option<EnvironmentDefaults>, Failure> {
        Ok(self.environment(path)?.map(EnvironmentDefaults::new))
    }

    /// The packages of `--env`, or those in the folder that `file` lies in.
    pub fn around(&self, file: &Path) -> Result<Arc<Environment>, Failure> {
        let container = Containers::split(file).map(|(container, _)| container);
        let file = container.as_deref().unwrap_or(file);
        match self.environment(file)? {
            Some(environment) => Ok(environment),
            None => environment(&[parent_of(file).to_path_buf()], self, file).map(Arc::new),
        }
    }

    fn with_class_layouts(&self, mut package: Package, path: &Path) -> Result<Package, Failure> {
        if let Some(environment) = self.environment(path)? {
            environment.add_class_layouts(&mut package);
        }
        Ok(package)
    }
}

/// The mappings in a `.usmap` file.
pub fn mappings(path: &Path) -> Result<Arc<Mappings>, Failure> {
    let mappings = Mappings::from_bytes(&read(path)?).map_err(|error| unopened(path, error))?;
    Ok(Arc::new(mappings))
}

/// The same of a file that `upk.toml` names.
fn found_mappings(path: &Path) -> Result<Arc<Mappings>, Failure> {
    let read = || Mappings::from_bytes(&file::read_found(path)?.0);
    read().map(Arc::new).map_err(|error| unopened(path, error))
}

/// The bytes of an input file, or of standard input.
pub fn read(path: &Path) -> Result<Bytes, Failure> {
    Ok(read_state(path)?.0)
}

/// The text of an input file, or of standard input, without a byte order mark.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    read_text_or(path, "is not UTF-8\n  next: save it as UTF-8")
}

/// The same of a file for which another reason and another step fit better.
pub fn read_text_or(path: &Path, refusal: &str) -> Result<String, Failure> {
    let text = String::from_utf8(read(path)?.into())
        .map_err(|_| Failure::usage(format!("'{}' {refusal}", path.display())))?;
    Ok(text.strip_prefix('\u{feff}').map(ToOwned::to_owned).unwrap_or(text))
}

/// The bytes of an input file with what the file was, for those who replace it.
pub fn read_state(path: &Path) -> Result<File, Failure> {
    refuse_folder(path)?;
    input::read(path).map_err(|error| unopened(path, error))
}

fn refuse_folder(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        let path = path.display();
        let next = "name one package in it; `upk verify`, `doctor`, `grep`, `scan`, `maps` and `edit` take folders";
        return Err(Failure::usage(format!("'{path}' is a folder\n  next: {next}")));
    }
    Ok(())
}

pub fn unopened(path: &Path, error: Error) -> Failure {
    let is_io = matches!(error.kind(), unreal_packages::ErrorKind::Io { .. })
        || matches!(error.unreal(), Some(UnrealError::NotReadable { .. }));
    let error = anyhow::Error::new(error);
    // I/O errors name the file themselves.
    Failure::Usage(if is_io { error } else { error.context(path.display().to_string()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_example_of_the_help_is_a_valid_command_line() {
        let cli = Cli::command();
        cli.clone().debug_assert();
        for command in cli.get_subcommands().chain([&cli]) {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<_> = help.lines().filter(|line| line.starts_with("  upk ")).collect();
            assert!(!examples.is_empty(), "{name} has no examples");
            for example in examples {
                // A remark stands behind two spaces, a shell's own words behind a pipe or an arrow.
                let words = example.trim().split("  ").next().unwrap_or_default();
                let words = words.split(['|', '>']).next().unwrap_or_default();
                let words = shlex::split(words).unwrap_or_default();
                assert!(name == "upk" || words[1] == name, "{name}: {example}");
                assert!(Cli::try_parse_from(&words).is_ok(), "{name}: {example}");
            }
        }
    }
}
