//! An optimiser for noisy gradients.

/// Decay rates of the mean gradient and of its mean square; the usual values.
const MEMORY: [f32; 2] = [0.9, 0.999];

/// Adam (Kingma and Ba, Adam: a method for stochastic optimization, ICLR 2015).
#[derive(Debug, Clone)]
pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    /// The bias corrections of the two means.
    missing: [f32; 2],
}

impl Adam {
    /// An optimiser for this number of parameters.
    pub fn new(parameters: usize) -> Self {
        Self { means: vec![0.0; parameters], squares: vec![0.0; parameters], missing: [1.0; 2] }
    }

    /// Moves the parameters against the gradient.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        for (missing, memory) in self.missing.iter_mut().zip(MEMORY) {
            *missing *= memory;
        }
        let rate = rate / (1.0 - self.missing[0]);
        let full = (1.0 - self.missing[1]).recip();
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((parameter, slope), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - MEMORY[0]) * (slope - *mean);
            *square += (1.0 - MEMORY[1]) * (slope * slope - *square);
            *parameter -= rate * *mean / ((*square * full).sqrt() + 1e-8);
        }
    }
}
