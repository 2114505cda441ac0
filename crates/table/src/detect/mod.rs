//! Guesses which columns are the ones that a forecast needs.

mod names;

use names::is_driver;
pub(crate) use names::{Telling, is_label};
use tabcast_calendar::parse_timestamp;

/// With this many distinct numbers that are days, such as 20260131, the column is a time whatever its name.
const DAYS: u64 = 6;

/// Counts of a column's examined cells; empty ones do not count.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    pub(crate) name: String,
    pub(crate) values: u64,
    /// Number of timestamps, including plain numbers that may be timestamps.
    pub(crate) timestamps: u64,
    pub(crate) numbers: u64,
    /// Number of whole numbers among the numbers.
    pub(crate) whole: u64,
    /// Number of numbers that are days of the years 1900 to 2100, written as eight digits.
    pub(crate) days: u64,
    pub(crate) distinct: u64,
}

/// Whether a number is a day of the years 1900 to 2100, written as eight digits.
pub(crate) fn is_day_number(value: f64) -> bool {
    value.fract() == 0.0
        && (19_000_101.0..=21_001_231.0).contains(&value)
        && parse_timestamp(value.to_string().as_bytes()).is_some()
}

/// Indices of columns by role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) timestamp: Option<usize>,
    pub(crate) target: Option<usize>,
    pub(crate) item_id: Option<usize>,
}

/// Chooses the roles that are not given: usual names first, then names with a usual name among their words, then
/// contents. The contents have to fit in any case. A column has one role at most.
pub(crate) fn choose(columns: &[Facts], given: &Choice) -> Choice {
    let mut choice = given.clone();
    let mut free: Vec<usize> = (0..columns.len()).filter(|place| !given.has(*place)).collect();
    for is_exact in [true, false] {
        let named = |telling: fn(&str) -> Option<Telling>, free: &[usize], fits: &dyn Fn(&Facts) -> bool| {
            let told = free.iter().filter_map(|place| Some((telling(&columns[*place].name)?, *place)));
            let told = told.filter(|(telling, _)| telling.is_exact() == is_exact);
            told.filter(|(_, place)| fits(&columns[*place])).min().map(|(_, place)| place)
        };
        choice.timestamp = choice.timestamp.or_else(|| {
            named(Telling::of_timestamp, &free, &|column| {
                column.is_plainly_timestamp() || (is_exact && column.may_be_timestamp())
            })
        });
        free.retain(|place| !choice.has(*place));
        choice.target = choice.target.or_else(|| {
            named(Telling::of_target, &free, &|column| {
                if is_exact {
                    column.may_be_numeric()
                } else {
                    column.is_amount() && !is_driver(&column.name)
                }
            })
        });
        free.retain(|place| !choice.has(*place));
        let times = choice.timestamp.map_or(1, |place| columns[place].distinct);
        choice.item_id = choice.item_id.or_else(|| {
            named(Telling::of_item_id, &free, &|column| {
                !column.numbers_rows(times) && (is_exact || column.may_name_series())
            })
        });
        free.retain(|place| !choice.has(*place));
    }
    let looking = |fits: &dyn Fn(&Facts) -> bool, choice: &Choice| {
        free.iter().copied().find(|place| !choice.has(*place) && fits(&columns[*place]))
    };
    choice.timestamp = choice.timestamp.or_else(|| looking(&Facts::is_plainly_timestamp, &choice));
    choice.target = choice
        .target
        .or_else(|| looking(&|column| column.is_amount() && !is_driver(&column.name), &choice))
        .or_else(|| looking(&Facts::is_amount, &choice))
        .or_else(|| looking(&|column| column.is_numeric() && column.distinct > 1, &choice));
    choice.item_id = choice.item_id.or_else(|| looking(&Facts::repeats, &choice));
    choice
}

/// Other possible targets, best first: if some have a telling name, those; otherwise amounts, and other numbers that
/// vary. A driver of the target is never one, whatever else its name says.
pub(crate) fn rank_targets(
    columns: &[Facts],
    target: Option<usize>,
    is_taken: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let is_told = |place: usize| Telling::of_target(&columns[place].name).is_some();
    let has_telling_target = target.is_some_and(is_told);
    let mut ranked: Vec<(bool, Option<Telling>, usize)> = columns
        .iter()
        .enumerate()
        .filter(|(place, column)| !is_taken(*place) && column.is_numeric() && column.distinct > 2)
        .filter(|(_, column)| !column.has_days())
        .filter(|(place, column)| !is_label(&column.name) || is_told(*place))
        .filter(|(place, column)| !is_driver(&column.name) && (is_told(*place) || !has_telling_target))
        .map(|(place, column)| (!column.is_amount(), Telling::of_target(&column.name), place))
        .collect();
    // Names that say nothing come after all that say something.
    ranked.sort_by_key(|(is_odd, telling, place)| (*is_odd, telling.is_none(), *telling, *place));
    ranked.into_iter().map(|(.., place)| place).collect()
}

impl Choice {
    fn has(&self, place: usize) -> bool {
        [self.timestamp, self.target, self.item_id].contains(&Some(place))
    }
}

impl Facts {
    /// At least nine in ten: an occasional wrong cell does not change the role of a column.
    fn mostly(&self, count: u64) -> bool {
        self.values > 0 && count * 10 >= self.values * 9
    }

    fn may_be_timestamp(&self) -> bool {
        self.values == 0 || self.mostly(self.timestamps)
    }

    fn may_be_numeric(&self) -> bool {
        self.values == 0 || self.is_numeric()
    }

    /// Numbers of four or more digits may be timestamps, but that proves nothing unless they are days.
    pub(crate) fn is_plainly_timestamp(&self) -> bool {
        self.mostly(self.timestamps) && (self.numbers < self.values || self.has_days())
    }

    /// Whether all values are days as eight-digit numbers, and not by chance: the name suggests a time, or it suggests
    /// nothing else and there are several. One article number in a thousand could be a day, but six of six only by
    /// design.
    fn has_days(&self) -> bool {
        let is_thing = || Telling::of_item_id(&self.name).is_some() || is_label(&self.name);
        let is_told = Telling::of_timestamp(&self.name).is_some();
        self.days == self.values && self.distinct > 1 && (is_told || (self.distinct >= DAYS && !is_thing()))
    }

    pub(crate) fn is_numeric(&self) -> bool {
        self.mostly(self.numbers)
    }

    /// Varying numbers that do not look like identifiers.
    fn is_amount(&self) -> bool {
        let is_flag = self.distinct <= 2 && self.values > 4;
        let is_counter = self.distinct == self.values && self.whole == self.values && is_label(&self.name);
        let is_named = is_label(&self.name) || self.has_days();
        self.is_numeric() && self.distinct > 1 && !is_flag && !is_counter && !is_named
    }

    /// Repeated texts, or repeated whole numbers in a column named like an identifier.
    pub(crate) fn may_name_series(&self) -> bool {
        let is_whole = self.whole == self.values && Telling::of_item_id(&self.name).is_some();
        self.distinct > 0
            && self.distinct < self.values
            && (is_whole || self.numbers * 10 < self.values)
            && !self.is_plainly_timestamp()
    }

    fn repeats(&self) -> bool {
        self.numbers == 0 && self.timestamps == 0 && self.distinct > 0 && self.distinct < self.values
    }

    /// Whether every row has a different value although there are several times.
    pub(crate) fn numbers_rows(&self, times: u64) -> bool {
        self.distinct == self.values && self.values > 1 && times > 1
    }
}
