/// What kind of history a series has; decides which models are worth fitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Every value is the same; nothing to fit.
    Constant,
    /// Two or three observations: too few for any model with a parameter.
    Tiny,
    /// Fewer than two seasons: no seasonal model can be told from noise.
    Unseasonal,
    /// Non-negative and mostly zeros in between (average distance of non-zero values above 1.32, Syntetos and Boylan 2005).
    Intermittent,
    /// Everything else.
    Regular,
}

const INTERMITTENT_INTERVAL: f64 = 1.32;

impl Class {
    /// `values` is regular, finite and not empty.
    pub(crate) fn of(values: &[f64], season: usize) -> Self {
        if values.iter().all(|&value| value == values[0]) {
            return Self::Constant;
        }
        if values.len() < 4 {
            return Self::Tiny;
        }
        let demands = values.iter().filter(|&&value| value != 0.0).count();
        let non_negative = values.iter().all(|&value| value >= 0.0);
        if non_negative && values.len() as f64 > INTERMITTENT_INTERVAL * demands as f64 {
            return Self::Intermittent;
        }
        if season <= 1 || values.len() < 2 * season { Self::Unseasonal } else { Self::Regular }
    }
}

#[cfg(test)]
mod tests {
    use super::Class;

    #[test]
    fn classes_follow_length_zeros_and_season() {
        assert_eq!(Class::of(&[3.0; 9], 4), Class::Constant);
        assert_eq!(Class::of(&[0.0; 9], 4), Class::Constant);
        assert_eq!(Class::of(&[1.0, 2.0], 12), Class::Tiny);
        assert_eq!(Class::of(&[0.0, 0.0, 5.0, 0.0, 1.0, 0.0], 1), Class::Intermittent);
        assert_eq!(Class::of(&[1.0, 2.0, 3.0, 4.0, 5.0], 4), Class::Unseasonal);
        assert_eq!(Class::of(&[1.0, 2.0, 1.0, 2.0], 2), Class::Regular);
        assert_eq!(Class::of(&[-1.0, 0.0, 0.0, 0.0, 1.0], 1), Class::Unseasonal);
    }
}
