//! The tree over the series of a panel, and the histories of its sums.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tabcast_calendar::most_steps;
use tabcast_reconcile::Tree;
use tabcast_table::{ContentError, Kind, Panel, Warning};

use super::Reconciliation;
use super::end::{End, late_steps, reach_end};
use super::faults::{check_levels, tree_error};
use super::found::Found;
use super::regressors::columns_of_sum;
use crate::dataset::Dataset;
use crate::history::History;
use crate::run::plan::Plan;
use crate::{Control, Failure};

/// Number of series that one task adds up. It is fixed so that the order of the additions does not depend on the number
/// of threads.
const TASK_SERIES: usize = 1_024;
/// Larger sums are refused: their forecasts could not be added up.
const LARGEST_SUM: f64 = 1e300;
/// Maximum number of values of all sums together, 4 GB. `most_steps` allows small tables fewer, because two old values
/// below each of many sums make every sum as long as the preset's history.
const MOST_VALUES: u64 = 500_000_000;

/// What consecutive bottom series add to each of their parents, newest value first.
type Stretch = Vec<(usize, Vec<f64>)>;

/// A hierarchy of series on one grid of steps. The bottom series are those of the panel in its order; they are the last
/// nodes.
#[derive(Debug)]
pub(crate) struct Hierarchy {
    pub(crate) tree: Tree,
    pub(crate) wanted: Reconciliation,
    /// Whether no bottom series ever went below zero.
    pub(crate) non_negative: bool,
    /// Where all histories end.
    end: End,
    /// Histories of the inner nodes, oldest first, up to the common end.
    sums: Vec<Vec<f64>>,
}

impl Hierarchy {
    /// Builds the tree from the ids of the panel and adds up the histories.
    ///
    /// # Errors
    ///
    /// Content errors for ids that make no tree, too many nodes, series that do not keep to the frequency, and sums
    /// that are too large.
    pub(crate) fn build(
        wanted: &Reconciliation,
        panel: &Panel,
        plan: &Plan,
        max_nodes: usize,
        warnings: &mut Vec<Warning>,
        control: &Control,
    ) -> Result<Self, Failure> {
        check_levels(wanted, panel)?;
        let tree = Tree::from_paths(panel.ids.iter(), &wanted.separator, &wanted.total_label)
            .map_err(|error| tree_error(&error, wanted, panel))?;
        if tree.len() > max_nodes {
            let message = format!("The hierarchy has {} nodes; at most {max_nodes} are allowed.", tree.len());
            return Err(ContentError::new("too_many_nodes", Kind::TooLarge, message)
                .count(tree.len() as u64)
                .suggestion("Use fewer or coarser hierarchy_columns, or split the dataset.")
                .into());
        }
        let end = End::of(panel, plan)?;
        let mut hierarchy = Self { tree, wanted: wanted.clone(), non_negative: true, end, sums: Vec::new() };
        let found = hierarchy.add_up(panel, plan, control)?;
        found.refuse(panel)?;
        hierarchy.non_negative = !found.negative;
        warnings.extend(found.warnings());
        let too_large = |sum: &Vec<f64>| sum.iter().any(|value| value.abs() > LARGEST_SUM);
        if let Some(node) = hierarchy.sums.iter().position(too_large) {
            let id = hierarchy.id(node, panel);
            let message = format!(
                "The values under '{}' add up to more than {LARGEST_SUM:e}.",
                tabcast_table::shorten(id)
            );
            let error = ContentError::new("sum_out_of_range", Kind::Content, message).item(id);
            return Err(error.suggestion("Give the values in a larger unit.").into());
        }
        Ok(hierarchy)
    }

    /// Number of sums and bottom series.
    pub(crate) fn len(&self) -> usize {
        self.tree.len()
    }

    /// Number of sums; the bottom series have the numbers from here on.
    pub(crate) fn inner(&self) -> usize {
        self.tree.len() - self.tree.num_bottom()
    }

