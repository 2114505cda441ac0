//! Trains trees on rows.

use rayon::prelude::*;
use tabcast_trees::boosting::{BinnedRows, Bins, Booster, Growth, Loss, Params, Stop};
use tabcast_trees::{Ensemble, Rows};

use super::rows::{Frame, Layout, Prepared};
use super::sample::Place;
use crate::covariates::engineered::Past;

/// How much to learn; it decides time and memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) rows: usize,
    /// Maximum number of bins per feature.
    pub(crate) bins: usize,
    pub(crate) rounds: usize,
    pub(crate) learning_rate: f64,
    pub(crate) leaves: usize,
    /// Whether a model of single steps is learned as well.
    pub(crate) is_recursive: bool,
    pub(crate) aim: Aim,
}

/// Which errors of the centre are minimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Small errors count by their square, large ones by their absolute value.
    Robust,
    /// Absolute errors, save for the smallest.
    Absolute,
    /// Squared errors.
    Squared,
    /// Absolute errors relative to the actual value.
    Relative,
}

impl Aim {
    fn loss(self) -> Loss {
        match self {
            Self::Robust => Loss::Huber { delta: KNEE },
            Self::Absolute | Self::Relative => Loss::Huber { delta: SMALL_KNEE },
            Self::Squared => Loss::SquaredError,
        }
    }
}

/// Errors above this many usual seasonal differences count by absolute value, those below by square.
const KNEE: f64 = 0.5;
/// The same limit where absolute errors are the aim.
const SMALL_KNEE: f64 = 0.1;
/// Targets are clipped at this size.
const FURTHEST: f64 = 20.0;
/// The levels of the median and of the central 80 % interval.
pub(super) const LEVELS: [f64; 3] = [0.1, 0.5, 0.9];
/// Boosting rounds for the spread, which needs less detail.
const SPREAD_ROUNDS: usize = 60;

/// The most bins that a feature can have.
pub(super) const MOST_BINS: usize = 254;
/// Rows from which bin borders are computed.
const BORDER_ROWS: usize = 30_000;
/// Rows held as plain numbers before they are binned.
const CHUNK: usize = 8_192;

/// Rows of binned features with their targets. The unbinned features never exist as a whole table.
pub(super) struct Table {
    rows: BinnedRows,
    bins: Bins,
    targets: Vec<f64>,
    weights: Vec<f64>,
}

