//! The rounds of a training run.

use rayon::prelude::*;
use tabcast_statistics::random;

use super::binning::Binning;
use super::directions::keep_directions;
use super::grown::Grown;
use super::histogram::Histogram;
use super::leaf_values::leaf_values;
use super::leaf_wise::{Limits, grow_leaf_wise};
use super::objective::{Labels, base, derive, mean_loss, softmax};
use super::oblivious::grow_oblivious;
use super::packing::{Gradients, Packing};
use super::params::{Growth, Params};
use super::report::Report;
use super::round::Round;
use super::search::Search;
use super::table::Table;
use super::{Loss, TrainError};
use crate::Tree;
use crate::boosting::stop::Stop;

/// Streams of random numbers, so that no two purposes share one.
const BAG: u64 = 2;
const COLUMNS: u64 = 3;
const ROUNDING: u64 = 4;

/// Binned rows with their labels and margins (`[output * rows + row]`).
struct Part<'a> {
    table: &'a Table,
    labels: Labels<'a>,
    margins: Vec<f64>,
}

/// A training run.
pub(crate) struct Session<'a> {
    params: &'a Params,
    binnings: &'a [Binning],
    training: Part<'a>,
    validation: Option<Part<'a>>,
    base: Vec<f64>,
    /// Indices of rows with a positive weight, ascending.
    used: Vec<u32>,
    /// The rows on which the round grows, then the others.
    bag: Vec<u32>,
    out_of_bag: Vec<u32>,
    /// The rows of the bag, partitioned between the leaves of the current tree, with scratch space of the same size.
    rows: Vec<u32>,
    scratch: Vec<u32>,
    gradients: Gradients,
    packed: Vec<i64>,
    pool: Vec<Histogram>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        params: &'a Params,
        binnings: &'a [Binning],
        training: (&'a Table, Labels<'a>),
        validation: Option<(&'a Table, Labels<'a>)>,
    ) -> Self {
        let labels = training.1;
        let base = base(&params.loss, &labels);
        let part = |(table, labels): (&'a Table, Labels<'a>)| Part {
            table,
            labels,
            margins: base.iter().flat_map(|&base| vec![base; table.rows]).collect(),
        };
        let (training, validation) = (part(training), validation.map(part));
        let rows = training.table.rows;
        let used: Vec<u32> = (0..rows as u32).filter(|&row| labels.weight(row as usize) > 0.0).collect();
        Self {
            params,
            binnings,
            bag: used.clone(),
            out_of_bag: Vec::new(),
            rows: Vec::with_capacity(used.len()),
            scratch: vec![0; used.len()],
            packed: vec![0; rows],
            used,
            training,
            validation,
            base,
            gradients: Gradients::default(),
            pool: Vec::new(),
        }
    }

    /// Grows all rounds and returns the trees, the base and the report.
    pub(crate) fn run(mut self, stop: Option<Stop<'_>>) -> Result<(Vec<Tree>, Vec<f64>, Report), TrainError> {
        let mut report = Report::default();
        let mut trees: Vec<Tree> = Vec::new();
        // Number of trees after each round.
        let mut counts = Vec::new();
        let sampled = self.params.row_fraction < 1.0 || self.params.column_fraction < 1.0;
        for round in 0..self.params.rounds {
            let before = trees.len();
            self.draw_bag(round);
            self.grow_round(round, stop, &mut trees)?;
            let turns = if let Loss::Pinball { levels } = &self.params.loss { levels.len() } else { 1 };
            // Later rounds will not find anything either, unless they use other rows, features or levels.
            if trees.len() == before && !sampled && turns == 1 {
                break;
            }
            counts.push(trees.len());
            if let Some(validation) = &self.validation {
                let loss = mean_loss(&self.params.loss, &validation.labels, &validation.margins);
                report.validation_losses.push(loss);
                if self.is_stalled(&report.validation_losses) {
                    break;
                }
            }
        }
        report.rounds = counts.len();
        report.best_round = report.rounds;
        if self.params.patience.is_some() && self.validation.is_some() {
            report.best_round = best_of(&report.validation_losses);
        }
        trees.truncate(if report.best_round == 0 { 0 } else { counts[report.best_round - 1] });
        report.training_loss = mean_loss(&self.params.loss, &self.training.labels, &self.training.margins);
        report.importance = vec![0.0; self.binnings.len()];
        for tree in &trees {
            for (&feature, gain) in tree.feature.iter().zip(&tree.gain) {
                report.importance[feature as usize] += gain;
            }
        }
        Ok((trees, self.base, report))
    }

    /// Whether the last rounds did not improve the validation loss.
    fn is_stalled(&self, losses: &[f64]) -> bool {
        self.params.patience.is_some_and(|patience| losses.len() - best_of(losses) >= patience.max(1))
    }

    fn draw_bag(&mut self, round: usize) {
        if self.params.row_fraction >= 1.0 {
            return;
        }
        let seed = self.seed(BAG, round, 0);
        let is_drawn = |&row: &u32| random::unit(seed, u64::from(row)) < self.params.row_fraction;
        (self.bag, self.out_of_bag) = self.used.iter().partition(|row| is_drawn(row));
        if self.bag.is_empty() {
            // With very few rows, the sample may be empty.
            std::mem::swap(&mut self.bag, &mut self.out_of_bag);
        }
    }

    fn grow_round(
        &mut self,
        round: usize,
        stop: Option<Stop<'_>>,
        trees: &mut Vec<Tree>,
    ) -> Result<(), TrainError> {
        let rows = self.training.table.rows;
        let is_softmax = matches!(self.params.loss, Loss::Softmax { .. });
        // All trees of a round use the margins at its start.
        let probabilities = if is_softmax { softmax(&self.training.margins, rows) } else { Vec::new() };
        for tree in 0..self.params.loss.trees_per_round() {
            if stop.is_some_and(|stop| stop()) {
                return Err(TrainError::Stopped);
            }
            let margins = if is_softmax { &probabilities } else { &self.training.margins };
            derive(&self.params.loss, &self.training.labels, margins, (round, tree), &mut self.gradients);
            trees.extend(self.grow_tree(round, tree));
        }
        Ok(())
    }

    /// Grows one tree on the derivatives and adds it to all margins; none if no split helps.
    fn grow_tree(&mut self, round: usize, tree: usize) -> Option<Tree> {
        let grown = self.grow(round, tree);
        if grown.nodes.is_empty() {
            return None;
        }
        let Part { table, labels, margins } = &self.training;
        let count = table.rows;
        let mut values = leaf_values(self.params, labels, margins, &self.gradients, &grown, &self.rows);
        let outside = leaves_of(&grown, table, &self.out_of_bag);
        let covers = self.covers(&grown, &outside);
        keep_directions(self.params, &grown, &covers, &mut values);
        for value in &mut values {
            *value *= self.params.learning_rate;
        }
        let width = values.len() / covers.len();
        for (place, margins) in outputs(&mut self.training.margins, count, width, tree) {
            let values_of = |leaf: usize| values[leaf * width + place];
            add_to_margins(margins, &self.rows, &grown, values_of);
            for (&row, &leaf) in self.out_of_bag.iter().zip(&outside) {
                margins[row as usize] += values[leaf * width + place];
            }
        }
        if let Some(part) = &mut self.validation {
            let rows: Vec<u32> = (0..part.table.rows as u32).collect();
            let leaves = leaves_of(&grown, part.table, &rows);
            for (place, margins) in outputs(&mut part.margins, part.table.rows, width, tree) {
                margins
                    .iter_mut()
                    .zip(&leaves)
                    .for_each(|(margin, leaf)| *margin += values[leaf * width + place]);
            }
        }
        Some(grown.to_tree(self.binnings, values, covers, if width == 1 { tree as u32 } else { 0 }))
    }

    fn grow(&mut self, round: usize, tree: usize) -> Grown {
        let params = self.params;
        let packing =
            Packing::pack(&self.gradients, &self.bag, self.seed(ROUNDING, round, tree), &mut self.packed);
        let features = self.binnings.len();
        let count = (params.column_fraction * features as f64).ceil() as usize;
        let mut allowed = vec![count >= features; features];
        if count < features {
            let chosen = random::choose(self.seed(COLUMNS, round, tree), count, features);
            for feature in chosen {
                allowed[feature] = true;
            }
        }
        self.rows.clone_from(&self.bag);
        let search = Search { params, binnings: self.binnings, packing };
        let round = Round { table: self.training.table, packed: &self.packed, search, allowed: &allowed };
        let scratch = &mut self.scratch[..self.rows.len()];
        match params.growth {
            Growth::LeafWise { leaves, depth } => {
                let depth = depth.unwrap_or(usize::MAX);
                let limits = Limits { leaves, depth, min_rows: params.min_rows };
                grow_leaf_wise(&round, limits, &mut self.rows, scratch, &mut self.pool)
            }
            Growth::Oblivious { depth } => {
                grow_oblivious(&round, depth, &mut self.rows, scratch, &mut self.pool)
            }
        }
    }

    /// The weight of all training rows in each leaf.
    fn covers(&self, grown: &Grown, outside: &[usize]) -> Vec<f64> {
        let weight = |row: u32| self.training.labels.weight(row as usize);
        let inside = |range: &std::ops::Range<usize>| {
            if self.training.labels.weights.is_none() {
                return range.len() as f64;
            }
            self.rows[range.clone()].iter().map(|&row| weight(row)).sum()
        };
        let mut covers: Vec<f64> = grown.leaves.par_iter().map(inside).collect();
        self.out_of_bag.iter().zip(outside).for_each(|(&row, &leaf)| covers[leaf] += weight(row));
        covers
    }

    fn seed(&self, stream: u64, round: usize, tree: usize) -> u64 {
        let stream = random::bits(self.params.seed, stream);
        random::bits(random::bits(stream, round as u64), tree as u64)
    }
}

