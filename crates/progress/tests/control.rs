//! What a control says of a run.

use tabcast_progress::{Control, Stage};

const FIT: Stage = Stage { name: "fit", begins_at: 0.2, ends_at: 0.8 };
const WRITE: Stage = Stage { name: "write", begins_at: 0.8, ends_at: 1.0 };

#[test]
fn progress_grows_with_the_units_that_are_done_and_stays_within_the_stage() {
    let control = Control::new();
    assert_eq!(control.progress(), (Stage::QUEUED, 0.0));
    control.enter_units(FIT, 4);
    assert_eq!(control.progress(), (FIT, 0.2));
    control.units_done(1);
    control.units_done(1);
    assert!((control.progress().1 - 0.5).abs() < 1e-12);
    control.units_done(10);
    assert_eq!(control.progress(), (FIT, 0.8));
    control.enter(WRITE);
    control.units_done(1);
    assert_eq!(control.progress(), (WRITE, 0.8), "work that nobody announced is not counted");
}

#[test]
fn a_stage_that_is_entered_again_keeps_the_units_that_are_done() {
    let control = Control::new();
    control.enter_units(FIT, 2);
    control.units_done(2);
    control.enter_units(FIT, 6);
    assert!((control.progress().1 - 0.4).abs() < 1e-12);
}

#[test]
fn work_aside_ends_with_the_run_and_has_a_progress_of_its_own() {
    let control = Control::new();
    let aside = control.aside();
    aside.enter(WRITE);
    assert_eq!(control.progress(), (Stage::QUEUED, 0.0));
    control.cancel();
    assert!(aside.is_cancelled());
}
