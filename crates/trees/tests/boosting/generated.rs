//! Generated tables, and what the tests do with them.

use tabcast_trees::boosting::{Booster, Growth, Labelled, Loss, Params, Report};
use tabcast_trees::{Ensemble, Feature, Rows};

/// Columns with a target.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    pub(crate) features: Vec<Feature>,
    pub(crate) columns: Vec<Vec<f64>>,
    pub(crate) target: Vec<f64>,
    pub(crate) weights: Option<Vec<f64>>,
}

/// A generator of numbers in [0, 1) (`xorshift64*`, Vigna, 2016).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }

    /// Standard normal (Box and Muller, 1958).
    pub(crate) fn bell(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

impl Data {
    /// Numeric features with a target.
    pub(crate) fn numeric(columns: Vec<Vec<f64>>, target: Vec<f64>) -> Self {
        let features = (0..columns.len()).map(|at| Feature::numeric(format!("x{at}"))).collect();
        Self { features, columns, target, weights: None }
    }

    /// Friedman's first function (1991) of ten features, five of them noise, with noise of deviation 1.
    pub(crate) fn friedman(rows: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let columns: Vec<Vec<f64>> = (0..10).map(|_| (0..rows).map(|_| random.unit()).collect()).collect();
        let target = (0..rows).map(|row| {
            let x = |feature: usize| columns[feature][row];
            let smooth = 10.0 * (std::f64::consts::PI * x(0) * x(1)).sin() + 20.0 * (x(2) - 0.5).powi(2);
            smooth + 10.0 * x(3) + 5.0 * x(4) + random.bell()
        });
        let target = target.collect();
        Self::numeric(columns, target)
    }

    pub(crate) fn train(&self, params: &Params) -> (Ensemble, Report) {
        self.train_with(params, None)
    }

    /// Trains and checks the trees, and that margins of values are those that training saw in bins.
    pub(crate) fn train_with(&self, params: &Params, validation: Option<&Self>) -> (Ensemble, Report) {
        let columns = self.views();
        let rows = Rows::new(&columns).expect("equal lengths");
        let valid_columns = validation.map(Self::views).unwrap_or_default();
        let valid_rows = Rows::new(&valid_columns).expect("equal lengths");
        let validation = validation.map(|data| data.labelled(&valid_rows));
        let training = self.labelled(&rows);
        let (ensemble, report) = Booster::new(params.clone())
            .train(&self.features, &training, validation.as_ref(), None)
            .expect("the data can be learnt from");
        ensemble.check().expect("valid trees");
        if report.best_round == report.rounds {
            let loss = self.loss(&ensemble, &params.loss);
            assert!((loss - report.training_loss).abs() <= 1e-9 * loss.abs().max(1.0), "{loss} {report:?}");
        }
        (ensemble, report)
    }

    fn labelled<'a>(&'a self, rows: &'a Rows<'a>) -> Labelled<'a> {
        Labelled { rows, target: &self.target, weights: self.weights.as_deref() }
    }

    pub(crate) fn views(&self) -> Vec<&[f64]> {
        self.columns.iter().map(Vec::as_slice).collect()
    }

    pub(crate) fn predict(&self, ensemble: &Ensemble) -> Vec<f64> {
        let columns = self.views();
        let rows = Rows::new(&columns).expect("equal lengths");
        let mut out = vec![0.0; self.target.len() * ensemble.outputs];
        ensemble.predict(&rows, &mut out).expect("fitting columns");
        out
    }

    /// The weighted mean loss.
    pub(crate) fn loss(&self, ensemble: &Ensemble, loss: &Loss) -> f64 {
        let columns = self.views();
        let rows = Rows::new(&columns).expect("equal lengths");
        let mut margins = vec![0.0; self.target.len() * ensemble.outputs];
        ensemble.margins(&rows, &mut margins).expect("fitting columns");
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let whole: f64 = (0..self.target.len()).map(weight).sum();
        let rows = margins.chunks_exact_mut(ensemble.outputs).zip(&self.target).enumerate();
        rows.map(|(row, (margins, &target))| {
            if matches!(loss, Loss::Pinball { .. }) {
                margins.sort_by(f64::total_cmp);
            }
            weight(row) * loss.of_row(target, margins)
        })
        .sum::<f64>()
            / whole
    }

    /// Share of the target's variance that predictions of one output explain.
    pub(crate) fn r2(&self, ensemble: &Ensemble) -> f64 {
        let mean = self.target.iter().sum::<f64>() / self.target.len() as f64;
        let left: f64 = self
            .predict(ensemble)
            .iter()
            .zip(&self.target)
            .map(|(value, target)| (value - target).powi(2))
            .sum();
        let whole: f64 = self.target.iter().map(|target| (target - mean).powi(2)).sum();
        1.0 - left / whole
    }
}

/// Parameters for a handful of rows: nothing is too small to be split.
pub(crate) fn exact(loss: Loss, growth: Growth) -> Params {
    Params { growth, rounds: 1, learning_rate: 1.0, min_rows: 1, min_bin_rows: 1, ..all(loss) }
}

/// Parameters without samples.
pub(crate) fn all(loss: Loss) -> Params {
    Params { row_fraction: 1.0, column_fraction: 1.0, ..Params::new(loss) }
}

/// Leaf-wise and oblivious.
pub(crate) fn growths() -> [Growth; 2] {
    [Growth::LeafWise { leaves: 15, depth: None }, Growth::Oblivious { depth: 4 }]
}
