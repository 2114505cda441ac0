//! Importance and contributions of one explanation, for the document and the tables.

use serde::Serialize;
use tabcast_explain::importance::Explanation;
use tabcast_explain::{Features, Skip};
use tabcast_table::{TableColumn, WriteError};

use crate::importance::{importance_of, shap_of};
use crate::importance_tables::write_shap;
use crate::options::ExplainOptions;
use crate::runner::{Runner, analysis};

impl<N: Serialize> Runner<'_, N> {
    /// Reports the requested parts of an explanation of rows with these features. Contributions of a surrogate that is
    /// not good enough for single rows are skipped. Rows are identified by their index in the input: `name` names a row
    /// in the document, `columns` returns the columns that identify the rows of `shap_values.csv`.
    ///
    /// # Errors
    ///
    /// As [`Folder::write`](crate::Folder::write).
    pub fn tell(
        &mut self,
        explanation: &Explanation,
        features: &Features,
        options: &ExplainOptions,
        name: impl Fn(usize) -> N,
        columns: impl FnOnce(&[usize]) -> Vec<(&'static str, TableColumn)>,
    ) -> Result<(), WriteError> {
        self.document.warnings.extend(explanation.warnings.iter().cloned());
        let importance = importance_of(explanation);
        if options.feature_importance {
            self.document.warnings.extend(importance.write(&self.folder)?);
        }
        if options.shap {
            self.document.shap = shap_of(explanation, features, name);
            match &self.document.shap {
                Some(shap) => {
                    let cut = write_shap(shap, explanation, features, columns, &self.folder)?;
                    self.document.warnings.extend(cut);
                }
                None => self.skip(analysis::SHAP, Skip::LowFidelity.name()),
            }
        }
        // Contributions are reported with the fidelity of their surrogate.
        self.document.importance = Some(importance);
        Ok(())
    }
}
