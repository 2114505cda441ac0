//! Stores global trees as part of a model file.

use minicbor::Decoder;
use minicbor::decode::Error as DecodeError;
use minicbor::encode::Error as EncodeError;
use tabcast_calendar::Frequency;
use tabcast_trees::Ensemble;

use super::analogs::Analogs;
use super::learner::LEVELS;
use super::model::GlobalModel;
use super::rows::Layout;
use crate::codec::{Out, Written, put_numbers, require, take_count, take_numbers, take_option};
use crate::covariates::engineered::Recipe;

/// Upper limit of the seasons and covariate columns of a stored model.
const MOST: usize = 1 << 24;
const PARTS: u64 = 12;

impl GlobalModel {
    /// Writes everything but the recipe and the frequency, which belong to the whole model.
    pub(crate) fn encode(&self, out: &mut Out) -> Written {
        out.array(PARTS)?;
        let Layout { analogs, columns, is_coded, .. } = &self.layout;
        out.u64(self.horizon as u64)?.u64(self.rows as u64)?;
        out.u64(*columns as u64)?.bool(*is_coded)?;
        out.u64(analogs.season as u64)?.u64(analogs.long as u64)?.bool(analogs.levelled)?;
        put_numbers(out, &[analogs.half_life, analogs.other_place, analogs.sharpness])?;
        put_numbers(out, &analogs.relevance)?;
        put_trees(out, Some(&self.direct))?;
        put_trees(out, self.recursive.as_ref())?;
        put_trees(out, Some(&self.spread))
    }

    /// Whether the model takes these covariates and was trained for a horizon of at least this length.
    pub(crate) fn fits(&self, columns: usize, horizon: usize) -> bool {
        self.layout.columns == columns && self.horizon <= horizon
    }

    /// Reads what [`GlobalModel::encode`] wrote, and checks its parts against each other.
    pub(crate) fn decode(
        input: &mut Decoder<'_>,
        recipe: &Recipe,
        frequency: Frequency,
    ) -> Result<Self, DecodeError> {
        require(input.array()? == Some(PARTS), "trees of another length")?;
        let (horizon, rows) = (take_count(input, 1, MOST)?, take_count(input, 0, usize::MAX)?);
        let (columns, is_coded) = (take_count(input, 0, MOST)?, input.bool()?);
        let (season, long) = (take_count(input, 1, MOST)?, take_count(input, 1, MOST)?);
        let levelled = input.bool()?;
        let chosen = take_numbers(input)?;
        let [half_life, other_place, sharpness] = chosen[..] else {
            return Err(DecodeError::message("analogs that lack a number"));
        };
        let relevance = take_numbers(input)?;
        require(relevance.len() == columns && half_life > 0.0, "analogs that fit no covariates")?;
        let analogs = Analogs { season, long, half_life, other_place, levelled, sharpness, relevance };
        let layout = Layout { analogs, recipe: recipe.clone(), frequency, columns, is_coded };
        let width = layout.features().len();
        let mut trees = |outputs: usize| -> Result<Option<Ensemble>, DecodeError> {
            let trees =
                take_option(input, |input| Ensemble::read(input.bytes()?).map_err(DecodeError::custom))?;
            let fits = |trees: &Ensemble| trees.features.len() == width && trees.outputs == outputs;
            require(trees.as_ref().is_none_or(fits), "trees of other features")?;
            Ok(trees)
        };
        let (direct, recursive, spread) = (trees(1)?, trees(1)?, trees(LEVELS.len())?);
        let (Some(direct), Some(spread)) = (direct, spread) else {
            return Err(DecodeError::message("trees that are not there"));
        };
        Ok(Self { layout, horizon, direct, recursive, spread, rows })
    }
}

fn put_trees(out: &mut Out, trees: Option<&Ensemble>) -> Written {
    let Some(trees) = trees else {
        out.null()?;
        return Ok(());
    };
    let mut bytes = Vec::new();
    trees.write(&mut bytes).map_err(EncodeError::message)?;
    out.bytes(&bytes)?;
    Ok(())
}
