//! Where actors go that a command moves or copies.

use clap::Args;
use unreal_packages::edit::Edit;

use crate::failure::Failure;

/// The way from where actors stand to where they are to stand.
#[derive(Debug, Args)]
pub struct PlacingArgs {
    /// Move the actors, or their copies, by so much: (X=0,Y=0,Z=64)
    #[arg(long, value_name = "VECTOR", allow_hyphen_values = true)]
    offset: Option<String>,
}

impl PlacingArgs {
    /// Moves these actors.
    pub fn place(&self, edit: &mut Edit, rows: &[usize]) -> Result<(), Failure> {
        if let Some(offset) = &self.offset {
            edit.move_actors(rows, offset)?;
        }
        Ok(())
    }
}
