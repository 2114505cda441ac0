//! Expected failures as values.

use std::io;

use serde::Serialize;
use serde_json::error::Category;
use tabcast_forecast::Failure;
use tabcast_table::ContentError;

/// An expected failure, as a value.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub(crate) enum EngineFailure {
    /// The dataset is at fault.
    Content(Box<ContentError>),
    /// The engine or the disk is at fault.
    Failed { code: FailureCode, message: String },
    /// The caller cancelled it.
    Cancelled { message: String },
}

/// Codes of failures that are not the sender's fault; jobs carry them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub(crate) enum FailureCode {
    /// Anything else.
    PipelineFailed,
    /// The forecast failed its own check.
    InvalidForecast,
    /// The disk or its quota is full.
    StorageError,
}

impl EngineFailure {
    pub(crate) fn failed(message: String) -> Self {
        Self::Failed { code: FailureCode::PipelineFailed, message }
    }

    /// A request that the caller should never have made; `path` names the field, `.` means the whole request. The text
    /// of `error` quotes the wrong value, which a customer may have sent, so it must not reach the job or the log.
    pub(crate) fn request(path: &str, error: &serde_json::Error) -> Self {
        let place = if path == "." { String::new() } else { format!("{path}: ") };
        let text = error.to_string();
        let what = match error.classify() {
            // This text names only a field of our own types.
            Category::Data if text.starts_with("missing field `") => {
                text.split(" at line ").next().unwrap_or(&text)
            }
            Category::Data => "not what the engine takes there",
            Category::Syntax => "no JSON",
            Category::Eof | Category::Io => "cut off",
        };
        let at = error.column();
        Self::failed(format!("The engine was called with a wrong request: {place}{what}, at character {at}."))
    }

    /// A panic: always a bug of ours.
    pub(crate) fn panicked(text: &str) -> Self {
        Self::failed(format!(
            "The engine panicked: {text}. This is a bug in tabcast, not in your data; please report it."
        ))
    }

    fn io(source: &io::Error, message: String) -> Self {
        // The only file error that may pass by itself, so a retry is worthwhile.
        let is_full = matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        let code = if is_full { FailureCode::StorageError } else { FailureCode::PipelineFailed };
        Self::Failed { code, message }
    }
}

impl From<Failure> for EngineFailure {
    fn from(failure: Failure) -> Self {
        let message = failure.to_string();
        match failure {
            Failure::Content(content) => Self::Content(content),
            Failure::Cancelled => Self::Cancelled { message },
            Failure::InvalidForecast(_) => Self::Failed { code: FailureCode::InvalidForecast, message },
            Failure::Io { source, .. } => Self::io(&source, message),
            Failure::Options(_) | Failure::Model(_) | Failure::Shard(_) => Self::failed(message),
        }
    }
}

impl From<tabcast_tabular::Failure> for EngineFailure {
    fn from(failure: tabcast_tabular::Failure) -> Self {
        use tabcast_tabular::Failure;
        let message = failure.to_string();
        match failure {
            Failure::Content(content) => Self::Content(content),
            Failure::Cancelled => Self::Cancelled { message },
            Failure::Io { source, .. } => Self::io(&source, message),
            Failure::Options(_) | Failure::Invalid(_) => Self::failed(message),
        }
    }
}

impl From<tabcast_preparation::Failure> for EngineFailure {
    fn from(failure: tabcast_preparation::Failure) -> Self {
        use tabcast_preparation::Failure;
        let message = failure.to_string();
        match failure {
            Failure::Content(content) => Self::Content(content),
            Failure::Cancelled => Self::Cancelled { message },
            Failure::Io(source) => Self::io(&source, message),
        }
    }
}
