//! Functions that the engine asks about before it calls them: each has a bit in the masks of classes and states.

use crate::compile::syntax::Function;

use super::class_maker::ClassMaker;

/// The bits by name (spec: ue1-3/12 §12.6).
const PROBES: &[(u32, &str)] = &[
    (0, "Spawned"),
    (1, "Destroyed"),
    (2, "GainedChild"),
    (3, "LostChild"),
    (6, "Trigger"),
    (7, "UnTrigger"),
    (8, "Timer"),
    (9, "HitWall"),
    (10, "Falling"),
    (11, "Landed"),
    (12, "ZoneChange"),
    (12, "PhysicsVolumeChange"),
    (13, "Touch"),
    (14, "UnTouch"),
    (15, "Bump"),
    (16, "BeginState"),
    (17, "EndState"),
    (18, "BaseChange"),
    (19, "Attach"),
    (20, "Detach"),
    (21, "ActorEntered"),
    (22, "ActorLeaving"),
    (23, "KillCredit"),
    (24, "AnimEnd"),
    (25, "EndedRotation"),
    (26, "InterpolateEnd"),
    (27, "EncroachingOn"),
    (28, "EncroachedBy"),
    (29, "FootZoneChange"),
    (30, "HeadZoneChange"),
    (30, "HeadVolumeChange"),
    (31, "PainTimer"),
    (32, "SpeechTimer"),
    (33, "MayFall"),
    (35, "Die"),
    (36, "Tick"),
    (37, "PlayerTick"),
    (38, "Expired"),
    (40, "SeePlayer"),
    (41, "EnemyNotVisible"),
    (42, "HearNoise"),
    (43, "UpdateEyeHeight"),
    (44, "SeeMonster"),
    (45, "SeeFriend"),
    (46, "SpecialHandling"),
    (47, "BotDesireability"),
    (63, "All"),
];

/// The bit of a function, if it is one of these.
pub(super) fn probe_bit(name: &str) -> Option<u64> {
    let found = PROBES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
    found.map(|(bit, _)| 1 << bit)
}

/// Those of UE3, by name: the ones whose bits states and classes of real packages show.
const PROBES_OF_UE3: &[(u32, &str)] = &[
    (0, "Destroyed"),
    (1, "GainedChild"),
    (2, "LostChild"),
    (3, "HitWall"),
    (4, "Falling"),
    (5, "Landed"),
    (6, "Touch"),
    (7, "UnTouch"),
    (8, "Bump"),
    (9, "BeginState"),
    (10, "EndState"),
    (11, "BaseChange"),
    (12, "Attach"),
    (13, "Detach"),
    (14, "EncroachingOn"),
    (15, "EncroachedBy"),
    (17, "Tick"),
    (18, "SeePlayer"),
    (26, "PlayerTick"),
    (28, "PreBeginPlay"),
    (29, "PostBeginPlay"),
];

impl ClassMaker<'_> {
    /// The bit of a function that a class or state has: of UE3's those alone that do something.
    pub(super) fn probe(&self, written: &Function) -> u64 {
        if !self.is_ue3() {
            return probe_bit(&written.name.text).unwrap_or(0);
        }
        let body = written.body.as_ref();
        let is_empty = body.is_none_or(|it| it.open + 1 == it.close);
        if is_empty {
            return 0;
        }
        let is_known = |it: &&(u32, &str)| it.1.eq_ignore_ascii_case(&written.name.text);
        PROBES_OF_UE3.iter().find(is_known).map_or(0, |(bit, _)| 1 << bit)
    }
}
