//! Reads cells as numbers or levels, in the same way for every view.

use tabcast_calendar::Micros;
use tabcast_statistics::random;
use tabcast_table::{Frame, FrameColumn};
use tabcast_trees::Feature;

use super::column::Column;
use super::dates::{DatePart, days_between, stamps};
use super::levels::Levels;
use super::text::{TextReduction, lengths};
use crate::typing::number;
use crate::{ColumnDecision, Role, View};

/// Maximum number of date columns whose differences are features.
const MOST_DATES: usize = 3;

/// How the cells of one column, or of a pair, are read.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    /// The column of the table.
    pub(crate) column: usize,
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Number,
    /// Two texts as 0 and 1; the text that sorts last is 1, such as `true`, `yes` and `y`.
    Boolean(Levels, Vec<f64>),
    Date(Micros),
    /// Days from the date to that of another column.
    Difference(usize),
    Text(TextReduction),
    Category(Category),
}

/// A column of levels.
#[derive(Debug, Clone)]
pub(crate) struct Category {
    pub(crate) levels: Levels,
    /// Whether the column has a large number of levels, each of them rare.
    pub(crate) high: bool,
}

/// The result of a reader for some rows.
pub(crate) enum Reading {
    Numbers(Vec<Numbers>),
    Levels(Vec<u32>),
}

/// A numeric feature.
pub(crate) struct Numbers {
    pub(crate) name: String,
    /// NaN if missing.
    pub(crate) values: Vec<f64>,
    /// Whether distances in it are meaningful without scaling, so that it is not standardised.
    pub(crate) scaled: bool,
    /// Whether trees do not use it.
    pub(crate) dense_only: bool,
}

impl Reader {
    /// The readers of a table: one per feature column, then those of pairs of dates.
    pub(crate) fn fit_all(frame: &Frame, decisions: &[ColumnDecision], rows: &[u32], seed: u64) -> Vec<Self> {
        let mut readers = Vec::new();
        let mut dates = Vec::new();
        for (column, decision) in decisions.iter().enumerate() {
            let levels = || Levels::fit(frame, column, rows);
            let kind = match decision.role {
                Role::Number => Kind::Number,
                Role::Boolean => match &frame.columns[column] {
                    FrameColumn::Numbers(_) => Kind::Number,
                    FrameColumn::Texts(_) => boolean(frame, levels()),
                },
                Role::Category | Role::HighCardinality => {
                    let high = decision.role == Role::HighCardinality;
                    Kind::Category(Category { levels: levels(), high })
                }
                Role::Date => {
                    dates.push(column);
                    let first = stamps(frame, column, rows).into_iter().flatten().min();
                    Kind::Date(first.unwrap_or(0))
                }
                Role::Text => {
                    Kind::Text(TextReduction::fit(frame, column, rows, random::bits(seed, column as u64)))
                }
                Role::Identifier | Role::Constant | Role::Empty | Role::Duplicate { .. } | Role::Label => {
                    continue;
                }
            };
            readers.push(Self { column, name: decision.name.clone(), kind });
        }
        dates.truncate(MOST_DATES);
        for (at, &column) in dates.iter().enumerate() {
            for &other in &dates[at + 1..] {
                let name = format!("days from {} to {}", decisions[column].name, decisions[other].name);
                readers.push(Self { column, name, kind: Kind::Difference(other) });
            }
        }
        readers
    }

    /// The category, if this reads one.
    pub(crate) fn category(&self) -> Option<&Category> {
        if let Kind::Category(category) = &self.kind { Some(category) } else { None }
    }

    /// Name of the column, or of the feature if it has its own.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads the cells of some rows.
    pub(crate) fn read(&self, frame: &Frame, rows: &[u32]) -> Reading {
        let plain = |values| Reading::Numbers(vec![Numbers::new(self.name.clone(), values)]);
        match &self.kind {
            Kind::Number => plain(numbers(frame, self.column, rows)),
            Kind::Boolean(levels, values) => {
                let of = |level: u32| values.get(level as usize).copied().unwrap_or(f64::NAN);
                plain(levels.of(frame, rows).into_iter().map(of).collect())
            }
            Kind::Date(origin) => Reading::Numbers(self.read_dates(frame, rows, *origin)),
            Kind::Difference(other) => {
                let (from, to) = (stamps(frame, self.column, rows), stamps(frame, *other, rows));
                let days = |(from, to): (Option<Micros>, Option<Micros>)| {
                    from.zip(to).map_or(f64::NAN, |(from, to)| days_between(from, to))
                };
                plain(from.into_iter().zip(to).map(days).collect())
            }
            Kind::Text(reduction) => Reading::Numbers(self.read_texts(frame, rows, reduction)),
            Kind::Category(category) => Reading::Levels(category.levels.of(frame, rows)),
        }
    }

    fn read_dates(&self, frame: &Frame, rows: &[u32], origin: Micros) -> Vec<Numbers> {
        let stamps = stamps(frame, self.column, rows);
        let part = |part: DatePart| {
            let of = |stamp: &Option<Micros>| stamp.map_or(f64::NAN, |stamp| part.of(stamp, origin));
            let circle = matches!(part, DatePart::Circle { .. });
            let name = format!("{}: {}", self.name, part.name());
            Numbers {
                scaled: circle,
                dense_only: circle,
                ..Numbers::new(name, stamps.iter().map(of).collect())
            }
        };
        DatePart::ALL.into_iter().map(part).collect()
    }

    fn read_texts(&self, frame: &Frame, rows: &[u32], reduction: &TextReduction) -> Vec<Numbers> {
        let [chars, words] = lengths(frame, self.column, rows);
        let mut all = vec![
            Numbers::new(format!("{}: characters", self.name), chars),
            Numbers::new(format!("{}: words", self.name), words),
        ];
        for (at, values) in reduction.of(frame, rows).into_iter().enumerate() {
            let name = format!("{}: text {}", self.name, at + 1);
            all.push(Numbers { scaled: true, ..Numbers::new(name, values) });
        }
        all
    }
}

impl Numbers {
    fn new(name: String, values: Vec<f64>) -> Self {
        Self { name, values, scaled: false, dense_only: false }
    }

    /// Whether a view uses this feature.
    pub(crate) fn is_for(&self, view: View) -> bool {
        view == View::Dense || !self.dense_only
    }

    /// The unchanged feature.
    pub(crate) fn column(&self) -> Column {
        Column { feature: Feature::numeric(&*self.name), values: self.values.clone(), scaled: self.scaled }
    }
}

fn boolean(frame: &Frame, levels: Levels) -> Kind {
    let names = levels.names(frame, levels.len());
    let rank = |name: &String| names.iter().filter(|other| *other < name).count() as f64;
    let values = names.iter().map(rank).collect();
    Kind::Boolean(levels, values)
}

/// The numbers of a column; texts that are no numbers are missing.
pub(super) fn numbers(frame: &Frame, column: usize, rows: &[u32]) -> Vec<f64> {
    match &frame.columns[column] {
        FrameColumn::Numbers(numbers) => rows.iter().map(|&row| numbers[row as usize]).collect(),
        FrameColumn::Texts(texts) => {
            rows.iter().map(|&row| texts.get(row as usize).and_then(number).unwrap_or(f64::NAN)).collect()
        }
    }
}
