//! Groups of features that are shown as one.

/// A group for each column, such as "recent level", "last season", "trend" and "calendar" for engineered features. The
/// Shapley value of a group is the sum over its columns, which is exact because Shapley values add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureGroups {
    /// Names of the groups.
    pub names: Vec<String>,
    /// The group of each column, an index into `names`.
    pub of_column: Vec<usize>,
}
