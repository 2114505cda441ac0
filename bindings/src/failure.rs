//! Expected failures as values.

use std::io;

use napi_derive::napi;
use tabcast_forecast::Failure;
use tabcast_table::ContentError;

/// An expected failure, as a value.
#[napi(object, object_from_js = false)]
#[derive(Debug)]
pub struct EngineFailure {
    /// `content` (the dataset is at fault), `failed` (we are, or the disk) or `cancelled`.
    pub kind: String,
    /// Content code such as `missing_column`, else a job error code such as `pipeline_failed`.
    pub code: String,
    /// One or two sentences for people.
    pub message: String,
    /// HTTP status of a content error.
    pub status: Option<u32>,
    /// Column concerned.
    pub column: Option<String>,
    /// 1-based data row concerned.
    pub row: Option<f64>,
    /// Item concerned.
    pub item: Option<String>,
    /// Rows, cells or items concerned.
    pub count: Option<f64>,
    /// What to do about it.
    pub suggestion: Option<String>,
}

impl EngineFailure {
    fn new(kind: &str, code: &str, message: String) -> Self {
        Self {
            kind: kind.to_owned(),
            code: code.to_owned(),
            message,
            status: None,
            column: None,
            row: None,
            item: None,
            count: None,
            suggestion: None,
        }
    }

    fn content(error: ContentError) -> Self {
        Self {
            status: Some(u32::from(error.kind.status())),
            column: error.column,
            row: error.row.map(|row| row as f64),
            item: error.item,
            count: error.count.map(|count| count as f64),
            suggestion: error.suggestion,
            ..Self::new("content", error.code, error.message)
        }
    }

    /// A panic: always a bug of ours.
    pub(crate) fn panicked(text: &str) -> Self {
        Self::new(
            "failed",
            "pipeline_failed",
            format!(
                "The engine panicked: {text}. This is a bug in tabcast, not in your data; please report it."
            ),
        )
    }
}

impl From<Failure> for EngineFailure {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure {
            Failure::Content(content) => Self::content(*content),
            Failure::Cancelled => Self::new("cancelled", "pipeline_failed", message),
            Failure::InvalidForecast(_) => Self::new("failed", "invalid_forecast", message),
            Failure::Io { source, .. } if disk_is_full(&source) => {
                Self::new("failed", "storage_error", message)
            }
            Failure::Options(_) | Failure::Model(_) | Failure::Io { .. } => {
                Self::new("failed", "pipeline_failed", message)
            }
        }
    }
}

impl From<tabcast_tabular::Failure> for EngineFailure {
    fn from(failure: tabcast_tabular::Failure) -> Self {
        use tabcast_tabular::Failure;
        let message = failure.to_string();
        match failure {
            Failure::Content(content) => Self::content(*content),
            Failure::Cancelled => Self::new("cancelled", "pipeline_failed", message),
            Failure::Io { source, .. } if disk_is_full(&source) => {
                Self::new("failed", "storage_error", message)
            }
            Failure::Options(_) | Failure::Invalid(_) | Failure::Io { .. } => {
                Self::new("failed", "pipeline_failed", message)
            }
        }
    }
}

impl From<tabcast_preparation::Failure> for EngineFailure {
    fn from(failure: tabcast_preparation::Failure) -> Self {
        use tabcast_preparation::Failure;
        let message = failure.to_string();
        match failure {
            Failure::Content(content) => Self::content(*content),
            Failure::Cancelled => Self::new("cancelled", "pipeline_failed", message),
            Failure::Io(source) if disk_is_full(&source) => Self::new("failed", "storage_error", message),
            Failure::Options(_) | Failure::Io(_) => Self::new("failed", "pipeline_failed", message),
        }
    }
}

/// The one file error that passes by itself, so that a retry is worth it.
fn disk_is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
