//! The encoding of a table for one view.

use std::sync::Arc;

use rayon::prelude::*;
use tabcast_statistics::random;
use tabcast_table::Frame;
use tabcast_trees::Feature;

use super::coding::{Coding, Limits};
use super::column::Column;
use super::readers::{Numbers, Reader, Reading};
use super::scaling::Scaling;
use super::statistics::Outcomes;
use crate::{ColumnDecision, Matrix, Target, View};

/// How the columns of a table become features, fitted on some of its rows. Equal arguments give equal encoders for any
/// number of threads (those of rayon's current pool).
#[derive(Debug, Clone)]
pub struct Encoder {
    view: View,
    /// Shared by the views that were fitted together.
    readers: Arc<Vec<Reader>>,
    /// How each reader's cells become features.
    makers: Vec<Maker>,
    features: Vec<Feature>,
    sources: Vec<usize>,
}

/// How the cells of one reader become features.
#[derive(Debug, Clone)]
struct Maker {
    /// For levels: one coding per feature, including features that do not vary and are then left out.
    codings: Vec<Coding>,
    kept: Vec<Kept>,
}

/// The fate of a feature.
#[derive(Debug, Clone)]
enum Kept {
    /// Left out, because it does not vary among the fitted rows.
    Out,
    /// Kept unchanged.
    Plain,
    /// Scaled, for models that measure distances and cannot handle missing values.
    Scaled(Scaling),
}

impl Encoder {
    /// Fits on `rows` of the table, whose labels are `target` in the same order. The returned matrix is for those rows:
    /// features made from labels use only the labels of other rows, so they differ from the result of
    /// [`Self::transform`] for the same row. Features that do not vary among these rows are left out.
    pub fn fit(
        view: View,
        frame: &Frame,
        decisions: &[ColumnDecision],
        rows: &[u32],
        target: &Target,
        seed: u64,
    ) -> (Self, Matrix) {
        let mut fitted = Self::fit_views(&[view], frame, decisions, rows, target, seed);
        fitted.swap_remove(0)
    }

    /// Like [`Self::fit`] for several views, in their order; shared parts are fitted once.
    pub fn fit_views(
        views: &[View],
        frame: &Frame,
        decisions: &[ColumnDecision],
        rows: &[u32],
        target: &Target,
        seed: u64,
    ) -> Vec<(Self, Matrix)> {
        let readers = Arc::new(Reader::fit_all(frame, decisions, rows, seed));
        let outcomes = Outcomes::new(target, random::bits(seed, u64::MAX));
        let categories = readers.iter().filter(|reader| reader.category().is_some()).count();
        let limits = Limits::new(rows.len(), categories);
        // For each reader, the features of its cells in each view.
        let make = |reader: &Reader| -> Vec<(Maker, Vec<Column>)> {
            let reading = reader.read(frame, rows);
            let of_view = |&view: &View| match (&reading, reader.category()) {
                (Reading::Levels(levels), Some(category)) => {
                    let named = (frame, category, reader.name());
                    let fitted = Coding::fit_all(view, named, levels, (&outcomes, limits));
                    let (codings, columns) = fitted.into_iter().unzip();
                    Maker::fit(view, codings, columns)
                }
                (Reading::Numbers(numbers), _) => Maker::fit(
                    view,
                    Vec::new(),
                    numbers.iter().filter(|of| of.is_for(view)).map(Numbers::column).collect(),
                ),
                (Reading::Levels(_), None) => unreachable!("only categories have levels"),
            };
            views.iter().map(of_view).collect()
        };
        let mut made: Vec<Vec<(Maker, Vec<Column>)>> = readers.par_iter().map(make).collect();
        let take = |at: usize| -> (Vec<Maker>, Vec<Vec<Column>>) {
            made.iter_mut()
                .map(|of_reader| std::mem::replace(&mut of_reader[at], (Maker::NONE, Vec::new())))
                .unzip()
        };
        let fitted = (0..views.len()).map(take).collect::<Vec<_>>();
        let finish = |(&view, (makers, columns)): (&View, (Vec<Maker>, Vec<Vec<Column>>))| {
            let source = readers.iter().zip(&columns);
            let sources = source
                .flat_map(|(reader, columns)| std::iter::repeat_n(reader.column, columns.len()))
                .collect();
            let (features, columns): (Vec<Feature>, Vec<Vec<f64>>) =
                columns.into_iter().flatten().map(|column| (column.feature, column.values)).unzip();
            let encoder = Self { view, readers: Arc::clone(&readers), makers, features, sources };
            let matrix = encoder.matrix(columns, rows.len());
            (encoder, matrix)
        };
        views.iter().zip(fitted).map(finish).collect()
    }

    /// The features of rows of the same table that were not learned from.
    pub fn transform(&self, frame: &Frame, rows: &[u32]) -> Matrix {
        let make = |(reader, maker): (&Reader, &Maker)| -> Vec<Vec<f64>> {
            if maker.kept.iter().all(|kept| matches!(kept, Kept::Out)) {
                return Vec::new();
            }
            let values: Vec<Vec<f64>> = match (reader.read(frame, rows), reader.category()) {
                (Reading::Levels(levels), Some(category)) => {
                    maker.codings.iter().map(|coding| coding.values(&category.levels, &levels)).collect()
                }
                (Reading::Numbers(numbers), _) => {
                    numbers.into_iter().filter(|of| of.is_for(self.view)).map(|of| of.values).collect()
                }
                (Reading::Levels(_), None) => unreachable!("only categories have levels"),
            };
            maker.apply(values)
        };
        let columns: Vec<Vec<Vec<f64>>> = self.readers.par_iter().zip(&self.makers).map(make).collect();
        self.matrix(columns.into_iter().flatten().collect(), rows.len())
    }

    /// The view of this encoder.
    pub fn view(&self) -> View {
        self.view
    }

    fn matrix(&self, columns: Vec<Vec<f64>>, rows: usize) -> Matrix {
        Matrix { features: self.features.clone(), sources: self.sources.clone(), columns, rows }
    }
}

impl Maker {
    const NONE: Self = Self { codings: Vec::new(), kept: Vec::new() };

    /// Decides which columns are kept and how they are standardised, and applies that.
    fn fit(view: View, codings: Vec<Coding>, columns: Vec<Column>) -> (Self, Vec<Column>) {
        let mut kept = Vec::with_capacity(columns.len());
        let mut made = Vec::with_capacity(columns.len());
        // All features of a reader are missing in the same rows, so one indicator is enough.
        let mut wants_indicator = true;
        for column in columns {
            kept.push(if !column.varies() {
                Kept::Out
            } else if view != View::Dense {
                made.push(column);
                Kept::Plain
            } else if let Some(scaling) = Scaling::fit(&column, wants_indicator) {
                made.extend(scaling.columns(&column));
                wants_indicator &= !scaling.has_indicator();
                Kept::Scaled(scaling)
            } else {
                Kept::Out
            });
        }
        (Self { codings, kept }, made)
    }

    fn apply(&self, columns: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
        let mut made = Vec::with_capacity(columns.len());
        for (values, kept) in columns.into_iter().zip(&self.kept) {
            match kept {
                Kept::Out => {}
                Kept::Plain => made.push(values),
                Kept::Scaled(scaling) => made.extend(scaling.apply(&values)),
            }
        }
        made
    }
}
