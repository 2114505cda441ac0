use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::failure::EngineFailure;

/// Runs `work` on the calling thread and turns its failure, or its panic, into a value: a panic that reached N-API would
/// abort the process.
pub(crate) fn guarded<T, F: Into<EngineFailure>>(
    work: impl FnOnce() -> Result<T, F>,
) -> Result<T, Box<EngineFailure>> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|failure| Box::new(failure.into())),
        Err(panic) => Err(Box::new(EngineFailure::panicked(text_of(panic.as_ref())))),
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no text")
}

#[cfg(test)]
mod tests {
    use tabcast_forecast::Failure;

    use super::guarded;

    #[test]
    fn a_panic_becomes_a_failure_with_its_text() {
        let outcome = guarded::<(), Failure>(|| panic!("index {} is out of bounds", 7));
        let failure = outcome.expect_err("the panic must not look like success");
        assert_eq!((failure.kind.as_str(), failure.code.as_str()), ("failed", "pipeline_failed"));
        assert!(failure.message.contains("index 7 is out of bounds"));
    }
}
