//! A dataset that stays in memory between its survey and its forecast.

use std::sync::{Arc, Mutex, PoisonError};

use tabcast_table::Panel;

/// Holds the rows that a survey has read, so that the forecast need not read them again.
#[derive(Clone, Debug, Default)]
pub struct KeptDataset(Arc<Mutex<Option<Panel>>>);

impl KeptDataset {
    pub(super) fn keep(&self, panel: Panel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(panel);
    }

    /// Takes the rows out; later calls get none.
    pub(crate) fn take(&self) -> Option<Panel> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
