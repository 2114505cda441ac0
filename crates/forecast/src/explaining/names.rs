//! Unique names for features.

/// The given names, made unique against `taken` and the names before them: a covariate may have the name of an
/// engineered feature.
pub(super) fn told_apart<'a>(taken: &[String], given: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in given {
        let is_free =
            |wanted: &str, names: &[String]| !taken.iter().chain(names).any(|known| known == wanted);
        let mut wanted = name.to_owned();
        let mut count = 1;
        while !is_free(&wanted, &names) {
            wanted = if count == 1 {
                format!("{name} (covariate)")
            } else {
                format!("{name} (covariate {count})")
            };
            count += 1;
        }
        names.push(wanted);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covariates_give_way() {
        let taken = ["lag_7", "month"].map(str::to_owned);
        let given = ["lag_7", "price", "lag_7 (covariate)", "price"];
        let expected = ["lag_7 (covariate)", "price", "lag_7 (covariate) (covariate)", "price (covariate)"];
        assert_eq!(told_apart(&taken, given.into_iter()), expected);
    }
}
