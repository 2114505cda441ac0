//! The forms of the exponential smoothing family.

/// How the level changes between observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trend {
    /// No change.
    None,
    /// By a constant slope.
    Additive,
    /// By a slope that fades.
    Damped,
}

/// The variance of an error, relative to the forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Error {
    /// The variance is constant.
    Additive,
    /// The variance is proportional to the squared forecast.
    Multiplicative,
}

/// The kind of season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Season {
    /// No season.
    None,
    /// Added to the level.
    Additive,
    /// Multiplied with the level, with multiplicative errors only: the combination with additive errors is numerically
    /// unstable, and all implementations leave it out.
    Multiplicative,
}

/// One member of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) error: Error,
    pub(crate) trend: Trend,
    pub(crate) season: Season,
}

/// The smoothing parameters in the form of the state equations. Parameters that a form lacks are zero, and `phi` is 1
/// for a slope that does not fade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Smoothing {
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    pub(crate) gamma: f64,
    pub(crate) phi: f64,
}

/// The searched parameters, each between 0 and 1: alpha, beta as a fraction of its highest value, gamma as a fraction
/// of 1 - alpha, and phi. The restrictions beta <= alpha and gamma <= 1 - alpha then become a plain box.
pub(crate) type Search = [f64; 4];

/// The derivatives of alpha, beta and gamma with respect to the first three searched parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slopes {
    pub(crate) alpha: [f64; 3],
    pub(crate) beta: [f64; 3],
    pub(crate) gamma: [f64; 3],
}

impl Slopes {
    /// For passes without derivatives.
    pub(crate) const NONE: Self = Self { alpha: [0.0; 3], beta: [0.0; 3], gamma: [0.0; 3] };
}

const SMALLEST: f64 = 1e-4;
/// The lowest and highest value of each searched parameter, if a form has it.
const LOWER: Search = [SMALLEST, SMALLEST, SMALLEST, 0.8];
const UPPER: Search = [1.0 - SMALLEST, 1.0 - SMALLEST, 1.0 - SMALLEST, 0.98];

impl Form {
    pub(crate) const fn has_trend(self) -> bool {
        !matches!(self.trend, Trend::None)
    }

    pub(crate) const fn has_season(self) -> bool {
        !matches!(self.season, Season::None)
    }

    /// The bounds of the search; a parameter that the form lacks has equal bounds.
    pub(crate) fn bounds(self) -> (Search, Search) {
        let free = self.free();
        let pick = |bound: Search| std::array::from_fn(|index| if free[index] { bound[index] } else { 0.0 });
        (pick(LOWER), pick(UPPER))
    }

    /// Which of the searched parameters the form has.
    pub(crate) const fn free(self) -> [bool; 4] {
        [true, self.has_trend(), self.has_season(), matches!(self.trend, Trend::Damped)]
    }

    /// The smoothing parameters at a point of the search, with beta at most alpha and `most_beta`.
    pub(crate) fn smoothing(self, search: &Search, most_beta: f64) -> (Smoothing, Slopes) {
        let [alpha, beta_part, gamma_part, phi] = *search;
        let highest_beta = alpha.min(most_beta);
        let smoothing = Smoothing {
            alpha,
            beta: highest_beta * beta_part,
            gamma: (1.0 - alpha) * gamma_part,
            phi: match self.trend {
                Trend::None => 0.0,
                Trend::Additive => 1.0,
                Trend::Damped => phi,
            },
        };
        let slopes = Slopes {
            alpha: [1.0, 0.0, 0.0],
            beta: [if alpha < most_beta { beta_part } else { 0.0 }, highest_beta, 0.0],
            gamma: [-gamma_part, 0.0, 1.0 - alpha],
        };
        (smoothing, slopes)
    }

    /// Whether the search of the whole family may reach this point, up to its distance from the bounds.
    pub(crate) fn admits(self, smoothing: &Smoothing) -> bool {
        let Smoothing { alpha, beta, gamma, phi } = *smoothing;
        (0.0..=1.0).contains(&alpha)
            && (0.0..=alpha).contains(&beta)
            && (0.0..=1.0 - alpha).contains(&gamma)
            && (self.trend != Trend::Damped || (LOWER[3]..=UPPER[3]).contains(&phi))
    }

    /// Number of estimated quantities: smoothing parameters, initial states (the seasonal ones sum to a constant) and
    /// the error variance.
    pub(crate) fn parameters(self, period: usize) -> usize {
        let smoothing = self.free().iter().filter(|&&free| free).count();
        let seasonal = if self.has_season() { period - 1 } else { 0 };
        smoothing + 1 + usize::from(self.has_trend()) + seasonal + 1
    }
}
