//! The file of external values.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;

use super::grids::{Grid, Grids};
use crate::Failure;

const MAGIC: &[u8; 8] = b"tcvalue1";
const TAIL_BYTES: u64 = 16;

/// The fields of the document that are used; it may have others.
#[derive(Deserialize)]
struct Document {
    columns: Vec<Column>,
    /// Number of steps of each grid.
    steps: Vec<usize>,
}

#[derive(Deserialize)]
struct Column {
    /// Name of the covariate.
    name: String,
    /// Whether to add the covariate at all.
    used: bool,
    /// Whether its future values are known on all grids; if not, those that exist are ignored.
    ahead: bool,
}

/// Values of each covariate on each grid; NaN where unknown.
///
/// File format, little endian: for each grid the values of each column in turn as f64; a JSON document (see
/// [`Document`]); its length in bytes as u64; `tcvalue1`.
pub(super) struct GridValues {
    pub(super) columns: Vec<String>,
    /// For each grid, the values of each column.
    pub(super) values: Vec<Vec<Vec<f64>>>,
}

impl GridValues {
    /// Reads the file, which must match these grids.
    pub(super) fn read(path: &Path, grids: &Grids) -> Result<Self, Failure> {
        Self::read_checked(path, grids).map_err(Failure::io("reading covariates"))
    }

    fn read_checked(path: &Path, grids: &Grids) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
        let (Document { columns, steps }, end) = read_document(&mut file)?;
        let numbers: u64 = steps.iter().map(|steps| (steps * columns.len()) as u64).sum();
        if !steps.iter().copied().eq(grids.parts.iter().map(Grid::steps)) || numbers * 8 != end {
            return Err(io::Error::other("the file of covariates is of another dataset"));
        }
        file.rewind()?;
        let mut values = Vec::with_capacity(steps.len());
        for grid in &grids.parts {
            let mut of_grid = Vec::new();
            for column in &columns {
                if column.used {
                    let mut numbers = read_numbers(&mut file, grid.steps())?;
                    if !column.ahead {
                        numbers[grid.history..].fill(f64::NAN);
                    }
                    of_grid.push(numbers);
                } else {
                    file.seek_relative(8 * grid.steps() as i64)?;
                }
            }
            values.push(of_grid);
        }
        let columns = columns.into_iter().filter(|column| column.used).map(|column| column.name).collect();
        Ok(Self { columns, values })
    }
}

/// The document, and the position where the values before it end.
fn read_document(file: &mut BufReader<File>) -> io::Result<(Document, u64)> {
    let none = || io::Error::other("the file of covariates is none");
    let size = file.get_ref().metadata()?.len();
    let start = size.checked_sub(TAIL_BYTES).ok_or_else(none)?;
    file.seek(SeekFrom::Start(start))?;
    let mut tail = [0; TAIL_BYTES as usize];
    file.read_exact(&mut tail)?;
    let (length, magic) = tail.split_at(8);
    let length = u64::from_le_bytes(length.try_into().expect("eight bytes"));
    let end = start.checked_sub(length).filter(|_| magic == MAGIC).ok_or_else(none)?;
    file.seek(SeekFrom::Start(end))?;
    let mut document = vec![0; length as usize];
    file.read_exact(&mut document)?;
    Ok((serde_json::from_slice(&document)?, end))
}

fn read_numbers(file: &mut impl Read, count: usize) -> io::Result<Vec<f64>> {
    let mut bytes = vec![0; count * 8];
    file.read_exact(&mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect())
}