/// Number of margins that a thread updates at a time: they stay in its cache while each leaf adds its value.
const STRETCH: usize = 1 << 15;

/// Adds each leaf's value to the margins of its rows, which ascend within a leaf.
fn add_to_margins(margins: &mut [f64], rows: &[u32], grown: &Grown, value: impl Fn(usize) -> f64 + Sync) {
    margins.par_chunks_mut(STRETCH).enumerate().for_each(|(stretch, margins)| {
        let (first, end) = (stretch * STRETCH, stretch * STRETCH + margins.len());
        for (leaf, range) in grown.leaves.iter().enumerate() {
            let (rows, value) = (&rows[range.clone()], value(leaf));
            let from = rows.partition_point(|&row| (row as usize) < first);
            let rows = rows[from..].iter().map(|&row| row as usize).take_while(|&row| row < end);
            rows.for_each(|row| margins[row - first] += value);
        }
    });
}

/// The leaf of each given row.
fn leaves_of(grown: &Grown, table: &Table, rows: &[u32]) -> Vec<usize> {
    rows.par_iter().map(|&row| grown.leaf_of(table, row)).collect()
}

/// The margins that a tree adds to, with the index of their value in its leaves.
fn outputs(
    margins: &mut [f64],
    rows: usize,
    width: usize,
    tree: usize,
) -> impl Iterator<Item = (usize, &mut [f64])> {
    margins.chunks_exact_mut(rows).skip(tree).take(width).enumerate()
}

/// The round with the smallest loss, the first among equals, 1-based.
fn best_of(losses: &[f64]) -> usize {
    let rounds = losses.iter().enumerate();
    rounds.reduce(|best, next| if next.1 < best.1 { next } else { best }).map_or(0, |(at, _)| at + 1)
}
