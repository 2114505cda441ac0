//! Columns of all files by their names.

/// The names that one thread has met, in the order in which it met them.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) names: Vec<String>,
}

impl Places {
    /// The place of each name; new ones are added.
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

/// The place of a column among those of a stretch.
pub(super) fn find(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|other| other == name)
}
