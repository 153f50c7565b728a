//! A class with code: a function, and a state with one of its own.

use unreal_packages::generate::Profile;
use unreal_packages::make::Maker;
use unreal_packages::package::Package;
use unreal_packages::{Error, Result};

const SOURCE: &str = "\
class LampPost extends Object;

var int Brightness;
var bool bLit;

function int Light(int Wanted)
{
\tlocal int Old;

\tOld = Brightness;
\tBrightness = Wanted;
\tbLit = true;
\treturn Old;
}

state Broken
{
\tfunction int Light(int Wanted)
\t{
\t\tbLit = false;
\t\treturn 0;
\t}
}

defaultproperties
{
\tBrightness=64
}
";

pub(super) fn make() -> Result<Package> {
    let mut maker = Maker::new("LampPost", Profile::UT99);
    maker.source("LampPost.uc", SOURCE);
    let made = maker.make()?;
    let errors: Vec<String> = made.diagnostics.iter().map(ToString::to_string).collect();
    made.package.ok_or_else(|| Error::invalid(errors.join("\n")))
}
