//! The frequency of a panel, and the error if it has none.

use tabcast_calendar::{Frequency, Micros, Regularity, check_frequency, infer_frequency, most_frequent_gap};

use crate::{ContentError, Kind, Warning};

/// Infers the frequency of series at `offsets`, or checks the given one against them; `column` is the name of the
/// timestamp column.
///
/// # Errors
/// `frequency_not_inferred`, or `frequency_conflict` for a given frequency; `timestamps_too_fine` if most timestamps
/// are less than a second apart.
pub fn find_frequency(
    given: Option<Frequency>,
    column: &str,
    timestamps: &[Micros],
    offsets: &[usize],
) -> Result<Regularity, Box<ContentError>> {
    find(given, column, timestamps, offsets).map_err(|error| {
        let gap = most_frequent_gap(timestamps, offsets).filter(|gap| (1..SECOND).contains(gap));
        gap.map_or(error, |gap| Box::new(less_than_a_second(gap, column)))
    })
}

const SECOND: Micros = 1_000_000;

fn less_than_a_second(gap: Micros, column: &str) -> ContentError {
    let message = format!(
        "Most timestamps are {} s after the one before, and the shortest step is one second",
        gap as f64 / SECOND as f64
    );
    ContentError::new("timestamps_too_fine", Kind::Content, message).column(column).suggestion(COARSER)
}

/// Advice for timestamps that are finer than any step.
pub(crate) const COARSER: &str =
    "Make one row of the rows of each second, or of a longer step, such as their sum or mean.";

/// Advice for steps without a row, which are filled as if their values were only not known.
const CLOSED: &str = "If steps have no row because nothing happened then, such as days that are closed, also send \
    preparation={\"missing\": \"zero\"}.";

fn find(
    given: Option<Frequency>,
    column: &str,
    timestamps: &[Micros],
    offsets: &[usize],
) -> Result<Regularity, Box<ContentError>> {
    if let Some(given) = given {
        return check_frequency(given, timestamps, offsets).map_err(|conflict| {
            let error =
                ContentError::new("frequency_conflict", Kind::Content, conflict.message).column(column);
            Box::new(match conflict.inferred {
                Some(inferred) => error.suggestion(format!("The data looks like freq {}.", inferred.alias())),
                None => error.suggestion("Leave freq out, or give the one the data has."),
            })
        });
    }
    infer_frequency(timestamps, offsets).map_err(|not_inferred| {
        let percent = (not_inferred.agreement * 100.0).floor();
        let (message, suggestion) = match not_inferred.best {
            Some(best) => (
                format!(
                    "No frequency fits: the best, {}, explains {percent} % of {} gaps, and 90 % are needed.",
                    best.alias(),
                    not_inferred.gaps
                ),
                format!("Give freq, for example {}. {CLOSED}", best.alias()),
            ),
            None => (
                "No frequency can be inferred from the timestamps.".to_owned(),
                "Give freq, for example D.".to_owned(),
            ),
        };
        let error = ContentError::new("frequency_not_inferred", Kind::Content, message);
        Box::new(error.column(column).suggestion(suggestion))
    })
}

/// The warning `irregular_gaps`, if not every gap is one step.
pub fn irregular_gaps(regularity: &Regularity) -> Option<Warning> {
    let Regularity { frequency, gaps, irregular } = regularity;
    (*irregular > 0).then(|| Warning {
        code: "irregular_gaps".into(),
        message: format!(
            "{irregular} of {gaps} gaps between timestamps {} not one step of {}.",
            if *irregular == 1 { "is" } else { "are" },
            frequency.alias()
        ),
        count: *irregular,
    })
}
