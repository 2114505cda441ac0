//! `analyses.json` and the tables beside it: every analysis for itself, in its share of the time.

use std::any::Any;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tabcast_explain::Skip;

use super::Subject;
use super::correlations::{among_features, with_target, write_among, write_with_target};
use super::document::Document;
use super::importance::Found;
use super::options::ExplainOptions;
use super::panel_rows::PanelRows;
use super::plot::Plot;
use super::regression::{regress, shown, write_regression};
use super::share::Share;
use super::tables::Folder;
use crate::Failure;

/// Rows of a series that correlations want, and that regressions in windows want.
const CORRELATED: usize = 100;
const REGRESSED: usize = 250;

const PLOT: &str = "forecast_plot";
const IMPORTANCE: &str = "feature_importance";
const SHAP: &str = "shap";
const WITH_TARGET: &str = "feature_target_correlations";
const AMONG: &str = "feature_feature_correlations";
const REGRESSION: &str = "rolling_regression";

/// Why an analysis has no result.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// A reason of the interface.
    Skip(&'static str),
    /// A mistake of ours, in words.
    Failed(String),
    /// The run itself ends.
    Run(Failure),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Run(failure)
    }
}

impl From<Skip> for Trouble {
    fn from(skip: Skip) -> Self {
        Self::Skip(skip.name())
    }
}

/// Analyses under way.
struct Analyses<'a> {
    subject: &'a Subject<'a>,
    options: &'a ExplainOptions,
    folder: Folder<'a>,
    /// How many analyses divide the time.
    count: usize,
    document: Document,
}

/// Makes the analyses that were asked for and writes `analyses.json`, `plot.json` and a table of each that was completed into a
/// folder. Uses the threads of the pool that it is called in.
///
/// # Errors
///
/// A disk that does not take a file; [`Failure::Cancelled`]. What an analysis itself meets is a reason in `analyses.json`.
pub(crate) fn write_analyses(
    path: &Path,
    max_csv_bytes: u64,
    subject: &Subject<'_>,
    options: &ExplainOptions,
    freq: &str,
) -> Result<(), Failure> {
    let wanted = [
        options.forecast_plot,
        options.feature_importance || options.shap,
        options.feature_target_correlations,
        options.feature_feature_correlations,
        options.rolling_regression && options.rolling_regression_allowed,
    ];
    let mut analyses = Analyses {
        subject,
        options,
        folder: Folder { path, max_csv_bytes, control: subject.control },
        count: wanted.iter().filter(|wanted| **wanted).count(),
        document: Document::new(&subject.config.columns.target, freq),
    };
    if options.forecast_plot {
        analyses.attempt(&[PLOT], |analyses, _| analyses.plot(freq))?;
    }
    if options.feature_importance || options.shap {
        let named = [(options.feature_importance, IMPORTANCE), (options.shap, SHAP)];
        let names: Vec<&'static str> =
            named.iter().filter(|(wanted, _)| *wanted).map(|(_, name)| *name).collect();
        analyses.attempt(&names, Analyses::importance)?;
    }
    if options.feature_target_correlations {
        analyses.attempt(&[WITH_TARGET], Analyses::with_target)?;
    }
    if options.feature_feature_correlations {
        analyses.attempt(&[AMONG], Analyses::among)?;
    }
    if options.rolling_regression && options.rolling_regression_allowed {
        analyses.attempt(&[REGRESSION], Analyses::regression)?;
    } else if options.rolling_regression {
        analyses.document.skipped.insert(REGRESSION, "disabled_by_operator");
    }
    analyses.document.warnings.dedup();
    write_json(&analyses.document, &analyses.folder.file("analyses.json"))
}

fn write_json(value: &impl serde::Serialize, path: &Path) -> Result<(), Failure> {
    let bytes = serde_json::to_vec(value)
        .map_err(|error| Failure::io("writing an analysis")(io::Error::other(error)))?;
    fs::write(path, bytes).map_err(Failure::io("writing an analysis"))
}

