//! The header: delimiter, names and positions of the columns.

use crate::csv::blocks::DELIMITERS;
use crate::csv::cells::{Cells, End};
use crate::csv::refusals::{cell_too_long, not_utf8, nul_bytes, text_after_quote};
use crate::refusals::too_many_columns;
use crate::roles::{Role, locate, wanted};
use crate::{Limits, ReadError, ReadOptions};

/// What a reader does with the next cell or cells of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Skip(usize),
    Read(Role),
}

#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) delimiter: u8,
    pub(crate) columns: usize,
    /// Names of the columns.
    pub(crate) names: Vec<String>,
    /// The steps cover every cell of a record.
    pub(crate) steps: Vec<Step>,
}

impl Header {
    pub(crate) fn parse(line: &[u8], options: &ReadOptions) -> Result<Header, ReadError> {
        let (delimiter, names) = split_names(line, &wanted(&options.columns), &options.limits)?;
        let roles = locate(&names, &options.columns)?;
        let mut steps = Vec::new();
        let mut next = 0;
        for (place, role) in roles {
            if place > next {
                steps.push(Step::Skip(place - next));
            }
            steps.push(Step::Read(role));
            next = place + 1;
        }
        if next < names.len() {
            steps.push(Step::Skip(names.len() - next));
        }
        Ok(Header { delimiter, columns: names.len(), names, steps })
    }
}

/// The delimiter of a header and the names in it, whether or not the wanted columns are among them.
pub(crate) fn split_names(
    line: &[u8],
    wanted: &[(&str, Role)],
    limits: &Limits,
) -> Result<(u8, Vec<String>), ReadError> {
    if line.contains(&0) {
        return Err(nul_bytes().into());
    }
    let line = std::str::from_utf8(line).map_err(|_| not_utf8())?;
    // Chooses the delimiter that gives most of the wanted columns, then the one that gives most columns.
    let (delimiter, names) = DELIMITERS
        .into_iter()
        .map(|delimiter| (delimiter, Names::split(line, delimiter, limits.max_columns)))
        .rev()
        .max_by_key(|(_, names)| {
            let found = wanted.iter().filter(|(name, _)| names.kept.iter().any(|kept| kept == name));
            (found.count(), names.count)
        })
        .unwrap_or_default();
    if names.count > limits.max_columns {
        return Err(too_many_columns(names.count, limits.max_columns).into());
    }
    if names.broken {
        return Err(text_after_quote().into());
    }
    let names = names.kept;
    if let Some(index) = names.iter().position(|name| name.chars().count() > limits.max_cell_chars) {
        return Err(cell_too_long(limits.max_cell_chars).column(format!("number {}", index + 1)).into());
    }
    Ok((delimiter, names))
}

/// The cells of a header.
#[derive(Default)]
struct Names {
    /// Names up to the limit: a line of commas alone would otherwise take many times its size.
    kept: Vec<String>,
    count: usize,
    /// Whether text follows a closing quote, which is a sign of another delimiter. An unclosed quote is impossible
    /// here: the line was cut outside quotes.
    broken: bool,
}

impl Names {
    fn split(line: &str, delimiter: u8, max_columns: usize) -> Names {
        let mut cells = Cells::new(line.as_bytes(), delimiter);
        let mut names = Names::default();
        loop {
            let Some((cell, end)) = cells.next() else {
                names.broken = true;
                return names;
            };
            names.count += 1;
            if names.count <= max_columns {
                names.kept.push(String::from_utf8_lossy(cell.trim_ascii()).into_owned());
            }
            if end == End::Line {
                return names;
            }
        }
    }
}
