//! The likelihood of one form of the family.

use super::Lattice;
use super::fitting::Fitting;
use super::form::{Error, Form, Season, Smoothing, Trend};
use super::search::{Workspace, sum_of_squares};
use super::state::State;
use crate::likelihood::{FixedForm, Likelihood, of_squares};

struct Fixed {
    form: Form,
    period: usize,
}

pub(crate) fn find(name: &str, period: usize) -> Option<Box<dyn FixedForm>> {
    let parts: Vec<&str> = name.strip_prefix("ETS(")?.strip_suffix(')')?.split(',').collect();
    let [error, trend, season] = parts[..] else { return None };
    let form = Form {
        error: match error {
            "A" => Error::Additive,
            "M" => Error::Multiplicative,
            _ => return None,
        },
        trend: match trend {
            "N" => Trend::None,
            "A" => Trend::Additive,
            "Ad" => Trend::Damped,
            _ => return None,
        },
        season: match season {
            "N" => Season::None,
            "A" => Season::Additive,
            "M" => Season::Multiplicative,
            _ => return None,
        },
    };
    Some(Box::new(Fixed { form, period }))
}

impl FixedForm for Fixed {
    fn optimum(&self, values: &[f64]) -> Option<f64> {
        let mut fitting = Fitting::new(values, self.period, Lattice::Full);
        let mut candidate = fitting.fit(self.form, None, f64::INFINITY)?;
        fitting.improve(&mut candidate);
        Some(of_squares(candidate.squares, values.len()))
    }

    fn at(&self, values: &[f64], parameters: &[f64], scale: f64) -> Option<Likelihood> {
        let (form, [alpha, beta, gamma, phi, level, slope, season @ ..]) = (self.form, parameters) else {
            return None;
        };
        let smoothing = Smoothing {
            alpha: *alpha,
            beta: if form.has_trend() { *beta } else { 0.0 },
            gamma: if form.has_season() { *gamma } else { 0.0 },
            phi: match form.trend {
                Trend::None => 0.0,
                Trend::Additive => 1.0,
                Trend::Damped => *phi,
            },
        };
        let season_scale = if form.season == Season::Multiplicative { 1.0 } else { scale };
        let mut start = State {
            level: level * scale,
            slope: if form.has_trend() { slope * scale } else { 0.0 },
            season: season.iter().map(|state| state * season_scale).collect(),
        };
        if start.season.len() != if form.has_season() { self.period } else { 0 } {
            return None;
        }
        let squares = sum_of_squares(values, form, &mut start, &smoothing, &mut Workspace::default());
        let value = of_squares(squares, values.len());
        value.is_finite().then_some(Likelihood { value, admissible: form.admits(&smoothing) })
    }
}
