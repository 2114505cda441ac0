//! Tries penalties from strong to weak, until weaker ones no longer help.

/// Ratio of each penalty to the one before.
const STEP: f64 = 0.35;
/// Maximum number of penalties.
const COUNT: i32 = 14;
/// The search ends after this many penalties without a gain.
const PATIENCE: usize = 3;

/// Calls `fit` with `strongest` and ever weaker penalties and keeps the result with the smallest loss; `fit` returns
/// none if it was stopped.
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
