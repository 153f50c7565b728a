//! Where actors go that a command moves or copies.

use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::json;
use unreal_packages::edit::{ActorMotion, Edit, MirrorAxis};
use unreal_packages::inspect::Defaults;

use super::edit::Change;
use crate::args::OpenArgs;
use crate::failure::Failure;

/// The way from where actors stand to where they are to stand.
#[derive(Debug, Args)]
pub struct PlacingArgs {
    /// Move the actors, or their copies, by so much: (X=0,Y=0,Z=64)
    #[arg(long, value_name = "VECTOR", allow_hyphen_values = true, help_heading = "Placing")]
    offset: Option<String>,
    /// Turn them about the pivot: (Yaw=90deg), (Pitch=0,Yaw=16384,Roll=0); plain numbers are those of the package's own
    /// rotators, 65536 a turn in UE1 to UE3, degrees in UE4 and UE5
    #[arg(long, value_name = "ROTATOR", help_heading = "Placing")]
    rotate: Option<String>,
    /// Mirror them along this axis of the world, before they are turned
    #[arg(long, value_enum, ignore_case = true, value_name = "AXIS", help_heading = "Placing")]
    mirror: Option<AxisArg>,
    /// Turn and mirror them about this place: (X=0,Y=0,Z=0); the middle of the group is what is not given
    #[arg(long, value_name = "VECTOR", allow_hyphen_values = true, help_heading = "Placing")]
    pivot: Option<String>,
}

/// `--mirror`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum AxisArg {
    /// Along X
    X,
    /// Along Y
    Y,
    /// Along Z
    Z,
}

impl PlacingArgs {
    /// Places these actors, and says so in what a command has changed.
    pub fn place(
        &self,
        edit: &mut Edit,
        rows: &[usize],
        (open, file): (&OpenArgs, &Path),
        change: &mut Change,
    ) -> Result<(), Failure> {
        let mut motion = ActorMotion::new();
        if let Some(offset) = &self.offset {
            motion = motion.offset(offset);
        }
        if let Some(rotation) = &self.rotate {
            motion = motion.rotation(rotation);
        }
        if let Some(pivot) = &self.pivot {
            if self.rotate.is_none() && self.mirror.is_none() {
                let next = "give --rotate or --mirror with it; --offset needs no pivot";
                return Err(Failure::usage(format!("nothing turns about --pivot\n  next: {next}")));
            }
            motion = motion.pivot(pivot);
        }
        motion = match self.mirror {
            Some(AxisArg::X) => motion.mirror(MirrorAxis::X),
            Some(AxisArg::Y) => motion.mirror(MirrorAxis::Y),
            Some(AxisArg::Z) => motion.mirror(MirrorAxis::Z),
            None => motion,
        };
        if self.offset.is_none() && self.rotate.is_none() && self.mirror.is_none() {
            return Ok(());
        }
        let defaults = open.defaults(file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        let done = edit.place_actors(rows, &motion, defaults)?;
        let (mut json, mut done_so) = (json!({}), Vec::new());
        if let Some(axis) = self.mirror {
            let axis = format!("{axis:?}");
            done_so.push(format!("mirrored along {axis}"));
            json["mirror"] = json!(axis);
        }
        if let Some([pitch, yaw, roll]) = done.degrees {
            done_so.push(format!("turned by pitch {pitch}°, yaw {yaw}°, roll {roll}°"));
            json["degrees"] = json!([pitch, yaw, roll]);
        }
        if let Some([x, y, z]) = done.pivot {
            let done_so = done_so.join(" and ");
            change.text.push_str(&format!("\n{done_so} about (X={x},Y={y},Z={z})"));
            json["pivot"] = json!([x, y, z]);
        }
        if let Some(offset) = &self.offset {
            json["offset"] = json!(offset);
        }
        change.json["placed"] = json;
        Ok(())
    }
}
