//! Files around packages of UE4 and UE5, and the other header that packages have in them.
//!
//! | folder | holds |
//! |---|---|
//! | `zen` | the header of packages in IoStore containers |

pub mod zen;
