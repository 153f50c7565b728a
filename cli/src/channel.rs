//! `--channel`: one colour of a texture.

use clap::ValueEnum;
use unreal_packages::content::Channel;

/// `--channel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ChannelArg {
    /// The first
    Red,
    /// The second
    Green,
    /// The third
    Blue,
    /// The fourth
    Alpha,
}

impl ChannelArg {
    /// The channel.
    pub fn channel(self) -> Channel {
        match self {
            Self::Red => Channel::Red,
            Self::Green => Channel::Green,
            Self::Blue => Channel::Blue,
            Self::Alpha => Channel::Alpha,
        }
    }

    /// What names of its files have behind that of the texture: `~alpha`.
    pub fn suffix(self) -> String {
        format!("~{}", self.channel())
    }
}
