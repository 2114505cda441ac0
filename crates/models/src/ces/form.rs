//! The members of the family and their parameters.

/// How the season enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Not at all.
    None,
    /// Level and potential refer to the same phase of the previous cycle.
    Simple,
    /// As a real state beside the level.
    Partial,
    /// As a complex state beside the level.
    Full,
}

/// alpha, then beta, each as its real and imaginary part; a part that a form lacks is zero and not read.
pub(crate) type Parameters = [f64; 4];

/// A point of the search: the parameters, with each imaginary part as a part of its highest value.
type Point = [f64; 4];

const LOWEST: Point = [0.01; 4];
const HIGHEST: Point = [2.3, 1.0, 1.5, 1.0];

/// The most that a complex state may grow by from step to step of a forecast (its lag), and by that times the steps of a
/// cycle.
const MOST_GROWTH: f64 = 0.1;
const MOST_CYCLE_GROWTH: f64 = 0.2;

/// The highest imaginary part `p1 = 1 + g² + g·p0` of a parameter with real part `p0`: the one for which a complex
/// state grows by `g` a step while nothing is observed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ceiling {
    growth: f64,
}

impl Ceiling {
    pub(crate) fn for_period(period: usize) -> Self {
        Self { growth: MOST_GROWTH.min(MOST_CYCLE_GROWTH / period.max(1) as f64) }
    }

    fn height(self, real: f64) -> f64 {
        1.0 + self.growth * (self.growth + real)
    }

    /// The parameters of a point.
    pub(crate) fn parameters(self, point: &[f64]) -> Parameters {
        let mut parameters = [0.0; 4];
        for (pair, point) in parameters.chunks_mut(2).zip(point.chunks(2)) {
            pair[0] = point[0];
            if let Some(part) = point.get(1) {
                pair[1] = part * self.height(point[0]);
            }
        }
        parameters
    }

    /// The derivatives of a pair of parameters by the coordinates of `point`, of which they are pair number `pair`:
    /// those of the imaginary part by the first and by the second coordinate; the real part is the first one.
    pub(crate) fn slopes(self, point: &[f64], pair: usize) -> [f64; 2] {
        let at = 2 * pair;
        [self.growth * point[at + 1], self.height(point[at])]
    }
}

impl Form {
    /// The number of parameters that are searched.
    pub(crate) const fn searched(self) -> usize {
        match self {
            Self::None | Self::Simple => 2,
            Self::Partial => 3,
            Self::Full => 4,
        }
    }

    /// The number of quantities that the Akaike criterion counts, the error variance included. The starting states
    /// come from the data by one rule for all forms and do not count.
    pub(crate) const fn counted(self) -> usize {
        self.searched() + 1
    }

    /// Where searches may start; the best one is followed. At 1 + i nothing is learnt from errors, so that no start
    /// lies there.
    pub(crate) const fn starts(self) -> &'static [Point] {
        match self {
            Self::None | Self::Simple => {
                &[[1.3, 0.95, 0.0, 0.0], [1.05, 0.95, 0.0, 0.0], [1.6, 0.95, 0.0, 0.0], [1.9, 0.95, 0.0, 0.0]]
            }
            Self::Partial => &[
                [1.3, 0.95, 0.1, 0.0],
                [1.05, 0.95, 0.4, 0.0],
                [1.6, 0.95, 0.4, 0.0],
                [1.3, 0.95, 0.02, 0.0],
            ],
            Self::Full => &[
                [1.6, 0.95, 1.3, 0.95],
                [1.6, 0.95, 1.0, 0.95],
                [1.3, 0.95, 1.3, 0.95],
                [1.1, 0.95, 1.0, 0.95],
            ],
        }
    }

    /// The lowest and the highest point of the search.
    pub(crate) fn bounds(self) -> (&'static [f64], &'static [f64]) {
        (&LOWEST[..self.searched()], &HIGHEST[..self.searched()])
    }
}

/// Whether the errors of a complex state forget where it started: the eigenvalues of
/// `[1 - a0 + a1, a1 - 1; 1 - a0 - a1, 1 - a0]` lie within the unit circle.
pub(crate) fn forgets(a0: f64, a1: f64) -> bool {
    let trace = 2.0 - 2.0 * a0 + a1;
    let determinant = (1.0 - a0 + a1) * (1.0 - a0) - (a1 - 1.0) * (1.0 - a0 - a1);
    determinant < 1.0 && trace.abs() < 1.0 + determinant
}
