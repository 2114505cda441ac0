//! The location of each series.

use tabcast_table::{ContentError, CovariateValues, Kind, Panel, shorten};

use crate::Failure;

/// Locations are rounded to hundredths of a degree: closer ones have the same weather and share a request.
pub(super) const PER_DEGREE: f64 = 100.0;

/// Hundredths of a degree north and east.
pub(super) type Cell = (i32, i32);

/// The location of each series, from its first row with both coordinates.
///
/// # Errors
///
/// Content errors for non-numeric columns, series with no location or several, and coordinates out of range.
pub(super) fn cells_of(panel: &Panel, columns: &[String; 2]) -> Result<Vec<Cell>, Failure> {
    let [latitudes, longitudes] = [numbers(panel, &columns[0])?, numbers(panel, &columns[1])?];
    // Boolean cells are read as numbers, but no real table has all its locations on the corners of one degree off
    // Africa.
    let is_flag = |value: &&f64| **value == 0.0 || **value == 1.0;
    let mut known = latitudes.iter().chain(longitudes).filter(|value| !value.is_nan()).peekable();
    if known.peek().is_some() && known.all(|value| is_flag(&value)) {
        return Err(invalid(&columns[0]));
    }
    let mut cells = Vec::with_capacity(panel.len());
    for (series, ends) in panel.offsets.windows(2).enumerate() {
        let at = |row: usize| (latitudes[row], longitudes[row]);
        let is_known = |(latitude, longitude): (f64, f64)| !latitude.is_nan() && !longitude.is_nan();
        let id = panel.ids.get(series);
        let Some(first) = (ends[0]..ends[1]).map(at).find(|&place| is_known(place)) else {
            return Err(missing(id, columns));
        };
        check_range(first, id, columns)?;
        let cell = cell(first);
        // The shortcut avoids rounding: nearly every row repeats the first one.
        let differs = |&place: &(f64, f64)| place != first && is_known(place) && self::cell(place) != cell;
        if let Some(other) = (ends[0]..ends[1]).map(at).find(differs) {
            return Err(varies(id, first, other, columns));
        }
        cells.push(cell);
    }
    Ok(cells)
}

fn cell((latitude, longitude): (f64, f64)) -> Cell {
    ((latitude * PER_DEGREE).round() as i32, (longitude * PER_DEGREE).round() as i32)
}

fn numbers<'a>(panel: &'a Panel, name: &str) -> Result<&'a [f64], Failure> {
    let column = panel.covariates.iter().find(|covariate| covariate.name == name);
    if let Some(CovariateValues::Numbers(values)) = column.map(|covariate| &covariate.values) {
        return Ok(values);
    }
    Err(invalid(name))
}

fn invalid(name: &str) -> Failure {
    let message = format!("The column '{}' holds no coordinates in degrees", shorten(name));
    let error = ContentError::new("invalid_location", Kind::Content, message).column(name);
    error.suggestion("Give latitudes and longitudes as decimal numbers such as 48.21.").into()
}

fn missing(id: &str, columns: &[String; 2]) -> Failure {
    let message = format!("The item '{}' has no latitude and longitude", shorten(id));
    let error = ContentError::new("missing_location", Kind::Content, message).column(&columns[0]).item(id);
    error
        .suggestion("Fill the two columns in one row of every item, or name a city or coordinates for all.")
        .into()
}

fn check_range((latitude, longitude): (f64, f64), id: &str, columns: &[String; 2]) -> Result<(), Failure> {
    let (column, value, most) = if latitude.abs() > 90.0 {
        (&columns[0], latitude, 90)
    } else if longitude.abs() > 180.0 {
        (&columns[1], longitude, 180)
    } else {
        return Ok(());
    };
    let message = format!("The item '{}' has {value} in the column '{}'", shorten(id), shorten(column));
    let error = ContentError::new("location_out_of_range", Kind::Content, message).column(column).item(id);
    Err(error.suggestion(format!("The column takes degrees from -{most} to {most}.")).into())
}

fn varies(id: &str, first: (f64, f64), other: (f64, f64), columns: &[String; 2]) -> Failure {
    let message = format!(
        "The item '{}' is in several places: {}, {} and {}, {}",
        shorten(id),
        first.0,
        first.1,
        other.0,
        other.1
    );
    let error = ContentError::new("location_varies", Kind::Content, message).column(&columns[0]).item(id);
    error.suggestion("Give each item one place.").into()
}
