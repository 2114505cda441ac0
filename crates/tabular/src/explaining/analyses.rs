//! `analyses.json` and the tables beside it.

use std::time::Duration;

use tabcast_analyses::{
    Correlated, Document, Folder, Runner, Share, Trouble, among_features, analysis, with_target, write_among,
    write_with_target,
};
use tabcast_explain::LARGEST;
use tabcast_explain::importance::{Predictions, explain_predictions};
use tabcast_table::TableColumn;

use super::Subject;
use super::row::RowName;
use super::rows::TableRows;
use crate::Failure;

/// With a budget, this share of the remaining time is left for evaluation and writing.
const KEPT: f64 = 0.2;

type Run<'a> = Runner<'a, RowName>;

/// Runs the requested analyses and writes `analyses.json` and one table per completed analysis. They take a share of
/// the budget, and no more than remains of it. Runs on the current thread pool.
///
/// # Errors
///
/// A file that cannot be written; [`Failure::Cancelled`]. A problem inside an analysis becomes a reason in
/// `analyses.json`.
pub(crate) fn write_analyses(
    folder: Folder<'_>,
    subject: &Subject<'_>,
    budget: Option<Duration>,
    left: Option<Duration>,
) -> Result<(), Failure> {
    let Subject { plan, options, .. } = *subject;
    let explained = options.explained();
    let wanted =
        [!explained.is_empty(), options.feature_target_correlations, options.feature_feature_correlations];
    let class = subject.class().map(|class| plan.labels.classes[class].as_str());
    let most = Share::of_all(budget);
    let mut run = Runner {
        document: Document::of_table(&plan.frame.names[plan.labels.column], class),
        folder,
        time: left.map_or(most, |left| most.min(left.mul_f64(1.0 - KEPT))),
        count: wanted.iter().filter(|wanted| **wanted).count(),
    };
    if !explained.is_empty() {
        run.attempt(&explained, |run, share| importance(subject, run, share))?;
    }
    if options.feature_target_correlations {
        run.attempt(&[analysis::WITH_TARGET], |run, share| correlations_with_target(subject, run, share))?;
    }
    if options.feature_feature_correlations {
        run.attempt(&[analysis::AMONG], |run, share| correlations_among(subject, run, share))?;
    }
    for (is_wanted, name) in
        [(options.forecast_plot, analysis::PLOT), (options.rolling_regression, analysis::REGRESSION)]
    {
        if is_wanted {
            run.skip(name, "not_applicable");
        }
    }
    Ok(run.finish()?)
}

/// Explains a surrogate of the predictions. They are a mean over models of several folds, so no single set of trees is
/// the model itself.
fn importance(subject: &Subject<'_>, run: &mut Run<'_>, share: &Share<'_>) -> Result<(), Trouble<Failure>> {
    let options = subject.options;
    let of = subject.predicted_rows();
    let beyond = of.predictions.iter().filter(|prediction| prediction.abs() > LARGEST).count();
    if beyond > 0 {
        run.document.warnings.push(format!(
            "{beyond} rows with predictions beyond {LARGEST:e} are not in importance and Shapley values."
        ));
    }
    let input = Predictions { actuals: Some(&of.actuals), ..Predictions::new(&of.features, &of.predictions) };
    let explanation = explain_predictions(&input, &options.importance(), &|| share.is_over())?;
    let index = |row: usize| u64::from(of.rows[row]);
    let columns = |rows: &[usize]| {
        vec![("row_index", TableColumn::Integers(rows.iter().map(|&row| index(row)).collect()))]
    };
    Ok(run.tell(&explanation, &of.features, options, |row| RowName { row_index: index(row) }, columns)?)
}

fn correlations_with_target(
    subject: &Subject<'_>,
    run: &mut Run<'_>,
    share: &Share<'_>,
) -> Result<(), Trouble<Failure>> {
    let rows = subject.labelled_rows();
    let found = with_target(&correlated(&rows, subject, run), &rows.target, share)?;
    let cut = write_with_target(&found, &run.folder)?;
    run.document.warnings.extend(cut);
    run.document.feature_target = Some(found);
    Ok(())
}

fn correlations_among(
    subject: &Subject<'_>,
    run: &mut Run<'_>,
    share: &Share<'_>,
) -> Result<(), Trouble<Failure>> {
    let rows = subject.all_rows();
    let found = among_features(&correlated(&rows, subject, run), share)?;
    let cut = write_among(&found, &run.folder)?;
    run.document.warnings.extend(cut);
    run.document.feature_feature = Some(found);
    Ok(())
}

fn correlated<'a>(rows: &'a TableRows, subject: &Subject<'_>, run: &mut Run<'_>) -> Correlated<'a> {
    if !rows.left_out.is_empty() {
        run.document.warnings.push(format!(
            "{} features beyond max_features = {} are not in the correlations.",
            rows.left_out.len(),
            subject.options.max_features
        ));
    }
    Correlated { features: &rows.features, series: None, left_out: &rows.left_out }
}
