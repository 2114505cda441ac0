//! Importance and contributions of one explanation, as the document and the tables have them.

use serde::Serialize;
use tabcast_explain::importance::Explanation;
use tabcast_explain::{Features, Skip};
use tabcast_table::{TableColumn, WriteError};

use crate::importance::{importance_of, shap_of};
use crate::importance_tables::write_shap;
use crate::options::ExplainOptions;
use crate::runner::{Runner, analysis};

impl<N: Serialize> Runner<'_, N> {
    /// Tells what was asked for of an explanation of rows with these features; contributions of a surrogate that is
    /// not good enough for single rows are skipped. Rows are known by their place in the input: `name` names one in
    /// the document, `columns` gives the columns that name those of the lines of `shap_values.csv`.
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
        // Contributions are told with the fidelity of what they are of.
        self.document.importance = Some(importance);
        Ok(())
    }
}
