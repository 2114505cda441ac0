//! JSON models of `XGBoost` (`Booster.save_model("x.json")`), versions 1.3 to 3.

use serde::Deserialize;

use super::xgboost_tree::Source;
use crate::{Ensemble, Feature, FeatureKind, Link, TreesError};

impl Ensemble {
    /// Reads a JSON model of `XGBoost`. Margins are its raw scores up to single precision; covers are its sums of
    /// Hessians.
    ///
    /// `XGBoost` rounds values to single precision before it compares them; thresholds are placed so that doubles go
    /// the same way. Categories are the codes that the model was trained on.
    ///
    /// # Errors
    /// [`TreesError::Import`] for a text that cannot be read, for linear boosters, for trees with several outputs in a
    /// leaf, and for objectives whose link is not among [`Link`].
    pub fn from_xgboost(json: &str) -> Result<Self, TreesError> {
        let model: Model =
            serde_json::from_str(json).map_err(|error| TreesError::Import(error.to_string()))?;
        let ensemble = read(model.learner).map_err(TreesError::Import)?;
        ensemble.check().map_err(|error| TreesError::Import(error.to_string()))?;
        Ok(ensemble)
    }
}

#[derive(Deserialize)]
struct Model {
    learner: Learner,
}

#[derive(Deserialize)]
struct Learner {
    #[serde(default)]
    feature_names: Vec<String>,
    #[serde(default)]
    feature_types: Vec<String>,
    gradient_booster: Booster,
    #[serde(rename = "learner_model_param")]
    parameters: Parameters,
    objective: Objective,
}

#[derive(Deserialize)]
struct Objective {
    name: String,
}

/// All numbers are texts.
#[derive(Deserialize)]
struct Parameters {
    base_score: String,
    num_feature: String,
    #[serde(default)]
    num_class: String,
    #[serde(default)]
    num_target: String,
}

#[derive(Deserialize)]
struct Booster {
    name: String,
    model: Option<Grown>,
    /// Before version 3.4: the trees of a booster with dropout (DART), and their weights.
    gbtree: Option<Inside>,
    #[serde(default)]
    weight_drop: Vec<f64>,
}

#[derive(Deserialize)]
struct Inside {
    model: Grown,
}

#[derive(Deserialize)]
struct Grown {
    tree_info: Vec<u32>,
    trees: Vec<Source>,
    /// Since version 3.4: the weight of each tree after dropout.
    #[serde(default)]
    weight_drop: Vec<f64>,
}

fn read(learner: Learner) -> Result<Ensemble, String> {
    let parameters = &learner.parameters;
    let (features, classes, targets) =
        (count(&parameters.num_feature)?, count(&parameters.num_class)?, count(&parameters.num_target)?);
    let outputs = classes.max(targets).max(1);
    if features > 1 << 24 || outputs > 1 << 20 {
        return Err(format!("{features} features and {outputs} outputs"));
    }
    let (link, base_link) = links(&learner.objective.name)?;
    let booster = learner.gradient_booster;
    let model = match booster.name.as_str() {
        "gbtree" => booster.model,
        "dart" => booster.gbtree.map(|inside| inside.model),
        name => return Err(format!("booster {name} is not supported")),
    };
    let model = model.ok_or("the booster has no trees")?;
    let weights = if booster.weight_drop.is_empty() { &model.weight_drop } else { &booster.weight_drop };
    if model.tree_info.len() != model.trees.len()
        || (!weights.is_empty() && weights.len() != model.trees.len())
    {
        return Err("tree_info or weight_drop does not fit the trees".to_owned());
    }
    let mut ensemble = Ensemble {
        features: name_features(features, &learner.feature_names, &learner.feature_types),
        outputs,
        base: base(&parameters.base_score, outputs, base_link)?,
        trees: Vec::with_capacity(model.trees.len()),
        link,
    };
    for (number, (source, output)) in model.trees.iter().zip(model.tree_info).enumerate() {
        let mut tree = source.read(output).map_err(|what| format!("tree {number}: {what}"))?;
        if let Some(weight) = weights.get(number) {
            tree.leaf_values.iter_mut().for_each(|value| *value *= weight);
        }
        ensemble.trees.push(tree);
    }
    mark_categorical(&mut ensemble);
    Ok(ensemble)
}

fn count(text: &str) -> Result<usize, String> {
    if text.is_empty() { Ok(0) } else { text.parse().map_err(|_| format!("a count of {text}")) }
}

/// Names and types may be missing; types other than `c` are numeric.
fn name_features(count: usize, names: &[String], types: &[String]) -> Vec<Feature> {
    let feature = |f: usize| {
        let name = names.get(f).cloned().unwrap_or_else(|| format!("f{f}"));
        let categorical = types.get(f).is_some_and(|kind| kind == "c");
        if categorical { Feature::categorical(name, Vec::new()) } else { Feature::numeric(name) }
    };
    (0..count).map(feature).collect()
}

/// A feature with a set split is categorical even if its type does not say so.
fn mark_categorical(ensemble: &mut Ensemble) {
    for tree in &ensemble.trees {
        for node in 0..tree.nodes() {
            let feature = ensemble.features.get_mut(tree.feature[node] as usize);
            if let (crate::Split::Set(_), Some(feature)) = (tree.split(node), feature)
                && feature.kind == FeatureKind::Numeric
            {
                feature.kind = FeatureKind::Categorical { levels: Vec::new() };
            }
        }
    }
}

/// The link of the predictions, and the link between the base score, which is a prediction, and its margin.
fn links(objective: &str) -> Result<(Link, Link), String> {
    Ok(match objective {
        "binary:logistic" | "reg:logistic" => (Link::Logistic, Link::Logistic),
        "binary:logitraw" => (Link::Identity, Link::Logistic),
        "multi:softmax" | "multi:softprob" => (Link::Softmax, Link::Identity),
        "count:poisson" | "reg:gamma" | "reg:tweedie" | "survival:cox" | "survival:aft" => {
            (Link::Exponential, Link::Exponential)
        }
        "reg:squarederror"
        | "reg:linear"
        | "reg:squaredlogerror"
        | "reg:pseudohubererror"
        | "reg:absoluteerror"
        | "reg:quantileerror"
        | "rank:ndcg"
        | "rank:map"
        | "rank:pairwise" => (Link::Identity, Link::Identity),
        _ => return Err(format!("objective {objective} is not supported")),
    })
}

/// A single number, or since version 3.1 a list in brackets; one for all outputs, or one each.
fn base(text: &str, outputs: usize, link: Link) -> Result<Vec<f64>, String> {
    let wrong = || format!("base_score is {text}");
    let list = text.trim().trim_start_matches('[').trim_end_matches(']');
    let scores: Vec<f32> =
        list.split(',').map(|score| score.trim().parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    let margins: Vec<f64> = scores
        .into_iter()
        .map(f64::from)
        .map(|score| match link {
            Link::Logistic => -(1.0 / score - 1.0).ln(),
            Link::Exponential => score.ln(),
            Link::Identity | Link::Softmax | Link::Ascending => score,
        })
        .collect();
    match margins.len() {
        1 => Ok(vec![margins[0]; outputs]),
        count if count == outputs => Ok(margins),
        _ => Err(wrong()),
    }
}
