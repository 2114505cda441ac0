//! The orders of a model and its coefficients.

/// The most coefficients of each kind, as in the source's stepwise search.
pub(super) const MOST: usize = 5;
/// The most seasonal coefficients of each kind.
pub(super) const MOST_SEASONAL: usize = 2;
/// The most coefficients of all kinds together.
pub(super) const MOST_TOGETHER: usize = 2 * (MOST + MOST_SEASONAL);

/// The orders of an ARMA model of the differenced series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    /// Autoregressive terms at lags 1, 2, ...
    pub(super) p: usize,
    /// Autoregressive terms at whole seasons.
    pub(super) seasonal_p: usize,
    /// Moving-average terms at lags 1, 2, ...
    pub(super) q: usize,
    /// Moving-average terms at whole seasons.
    pub(super) seasonal_q: usize,
    /// Whether the differenced series has a mean: the level without differences, the slope after one.
    pub(super) constant: bool,
}

impl Order {
    /// The number of coefficients, without the mean.
    pub(super) const fn len(&self) -> usize {
        self.p + self.seasonal_p + self.q + self.seasonal_q
    }
}

/// An ARMA model in factors:
/// `(1 - ar(B)) (1 - seasonal_ar(B^m)) u = (1 + ma(B)) (1 + seasonal_ma(B^m)) e`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arma {
    pub(super) order: Order,
    pub(super) season: usize,
    /// In the order of the four accessors below.
    pub(super) coefficients: [f64; MOST_TOGETHER],
}

impl Arma {
    /// The model whose coefficients are all zero.
    pub(super) const fn white(order: Order, season: usize) -> Self {
        Self { order, season, coefficients: [0.0; MOST_TOGETHER] }
    }

    pub(super) fn ar(&self) -> &[f64] {
        &self.coefficients[..self.order.p]
    }

    pub(super) fn seasonal_ar(&self) -> &[f64] {
        &self.coefficients[self.order.p..][..self.order.seasonal_p]
    }

    pub(super) fn ma(&self) -> &[f64] {
        &self.coefficients[self.order.p + self.order.seasonal_p..][..self.order.q]
    }

    pub(super) fn seasonal_ma(&self) -> &[f64] {
        &self.coefficients[self.order.len() - self.order.seasonal_q..][..self.order.seasonal_q]
    }

    /// The same coefficients in a model of another order: surplus ones are dropped, new ones are zero.
    pub(super) fn resized(&self, order: Order) -> Self {
        let mut resized = Self::white(order, self.season);
        let mut place = 0;
        for (from, length) in [
            (self.ar(), order.p),
            (self.seasonal_ar(), order.seasonal_p),
            (self.ma(), order.q),
            (self.seasonal_ma(), order.seasonal_q),
        ] {
            for index in 0..length {
                resized.coefficients[place] = from.get(index).copied().unwrap_or(0.0);
                place += 1;
            }
        }
        resized
    }

    /// Whether the roots of the two autoregressive factors lie outside the unit circle.
    pub(super) fn is_stationary(&self) -> bool {
        roots_lie_beyond(self.ar(), 1.0, 1.0) && roots_lie_beyond(self.seasonal_ar(), 1.0, 1.0)
    }

    /// Whether all roots of all four factors, as polynomials of the one-step lag, lie outside the circle of this
    /// radius.
    pub(super) fn has_roots_beyond(&self, radius: f64) -> bool {
        let seasonal = radius.powi(self.season as i32);
        roots_lie_beyond(self.ar(), 1.0, radius)
            && roots_lie_beyond(self.seasonal_ar(), 1.0, seasonal)
            && roots_lie_beyond(self.ma(), -1.0, radius)
            && roots_lie_beyond(self.seasonal_ma(), -1.0, seasonal)
    }
}

/// Whether the roots of `1 - sign · (c[0]·z + c[1]·z² + ...)` all lie outside the circle of this radius.
///
/// The polynomial in `radius·z` then has its roots outside the unit circle, which holds exactly when all partial
/// autocorrelations of the autoregression lie within -1 and 1; the Durbin-Levinson recursion, run backwards, finds
/// them without finding roots (Monahan, A note on enforcing stationarity, Biometrika 71 (1984)).
fn roots_lie_beyond(coefficients: &[f64], sign: f64, radius: f64) -> bool {
    let mut work = [0.0; MOST];
    let mut power = sign;
    for (place, coefficient) in work.iter_mut().zip(coefficients) {
        power *= radius;
        *place = coefficient * power;
    }
    for length in (1..=coefficients.len()).rev() {
        let partial = work[length - 1];
        let rest = 1.0 - partial * partial;
        if rest.is_nan() || rest <= 0.0 {
            return false;
        }
        let mut before = [0.0; MOST];
        for index in 0..length - 1 {
            before[index] = (work[index] + partial * work[length - 2 - index]) / rest;
        }
        work = before;
    }
    true
}
