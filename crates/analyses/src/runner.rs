//! Runs every analysis in isolation, in its share of the time.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde::Serialize;
use tabcast_table::WriteError;

use crate::document::Document;
use crate::share::Share;
use crate::tables::Folder;
use crate::trouble::Trouble;

/// Names of the analyses in the API.
pub mod analysis {
    /// The data of the forecast plot.
    pub const PLOT: &str = "forecast_plot";
    /// Importance of the features.
    pub const IMPORTANCE: &str = "feature_importance";
    /// Shapley values, row by row.
    pub const SHAP: &str = "shap";
    /// Associations of the features with the target.
    pub const WITH_TARGET: &str = "feature_target_correlations";
    /// Associations between features.
    pub const AMONG: &str = "feature_feature_correlations";
    /// Rolling regressions.
    pub const REGRESSION: &str = "rolling_regression";
}

/// The analyses of a run in progress; `N` identifies a row.
#[derive(Debug)]
pub struct Runner<'a, N> {
    /// The results so far.
    pub document: Document<N>,
    /// The folder of the files.
    pub folder: Folder<'a>,
    /// Time for all analyses together.
    pub time: Duration,
    /// Number of analyses that share the time.
    pub count: usize,
}

impl<N: Serialize> Runner<'_, N> {
    /// Runs an analysis. Its results are reported as completed under these names, unless it says otherwise. Problems
    /// are reported; a panic counts as a bug of ours.
    ///
    /// # Errors
    ///
    /// [`Trouble::Run`] of the analysis, and the cancellation of the run.
    pub fn attempt<F: From<WriteError>>(
        &mut self,
        names: &[&'static str],
        work: impl FnOnce(&mut Self, &Share<'_>) -> Result<(), Trouble<F>>,
    ) -> Result<(), F> {
        let share = Share::of(self.time, self.count, self.folder.cancel);
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
                // The analysis has already given its reason.
                _ if self.document.skipped.contains_key(name) => {}
                None => self.document.completed.push(name),
                Some(reason) => self.skip(name, reason),
            }
        }
        Ok(())
    }

    /// Notes an analysis that has no result.
    pub fn skip(&mut self, name: &'static str, reason: &'static str) {
        self.document.skipped.insert(name, reason);
    }

    /// Writes `analyses.json`, after the last analysis.
    ///
    /// # Errors
    ///
    /// A file that cannot be written.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.document.warnings.dedup();
        self.folder.write_json("analyses.json", &self.document)
    }
}

/// The message of a panic.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use tabcast_explain::Skip;
    use tempfile::TempDir;

    use super::*;

    fn runner<'a>(folder: &'a TempDir, cancel: &'a AtomicBool) -> Runner<'a, ()> {
        Runner {
            document: Document::of_forecast("sales", "D"),
            folder: Folder { path: folder.path(), max_csv_bytes: 1 << 20, cancel },
            time: Duration::from_secs(1),
            count: 2,
        }
    }

    #[test]
    fn what_an_analysis_meets_is_a_reason_and_the_next_one_runs() {
        let (folder, cancel) = (TempDir::new().unwrap(), AtomicBool::new(false));
        let mut runner = runner(&folder, &cancel);
        runner.attempt::<WriteError>(&["a"], |_, _| Err(Skip::NoFeatures.into())).unwrap();
        runner.attempt::<WriteError>(&["b"], |_, _| panic!("out of range")).unwrap();
        runner.attempt::<WriteError>(&["c"], |_, _| Ok(())).unwrap();
        // One of two analyses that run together may have no result of its own.
        let partly = |runner: &mut Runner<'_, ()>, _: &Share<'_>| {
            runner.skip("e", "low_fidelity");
            Ok(())
        };
        runner.attempt::<WriteError>(&["d", "e"], partly).unwrap();
        assert_eq!(runner.document.completed, ["c", "d"]);
        let skipped: Vec<_> = runner.document.skipped.iter().map(|(name, reason)| (*name, *reason)).collect();
        assert_eq!(skipped, [("a", "no_features"), ("b", "failed"), ("e", "low_fidelity")]);
        assert!(runner.document.warnings[0].contains("The analysis b failed: out of range."));
        runner.finish().unwrap();
        assert!(folder.path().join("analyses.json").exists());
    }

    #[test]
    fn a_run_that_is_cancelled_ends() {
        let (folder, cancel) = (TempDir::new().unwrap(), AtomicBool::new(false));
        let cancelled = runner(&folder, &cancel).attempt::<WriteError>(&["a"], |_, share| {
            cancel.store(true, Ordering::Relaxed);
            assert!(share.is_over());
            Ok(())
        });
        assert!(matches!(cancelled, Err(WriteError::Cancelled)));
    }
}
