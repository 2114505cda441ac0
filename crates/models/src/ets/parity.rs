//! Every form against another implementation: statsforecast 2.1.1, `ets_f(y, 4, model=..., damped=...)`, its parameters
//! and initial states, fitted values of steps 0, 1, 5, 39 and 40, and the means of the next six steps. For damped forms
//! the expected means come from the textbook formula at its last states, because its own means apply the first step's
//! damping twice.

use super::fitted::SmoothingFit;
use super::form::{Error, Form, Season, Smoothing, Trend};
use super::state::State;
use crate::Fit;
use crate::adjustment::Adjustment;

struct Reference {
    form: Form,
    /// alpha, beta, gamma, phi
    smoothing: [f64; 4],
    /// Level and slope.
    states: [f64; 2],
    season: &'static [f64],
    fitted: [f64; 5],
    means: [f64; 6],
}

impl Reference {
    fn fit(&self, values: &[f64], degrees: usize) -> SmoothingFit {
        let [alpha, beta, gamma, phi] = self.smoothing;
        let smoothing = Smoothing { alpha, beta, gamma, phi };
        let [level, slope] = self.states;
        let start = State { level, slope, season: self.season.to_vec() };
        let (none, _) = Adjustment::remove(values, &[]);
        SmoothingFit::run(self.form, smoothing, start, values, none, degrees)
    }
}

fn series() -> Vec<f64> {
    let noise = |t: usize| ((t * t * 37 + t * 11) % 101) as f64 / 101.0 - 0.5;
    (0..41).map(|t| 10.0 + 0.15 * t as f64 + 1.2 * [3.0, -1.0, 0.0, -2.0][t % 4] + 0.6 * noise(t)).collect()
}

#[test]
fn every_form_agrees_with_statsforecast_at_its_parameters() {
    let values = series();
    for reference in &REFERENCES {
        let fit = reference.fit(&values, 1);
        let fitted = [0, 1, 5, 39, 40].map(|step| fit.fitted()[step]);
        let means = fit.forecast(6).mean;
        let expected = reference.fitted.iter().chain(&reference.means);
        for (found, expected) in fitted.iter().chain(&means).zip(expected) {
            let relative = (found / expected - 1.0).abs();
            assert!(relative < 1e-8, "{:?}: {found} instead of {expected}", reference.form);
        }
    }
}

/// statsforecast 2.1.1, `forecast_ets(fit, 6, level=[95])` for the same fits; the variances of its one-step errors have
/// that many degrees of freedom. It uses other formulas for seasonal forms, which are compared with simulation
/// (`tests.rs`). So is the damped trend with multiplicative errors, because it damps its mean twice.
#[test]
fn variances_without_a_season_agree_with_statsforecast() {
    let values = series();
    for (error, trend, counted, sds) in SDS {
        let form = Form { error, trend, season: Season::None };
        let reference = REFERENCES.iter().find(|reference| reference.form == form).expect("all are there");
        let sd = reference.fit(&values, counted).forecast(6).sd;
        for (found, expected) in sd.iter().zip(sds) {
            let relative = (found / expected - 1.0).abs();
            assert!(relative < 1e-8, "{form:?}: {found} instead of {expected}");
        }
    }
}

const SDS: [(Error, Trend, usize, [f64; 6]); 5] = [
    (
        Error::Additive,
        Trend::None,
        4,
        [
            2.726_031_937_834_21,
            2.759_853_294_972_49,
            2.793_265_167_048_92,
            2.826_282_076_709_12,
            2.858_917_707_945_71,
            2.891_184_972_374_46,
        ],
    ),
    (
        Error::Additive,
        Trend::Additive,
        6,
        [
            2.467_690_283_913_16,
            2.467_690_335_678_1,
            2.467_690_453_986_31,
            2.467_690_665_954_56,
            2.467_690_998_699_61,
            2.467_691_479_338_18,
        ],
    ),
    (
        Error::Additive,
        Trend::Damped,
        7,
        [
            2.531_052_736_610_35,
            2.531_661_216_232_71,
            2.534_034_545_602_12,
            2.539_252_916_757_16,
            2.548_314_279_884_91,
            2.562_125_366_217_28,
        ],
    ),
    (
        Error::Multiplicative,
        Trend::None,
        4,
        [
            3.422_040_647_832_86,
            3.452_589_678_325_88,
            3.482_896_816_947_79,
            3.512_968_346_580_36,
            3.542_810_288_953_77,
            3.572_428_419_560_98,
        ],
    ),
    (
        Error::Multiplicative,
        Trend::Additive,
        6,
        [
            3.061_471_869_970_13,
            3.087_841_119_677_42,
            3.114_210_447_411_64,
            3.140_579_883_498_14,
            3.166_949_457_794_49,
            3.193_319_199_714_35,
        ],
    ),
];

