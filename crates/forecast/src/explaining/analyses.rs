//! Writes `analyses.json`, the tables beside it, and the data of the plot.

use std::path::Path;

use tabcast_analyses::{
    Correlated, Document, ExplainOptions, Folder, Runner, Share, Trouble, among_features, analysis,
    with_target, write_among, write_with_target,
};
use tabcast_explain::{LARGEST, Values};

use super::Subject;
use super::importance::explain;
use super::panel_rows::PanelRows;
use super::plot::Plot;
use super::regression::{regress, shown, write_regression};
use crate::Failure;
use crate::explaining::row::Run;

/// Minimum rows per series for correlations, and for rolling regressions.
const CORRELATED: usize = 100;
const REGRESSED: usize = 250;

impl From<Failure> for Trouble<Failure> {
    fn from(failure: Failure) -> Self {
        Self::Run(failure)
    }
}

/// The inputs of the analyses.
struct Analyses<'a> {
    subject: &'a Subject<'a>,
    options: &'a ExplainOptions,
    freq: &'a str,
}

/// Runs the requested analyses and writes `analyses.json`, `plot.json` and one table per completed analysis into a
/// folder. Runs on the current thread pool.
///
/// # Errors
///
/// A file that cannot be written; [`Failure::Cancelled`]. A problem inside an analysis becomes a reason in
/// `analyses.json`.
pub(crate) fn write_analyses(
    path: &Path,
    max_csv_bytes: u64,
    subject: &Subject<'_>,
    options: &ExplainOptions,
    freq: &str,
) -> Result<(), Failure> {
    let is_regressed = options.rolling_regression && options.rolling_regression_allowed;
    let explained = options.explained();
    let wanted = [
        options.forecast_plot,
        !explained.is_empty(),
        options.feature_target_correlations,
        options.feature_feature_correlations,
        is_regressed,
    ];
    let of = Analyses { subject, options, freq };
    let mut run = Runner {
        document: Document::of_forecast(&subject.config.columns.target, freq),
        folder: Folder { path, max_csv_bytes, cancel: subject.control.cancel_flag() },
        time: Share::of_all(subject.config.budget),
        count: wanted.iter().filter(|wanted| **wanted).count(),
    };
    if options.forecast_plot {
        run.attempt(&[analysis::PLOT], |run, _| of.plot(run))?;
    }
    if !explained.is_empty() {
        run.attempt(&explained, |run, share| explain(subject, options, run, share))?;
    }
    if options.feature_target_correlations {
        run.attempt(&[analysis::WITH_TARGET], |run, share| of.with_target(run, share))?;
    }
    if options.feature_feature_correlations {
        run.attempt(&[analysis::AMONG], |run, share| of.among(run, share))?;
    }
    if is_regressed {
        run.attempt(&[analysis::REGRESSION], |run, share| of.regression(run, share))?;
    } else if options.rolling_regression {
        run.skip(analysis::REGRESSION, "disabled_by_operator");
    }
    Ok(run.finish()?)
}

impl Analyses<'_> {
    fn plot(&self, run: &mut Run<'_>) -> Result<(), Trouble<Failure>> {
        let Subject { config, .. } = *self.subject;
        let plot = Plot::of(self.subject, self.options.trailing(config.horizon), self.freq)?;
        if plot.left_out() > 0 {
            run.document.warnings.push(format!(
                "{} series are not in the plot, which has the largest that do not end long before the others.",
                plot.left_out()
            ));
        }
        let cut = run.folder.write("forecast_plot.csv", plot.table(config.quantile_columns()))?;
        run.document.warnings.extend(cut);
        run.folder.write_json("plot.json", &plot)?;
        Ok(())
    }

    fn rows(&self, run: &mut Run<'_>, least: usize) -> PanelRows {
        let rows = PanelRows::of(self.subject, self.options.max_rows, self.options.max_features, least);
        if !rows.left_out.is_empty() {
            run.document.warnings.push(format!(
                "{} features beyond max_features = {} are not in the correlations and regressions.",
                rows.left_out.len(),
                self.options.max_features
            ));
        }
        if rows.beyond > 0 {
            run.document.warnings.push(format!(
                "{} series with values beyond {LARGEST:e} are not in the correlations and regressions.",
                rows.beyond
            ));
        }
        rows
    }

    fn with_target(&self, run: &mut Run<'_>, share: &Share<'_>) -> Result<(), Trouble<Failure>> {
        let rows = self.rows(run, CORRELATED);
        let target = Values::Numbers(rows.target.clone());
        let found = with_target(&self.correlated(&rows), &target, share)?;
        let cut = write_with_target(&found, &run.folder)?;
        run.document.warnings.extend(cut);
        run.document.feature_target = Some(found);
        Ok(())
    }

    fn among(&self, run: &mut Run<'_>, share: &Share<'_>) -> Result<(), Trouble<Failure>> {
        let rows = self.rows(run, CORRELATED);
        let found = among_features(&self.correlated(&rows), share)?;
        let cut = write_among(&found, &run.folder)?;
        run.document.warnings.extend(cut);
        run.document.feature_feature = Some(found);
        Ok(())
    }

    fn correlated<'a>(&self, rows: &'a PanelRows) -> Correlated<'a> {
        let season = self.subject.forecaster.plan().season;
        Correlated {
            features: &rows.features,
            series: Some((&rows.series, season)),
            left_out: &rows.left_out,
        }
    }

    fn regression(&self, run: &mut Run<'_>, share: &Share<'_>) -> Result<(), Trouble<Failure>> {
        let rows = self.rows(run, REGRESSED);
        let found = regress(&rows, self.subject.forecaster.plan().season, share)?;
        let cut = write_regression(&found, &rows, self.subject.dataset, &run.folder)?;
        run.document.warnings.extend(cut);
        run.document.rolling = Some(shown(&found, &rows, self.subject.dataset));
        Ok(())
    }
}