    /// Indices in the panel of the bottom series under a node.
    pub(crate) fn series_under(&self, node: usize) -> Range<usize> {
        match self.tree.prefix(node) {
            Some((first, _)) => first..first + self.tree.leaf_count(node),
            None => 0..self.tree.num_bottom(),
        }
    }

    /// Names of the levels: the grand total, then the columns, or numbers if ids were split.
    pub(super) fn level_names(&self) -> impl Iterator<Item = String> {
        let names = (1..).map(|level| match self.wanted.columns.get(level - 1) {
            Some(column) => column.clone(),
            None => format!("level_{level}"),
        });
        std::iter::once(self.wanted.total_label.clone()).chain(names)
    }

    /// The id of a node: its prefix joined by the separator, or the label of the total.
    pub(crate) fn id<'a>(&'a self, node: usize, panel: &'a Panel) -> &'a str {
        match self.tree.prefix(node) {
            Some((series, bytes)) => &panel.ids.get(series)[..bytes],
            None => &self.wanted.total_label,
        }
    }

    /// An empty history with the common end.
    pub(crate) fn ending(&self) -> History {
        History { origin: self.end.origin, steps: self.end.steps, ..History::default() }
    }

    /// The values of a sum.
    pub(crate) fn sum(&self, node: usize) -> &[f64] {
        &self.sums[node]
    }

    /// The history of a sum, with the covariates of the series under it.
    pub(crate) fn history_of_sum(
        &self,
        node: usize,
        dataset: &Dataset,
        plan: &Plan,
    ) -> Result<History, Failure> {
        let (regressors, drawn_in) = columns_of_sum(node, self, dataset, plan)?;
        Ok(History { values: self.sums[node].clone(), regressors, drawn_in, ..self.ending() })
    }

    /// Number of steps from the end of a bottom series to the common end.
    pub(crate) fn late(&self, series: usize, panel: &Panel, plan: &Plan) -> usize {
        let (timestamps, targets) = panel.series(series);
        History::of(timestamps, targets, plan).map_or(0, |history| self.steps_after(&history, plan))
    }

    /// Number of steps from the end of a history to the common end.
    pub(crate) fn steps_after(&self, history: &History, plan: &Plan) -> usize {
        self.end.after(history, plan).0
    }

    /// Extends the history of a bottom series to the common end; its regressors already cover these steps.
    pub(crate) fn extend(&self, mut history: History, plan: &Plan) -> History {
        let gap = self.steps_after(&history, plan);
        reach_end(&mut history.values, gap, gap <= late_steps(plan), plan.season);
        let surplus = history.values.len().saturating_sub(plan.history);
        history.values.drain(..surplus);
        history.observed.drain(..surplus.min(history.observed.len()));
        for column in &mut history.regressors {
            column.drain(..surplus);
        }
        History { origin: self.end.origin, steps: self.end.steps, ..history }
    }

