//! The list of models; `CONTRIBUTING.md` says what a new one needs.

use crate::Model;
use crate::arima;
use crate::autoregression::Autoregression;
use crate::ces::ComplexSmoothing;
use crate::damped_growth::DampedGrowth;
use crate::drift::Drift;
use crate::ets;
use crate::intermittent::{Adida, Croston, TeunterSyntetosBabai};
use crate::level_shape::LevelShape;
use crate::mstl::Mstl;
use crate::seasonal_naive::SeasonalNaive;
use crate::seasonal_regression::SeasonalRegression;
use crate::shrunken_season::ShrunkenSeason;
use crate::theta::{AutomaticTheta, BoxCoxTheta, DynamicOptimisedTheta};

static MODELS: &[&dyn Model] = &[
    &SeasonalNaive,
    &Drift,
    &ets::SIMPLE,
    &ets::HOLT,
    &ets::DAMPED,
    &ets::TIGHT,
    &ets::AUTOMATIC,
    &DynamicOptimisedTheta,
    &Autoregression,
    &ComplexSmoothing,
    &arima::Arima,
    &arima::FourierArima,
    &Croston,
    &TeunterSyntetosBabai,
    &Adida,
    &AutomaticTheta,
    &BoxCoxTheta,
    &Mstl,
    &LevelShape,
    &DampedGrowth,
    &ShrunkenSeason,
    &SeasonalRegression,
];

/// Every model, in a fixed order.
pub fn registry() -> &'static [&'static dyn Model] {
    MODELS
}

/// The model with the given registry name.
pub fn find(name: &str) -> Option<&'static dyn Model> {
    MODELS.iter().copied().find(|model| model.name() == name)
}
