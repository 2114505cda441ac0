//! What a job is asked to do, together with the table that it is to be done to.

use std::sync::atomic::AtomicBool;

use tabcast_forecast::{
    Config, Control, ExternalOptions, FeatureEngineering, Options, ReconciliationOptions,
};
use tabcast_preparation::{Request, prepare};
use tabcast_table::{Columns, HierarchyColumns, Limits};

use crate::scratch;

/// Lines of a name, a blank and a value; below a line `---` the table as CSV.
pub(crate) fn plans(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (lines, table) = text.split_once("---\n").unwrap_or((&text, ""));
    let plan = Plan(lines.lines().map(|line| line.split_once(' ').unwrap_or((line, ""))).collect());
    scratch::file("input.csv", table.as_bytes());
    forecast(&plan);
    preparation(&plan);
    tabular(&plan);
}

/// Names with their values; a name may come several times.
struct Plan<'a>(Vec<(&'a str, &'a str)>);

impl Plan<'_> {
    fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()).collect()
    }

    fn one(&self, name: &str) -> Option<String> {
        self.all(name).pop()
    }

    fn or(&self, name: &str, default: &str) -> String {
        self.one(name).unwrap_or_else(|| default.to_owned())
    }

    fn number(&self, name: &str, default: usize) -> usize {
        self.one(name).and_then(|value| value.parse().ok()).unwrap_or(default)
    }

    fn numbers(&self, name: &str) -> Vec<usize> {
        self.all(name).iter().filter_map(|value| value.parse().ok()).collect()
    }

    fn columns(&self) -> Columns {
        Columns {
            item_id: self.or("item_id", "item_id"),
            timestamp: self.or("timestamp", "timestamp"),
            target: self.or("target", "target"),
            covariates: self.all("covariate"),
            hierarchy: None,
        }
    }
}

fn forecast(plan: &Plan<'_>) {
    use tabcast_forecast::{Failure, check};
    let reconciliation = plan.one("method").map(|method| ReconciliationOptions {
        hierarchy_columns: plan.all("level"),
        method,
        weights: plan.or("weights", "wls_struct"),
        top_down_method: plan.or("top_down_method", "forecast_proportions"),
        separator: plan.or("separator", "/"),
        total_label: plan.or("total_label", "total"),
        residual_windows: plan.number("residual_windows", 1) as u32,
    });
    let features = plan.one("features").map(|_| FeatureEngineering {
        lag_periods: plan.numbers("lag"),
        rolling_windows: plan.numbers("window"),
        rolling_stats: plan.all("stat"),
        growth_periods: plan.numbers("growth"),
        ..FeatureEngineering::default()
    });
    let external = plan.one("latitude").zip(plan.one("longitude"));
    let options = Options {
        columns: plan.columns(),
        preset: plan.or("preset", "fast"),
        freq: plan.one("freq"),
        quantile_levels: plan.all("quantile").iter().filter_map(|value| value.parse().ok()).collect(),
        timestamp_format: plan.or("timestamp_format", "pandas"),
        quantile_column_style: plan.or("style", "raw"),
        reconciliation,
        feature_engineering: features,
        external: external.map(|(latitude, longitude)| ExternalOptions {
            location_columns: Some([latitude, longitude]),
            values_path: None,
            kept: None,
        }),
        is_training: plan.one("training").is_some(),
        ..Options::new(scratch::path("input.csv"), plan.number("horizon", 3))
    };
    let checked = Config::resolve(options).and_then(|config| check(&config, &Control::new()));
    if let Err(error) = checked {
        assert!(matches!(error, Failure::Content(_) | Failure::Options(_)), "{error}");
    }
}

fn preparation(plan: &Plan<'_>) {
    use tabcast_preparation::Failure;
    let filter = |text: String| {
        let mut parts = text.split(' ').map(str::to_owned);
        let (column, operator) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        (column, operator, parts.collect())
    };
    let hierarchy = plan.one("method").map(|_| HierarchyColumns {
        columns: plan.all("level"),
        separator: plan.or("separator", "/"),
        total_label: plan.or("total_label", "total"),
    });
    let series = plan.all("series");
    let request = Request {
        input_paths: vec![scratch::path("input.csv")],
        format: "csv".to_owned(),
        compression: None,
        sheet: None,
        columns: Columns { hierarchy, ..plan.columns() },
        freq: plan.one("freq"),
        limits: Limits { max_rows: 100_000, ..Limits::default() },
        threads: 1,
        filters: plan.all("filter").into_iter().map(filter).collect(),
        series_columns: (!series.is_empty()).then_some(series),
        step: plan.one("step"),
        aggregate: plan.or("aggregate", "sum"),
        across: plan.one("across"),
        missing: plan.or("missing", "none"),
        anomalies: plan.or("anomalies", "none"),
        output: scratch::path("prepared.parquet"),
    };
    let cancel = AtomicBool::new(false);
    if let Err(error) = request.resolve(&cancel).and_then(|options| prepare(&options)) {
        assert!(matches!(error, Failure::Content(_) | Failure::Options(_)), "{error}");
    }
}

fn tabular(plan: &Plan<'_>) {
    use tabcast_tabular::{Config, Control, Failure, Options, check};
    let options = Options {
        problem_type: plan.or("problem_type", "auto"),
        inference_mode: plan.or("inference_mode", "auto"),
        time_column: plan.one("time"),
        ..Options::new(
            scratch::path("input.csv"),
            &plan.or("task", "regression"),
            &plan.or("label", "target"),
        )
    };
    let checked = Config::resolve(options).and_then(|config| check(&config, &Control::new()));
    if let Err(error) = checked {
        assert!(matches!(error, Failure::Content(_) | Failure::Options(_)), "{error}");
    }
}
