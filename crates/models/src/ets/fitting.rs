//! Fits one form after the other to a series.

use tabcast_statistics::{LeastSquares, Stop, SumOfSquares};

use super::form::{Form, Search, Season, Smoothing};
use super::search::{Objective, Workspace, searched};
use super::state::State;
use super::{Candidate, Lattice};

/// Starting points. One search starts at the best of the first three; if it matters which of several minima is found,
/// another starts at the last.
const STARTS: [Search; 3] = [[0.1, 0.1, 0.1, 0.95], [0.4, 0.1, 0.1, 0.95], [0.8, 0.1, 0.1, 0.95]];
const SLOW_START: [Search; 1] = [[0.02, 0.05, 0.05, 0.975]];

/// Further starting points for the most promising forms. On 250 yearly, 250 quarterly and 250 monthly M4 series, 98.2
/// to 98.6 % of the fits of all forms are as likely as those of statsforecast without these starts, and 99.1 to 99.7 %
/// with them.
const LAST_STARTS: [Search; 2] = [[0.9, 0.01, 0.05, 0.979], [0.5, 0.05, 0.4, 0.85]];

/// Forms whose criterion exceeds the best one's by this much are not searched for a second minimum.
const HOPELESS: f64 = 10.0;

/// Lower limit of the mean square, so that a perfect fit does not win with minus infinity.
const SMALLEST_MEAN_SQUARE: f64 = 1e-24;

/// Initial states are searched up to this distance from zero; the values are below 2.
const FARTHEST: f64 = 1e3;

/// The lowest seasonal factor.
const SMALLEST_FACTOR: f64 = 1e-3;

const STOP: Stop = Stop { reduction: 1e-6, steps: 40 };

/// State shared by the fits of all forms to one series.
pub(crate) struct Fitting<'a> {
    values: &'a [f64],
    period: usize,
    lattice: Lattice,
    workspace: Workspace,
    search: LeastSquares,
}

/// The possible starting points, and the bounds of the search.
struct Room {
    lower: Vec<f64>,
    upper: Vec<f64>,
    guess: Vec<f64>,
}

impl Room {
    fn new(form: Form, guess: &State, lattice: Lattice) -> Self {
        let (lowest, highest) = form.bounds();
        let (mut lower, mut upper) = (lowest.to_vec(), highest.to_vec());
        let farthest_slope = if form.has_trend() { FARTHEST } else { 0.0 };
        lower.extend([-FARTHEST, -farthest_slope]);
        upper.extend([FARTHEST, farthest_slope]);
        let mut point = vec![0.0; 4];
        point.extend([guess.level, guess.slope]);
        if lattice == Lattice::Full && form.has_season() {
            let smallest = if form.season == Season::Multiplicative { SMALLEST_FACTOR } else { -FARTHEST };
            point.extend(&guess.season);
            lower.resize(point.len(), smallest);
            upper.resize(point.len(), FARTHEST);
            // The seasonal states are determined up to a constant, which the level absorbs.
            let last = point.len() - 1;
            (lower[last], upper[last]) = (point[last], point[last]);
        }
        Self { lower, upper, guess: point }
    }

    /// The guessed states with the given smoothing parameters.
    fn start(&self, search: &Search) -> Vec<f64> {
        let mut point = self.guess.clone();
        for (index, value) in search.iter().enumerate() {
            point[index] = value.clamp(self.lower[index], self.upper[index]);
        }
        point
    }
}

impl<'a> Fitting<'a> {
    pub(crate) fn new(values: &'a [f64], period: usize, lattice: Lattice) -> Self {
        Self { values, period, lattice, workspace: Workspace::default(), search: LeastSquares::new() }
    }

    /// Fits one form; none if the series is too short for the comparison. `twin` is the fit of the same form with the
    /// other kind of errors, if there is one, and `lowest` the criterion of the best form so far.
    pub(crate) fn fit(&mut self, form: Form, twin: Option<&Candidate>, lowest: f64) -> Option<Candidate> {
        let criterion = self.criterion(form)?;
        let guess = State::guess(self.values, form, self.period);
        let room = Room::new(form, &guess, self.lattice);
        let mut objective = Objective {
            values: self.values,
            form,
            most_beta: self.lattice.most_beta(),
            guess: &guess,
            workspace: &mut self.workspace,
        };
        let mut best: Option<(Vec<f64>, f64)> = None;
        let groups: &[&[Search]] = match self.lattice {
            Lattice::Tight => &[&STARTS],
            Lattice::Full => &[&STARTS, &SLOW_START],
        };
        for group in groups {
            let mut starts: Vec<Vec<f64>> = group.iter().map(|search| room.start(search)).collect();
            match (&best, twin) {
                (None, Some(twin)) => starts.push(twin.point.clone()),
                (Some((_, squares)), _) if criterion(*squares) > lowest + HOPELESS => break,
                _ => {}
            }
            let values = starts.into_iter().map(|start| (objective.value(&start), start));
            let first = values.filter(|(value, _)| value.is_finite()).min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, mut point)) = first else { continue };
            let squares = self.search.search(&mut objective, &mut point, &room.lower, &room.upper, STOP);
            if best.as_ref().is_none_or(|&(_, least)| squares < least) {
                best = Some((point, squares));
            }
        }
        let (point, squares) = best?;
        let criterion = criterion(squares);
        criterion.is_finite().then_some(Candidate { form, point, squares, criterion })
    }

    /// Searches for a better minimum of a fit of the whole family.
    pub(crate) fn improve(&mut self, candidate: &mut Candidate) {
        let form = candidate.form;
        let Some(criterion) = self.criterion(form) else { return };
        let guess = State::guess(self.values, form, self.period);
        let room = Room::new(form, &guess, self.lattice);
        let mut objective = Objective {
            values: self.values,
            form,
            most_beta: self.lattice.most_beta(),
            guess: &guess,
            workspace: &mut self.workspace,
        };
        for start in &LAST_STARTS {
            let mut point = room.start(start);
            if !objective.value(&point).is_finite() {
                continue;
            }
            let squares = self.search.search(&mut objective, &mut point, &room.lower, &room.upper, STOP);
            if squares < candidate.squares {
                *candidate = Candidate { form, point, squares, criterion: criterion(squares) };
            }
        }
    }

    /// The corrected Akaike criterion of a form as a function of its sum of squares; none for series that are too
    /// short.
    fn criterion(&self, form: Form) -> Option<impl Fn(f64) -> f64 + use<>> {
        let count = self.values.len() as f64;
        let parameters = form.parameters(self.period) as f64;
        let degrees = count - parameters - 1.0;
        let penalty = 2.0 * parameters * (1.0 + (parameters + 1.0) / degrees);
        (degrees > 0.0)
            .then_some(move |squares: f64| count * squares.max(count * SMALLEST_MEAN_SQUARE).ln() + penalty)
    }

    /// The smoothing parameters and the initial states of a fit.
    pub(crate) fn read(&self, candidate: &Candidate) -> (Smoothing, State) {
        let Candidate { form, point, .. } = candidate;
        let (smoothing, _) = form.smoothing(&searched(point), self.lattice.most_beta());
        let season = match point.get(6..) {
            Some(season) if !season.is_empty() => season.to_vec(),
            _ => State::guess(self.values, *form, self.period).season,
        };
        (smoothing, State { level: point[4], slope: point[5], season })
    }
}
