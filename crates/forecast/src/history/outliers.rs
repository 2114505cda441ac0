//! Single values far outside everything else in a history.
//!
//! A misplaced decimal point is not demand, but it distorts levels, seasons and above all interval widths for years.
//! Such a value is replaced by the usual value at its position, as a missing one would be. The test is that of Hampel
//! (Journal of the American Statistical Association 69, 1974), on distances from the median of the values at the same
//! position in neighbouring seasons. It is strict: recurring peaks, stretches, level shifts and intermittent demand
//! stay as they are.

use tabcast_calendar::Unit;

use crate::history::History;
use crate::run::plan::Plan;

/// An outlier lies more than this many robust deviations from the median.
const FURTHEST: f64 = 12.0;
/// It also lies this many times as far from the median as anything else in the history. A slip of the decimal point
/// is tenfold.
const BEYOND_OTHERS: f64 = 3.0;
/// The last value may be the first of a new level, so its thresholds are multiplied by this.
const LAST: f64 = 2.0;
/// If more than this share of a history stands out, it has peaks, not errors.
const MOST: f64 = 0.02;
/// With fewer values, nothing counts as usual.
const LEAST: usize = 8;
/// Number of values at the same position that are compared, before and after.
const NEIGHBOURS: usize = 3;
/// Lower limit of the spread as a fraction of the median, for histories that repeat exactly.
const LEAST_SPREAD: f64 = 0.02;
/// Share of zeros that makes a history intermittent; there the usual value says nothing about a single one.
const INTERMITTENT: f64 = 0.25;
/// Standard deviation of a normal distribution in units of its median absolute deviation.
const DEVIATION: f64 = 1.4826;

impl History {
    /// Replaces outliers by the usual value at their position, and counts them.
    pub(crate) fn without_outliers(mut self, plan: &Plan) -> Self {
        let found = find(&self, plan);
        if found.is_empty() {
            return self;
        }
        if self.observed.is_empty() {
            self.observed = vec![true; self.values.len()];
        }
        self.outliers = found.len();
        for (at, usual) in found {
            self.values[at] = usual;
            self.observed[at] = false;
        }
        self
    }
}

/// Indices of outliers and the usual values there.
fn find(history: &History, plan: &Plan) -> Vec<(usize, f64)> {
    let values = history.values.as_slice();
    let count = values.len();
    let zeros = values.iter().filter(|value| **value == 0.0).count();
    if count < LEAST || zeros as f64 > INTERMITTENT * count as f64 {
        return Vec::new();
    }
    let centre = median(&mut values.to_vec());
    let from_centre = |at: usize| (values[at] - centre).abs();
    let most = (MOST * count as f64).max(1.0) as usize;
    // Most histories end here, at little cost: nothing is far enough beyond the values that must stay.
    let mut far: Vec<f64> = (0..count).map(from_centre).collect();
    let (_, stays, furthest) = far.select_nth_unstable_by(count - 1 - most, f64::total_cmp);
    if furthest.iter().all(|far| *far <= BEYOND_OTHERS * *stays) {
        return Vec::new();
    }
    let season = if count >= 2 * plan.season { plan.season.max(1) } else { 1 };
    let usual: Vec<f64> = (0..count).map(|at| usual_at(values, at, season)).collect();
    let distance = |at: usize| (values[at] - usual[at]).abs();
    let mut distances: Vec<f64> = (0..count).map(distance).collect();
    let spread = (DEVIATION * median(&mut distances)).max(LEAST_SPREAD * centre.abs());
    if !(spread > 0.0 && spread.is_finite()) {
        return Vec::new();
    }
    let outside: Vec<usize> = (0..count).filter(|&at| distance(at) > FURTHEST * spread).collect();
    if outside.is_empty() || outside.len() > most {
        return Vec::new();
    }
    let rest =
        (0..count).filter(|at| outside.binary_search(at).is_err()).map(from_centre).fold(0.0, f64::max);
    let Some(others) = below_gap(outside.iter().map(|&at| from_centre(at)).collect(), rest) else {
        return Vec::new();
    };
    let is_outlier = |&at: &usize| {
        let asked = if at + 1 == count { LAST } else { 1.0 };
        from_centre(at) > asked * BEYOND_OTHERS * others
            && distance(at) > asked * FURTHEST * spread
            && !outside.iter().any(|&other| at.abs_diff(other) == 1 || is_year(at.abs_diff(other), plan))
            && !is_explained(history, at)
    };
    outside.iter().filter(|&at| is_outlier(at)).map(|&at| (at, usual[at])).collect()
}

/// Sorts the distances of the values outside and looks for the lowest gap: a distance of more than `BEYOND_OTHERS`
/// times the one below it. Returns the distance below the gap; none without a gap. `rest` is the largest distance of
/// all other values. Prices that rise to four, seven and ten times the usual leave no gap: they are peaks.
fn below_gap(mut outside: Vec<f64>, rest: f64) -> Option<f64> {
    outside.sort_unstable_by(f64::total_cmp);
    let mut below = rest;
    for far in outside {
        if far > BEYOND_OTHERS * below {
            return Some(below);
        }
        below = below.max(far);
    }
    None
}

