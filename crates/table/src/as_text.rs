//! Writes times and frequencies as in the documents.
#![expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]

use serde::{Serialize, Serializer};
use tabcast_calendar::{Frequency, Micros, write_pandas};

/// RFC 3339, in UTC.
pub(crate) fn rfc3339(time: Micros) -> String {
    let mut text = Vec::new();
    write_pandas(time, &mut text);
    String::from_utf8_lossy(&text).replace(' ', "T") + "Z"
}

pub(crate) fn time<S: Serializer>(time: &Micros, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rfc3339(*time))
}

pub(crate) fn time_if_any<S: Serializer>(time: &Option<Micros>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(rfc3339).serialize(serializer)
}

pub(crate) fn alias_if_any<S: Serializer>(
    frequency: &Option<Frequency>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    frequency.map(|frequency| frequency.alias()).serialize(serializer)
}