const REFERENCES: [Reference; 15] = [
    Reference {
        form: Form { error: Error::Additive, trend: Trend::None, season: Season::None },
        smoothing: [0.158_011_222_959_042, 0.0, 0.0, 0.0],
        states: [11.156_638_166_934, 0.0],
        season: &[],
        fitted: [
            11.156_638_166_934,
            11.495_313_391_420_5,
            11.091_877_863_83,
            14.911_220_207_495_6,
            14.675_168_272_568_3,
        ],
        means: [
            15.452_877_616_421_1,
            15.452_877_616_421_1,
            15.452_877_616_421_1,
            15.452_877_616_421_1,
            15.452_877_616_421_1,
            15.452_877_616_421_1,
        ],
    },
    Reference {
        form: Form { error: Error::Additive, trend: Trend::None, season: Season::Additive },
        smoothing: [0.999_9, 0.0, 0.000_241_082_099_200_65, 0.0],
        states: [9.735_901_558_768_13, 0.0],
        season: &[
            3.564_068_248_847_28,
            -1.144_443_838_139_27,
            0.045_431_072_959_102_9,
            -2.465_055_483_667_12,
        ],
        fitted: [
            13.299_969_807_615_4,
            8.591_487_909_994_21,
            9.369_796_092_022_47,
            12.966_619_921_447,
            19.446_477_643_689_1,
        ],
        means: [
            14.888_535_477_559_3,
            16.078_413_854_574_9,
            13.567_927_323_411_6,
            19.597_050_943_170_9,
            14.888_535_477_559_3,
            16.078_413_854_574_9,
        ],
    },
    Reference {
        form: Form { error: Error::Additive, trend: Trend::Additive, season: Season::None },
        smoothing: [0.000_1, 0.000_104_827_152_050_64, 0.0, 1.0],
        states: [9.986_928_226_738_14, 0.147_131_494_100_383],
        season: &[],
        fitted: [
            10.134_059_720_838_5,
            10.281_839_685_469_8,
            10.870_913_798_706_8,
            15.872_505_797_489_1,
            16.019_027_632_151_2,
        ],
        means: [
            16.166_527_856_694,
            16.313_670_281_029_7,
            16.460_812_705_365_4,
            16.607_955_129_701_1,
            16.755_097_554_036_8,
            16.902_239_978_372_5,
        ],
    },
    Reference {
        form: Form { error: Error::Additive, trend: Trend::Additive, season: Season::Additive },
        smoothing: [0.000_110_323_109_004_256, 0.000_104_478_422_417_195, 0.000_107_535_921_113_168, 1.0],
        states: [9.850_985_540_021_8, 0.149_660_885_717_222],
        season: &[
            3.557_248_187_551_92,
            -1.150_000_528_564_16,
            0.047_570_018_287_886_4,
            -2.454_817_677_275_65,
        ],
        fitted: [
            13.557_894_613_290_9,
            9.000_251_386_734_21,
            9.598_796_803_171_17,
            13.382_588_544_596_8,
            19.544_310_679_509_4,
        ],
        means: [
            14.986_734_333_328_4,
            16.333_965_845_080_9,
            13.981_238_681_947_4,
            20.142_964_426_021_2,
            15.585_376_594_524_9,
            16.932_608_106_277_4,
        ],
    },
    Reference {
        form: Form { error: Error::Additive, trend: Trend::Damped, season: Season::None },
        smoothing: [0.000_1, 0.022_274_216_341_125_9, 0.0, 0.98],
        states: [9.959_674_766_087_96, 0.102_191_997_194_094],
        season: &[],
        fitted: [
            10.059_822_923_338_2,
            10.229_021_092_236_1,
            10.738_138_371_030_4,
            15.853_854_616_331_6,
            15.958_463_543_884_6,
        ],
        means: [
            16.141_008_214_838_1,
            16.319_545_412_888_9,
            16.494_511_866_978_7,
            16.665_978_991_986_7,
            16.834_016_774_494_5,
            16.998_693_801_352_2,
        ],
    },
    Reference {
        form: Form { error: Error::Additive, trend: Trend::Damped, season: Season::Additive },
        smoothing: [0.542_832_840_038_201, 0.000_1, 0.000_475_875_529_321_88, 0.979_989_856_590_054],
        states: [9.587_840_076_019_96, 0.223_684_368_525_216],
        season: &[
            3.568_557_408_393_38,
            -1.149_185_372_595_76,
            0.043_560_191_042_503_6,
            -2.462_932_226_840_12,
        ],
        fitted: [
            13.375_605_896_645_8,
            8.831_636_363_222_64,
            9.672_174_445_925_72,
            13.164_015_692_297_3,
            19.430_741_599_899_1,
        ],
        means: [
            14.899_104_987_622_2,
            16.185_694_814_34,
            13.771_178_383_947_9,
            19.892_784_377_929_7,
            15.263_364_279_637_2,
            16.542_665_225_683_3,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::None, season: Season::None },
        smoothing: [0.130_651_957_727_432, 0.0, 0.0, 0.0],
        states: [11.333_595_475_637_1, 0.0],
        season: &[],
        fitted: [
            11.333_595_475_637_1,
            11.590_510_076_429_2,
            11.177_313_860_969_5,
            14.721_283_988_16,
            14.550_919_419_937_7,
        ],
        means: [
            15.210_203_607_324_5,
            15.210_203_607_324_5,
            15.210_203_607_324_5,
            15.210_203_607_324_5,
            15.210_203_607_324_5,
            15.210_203_607_324_5,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::None, season: Season::Additive },
        smoothing: [0.991_443_996_009_073, 0.0, 0.171_837_317_618_38, 0.0],
        states: [9.843_444_080_694_25, 0.0],
        season: &[3.385_151_524_025_86, -1.157_461_338_870_05, 0.085_090_028_327_599_9, -2.312_780_213_483_4],
        fitted: [
            13.228_595_604_720_1,
            8.756_776_200_813_1,
            9.551_892_076_575_72,
            13.015_594_450_261,
            19.467_337_581_811_5,
        ],
        means: [
            14.770_969_798_531_3,
            15.979_955_219_735_3,
            13.611_504_582_324_7,
            19.618_206_002_880_2,
            14.770_969_798_531_3,
            15.979_955_219_735_3,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::None, season: Season::Multiplicative },
        smoothing: [0.627_187_861_678_985, 0.0, 0.000_102_498_082_067_509, 0.0],
        states: [10.267_582_134_249_9, 0.0],
        season: &[1.278_459_315_692_9, 0.907_537_465_223_434, 1.003_420_227_166_71, 0.810_582_991_916_956],
        fitted: [
            13.126_686_029_173_8,
            9.395_378_422_114_15,
            9.687_335_676_328_4,
            12.552_880_387_065_2,
            20.653_879_544_963_1,
        ],
        means: [
            14.190_939_099_514_5,
            15.690_243_470_065_4,
            12.674_881_637_885_6,
            19.990_931_303_834_7,
            14.190_939_099_514_5,
            15.690_243_470_065_4,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::Additive, season: Season::None },
        smoothing: [0.000_1, 0.000_1, 0.0, 1.0],
        states: [10.186_023_930_304_1, 0.137_319_454_177_026],
        season: &[],
        fitted: [
            10.323_343_384_481_2,
            10.461_258_169_981_3,
            11.010_745_664_588_7,
            15.674_161_454_681_6,
            15.810_926_901_441_1,
        ],
        means: [
            15.948_675_252_233,
            16.086_044_992_744_8,
            16.223_414_733_256_7,
            16.360_784_473_768_5,
            16.498_154_214_280_3,
            16.635_523_954_792_1,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::Additive, season: Season::Additive },
        smoothing: [0.000_107_738_179_374_436, 0.000_100_325_995_904_146, 0.000_114_536_568_416_755, 1.0],
        states: [9.880_070_663_149_8, 0.148_213_840_363_928],
        season: &[
            3.530_277_885_178_59,
            -1.154_159_018_706_74,
            0.064_667_061_382_924_1,
            -2.440_785_927_854_77,
        ],
        fitted: [
            13.558_562_388_692_3,
            9.022_285_527_600_75,
            9.615_004_470_712_15,
            13.367_172_375_748_1,
            19.486_494_464_192_6,
        ],
        means: [
            14.950_274_465_884_7,
            16.317_301_375_064_7,
            13.960_076_603_054_8,
            20.079_411_293_337_1,
            15.543_166_725_836_9,
            16.910_193_635_016_9,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::Additive, season: Season::Multiplicative },
        smoothing: [0.000_101_442_017_860_021, 0.000_221_808_706_510_774, 0.000_171_157_190_553_62, 1.0],
        states: [9.847_599_135_421_8, 0.150_272_806_363_204],
        season: &[1.278_199_112_306_46, 0.908_147_667_161_311, 1.003_561_845_631_27, 0.810_091_374_900_962],
        fitted: [
            12.779_271_040_943_2,
            9.216_133_572_992_58,
            9.761_978_406_380_13,
            12.846_277_656_336_7,
            20.462_095_914_277_4,
        ],
        means: [
            14.674_424_351_693_1,
            16.366_990_821_984_7,
            13.333_413_899_592_1,
            21.230_136_082_18,
            15.220_277_286_089_8,
            16.970_193_696_625_1,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::Damped, season: Season::None },
        smoothing: [0.000_1, 0.018_968_348_790_626_8, 0.0, 0.98],
        states: [10.005_478_601_632_7, 0.126_805_604_590_601],
        season: &[],
        fitted: [
            10.129_748_094_131_5,
            10.310_780_976_997_5,
            10.867_219_619_299_9,
            15.757_578_091_937_4,
            15.891_167_855_234_9,
        ],
        means: [
            16.091_573_952_580_3,
            16.287_608_753_517_8,
            16.479_722_858_436_5,
            16.667_994_681_256_8,
            16.852_501_067_620_7,
            17.033_317_326_257_3,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::Damped, season: Season::Additive },
        smoothing: [
            0.560_568_200_053_088,
            0.000_157_080_768_316_598,
            0.000_107_584_322_223_193,
            0.979_939_053_562_827,
        ],
        states: [9.652_276_592_019_06, 0.217_896_296_160_685],
        season: &[
            3.542_524_860_395_96,
            -1.147_978_652_940_09,
            0.059_443_512_905_332_4,
            -2.453_989_720_361_21,
        ],
        fitted: [
            13.408_326_542_649_6,
            8.866_323_514_459_69,
            9.672_859_207_014_69,
            13.158_304_364_226_8,
            19.395_067_580_248_1,
        ],
        means: [
            14.910_885_523_366,
            16.209_567_360_470_5,
            13.785_591_884_496_5,
            19.869_780_938_805_5,
            15.265_112_017_810_8,
            16.556_687_736_183_6,
        ],
    },
    Reference {
        form: Form { error: Error::Multiplicative, trend: Trend::Damped, season: Season::Multiplicative },
        smoothing: [0.216_162_772_137_087, 0.000_453_938_176_134_686, 0.000_1, 0.979_998_193_000_078],
        states: [9.736_952_842_829_51, 0.205_060_035_990_884],
        season: &[1.278_957_666_671_58, 0.907_809_815_470_665, 1.002_860_815_405_62, 0.810_371_702_452_141],
        fitted: [
            12.710_167_857_502_3,
            9.291_202_660_884_2,
            9.877_636_941_393_55,
            12.648_260_543_451_2,
            20.340_484_360_124_5,
        ],
        means: [
            14.404_078_272_456_3,
            15.999_318_830_863_9,
            12.997_348_642_297_5,
            20.619_544_492_300_5,
            14.710_034_937_780_5,
            16.330_549_945_499_8,
        ],
    },
];
