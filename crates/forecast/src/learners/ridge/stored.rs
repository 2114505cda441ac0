//! Stores a linear model as part of a model file.

use minicbor::Decoder;
use minicbor::decode::Error as DecodeError;
use tabcast_calendar::Frequency;

use super::standard::Standard;
use super::{Layout, RidgeModel};
use crate::codec::{Out, Written, put_numbers, require, take_count, take_numbers};
use crate::covariates::engineered::Recipe;

/// Upper limit of the season, horizon and covariate columns of a stored model.
const MOST: usize = 1 << 24;

impl RidgeModel {
    /// Writes everything but the frequency, which belongs to the whole model.
    pub(crate) fn encode(&self, out: &mut Out) -> Written {
        out.array(8)?.u64(self.rows as u64)?;
        let Layout { recipe, season, horizon, columns, .. } = &self.layout;
        recipe.encode(out)?;
        out.u64(*season as u64)?.u64(*horizon as u64)?.u64(*columns as u64)?;
        put_numbers(out, &self.standard.numbers())?;
        put_numbers(out, &self.coefficients)?;
        put_numbers(out, &self.errors)
    }

    /// Reads what [`RidgeModel::encode`] wrote, and checks its parts against each other.
    pub(crate) fn decode(input: &mut Decoder<'_>, frequency: Frequency) -> Result<Self, DecodeError> {
        require(input.array()? == Some(8), "a linear model of another length")?;
        let rows = take_count(input, 0, usize::MAX)?;
        let recipe = Recipe::decode(input)?;
        let (season, horizon) = (take_count(input, 1, MOST)?, take_count(input, 1, MOST)?);
        let layout = Layout { recipe, frequency, season, horizon, columns: take_count(input, 0, MOST)? };
        let standard = Standard::from_numbers(&take_numbers(input)?)
            .ok_or_else(|| DecodeError::message("features that lack a number"))?;
        let model =
            Self { standard, coefficients: take_numbers(input)?, rows, errors: take_numbers(input)?, layout };
        let width = model.layout.width();
        let fits = model.standard.width() == width && model.coefficients.len() == width + 1;
        require(fits && !model.errors.is_empty(), "coefficients of other features")?;
        Ok(model)
    }
}
