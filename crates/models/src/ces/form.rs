//! The forms of the family and their parameters.

/// The kind of season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// No season.
    None,
    /// Level and potential refer to the same phase of the previous cycle.
    Simple,
    /// As a real state beside the level.
    Partial,
    /// As a complex state beside the level.
    Full,
}

/// alpha, then beta, each as its real and imaginary part; parts that a form lacks are zero and not read.
pub(crate) type Parameters = [f64; 4];

/// A point of the search: the parameters, with each imaginary part scaled between its lowest and its highest value.
pub(crate) type Point = [f64; 4];

/// The lowest and highest real parts of alpha (before the region limits them further) and of beta.
const LEAST: [f64; 2] = [1.0, 0.01];
const MOST: [f64; 2] = [2.3, 1.5];

/// The lowest imaginary part, and the distance of alpha's imaginary part from the edge of the region where errors are
/// forgotten (`mod.rs` has the reason).
const LOWEST: f64 = 0.01;
const FROM_EDGE: f64 = 0.03;

/// The largest growth of a complex state per step (its lag) of a forecast, and per step times the steps of a cycle.
const MOST_GROWTH: f64 = 0.1;
const MOST_CYCLE_GROWTH: f64 = 0.2;

/// The search region, which is a box in the coordinates of a [`Point`].
///
/// The highest imaginary part of a parameter with real part `p0` is `1 + g² + g·p0`; with it, a complex state without
/// observations grows by `g` per step. The errors forget where the state started when the eigenvalues of `[1 - a0 + a1,
/// a1 - 1; 1 - a0 - a1, 1 - a0]` lie within the unit circle. Below the highest imaginary part, for a0 of at least 1,
/// only an eigenvalue of -1 is in reach, on the circle `(5/2 - a0)² + a1² = 5/4`. (For a0 below 1 there is another part
/// of the region, with one in 2,000 of the optima that statsforecast finds on M4 series.) Many optima lie on that edge,
/// so it must be a face of the box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Region {
    growth: f64,
    /// The real part at which the highest imaginary part of alpha meets the lowest.
    most_real: f64,
}

impl Region {
    pub(crate) fn for_period(period: usize) -> Self {
        let growth = MOST_GROWTH.min(MOST_CYCLE_GROWTH / period.max(1) as f64);
        let mut region = Self { growth, most_real: MOST[0] };
        let (mut low, mut high) = (1.5, MOST[0]);
        if lowest(high)[0] >= region.highest(high) {
            while high - low > 1e-9 {
                let middle = f64::midpoint(low, high);
                if lowest(middle)[0] < region.highest(middle) { low = middle } else { high = middle }
            }
            region.most_real = low;
        }
        region
    }

    fn highest(self, real: f64) -> f64 {
        1.0 + self.growth * (self.growth + real)
    }

    /// The parameters of a point.
    pub(crate) fn parameters(self, point: &[f64]) -> Parameters {
        let mut parameters = [0.0; 4];
        for (pair, point) in point.chunks(2).enumerate() {
            parameters[2 * pair] = point[0];
            if let Some(part) = point.get(1) {
                let [low, _] = floor(point[0], pair);
                parameters[2 * pair + 1] = low + part * (self.highest(point[0]) - low);
            }
        }
        parameters
    }

    /// The derivatives of parameter pair number `pair` with respect to the coordinates of `point`: those of the
    /// imaginary part by the first and by the second coordinate. The real part equals the first coordinate.
    pub(crate) fn slopes(self, point: &[f64], pair: usize) -> [f64; 2] {
        let (real, part) = (point[2 * pair], point[2 * pair + 1]);
        let [low, slope] = floor(real, pair);
        [slope + part * (self.growth - slope), self.highest(real) - low]
    }

    /// The lowest and the highest point.
    pub(crate) fn bounds(self) -> (Point, Point) {
        ([LEAST[0], 0.0, LEAST[1], 0.0], [self.most_real, 1.0, MOST[1], 1.0])
    }

    /// The point of the box that is nearest to this one.
    pub(crate) fn nearest(self, point: &Point) -> Point {
        let (lower, upper) = self.bounds();
        std::array::from_fn(|index| point[index].clamp(lower[index], upper[index]))
    }

    /// Whether the parameters of a form lie in its search region.
    pub(crate) fn admits(self, form: Form, parameters: &Parameters) -> bool {
        let (lower, upper) = self.bounds();
        (0..form.searched()).all(|index| {
            let real = parameters[index & !1];
            let (low, high) = if index % 2 == 0 {
                (lower[index], upper[index])
            } else {
                (floor(real, index / 2)[0], self.highest(real))
            };
            (low..=high).contains(&parameters[index])
        })
    }
}

/// The lowest imaginary part of an alpha with this real part, and its derivative.
fn lowest(real: f64) -> [f64; 2] {
    let across = 2.5 - real;
    let square = 1.25 - across * across;
    if square > LOWEST * LOWEST {
        [square.sqrt() + FROM_EDGE, across / square.sqrt()]
    } else {
        [LOWEST + FROM_EDGE, 0.0]
    }
}

/// The lowest value of imaginary part number `pair`, and its derivative.
fn floor(real: f64, pair: usize) -> [f64; 2] {
    if pair == 0 { lowest(real) } else { [LOWEST, 0.0] }
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

    /// Number of quantities that the Akaike criterion counts, including the error variance. The starting states come
    /// from the data by one rule for all forms and do not count.
    pub(crate) const fn counted(self) -> usize {
        self.searched() + 1
    }

    /// Starting points of the searches, most promising first. Many series have several minima: on 250 yearly, 250
    /// quarterly and 250 monthly M4 series these starts, picked from ten or twelve, lead to the best one most often. At
    /// 1 + i nothing is learned from errors, so no start lies there.
    pub(crate) const fn starts(self) -> &'static [Point] {
        match self {
            Self::None => &[[1.9, 0.99, 0.0, 0.0], [1.3, 0.7, 0.0, 0.0]],
            Self::Simple => &[[1.9, 0.95, 0.0, 0.0], [1.05, 0.99, 0.0, 0.0]],
            Self::Partial => &[[1.6, 0.99, 0.4, 0.0], [1.6, 0.95, 0.02, 0.0]],
            Self::Full => &[[1.6, 0.95, 1.3, 0.95], [1.45, 0.7, 1.15, 0.97], [1.9, 0.99, 1.0, 0.95]],
        }
    }
}
