//! Documents as JSON text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tabcast_table::Warning;

use crate::failure::EngineFailure;

/// The result of a call.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) enum Reply<T> {
    Value(T),
    Error(EngineFailure),
}

/// The result of a check.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub(crate) struct Checked<P> {
    /// The contents of the dataset.
    pub(crate) profile: P,
    /// Warnings for the sender.
    pub(crate) warnings: Vec<Warning>,
}

/// Parses a request; an error has the path of the faulty field.
pub(crate) fn read<T: DeserializeOwned>(request: &str) -> Result<T, EngineFailure> {
    let mut json = serde_json::Deserializer::from_str(request);
    let read = serde_path_to_error::deserialize(&mut json);
    read.map_err(|error| EngineFailure::request(&error.path().to_string(), error.inner()))
}

/// The reply as JSON.
pub(crate) fn write<T: Serialize>(result: Result<T, EngineFailure>) -> String {
    let reply = result.map_or_else(Reply::Error, Reply::Value);
    serde_json::to_string(&reply).unwrap_or_else(|error| {
        let failure = EngineFailure::panicked(&format!("a reply cannot be written, {error}"));
        serde_json::json!({ "error": failure }).to_string()
    })
}

#[cfg(test)]
mod tests {
    use tabcast_table::PreviewOptions;

    use super::read;

    #[test]
    fn a_wrong_request_names_the_field() {
        let good = r#"{"inputPath": "a.csv", "cut": false, "maxRows": 5, "maxColumns": 9}"#;
        read::<PreviewOptions>(good).expect("a request");
        for (from, to, says) in [
            ("5", "\"many\"", "maxRows: invalid type"),
            ("5", "-1", "maxRows: invalid value"),
            ("\"cut\"", "\"cutt\"", "cutt: unknown field"),
            ("\"cut\": false, ", "", "missing field `cut`"),
            ("}", "", "EOF"),
        ] {
            let refused = read::<PreviewOptions>(&good.replacen(from, to, 1)).expect_err(says);
            let text = serde_json::to_string(&refused).expect("a document");
            assert!(text.contains(says) && text.contains("pipeline_failed"), "{text}");
        }
    }
}
