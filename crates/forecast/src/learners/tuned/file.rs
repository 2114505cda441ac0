//! The model file: a magic number, a version, a checksum and one CBOR array.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | `tabtuned` |
//! | 8..12 | version, 1 |
//! | 12..16 | CRC-32 of everything from byte 16 on |
//! | 16.. | CBOR: purpose, features, heads (trees as their own files), weights, calibration, ids as 64-bit numbers |
//!
//! Lengths in the file are checked against its bytes before anything is allocated, and the parts are checked against
//! each other.

use std::convert::Infallible;
use std::path::Path;

use minicbor::decode::Error as DecodeError;
use minicbor::encode::Error as EncodeError;
use minicbor::{Decoder, Encoder};
use tabcast_calendar::Frequency;

use super::TuneLoss;
use super::heads::{Heads, NAMES};
use super::model::TunedModel;
use crate::Failure;
use crate::codec::{Out, Written, put_numbers, require, take_count, take_list, take_numbers, take_option};
use crate::covariates::engineered::Recipe;
use crate::covariates::regressors::NamedColumn;
use crate::intervals::calibration::Calibration;
use crate::learners::global::GlobalModel;
use crate::learners::ridge::RidgeModel;

const MAGIC: &[u8; 8] = b"tabtuned";
const VERSION: u32 = 1;
/// Magic number, version, checksum.
pub(super) const PREFIX: usize = 16;
/// Longest horizon of a stored model, far beyond what a request may ask for.
const MOST_STEPS: usize = 1 << 24;
/// Number of elements of the array.
const PARTS: u64 = 12;

impl TunedModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`Failure::Io`] if the file cannot be read, [`Failure::Model`] if it is no model.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let bytes = std::fs::read(path).map_err(Failure::io("reading the model"))?;
        Self::decode(&bytes)
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>, EncodeError<Infallible>> {
        let mut out: Out = Encoder::new(Vec::new());
        out.array(PARTS)?.str(&self.frequency.alias())?.u64(self.horizon as u64)?;
        out.str(&self.target)?.str(self.loss.name())?;
        out.array(self.columns.len() as u64)?;
        for column in &self.columns {
            out.array(2)?.str(&column.covariate)?;
            match &column.category {
                Some(category) => out.str(category)?,
                None => out.null()?,
            };
        }
        self.recipe.encode(&mut out)?;
        self.put_heads(&mut out)?;
        put_numbers(&mut out, &self.weights)?;
        out.array(self.calibration.rows().len() as u64)?;
        for row in self.calibration.rows() {
            put_numbers(&mut out, row)?;
        }
        put_hashes(&mut out, &self.seen)?;
        put_hashes(&mut out, &self.training_series)?;
        // Reserved for a later version.
        out.null()?;
        let body = out.into_writer();
        let mut bytes = Vec::with_capacity(PREFIX + body.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&body);
        checksum(&mut bytes);
        Ok(bytes)
    }

    fn put_heads(&self, out: &mut Out) -> Written {
        let Heads { trees, linear, short } = &self.heads;
        out.array(3)?;
        match trees {
            Some(trees) => trees.encode(out)?,
            None => {
                out.null()?;
            }
        }
        for ridge in [linear, short] {
            match ridge {
                Some(ridge) => ridge.encode(out)?,
                None => {
                    out.null()?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let refuse = |what: &str| Failure::Model(what.to_owned());
        let Some((prefix, body)) = bytes.split_at_checked(PREFIX) else {
            return Err(refuse("it is shorter than a model file"));
        };
        let word =
            |at: usize| u32::from_le_bytes([prefix[at], prefix[at + 1], prefix[at + 2], prefix[at + 3]]);
        if prefix[..8] != *MAGIC {
            return Err(refuse("it is no model file"));
        }
        if word(8) != VERSION {
            return Err(Failure::Model(format!("it has version {}, and {VERSION} is known", word(8))));
        }
        if word(12) != crc32fast::hash(body) {
            return Err(refuse("it is damaged"));
        }
        Self::take(body).map_err(|error| Failure::Model(error.to_string()))
    }

    fn take(body: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::new(body);
        require(input.array()? == Some(PARTS), "a list of another length")?;
        let frequency = Frequency::parse(input.str()?).map_err(DecodeError::custom)?;
        let horizon = take_count(&mut input, 1, MOST_STEPS)?;
        let target = input.str()?.to_owned();
        let loss = TuneLoss::parse(input.str()?).ok_or_else(|| DecodeError::message("an unknown loss"))?;
        let columns = take_list(&mut input, |input| {
            require(input.array()? == Some(2), "a column that is no pair")?;
            let covariate = input.str()?.to_owned();
            let category = take_option(input, |input| Ok(input.str()?.to_owned()))?;
            Ok(NamedColumn { covariate, category })
        })?;
        let recipe = Recipe::decode(&mut input)?;
        require(input.array()? == Some(3), "a list of another length")?;
        let trees = take_option(&mut input, |input| GlobalModel::decode(input, &recipe, frequency))?;
        let mut ridge = || take_option(&mut input, |input| RidgeModel::decode(input, frequency));
        let heads = Heads { trees, linear: ridge()?, short: ridge()? };
        require(heads.fit(columns.len(), horizon), "heads for other covariates or steps")?;
        let weights = take_numbers(&mut input)?.try_into();
        let weights: [f64; NAMES.len()] =
            weights.map_err(|_| DecodeError::message("weights of other members"))?;
        require(weights.iter().all(|weight| *weight >= 0.0), "a negative weight")?;
        let calibration = Calibration::from_rows(take_list(&mut input, take_numbers)?)
            .ok_or_else(|| DecodeError::message("a calibration that does not ascend"))?;
        let (seen, training_series) = (take_hashes(&mut input)?, take_hashes(&mut input)?);
        input.skip()?;
        require(input.position() == body.len(), "more bytes than the model has")?;
        Ok(Self {
            frequency,
            horizon,
            target,
            loss,
            columns,
            recipe,
            heads,
            weights,
            calibration,
            seen,
            training_series,
        })
    }
}

/// Sets the checksum of a complete file.
pub(super) fn checksum(bytes: &mut [u8]) {
    let sum = crc32fast::hash(&bytes[PREFIX..]);
    bytes[PREFIX - 4..PREFIX].copy_from_slice(&sum.to_le_bytes());
}

fn put_hashes(out: &mut Out, hashes: &[u64]) -> Written {
    let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect();
    out.bytes(&bytes)?;
    Ok(())
}

fn take_hashes(input: &mut Decoder<'_>) -> Result<Vec<u64>, DecodeError> {
    let (words, rest) = input.bytes()?.as_chunks();
    require(rest.is_empty(), "ids that are cut")?;
    Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
}
