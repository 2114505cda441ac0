use crate::class::Class;

/// How much work a series is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Closed forms only: under a millisecond a series.
    Fast,
    /// The default: exponential smoothing chosen by likelihood joins in.
    Balanced,
    /// Every model and the longest history.
    Best,
}

impl Preset {
    /// The preset with this name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "fast" => Some(Self::Fast),
            "balanced" => Some(Self::Balanced),
            "best" => Some(Self::Best),
            _ => None,
        }
    }

    /// Older steps than this are not looked at: they cost time and say little about the next season.
    pub(crate) fn max_history(self) -> usize {
        match self {
            Self::Fast => 1_000,
            Self::Balanced => 2_500,
            Self::Best => 5_000,
        }
    }

    /// Registry names of the models that are combined for a series of this class; none for those that need no model.
    pub(crate) fn members(self, class: Class) -> &'static [&'static str] {
        match (self, class) {
            (_, Class::Constant | Class::Tiny) => &[],
            (Self::Fast, _) => &["dotm"],
            (_, Class::Intermittent | Class::Unseasonal) => &["ets", "dotm", "drift"],
            (Self::Balanced | Self::Best, Class::Regular) => &["ets", "dotm", "level_by_shape"],
        }
    }
}
