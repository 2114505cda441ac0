//! Columns of all files, found by their names.

/// The names that one thread has read, in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) names: Vec<String>,
}

impl Places {
    /// The index of each name; new names are added.
    pub(super) fn of(&mut self, names: &[String]) -> Vec<usize> {
        if names.len() <= self.names.len() && self.names[..names.len()] == *names {
            return (0..names.len()).collect();
        }
        let mut place = |name: &String| {
            self.names.iter().position(|known| known == name).unwrap_or_else(|| {
                self.names.push(name.clone());
                self.names.len() - 1
            })
        };
        names.iter().map(&mut place).collect()
    }
}

/// The index of a column among those of a stretch.
pub(super) fn find(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|other| other == name)
}
