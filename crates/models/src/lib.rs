//! Local forecasting models, each in a file or folder of its own.
//!
//! A model sees one series at a time: [`Model::fit`] returns a [`Fit`], and [`Fit::forecast`] gives the mean, the
//! standard deviation and the quantiles of each step ahead. [`registry`] lists all models.
//!
//! ```
//! use tabcast_models::{Series, find};
//!
//! let values = [112.0, 118.0, 132.0, 129.0, 121.0, 135.0, 148.0, 148.0];
//! let model = find("seasonal_naive").expect("the model is in the registry");
//! let fit = model.fit(&Series::with_season(&values, 4))?;
//! let forecast = fit.forecast(4);
//! assert_eq!(forecast.mean, [121.0, 135.0, 148.0, 148.0]);
//! assert!(forecast.quantile(0, 0.1) < forecast.quantile(0, 0.9));
//! # Ok::<(), tabcast_models::Unfit>(())
//! ```

mod adjustment;
mod arima;
mod autoregression;
mod ces;
mod damped_growth;
mod drift;
mod ets;
mod forecast;
mod intermittent;
mod interrupt;
mod level_shape;
pub mod likelihood;
mod logarithm;
mod model;
mod mstl;
mod phases;
mod registry;
mod rescale;
mod seasonal_naive;
mod seasonal_regression;
mod series;
mod shrunken_season;
mod theta;

pub use forecast::{Forecast, LEVELS, Shape};
pub use interrupt::Interrupt;
pub use model::{Fit, Model, Unfit};
pub use registry::{find, registry};
pub use series::Series;