impl Analyses<'_> {
    /// Runs an analysis, whose results are completed under these names unless it says otherwise; what goes wrong is told.
    fn attempt(
        &mut self,
        names: &[&'static str],
        work: impl FnOnce(&mut Self, &Share<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Failure> {
        let share = Share::of(self.subject.config.budget, self.count, self.subject.control);
        let done = catch_unwind(AssertUnwindSafe(|| work(self, &share)))
            .unwrap_or_else(|panic| Err(Trouble::Failed(text_of(&*panic))));
        share.check()?;
        let reason = match done {
            Ok(()) => None,
            Err(Trouble::Skip(reason)) => Some(reason),
            Err(Trouble::Failed(detail)) => {
                self.document.warnings.push(format!(
                    "The analysis {} failed: {detail}. This is a bug in tabcast, not in your data; please report it.",
                    names.join(" and ")
                ));
                Some("failed")
            }
            Err(Trouble::Run(failure)) => return Err(failure),
        };
        for &name in names {
            match reason {
                // It has said so itself.
                _ if self.document.skipped.contains_key(name) => {}
                None => self.document.completed.push(name),
                Some(reason) => {
                    self.document.skipped.insert(name, reason);
                }
            }
        }
        Ok(())
    }

    fn plot(&mut self, freq: &str) -> Result<(), Trouble> {
        let Subject { config, .. } = *self.subject;
        let plot = Plot::of(self.subject, self.options.trailing(config.horizon), freq)?;
        if plot.left_out() > 0 {
            self.document.warnings.push(format!(
                "{} series are not in the plot, which has the largest that do not end long before the others.",
                plot.left_out()
            ));
        }
        self.folder.write("forecast_plot.csv", plot.table(config.quantile_columns()))?;
        write_json(&plot, &self.folder.file("plot.json"))?;
        Ok(())
    }

    fn importance(&mut self, share: &Share<'_>) -> Result<(), Trouble> {
        let found = Found::of(self.subject, self.options, share)?;
        self.document.warnings.extend(found.warnings().iter().cloned());
        let importance = found.importance();
        if self.options.feature_importance {
            importance.write(&self.folder)?;
        }
        if self.options.shap {
            self.document.shap = found.shap(self.subject);
            match &self.document.shap {
                Some(shap) => found.write_shap(shap, self.subject, &self.folder)?,
                None => {
                    self.document.skipped.insert(SHAP, Skip::LowFidelity.name());
                }
            }
        }
        // Contributions are told with the fidelity of what they are of.
        self.document.importance = Some(importance);
        Ok(())
    }

    fn rows(&mut self, least: usize) -> PanelRows {
        let rows = PanelRows::of(self.subject, self.options.max_rows, self.options.max_features, least);
        if !rows.left_out.is_empty() {
            self.document.warnings.push(format!(
                "{} features beyond max_features = {} are not in the correlations and regressions.",
                rows.left_out.len(),
                self.options.max_features
            ));
        }
        rows
    }

    fn with_target(&mut self, share: &Share<'_>) -> Result<(), Trouble> {
        let rows = self.rows(CORRELATED);
        let found = with_target(&rows, self.subject.forecaster.plan().season, share)?;
        write_with_target(&found, &self.folder)?;
        self.document.feature_target = Some(found);
        Ok(())
    }

    fn among(&mut self, share: &Share<'_>) -> Result<(), Trouble> {
        let rows = self.rows(CORRELATED);
        let found = among_features(&rows, share)?;
        write_among(&found, &self.folder)?;
        self.document.feature_feature = Some(found);
        Ok(())
    }

    fn regression(&mut self, share: &Share<'_>) -> Result<(), Trouble> {
        let rows = self.rows(REGRESSED);
        let found = regress(&rows, self.subject.forecaster.plan().season, share)?;
        write_regression(&found, &rows, self.subject.dataset, &self.folder)?;
        self.document.rolling = Some(shown(&found, &rows, self.subject.dataset));
        Ok(())
    }
}

/// What a panic said.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}
