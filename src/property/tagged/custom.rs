//! Custom versions that layouts of properties depend on (spec: ue4-5/07).

use crate::{Guid, Versions};

pub const CORE: Guid = Guid::new(0x375EC13C, 0x06E448FB, 0xB50084F0, 0x262A717E);
pub const EDITOR: Guid = Guid::new(0xE4B068ED, 0xF49442E9, 0xA231DA0B, 0x2E46BB41);
pub const FRAMEWORK: Guid = Guid::new(0xCFFC743F, 0x43B04480, 0x939114DF, 0x171D2073);
pub const RELEASE: Guid = Guid::new(0x9C54D522, 0xA8264FBE, 0x94210746, 0x61B482D0);
pub const ANIM_PHYS: Guid = Guid::new(0x29E575DD, 0xE0A34627, 0x9D10D276, 0x232CDCEA);
pub const SEQUENCER: Guid = Guid::new(0x7B5AE74C, 0xD2704C10, 0xA9585798, 0x0B212A5A);
pub const BLUEPRINTS: Guid = Guid::new(0xB0D832E4, 0x1F894F0D, 0xACCF7EB7, 0x36FD4AA2);
pub const FORTNITE_MAIN: Guid = Guid::new(0x601D1886, 0xAC644F84, 0xAA16D3DE, 0x0DEAC7D6);
pub const UE5_RELEASE: Guid = Guid::new(0xD89B5E42, 0x24BD4D46, 0x8412ACA8, 0xDF641779);

/// Whether the package still has what only the editor needs.
pub fn has_editor_data(versions: &Versions) -> bool {
    !versions.filter_editor_only
}
