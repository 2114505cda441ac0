//! Compares recursions, starting states and variances with another implementation and with simulation.

use super::fitted::ComplexFit;
use super::form::{Form, Parameters};
use super::recursion::{Direction, Dual, States};
use super::search::Objective;
use crate::Fit;
use crate::adjustment::Adjustment;

fn noise(step: usize) -> f64 {
    ((step * step * 37 + step * 11) % 101) as f64 / 101.0 - 0.5
}

fn series() -> Vec<f64> {
    (0..41).map(|t| 10.0 + 0.15 * t as f64 + 1.2 * [3.0, -1.0, 0.0, -2.0][t % 4] + 0.6 * noise(t)).collect()
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found} instead of {expected}");
    }
}

fn fit(form: Form, parameters: Parameters, start: States<0>, values: &[f64]) -> ComplexFit {
    let (none, _) = Adjustment::remove(values, &[]);
    ComplexFit::run(form, parameters, start, values, none)
}

/// Parameters and starting states of another implementation, with its fitted values of steps 0, 1, 5, 39 and 40 and
/// the means of the next six steps.
struct Reference {
    form: Form,
    parameters: Parameters,
    level: &'static [[f64; 2]],
    season: &'static [[f64; 2]],
    fitted: [f64; 5],
    means: [f64; 6],
}

fn check(reference: &Reference) {
    let values = series();
    let pairs = |states: &[[f64; 2]]| states.iter().map(|state| state.map(Dual::constant)).collect();
    let start = States { level: pairs(reference.level), season: pairs(reference.season) };
    let fit = fit(reference.form, reference.parameters, start, &values);
    let fitted = [0, 1, 5, 39, 40].map(|step| fit.fitted()[step]);
    assert_close(&fitted, &reference.fitted, 1e-10);
    assert_close(&fit.forecast(6).mean, &reference.means, 1e-10);
}

/// statsforecast 2.1.1, `auto_ces(y, 4, model=...)` with models N and S.
#[test]
fn forms_of_one_level_agree_with_statsforecast_at_its_parameters() {
    check(&Reference {
        form: Form::None,
        parameters: [1.129_733_796_040_96, 1.009_564_771_657_46, 0.0, 0.0],
        level: &[[12.097_831_838_418_1, 10.074_447_011_282_6]],
        season: &[],
        fitted: [
            12.097_831_838_418_1,
            12.338_654_998_778_4,
            11.850_579_388_908_6,
            15.666_351_946_476_5,
            15.530_398_029_968_8,
        ],
        means: [
            16.105_482_486_754_2,
            16.326_029_049_544_8,
            16.451_461_969_169_2,
            16.591_343_820_289_8,
            16.730_550_893_913_1,
            16.871_183_446_947_7,
        ],
    });
    check(&Reference {
        form: Form::Simple,
        parameters: [1.8, 1.062_426_757_812_5, 0.0, 0.0],
        level: &[
            [14.434_009_191_132_2, 9.501_906_433_885_16],
            [9.733_546_869_587_76, 6.618_428_922_083_27],
            [11.312_478_038_001_5, 7.672_909_138_409_91],
            [8.847_294_175_455_28, 6.081_802_528_879_67],
        ],
        season: &[],
        fitted: [
            14.434_009_191_132_2,
            9.733_546_869_587_76,
            9.557_836_665_945_91,
            13.285_629_942_119_1,
            19.782_273_149_935_9,
        ],
        means: [
            14.851_430_977_959_6,
            15.932_026_452_468_9,
            13.835_627_933_777_8,
            20.297_664_721_679_4,
            15.346_737_009_000_2,
            16.542_551_601_707,
        ],
    });
}

/// The same with models P and F.
#[test]
fn forms_with_a_season_of_their_own_agree_with_statsforecast_at_its_parameters() {
    check(&Reference {
        form: Form::Partial,
        parameters: [1.8, 1.019_561_998_996_74, 0.109_549_355_065_877, 0.0],
        level: &[[10.442_766_035_659, 6.751_009_512_907_62]],
        season: &[
            [3.117_486_077_115_09, 0.0],
            [-1.575_860_484_559_87, 0.0],
            [-0.338_541_813_949_661, 0.0],
            [-2.807_923_248_264_46, 0.0],
        ],
        fitted: [
            13.560_252_112_774_1,
            8.795_858_153_767_34,
            9.569_580_566_664_64,
            13.228_217_688_129_8,
            19.553_159_707_194_6,
        ],
        means: [
            15.016_226_299_035_4,
            16.388_879_887_654_7,
            14.145_412_259_575_2,
            20.320_281_079_429,
            15.740_669_854_479_5,
            17.128_723_411_923_5,
        ],
    });
    check(&Reference {
        form: Form::Full,
        parameters: [1.729_709_151_821_32, 1.018_501_040_123_36, 1.160_164_077_043_17, 1.002_763_670_698_85],
        level: &[[10.688_654_612_455_4, 7.133_337_496_256_88]],
        season: &[
            [2.901_335_110_141_53, 2.668_982_121_807_38],
            [-1.842_756_280_264_92, -1.458_391_041_559_18],
            [-0.558_571_291_640_505, -0.379_395_998_920_366],
            [-3.032_443_164_674_58, -2.553_870_619_361_02],
        ],
        fitted: [
            13.589_989_722_597,
            8.771_629_452_402_22,
            9.532_887_570_729_87,
            13.220_018_776_340_2,
            19.626_735_992_886_9,
        ],
        means: [
            14.968_625_759_597_1,
            16.330_332_113_235_4,
            14.073_624_990_065_5,
            20.334_015_893_486_3,
            15.682_231_203_059_8,
            17.065_760_163_516_1,
        ],
    });
}