impl Table {
    /// None if there is nothing to learn from, or once `stop` is set.
    pub(super) fn new(
        layout: &Layout,
        tracks: &[Prepared],
        places: &[Place],
        effort: Effort,
        stop: Stop<'_>,
    ) -> Option<Self> {
        let framed: Vec<(Place, Frame)> = places
            .par_iter()
            .filter_map(|place| {
                let track = &tracks[place.track as usize].track;
                let frame = layout.frame(track, place.origin as usize, place.target as usize)?;
                (!stop()).then_some((*place, frame))
            })
            .collect();
        let features = layout.features();
        let few: Vec<(Place, Frame)> =
            framed.iter().copied().step_by(framed.len().div_ceil(BORDER_ROWS).max(1)).collect();
        let mut sample: Vec<Vec<f64>> = vec![Vec::with_capacity(few.len()); features.len()];
        write_rows(layout, tracks, &few, stop, &mut |columns| {
            for (column, values) in sample.iter_mut().zip(columns) {
                column.extend_from_slice(values);
            }
            Some(())
        })?;
        let columns: Vec<&[f64]> = sample.iter().map(Vec::as_slice).collect();
        let bins = Bins::find(&features, &Rows::new(&columns).ok()?, effort.bins).ok()?;
        let mut rows = BinnedRows::new(&bins, framed.len());
        let mut next = 0;
        write_rows(layout, tracks, &framed, stop, &mut |columns| {
            rows.write(next, &Rows::new(columns).ok()?).ok()?;
            next += columns[0].len();
            Some(())
        })?;
        let unit = |place: &Place| {
            let track = &tracks[place.track as usize].track;
            if effort.aim == Aim::Relative {
                track.values[place.target as usize].abs()
            } else {
                track.difference(track.season, track.len())
            }
        };
        let target = |(place, frame): &(Place, Frame)| {
            let value = tracks[place.track as usize].track.values[place.target as usize];
            ((value - frame.base) / frame.scale).clamp(-FURTHEST, FURTHEST)
        };
        Some(Self {
            rows,
            bins,
            targets: framed.par_iter().map(target).collect(),
            weights: framed
                .par_iter()
                .map(|(place, frame)| (frame.scale / unit(place)).clamp(0.1, 10.0))
                .collect(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    /// Learns the centre; none once `stop` is set.
    pub(super) fn learn_centre(&self, effort: Effort, stop: Stop<'_>) -> Option<Ensemble> {
        let params = Params {
            growth: Growth::LeafWise { leaves: effort.leaves, depth: None },
            rounds: effort.rounds,
            learning_rate: effort.learning_rate,
            min_rows: 20,
            l2: 1.0,
            column_fraction: 0.5,
            row_fraction: 0.7,
            ..Params::new(effort.aim.loss())
        };
        self.learn(params, stop)
    }

    /// Learns the quantiles at `LEVELS`.
    pub(super) fn learn_spread(&self, stop: Stop<'_>) -> Option<Ensemble> {
        let params = Params {
            growth: Growth::LeafWise { leaves: 15, depth: None },
            rounds: SPREAD_ROUNDS,
            learning_rate: 0.15,
            min_rows: 50,
            row_fraction: 0.5,
            column_fraction: 0.5,
            ..Params::new(Loss::Pinball { levels: LEVELS.to_vec() })
        };
        self.learn(params, stop)
    }

    fn learn(&self, params: Params, stop: Stop<'_>) -> Option<Ensemble> {
        let trained = Booster::new(params).train_binned(
            &self.bins,
            &self.rows,
            &self.targets,
            Some(&self.weights),
            None,
            Some(stop),
        );
        trained.ok().map(|(trees, _)| trees)
    }
}

/// Passes the columns of the rows on, a few thousand rows at a time. Places come grouped by track. None once `stop` is
/// set or when `take` gives up.
fn write_rows(
    layout: &Layout,
    tracks: &[Prepared],
    places: &[(Place, Frame)],
    stop: Stop<'_>,
    take: &mut dyn FnMut(&[&[f64]]) -> Option<()>,
) -> Option<()> {
    let width = layout.features().len();
    let mut rest = places;
    while let Some((first, _)) = rest.first() {
        // As many tracks as fill a chunk, or one track that fills several.
        let end = rest.get(CHUNK).map_or(rest.len(), |(last, _)| {
            let from_last = rest.partition_point(|(place, _)| place.track < last.track);
            if last.track == first.track || from_last == 0 {
                rest.partition_point(|(place, _)| place.track <= first.track)
            } else {
                from_last
            }
        });
        let (group, later) = rest.split_at(end);
        rest = later;
        let numbers = first.track..=group[end - 1].0.track;
        let pasts: Vec<Past<'_>> = numbers
            .into_par_iter()
            .map(|number| layout.past(&tracks[number as usize].track.values, layout.first()))
            .collect();
        for chunk in group.chunks(CHUNK) {
            if stop() {
                return None;
            }
            let parts: Vec<Vec<f64>> = chunk
                .par_chunks(256)
                .map(|places| {
                    let mut rows = Vec::with_capacity(places.len() * width);
                    for (place, frame) in places {
                        let past = &pasts[(place.track - first.track) as usize];
                        let prepared = &tracks[place.track as usize];
                        layout.write(
                            prepared,
                            past,
                            place.origin as usize,
                            place.target as usize,
                            *frame,
                            &mut rows,
                        );
                    }
                    rows
                })
                .collect();
            let columns: Vec<Vec<f64>> = (0..width)
                .into_par_iter()
                .map(|column| {
                    parts.iter().flat_map(|rows| rows[column..].iter().step_by(width).copied()).collect()
                })
                .collect();
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            take(&columns)?;
        }
    }
    Some(())
}
