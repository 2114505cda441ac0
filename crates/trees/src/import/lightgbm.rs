//! Text models of `LightGBM` (`Booster.save_model`), versions 3 and 4.

use super::lightgbm_tree::{ZeroRule, read_tree};
use crate::import::lightgbm_fields::{Fields, fields, number};
use crate::{Ensemble, Feature, FeatureKind, Link, TreesError};

impl Ensemble {
    /// Reads a text model of `LightGBM`. Margins are its raw scores and covers its counts, so contributions equal those
    /// that it computes itself.
    ///
    /// Categories are the codes that the model was trained on; their texts come from `pandas_categorical` if the file
    /// has it.
    ///
    /// # Errors
    /// [`TreesError::Import`] for a text that cannot be read, for linear trees, for objectives whose link is not among
    /// [`Link`], and for features whose zeros are missing in one tree and values in another.
    pub fn from_lightgbm(text: &str) -> Result<Self, TreesError> {
        let ensemble = read(text).map_err(TreesError::Import)?;
        ensemble.check().map_err(|error| TreesError::Import(error.to_string()))?;
        Ok(ensemble)
    }
}

fn read(text: &str) -> Result<Ensemble, String> {
    let mut sections = text.split("\nTree=");
    let head = sections.next().unwrap_or_default();
    if head.lines().next().map(str::trim) != Some("tree") {
        return Err("the text does not begin as a LightGBM model".to_owned());
    }
    let header = fields(head);
    let outputs: usize = number(&header, "num_tree_per_iteration")?;
    if outputs == 0 || outputs > 1 << 20 {
        return Err(format!("num_tree_per_iteration is {outputs}"));
    }
    let mut ensemble = Ensemble {
        features: features(&header)?,
        outputs,
        base: vec![0.0; outputs],
        trees: Vec::new(),
        link: link(header.get("objective").copied().unwrap_or_default())?,
    };
    let mut zeros = vec![None; ensemble.features.len()];
    for (number, section) in sections.enumerate() {
        let section = section.split("\nend of trees").next().unwrap_or_default();
        let output = (number % outputs) as u32;
        let tree = read_tree(&fields(section), output, &mut zeros)
            .map_err(|what| format!("tree {number}: {what}"))?;
        ensemble.trees.push(tree);
    }
    if !text.contains("\nend of trees") {
        return Err("the text ends before the trees do".to_owned());
    }
    for (feature, zero) in ensemble.features.iter_mut().zip(zeros) {
        feature.zero_is_missing = zero == Some(ZeroRule::Missing);
    }
    // Random forests are means; the file says so by a line without a value.
    if head.lines().any(|line| line.trim() == "average_output") {
        let rounds = (ensemble.trees.len() / outputs).max(1) as f64;
        ensemble.trees.iter_mut().flat_map(|tree| &mut tree.leaf_values).for_each(|value| *value /= rounds);
    }
    name_levels(text, &mut ensemble.features);
    Ok(ensemble)
}

fn features(header: &Fields<'_>) -> Result<Vec<Feature>, String> {
    let names = header.get("feature_names").ok_or("feature_names are missing")?;
    let infos = header.get("feature_infos").ok_or("feature_infos are missing")?;
    let (names, infos): (Vec<_>, Vec<_>) =
        (names.split_whitespace().collect(), infos.split_whitespace().collect());
    if names.len() != infos.len() || names.len() != number::<usize>(header, "max_feature_idx")? + 1 {
        return Err("feature_names, feature_infos and max_feature_idx do not fit".to_owned());
    }
    // Numeric features have a range, categorical ones a list; a constant column has neither.
    let feature = |(name, info): (&str, &str)| {
        let numeric = info.starts_with('[') || info == "none";
        if numeric { Feature::numeric(name) } else { Feature::categorical(name, Vec::new()) }
    };
    Ok(names.into_iter().zip(infos).map(feature).collect())
}

fn link(objective: &str) -> Result<Link, String> {
    let mut words = objective.split_whitespace();
    let name = words.next().unwrap_or_default();
    let parameters: Vec<&str> = words.collect();
    let unit_slope = parameters.iter().all(|word| !word.starts_with("sigmoid:") || *word == "sigmoid:1");
    match name {
        "binary" | "multiclassova" if !unit_slope => {
            Err(format!("objective {objective}: only sigmoid:1 is supported"))
        }
        "binary" | "multiclassova" | "cross_entropy" => Ok(Link::Logistic),
        "multiclass" => Ok(Link::Softmax),
        "poisson" | "gamma" | "tweedie" => Ok(Link::Exponential),
        "regression" if parameters.contains(&"sqrt") => {
            Err("objective regression sqrt is not supported".to_owned())
        }
        "" | "custom" | "regression" | "regression_l1" | "huber" | "fair" | "quantile" | "mape"
        | "lambdarank" | "rank_xendcg" => Ok(Link::Identity),
        _ => Err(format!("objective {objective} is not supported")),
    }
}

/// The last lines contain the categories of each categorical column of the training table, in order.
fn name_levels(text: &str, features: &mut [Feature]) {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("pandas_categorical:"));
    let lists: Option<Vec<Vec<serde_json::Value>>> = line.and_then(|json| serde_json::from_str(json).ok());
    let kinds = features.iter_mut().map(|feature| &mut feature.kind);
    let columns: Vec<_> = kinds.filter(|kind| matches!(kind, FeatureKind::Categorical { .. })).collect();
    // A constant categorical column looks like a numeric one, so there may be more lists than columns; then none can be
    // assigned.
    let Some(lists) = lists.filter(|lists| lists.len() == columns.len()) else { return };
    for (kind, list) in columns.into_iter().zip(lists) {
        let text = |value: serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        *kind = FeatureKind::Categorical { levels: list.into_iter().map(text).collect() };
    }
}