/// The median of the neighbouring values at the same position of the season, without the value itself.
fn usual_at(values: &[f64], at: usize, season: usize) -> f64 {
    let before = (1..=NEIGHBOURS).filter_map(|back| at.checked_sub(back * season));
    let after = (1..=NEIGHBOURS).map(|ahead| at + ahead * season).filter(|&place| place < values.len());
    let mut around = [0.0; 2 * NEIGHBOURS];
    let mut count = 0;
    for (slot, place) in around.iter_mut().zip(before.chain(after)) {
        *slot = values[place];
        count += 1;
    }
    median(&mut around[..count])
}

/// The median, the higher of the two middle values for an even count; 0 of none.
fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

/// Whether two values are about whole years apart, so that a yearly event repeated itself.
fn is_year(steps: usize, plan: &Plan) -> bool {
    let (year, slack) = match plan.frequency.unit() {
        Unit::Day => (365.25, 4.0),
        Unit::BusinessDay => (261.0, 4.0),
        Unit::Week(_) => (52.2, 1.0),
        Unit::Month(_) => (12.0, 0.0),
        Unit::Quarter(..) => (4.0, 0.0),
        Unit::Hour => (8_766.0, 100.0),
        _ => return false,
    };
    let year = year / f64::from(plan.frequency.multiple());
    let years = (steps as f64 / year).round();
    years >= 1.0 && (steps as f64 - years * year).abs() <= slack
}

/// Whether a covariate is as unusual there as the value is.
fn is_explained(history: &History, at: usize) -> bool {
    const RARE: f64 = 0.05;
    let count = history.values.len();
    history.regressors.iter().any(|column| {
        let known = &column[..count.min(column.len())];
        let centre = median(&mut known.to_vec());
        let away = (known[at] - centre).abs();
        let as_far = known.iter().filter(|value| (*value - centre).abs() >= away).count();
        away > 0.0 && as_far as f64 <= RARE * count as f64
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use tabcast_calendar::Frequency;

    use super::*;
    use crate::Preset;

    pub(crate) fn plan(alias: &str) -> Plan {
        let frequency = Frequency::parse(alias).expect("a frequency");
        Plan {
            frequency,
            preset: Preset::Balanced,
            horizon: 6,
            season: frequency.season_length(),
            periods: frequency.season_lengths(),
            history: 5_000,
            global_member: true,
            recipe: None,
            windows: 1,
            levels: Vec::new(),
            requested: Vec::new(),
            band: (0, 0),
            cancel: Arc::default(),
            deadline: None,
        }
    }

    /// Daily values around 100 with a weekly season and a little noise.
    fn days(count: usize) -> Vec<f64> {
        (0..count)
            .map(|t| 100.0 + [0.0, 4.0, 8.0, 3.0, -5.0, -20.0, -30.0][t % 7] + ((t * t) % 11) as f64)
            .collect()
    }

    fn cleaned(values: Vec<f64>) -> (usize, Vec<f64>) {
        let history = History { values, ..History::default() }.without_outliers(&plan("D"));
        (history.outliers, history.values)
    }

    #[test]
    fn a_slip_of_the_decimal_point_gives_way_to_what_is_usual_however_far_it_is() {
        let mut last = None;
        for far in [2_000.0, 10_000.0, 1e12, -1e9] {
            let mut values = days(120);
            values[60] = far;
            let (count, values) = cleaned(values);
            assert_eq!(count, 1, "{far}");
            assert!((60.0..130.0).contains(&values[60]), "{far}: {}", values[60]);
            assert!(last.is_none_or(|last| last == values[60]), "{far}");
            last = Some(values[60]);
        }
    }

    #[test]
    fn peaks_that_return_stretches_levels_and_demand_stay() {
        let peak = |at: &[usize]| {
            let mut values = days(800);
            for &at in at {
                values[at] = 5_000.0;
            }
            values
        };
        let mut level = days(120);
        level[70..].iter_mut().for_each(|value| *value += 5_000.0);
        let mut heavy = days(800);
        for (place, far) in [500.0, 100.0, 2_600.0, 220.0, 1_100.0].into_iter().enumerate() {
            heavy[98 * place + 49] += far;
        }
        let demand =
            (0..120).map(|t| if t % 9 == 0 { 1.0 + 50.0 * f64::from(t == 45) } else { 0.0 }).collect();
        for (values, what) in [
            (days(120), "nothing"),
            (peak(&[300, 665]), "the same day of two years"),
            (peak(&[300, 301, 302]), "a stretch"),
            (level, "a level"),
            (demand, "demand"),
            ((0..40).map(|t| 2.0_f64.powi(t)).collect(), "growth"),
            (heavy, "peaks of every height"),
        ] {
            assert_eq!(cleaned(values.clone()), (0, values), "{what}");
        }
    }

    #[test]
    fn what_a_covariate_explains_stays() {
        let mut values = days(120);
        values[60] = 5_000.0;
        let mut event = vec![0.0; 126];
        event[60] = 1.0;
        let history = History { values, regressors: vec![event], ..History::default() };
        assert_eq!(history.clone().without_outliers(&plan("D")), history);
    }
}
