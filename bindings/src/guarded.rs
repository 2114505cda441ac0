use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::EngineFailure;

/// Runs `work` on the calling thread and turns a panic into a failure: a panic that reached N-API would abort the
/// process.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, EngineFailure>) -> Result<T, EngineFailure> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(EngineFailure::panicked(text_of(panic.as_ref()))))
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text")
}

#[cfg(test)]
mod tests {
    use super::guarded;
    use crate::failure::{EngineFailure, FailureCode};

    #[test]
    fn a_panic_becomes_a_failure_with_its_text() {
        let outcome = guarded::<()>(|| panic!("index {} is out of bounds", 7));
        let Err(EngineFailure::Failed { code, message }) = outcome else {
            panic!("the panic must not look like success: {outcome:?}");
        };
        assert_eq!(code, FailureCode::PipelineFailed);
        assert!(message.contains("index 7 is out of bounds"));
    }
}
