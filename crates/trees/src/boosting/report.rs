//! The report of a training run.

/// Rounds, losses and importance of a training run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Report {
    /// Number of rounds grown.
    pub rounds: usize,
    /// Number of rounds that the ensemble keeps: those up to the best validation loss, or all.
    pub best_round: usize,
    /// Weighted mean loss of the training rows after the last round grown.
    pub training_loss: f64,
    /// Weighted mean loss of the validation rows after each round; empty without such rows.
    pub validation_losses: Vec<f64>,
    /// Sum of the gains of the splits on each feature, over the trees kept.
    pub importance: Vec<f64>,
}