    /// Adds up the bottom series in parallel stretches, then the sums.
    fn add_up(&mut self, panel: &Panel, plan: &Plan, control: &Control) -> Result<Found, Failure> {
        let tasks = panel.len().div_ceil(TASK_SERIES);
        let kept = AtomicU64::new(0);
        let most = MOST_VALUES.min(most_steps(panel.timestamps.len(), 1));
        let parts: Vec<(Found, Stretch)> = (0..tasks)
            .into_par_iter()
            .map(|task| {
                if control.is_cancelled() {
                    return Err(Failure::Cancelled);
                }
                let first = task * TASK_SERIES;
                let part = self.add_stretch(first..panel.len().min(first + TASK_SERIES), panel, plan);
                let own: u64 = part.1.iter().map(|(_, values)| values.len() as u64).sum();
                check_values(kept.fetch_add(own, Ordering::Relaxed) + own, most)?;
                Ok(part)
            })
            .collect::<Result<_, _>>()?;
        self.check_sums(&parts, most)?;
        // Newest first while they grow, because histories are aligned at their end.
        let mut sums = vec![Vec::new(); self.inner()];
        let mut found = Found::default();
        for (part, stretch) in parts {
            found = found.append(part);
            for (node, values) in stretch {
                // Most sums come from a single stretch. Its values are moved, because a copy would need memory twice.
                if sums[node].is_empty() {
                    sums[node] = values;
                } else {
                    add(&mut sums[node], &values);
                }
            }
        }
        for node in (1..sums.len()).rev() {
            let (above, below) = sums.split_at_mut(node);
            if let Some(parent) = self.tree.parent(node) {
                add(&mut above[parent], &below[0]);
            }
        }
        found.late_starts(&sums);
        for sum in &mut sums {
            // All series below ended long ago.
            if sum.is_empty() {
                sum.push(0.0);
            }
            sum.reverse();
        }
        self.sums = sums;
        Ok(found)
    }

    /// Refuses sums whose total length is too large, before memory is reserved for them.
    fn check_sums(&self, parts: &[(Found, Stretch)], most: u64) -> Result<(), Failure> {
        let mut lengths = vec![0; self.inner()];
        for (node, values) in parts.iter().flat_map(|(_, stretch)| stretch) {
            lengths[*node] = values.len().max(lengths[*node]);
        }
        for node in (1..lengths.len()).rev() {
            if let Some(parent) = self.tree.parent(node) {
                lengths[parent] = lengths[parent].max(lengths[node]);
            }
        }
        check_values(lengths.iter().map(|length| *length as u64).sum(), most)
    }

    /// What consecutive bottom series add to their parents, and the problems found.
    fn add_stretch(&self, series: Range<usize>, panel: &Panel, plan: &Plan) -> (Found, Stretch) {
        let mut found = Found::default();
        let mut sums = Stretch::new();
        for index in series {
            let (timestamps, targets) = panel.series(index);
            // The reader refuses series without observations.
            let Some(history) = History::of(timestamps, targets, plan) else { continue };
            if history.off_grid {
                found.off_grid.push(index);
                continue;
            }
            let (gap, shifted) = self.end.after(&history, plan);
            found.shifted += u64::from(shifted);
            found.late += u64::from(gap > 0 && gap <= late_steps(plan));
            found.over += u64::from(gap > late_steps(plan));
            let mut history = self.extend(history, plan);
            found.negative |= history.values.iter().any(|value| *value < 0.0);
            // A series that ended before the history in use must not make the sums begin with zeros.
            if gap > late_steps(plan) && history.values.iter().all(|value| *value == 0.0) {
                history.values.clear();
            }
            found.lengths.push(history.values.len());
            history.values.reverse();
            // A tree of a single series has no sum but the total.
            let parent = self.tree.parent(self.inner() + index).unwrap_or(0);
            match sums.last_mut() {
                Some((node, sum)) if *node == parent => add(sum, &history.values),
                _ => {
                    // A history extended to the end may have twice the capacity that it needs.
                    history.values.shrink_to_fit();
                    sums.push((parent, history.values));
                }
            }
        }
        (found, sums)
    }
}

fn check_values(count: u64, most: u64) -> Result<(), Failure> {
    if count <= most {
        return Ok(());
    }
    let message = format!("The histories of the sums have more than {most} values together.");
    Err(ContentError::new("sums_too_long", Kind::TooLarge, message)
        .suggestion(
            "Use fewer hierarchy_columns, leave out series that ended long ago, or split the dataset.",
        )
        .into())
}

/// Adds values, newest first, to a sum that may be shorter.
fn add(sum: &mut Vec<f64>, values: &[f64]) {
    if sum.len() < values.len() {
        sum.resize(values.len(), 0.0);
    }
    for (total, value) in sum.iter_mut().zip(values) {
        *total += value;
    }
}
