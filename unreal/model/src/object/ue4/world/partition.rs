//! Partitions of worlds, as they are cooked.

use crate::Archived;
use crate::object::ue4::condition::from_release;
use crate::primitive::{FString, PackageIndex};
use crate::version::custom;

/// A world in parts.
///
/// C++: `UWorldPartition`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct WorldPartition {
    /// Whether it was cooked.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::WORLD_PARTITION_SERIALIZE_STREAMING_POLICY_ON_COOK)]
    pub cooked: bool,
    /// Decides which parts are loaded.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::WORLD_PARTITION_SERIALIZE_STREAMING_POLICY_ON_COOK)]
    #[archive(when = self.cooked)]
    pub streaming_policy: PackageIndex,
}

/// A part of a world: when it is loaded.
///
/// C++: `UWorldPartitionRuntimeCellData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct RuntimeCellData {
    /// Its name for people, from 5.3 on.
    #[archive(when = from_release(ar, 5, 3))]
    pub debug_name: FString,
}
