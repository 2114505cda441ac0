//! A recipe as a part of a model file.

use minicbor::Decoder;
use minicbor::decode::Error as DecodeError;

use super::recipe::{LONGEST, Recipe, RollingStat};
use crate::codec::{Out, Written, put_counts, require, take_counts, take_list};

impl Recipe {
    pub(crate) fn encode(&self, out: &mut Out) -> Written {
        out.array(7)?.bool(self.time)?.bool(self.cyclical)?.bool(self.flags)?;
        put_counts(out, &self.lags)?;
        put_counts(out, &self.windows)?;
        out.array(self.stats.len() as u64)?;
        for stat in &self.stats {
            out.str(stat.name())?;
        }
        put_counts(out, &self.growth)
    }

    /// Reads what [`Recipe::encode`] wrote.
    pub(crate) fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        require(input.array()? == Some(7), "a recipe of another length")?;
        Ok(Self {
            time: input.bool()?,
            cyclical: input.bool()?,
            flags: input.bool()?,
            lags: take_counts(input, LONGEST)?,
            windows: take_counts(input, LONGEST)?,
            stats: take_list(input, |input| {
                let name = input.str()?;
                let found = RollingStat::ALL.into_iter().find(|stat| stat.name() == name);
                found.ok_or_else(|| DecodeError::message("an unknown statistic"))
            })?,
            growth: take_counts(input, LONGEST)?,
        })
    }
}
