//! Covariates, by column type.

use parquet::basic::Type;
use parquet::data_type::BoolType;
use parquet::errors::Result;
use parquet::file::metadata::RowGroupMetaData;
use parquet::schema::types::ColumnDescriptor;
use tabcast_calendar::write_pandas;

use crate::ContentError;
use crate::number::Number;
use crate::parquet_file::column::Column;
use crate::parquet_file::roles::{Targets, TimeCell, Timestamps, is_date, nanoseconds};
use crate::parquet_file::source::Source;

/// The types of targets, booleans, and dates and timestamps, which become the texts that a CSV file would have.
pub(crate) enum Covariates {
    Values(Targets),
    Booleans(Column<BoolType>),
    /// Printed with this many characters.
    Times(Timestamps, usize),
}

impl Covariates {
    pub(crate) fn open(source: &Source, group: &RowGroupMetaData, index: usize) -> Result<Covariates> {
        let column = group.column(index).column_descr();
        Ok(match column.physical_type() {
            Type::BOOLEAN => Covariates::Booleans(Column::open(source, group, index)?),
            _ if is_time(column) => {
                let characters = if is_date(column) { 10 } else { 19 };
                Covariates::Times(Timestamps::open(source, group, index)?, characters)
            }
            _ => Covariates::Values(Targets::open(source, group, index)?),
        })
    }

    pub(crate) fn check(column: &ColumnDescriptor) -> Option<ContentError> {
        let known = column.physical_type() == Type::BOOLEAN || is_time(column);
        if known { None } else { Targets::check(column) }
    }

    /// Visits the next `rows` cells, each with its text unless it is a plain number.
    pub(crate) fn read(&mut self, rows: usize, mut visit: impl FnMut(Number, &[u8])) -> Result<()> {
        match self {
            Covariates::Values(values) => values.read(rows, visit),
            Covariates::Booleans(column) => column.read(rows, |value| match value {
                Some(value) => visit(Number::Value(f64::from(u8::from(*value))), &[]),
                None => visit(Number::Null, &[]),
            }),
            Covariates::Times(times, characters) => {
                let mut text = Vec::new();
                times.read(rows, None, |time| match time {
                    TimeCell::At(micros, _) | TimeCell::Finer(micros, ..) => {
                        text.clear();
                        write_pandas(micros, &mut text);
                        text.truncate(*characters);
                        visit(Number::Text, &text);
                    }
                    TimeCell::Unreadable(_) | TimeCell::OutOfRange => visit(Number::Null, &[]),
                })
            }
        }
    }
}

pub(crate) fn is_time(column: &ColumnDescriptor) -> bool {
    column.physical_type() == Type::INT96 || is_date(column) || nanoseconds(column).is_some()
}
