//! Encodes levels as features.

use tabcast_table::Frame;
use tabcast_trees::Feature;

use super::column::Column;
use super::levels::{Levels, MISSING};
use super::readers::Category;
use super::statistics::{Outcomes, TargetStatistic};
use crate::View;

/// Maximum number of codes of a feature: trees have a bin for each.
const MOST_CODES: usize = 254;

/// Maximum number of levels with an indicator each.
const MOST_INDICATORS: usize = 150;

/// Minimum number of fitted rows for a level with an indicator.
const ROWS_OF_INDICATOR: u32 = 5;

/// Maximum number of statistics columns of a table, so that many classes do not multiply with many categories.
const MOST_STATISTICS: usize = 200;

/// Maximum number of cells that statistics or indicators take together.
const MOST_CELLS: usize = 50_000_000;

/// The number of features that a column of levels may become, so that large tables fit into memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Statistics per column.
    statistics: usize,
    /// Levels of a column in which each has an indicator.
    indicators: usize,
}

impl Limits {
    /// For a table with this many rows and this many columns of levels.
    pub(crate) fn new(rows: usize, categories: usize) -> Self {
        let columns = MOST_CELLS / rows.max(1);
        let categories = categories.max(1);
        Self {
            statistics: (columns.min(MOST_STATISTICS) / categories).max(1),
            indicators: (columns / categories).min(MOST_INDICATORS),
        }
    }
}

/// How the levels of a column are encoded.
#[derive(Debug, Clone)]
pub(crate) enum Coding {
    /// The level itself. Beyond `own`, all rarer levels share one code; the code after the last one is for values that
    /// no fitted row had.
    Codes {
        /// Number of levels with a code of their own.
        own: usize,
        /// The text of each code.
        names: Vec<String>,
    },
    /// A statistic of the labels of a level.
    Statistic {
        /// Index of the outcome.
        outcome: usize,
        /// Fitted on all rows.
        statistic: TargetStatistic,
    },
    /// Number of fitted rows of the level.
    Count,
    /// Whether it is this level.
    Indicator(u32),
    /// Whether it is none of the levels with an indicator.
    Other {
        /// Number of levels with an indicator.
        own: u32,
    },
    /// Whether the level is missing.
    Missing,
}

impl Coding {
    /// The codings of a category in a view, each with its feature for the fitted rows, whose levels are `of_rows`.
    pub(crate) fn fit_all(
        view: View,
        (frame, category, name): (&Frame, &Category, &str),
        of_rows: &[u32],
        (outcomes, limits): (&Outcomes, Limits),
    ) -> Vec<(Self, Column)> {
        let levels = &category.levels;
        if levels.len() + usize::from(levels.missing > 0) < 2 {
            return Vec::new();
        }
        let few = levels.len() <= limits.indicators;
        let mut fitted = Vec::new();
        if view == View::Sets {
            fitted.push(Self::codes(frame, levels));
        }
        if view == View::Dense && few {
            let own = levels.counts.iter().take_while(|&&count| count >= ROWS_OF_INDICATOR).count() as u32;
            fitted.extend((0..own).map(Self::Indicator));
            fitted.extend([Self::Other { own }, Self::Missing]);
        }
        let with_column = |coding: Self| {
            let column = coding.column(levels, name, outcomes, of_rows);
            (coding, column)
        };
        let mut made: Vec<(Self, Column)> = fitted.into_iter().map(with_column).collect();
        let with_statistics = match view {
            View::Sets => category.high,
            View::Statistics => true,
            View::Dense => !few,
        };
        if with_statistics {
            for outcome in 0..limits.statistics.min(outcomes.names.len()) {
                let (statistic, crossed) = TargetStatistic::fit(levels, of_rows, outcomes, outcome);
                let coding = Self::Statistic { outcome, statistic };
                let column = Column { values: crossed, ..coding.column(levels, name, outcomes, &[]) };
                made.push((coding, column));
            }
            if levels.len() > 2 {
                made.push(with_column(Self::Count));
            }
        }
        made
    }

    fn codes(frame: &Frame, levels: &Levels) -> Self {
        let own = if levels.len() > MOST_CODES { MOST_CODES - 1 } else { levels.len() };
        let mut names = levels.names(frame, own);
        if levels.len() > own {
            names.push("other".to_owned());
        }
        Self::Codes { own, names }
    }

    /// The feature for rows with these levels.
    pub(crate) fn column(&self, levels: &Levels, name: &str, outcomes: &Outcomes, of_rows: &[u32]) -> Column {
        let feature = match self {
            Self::Codes { names, .. } => Feature::categorical(name, names.clone()),
            Self::Statistic { outcome, .. } => {
                Feature::numeric(format!("{name}: {}", outcomes.names[*outcome]))
            }
            Self::Count => Feature::numeric(format!("{name}: rows")),
            Self::Indicator(level) => Feature::numeric(format!("{name}: level {}", level + 1)),
            Self::Other { .. } => Feature::numeric(format!("{name}: other level")),
            Self::Missing => Feature::numeric(format!("{name}: missing")),
        };
        let scaled = matches!(self, Self::Indicator(_) | Self::Other { .. } | Self::Missing);
        Column { feature, values: self.values(levels, of_rows), scaled }
    }

    /// The values for rows with these levels.
    pub(crate) fn values(&self, levels: &Levels, of_rows: &[u32]) -> Vec<f64> {
        let flag =
            |is: &dyn Fn(u32) -> bool| of_rows.iter().map(|&level| f64::from(u8::from(is(level)))).collect();
        match self {
            Self::Codes { own, names } => {
                let known = levels.len();
                let code = |&level: &u32| match level {
                    MISSING => f64::NAN,
                    level if (level as usize) < *own => f64::from(level),
                    level if (level as usize) < known => *own as f64,
                    _ => names.len() as f64,
                };
                of_rows.iter().map(code).collect()
            }
            Self::Statistic { statistic, .. } => of_rows.iter().map(|&level| statistic.of(level)).collect(),
            Self::Count => {
                let rows = |&level: &u32| match level {
                    MISSING => f64::from(levels.missing),
                    level => levels.counts.get(level as usize).map_or(0.0, |&count| f64::from(count)),
                };
                of_rows.iter().map(rows).collect()
            }
            Self::Indicator(own) => flag(&|level| level == *own),
            Self::Other { own } => flag(&|level| level >= *own && level != MISSING),
            Self::Missing => flag(&|level| level == MISSING),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_tables_have_fewer_features_a_column() {
        let limits = |rows, categories| {
            let Limits { statistics, indicators } = Limits::new(rows, categories);
            (statistics, indicators)
        };
        assert_eq!(limits(10_000, 8), (25, 150));
        assert_eq!(limits(10_000, 0), (200, 150));
        assert_eq!(limits(500_000, 20), (5, 5));
        assert_eq!(limits(500_000, 500), (1, 0));
    }
}