/// The matrices of the state space form, `1 + sum of (w'·F^j·g)²` multiplied out by numpy at the parameters above; the
/// intervals of statsforecast are simulated.
#[test]
fn variances_agree_with_the_state_space_form() {
    let values = series();
    for (form, parameters, ratios) in [
        (
            Form::None,
            [1.129_733_796_040_96, 1.009_564_771_657_46, 0.0, 0.0],
            [
                1.014_440_594_421_282_2,
                1.034_217_651_963_157_8,
                1.053_573_616_734_606_6,
                1.073_360_567_057_942_2,
                1.093_466_945_370_069_8,
            ],
        ),
        (
            Form::Simple,
            [1.8, 1.062_426_757_812_5, 0.0, 0.0],
            [1.0, 1.0, 1.0, 1.544_014_287_590_980_6, 1.544_014_287_590_980_6],
        ),
        (
            Form::Partial,
            [1.8, 1.019_561_998_996_74, 0.109_549_355_065_877, 0.0],
            [
                1.609_083_473_409_964_6,
                2.307_301_257_464_926_5,
                2.958_124_525_127_535_4,
                3.871_521_232_901_483,
                4.561_092_081_764_222,
            ],
        ),
        (
            Form::Full,
            [1.729_709_151_821_32, 1.018_501_040_123_36, 1.160_164_077_043_17, 1.002_763_670_698_85],
            [
                1.505_816_978_144_977_7,
                2.086_541_537_638_293_4,
                2.631_346_538_785_942_7,
                3.490_824_326_828_114_7,
                4.068_877_599_784_377,
            ],
        ),
    ] {
        let start = Objective::new(&values, form, 4).start(&parameters).clone();
        let sd = fit(form, parameters, start, &values).forecast(6).sd;
        let found: Vec<f64> = sd[1..].iter().map(|later| (later / sd[0]).powi(2)).collect();
        assert_close(&found, &ratios, 1e-10);
    }
}

/// For the same fit as above, the passes over the series give its starting states, up to what remains of different
/// rough states.
#[test]
fn starting_states_agree_with_statsforecast() {
    let values = series();
    let start = Objective::new(&values, Form::None, 4)
        .start(&[1.129_733_796_040_96, 1.009_564_771_657_46, 0.0, 0.0])
        .clone();
    let [level, potential] = start.level[0];
    assert_close(&[level.value, potential.value], &[12.097_831_838_418_1, 10.074_447_011_282_6], 1e-4);
}

/// Simulates the defining equations, with errors that are normal by the sum of twelve uniform numbers.
#[test]
fn variances_agree_with_simulation() {
    const PATHS: usize = 20_000;
    const HORIZON: usize = 10;
    let values = series();
    for form in [Form::None, Form::Simple, Form::Partial, Form::Full] {
        let parameters = [1.3, 1.01, if form == Form::Partial { 0.2 } else { 1.2 }, 0.98];
        let start = Objective::new(&values, form, 4).start(&parameters).clone();
        let fit = fit(form, parameters, start.clone(), &values);
        let mut end = start;
        let mut squares = 0.0;
        end.pass(&values, form, &parameters, Direction::Forward, |_, error| {
            squares += error.value * error.value;
        });
        let sigma = (squares / (values.len() - form.counted()) as f64).sqrt();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut uniform = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 11) as f64 / (1_u64 << 53) as f64
        };
        // The series has one step more than whole cycles; rotates the states so that step 0 comes next.
        if end.level.len() > 1 {
            end.level.rotate_left(1);
        }
        if !end.season.is_empty() {
            end.season.rotate_left(1);
        }
        let mut moments = [[0.0; 2]; HORIZON];
        for _ in 0..PATHS {
            let mut path = end.clone();
            for [sum, sum_of_squares] in &mut moments {
                let error = sigma * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0);
                let mut ahead = path.clone();
                let value = ahead.forecast(form, &parameters, 0) + error;
                // The states of one phase are first in turn at each step.
                path.pass(&[value], form, &parameters, Direction::Forward, |_, _| {});
                if path.level.len() > 1 {
                    path.level.rotate_left(1);
                }
                if !path.season.is_empty() {
                    path.season.rotate_left(1);
                }
                *sum += value;
                *sum_of_squares += value * value;
            }
        }
        let forecast = fit.forecast(HORIZON);
        for (step, [sum, sum_of_squares]) in moments.into_iter().enumerate() {
            let mean = sum / PATHS as f64;
            let sd = (sum_of_squares / PATHS as f64 - mean * mean).sqrt();
            assert_close(&[forecast.mean[step], forecast.sd[step]], &[mean, sd], 0.02);
        }
    }
}
