//! Penalties, from strong to weak, until weaker ones no longer help.

/// How much weaker the next one is.
const STEP: f64 = 0.35;
/// Penalties that are tried at most.
const COUNT: i32 = 14;
/// Penalties without a gain after which the search ends.
const PATIENCE: usize = 3;

/// Calls `fit` with `strongest` and ever weaker penalties and keeps the result of the least loss; `fit` gives none
/// when it was stopped.
pub(super) fn follow<T>(strongest: f64, mut fit: impl FnMut(f64) -> Option<(f64, T)>) -> Option<(f64, T)> {
    let mut best: Option<(f64, T)> = None;
    let mut worse = 0;
    for step in 0..COUNT {
        let (loss, found) = fit(strongest * STEP.powi(step))?;
        if best.as_ref().is_none_or(|best| loss < best.0) {
            best = Some((loss, found));
            worse = 0;
        } else {
            worse += 1;
        }
        if worse == PATIENCE {
            break;
        }
    }
    best
}
