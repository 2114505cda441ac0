//! Documents as JSON text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tabcast_table::Warning;

use crate::failure::EngineFailure;
use crate::guarded::guarded;

/// The result of a call.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub(crate) enum Reply<T> {
    Value(T),
    Error(EngineFailure),
}

/// The result of a check.
#[derive(Debug, Serialize, ts_rs::TS)]
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
    let unwritten =
        |error: serde_json::Error| EngineFailure::panicked(&format!("a reply cannot be written, {error}"));
    // Serializing a value may panic too, not only computing it.
    guarded(|| serde_json::to_string(&reply).map_err(unwritten))
        .unwrap_or_else(|failure| serde_json::json!({ "error": failure }).to_string())
}

#[cfg(test)]
mod tests {
    use serde::{Serialize, Serializer};
    use tabcast_table::PreviewOptions;

    use super::{read, write};

    #[test]
    fn a_wrong_request_names_the_field_and_quotes_nothing() {
        let good = r#"{"inputPath": "a.csv", "cut": false, "maxRows": 5, "maxColumns": 9}"#;
        read::<PreviewOptions>(good).expect("a request");
        for (from, to, says) in [
            ("5", "\"secret\"", "maxRows: not what the engine takes there, at character"),
            ("5", "-77", "maxRows: not what the engine takes there"),
            ("\"cut\"", "\"cutt\"", "cutt: not what the engine takes there"),
            ("\"cut\": false, ", "", "missing field `cut`, at character"),
            ("5", "secret", "maxRows: no JSON"),
            ("}", "", "cut off"),
        ] {
            let refused = read::<PreviewOptions>(&good.replacen(from, to, 1)).expect_err(says);
            let text = serde_json::to_string(&refused).expect("a document");
            assert!(text.contains(says) && text.contains("pipeline_failed"), "{text}");
            assert!(!text.contains("secret") && !text.contains("77"), "{text}");
        }
    }

    #[test]
    fn a_reply_that_cannot_be_written_is_a_failure() {
        struct Wrong;
        impl Serialize for Wrong {
            fn serialize<S: Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
                panic!("index {} is out of bounds", 7)
            }
        }
        let text = write(Ok(Wrong));
        assert!(text.starts_with(r#"{"error":"#) && text.contains("pipeline_failed"), "{text}");
        assert!(text.contains("index 7 is out of bounds"), "{text}");
    }
}
