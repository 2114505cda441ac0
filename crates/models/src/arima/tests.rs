//! Likelihoods and forecasts against other implementations.
