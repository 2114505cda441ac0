use std::collections::BTreeSet;

use proptest::prelude::*;
use tabcast_reconcile::{Offenders, Tree, TreeError};

fn tree(paths: &[&str], separator: &str) -> Result<Tree, TreeError> {
    Tree::from_paths(paths.iter().copied(), separator, "total")
}

fn ids<'a>(tree: &Tree, paths: &[&'a str]) -> Vec<&'a str> {
    (0..tree.len())
        .map(|node| tree.prefix(node).map_or("total", |(series, end)| &paths[series][..end]))
        .collect()
}

fn parents(tree: &Tree) -> Vec<Option<usize>> {
    (0..tree.len()).map(|node| tree.parent(node)).collect()
}

fn offenders(count: usize, first: &[usize]) -> Offenders {
    Offenders { count, first: first.to_vec() }
}

#[test]
fn nodes_are_numbered_level_by_level_with_the_bottom_series_last() {
    let paths = ["AU/NSW/Bondi", "AU/NSW/Manly", "AU/VIC/Kew", "NZ/WGN/Karori"];
    let tree = tree(&paths, "/").unwrap();
    let expected =
        ["total", "AU", "NZ", "AU/NSW", "AU/VIC", "NZ/WGN", paths[0], paths[1], paths[2], paths[3]];
    assert_eq!(ids(&tree, &paths), expected);
    let above = [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(3), Some(3), Some(4), Some(5)];
    assert_eq!(parents(&tree), above);
    assert_eq!(tree.parents(), [0, 0, 0, 1, 1, 2, 3, 3, 4, 5]);
    assert_eq!(tree.level_sizes(), [1, 2, 3, 4]);
    assert_eq!(
        (0..tree.len()).map(|node| tree.leaf_count(node)).collect::<Vec<_>>(),
        [4, 3, 1, 2, 1, 1, 1, 1, 1, 1]
    );
    assert_eq!(
        (0..tree.len()).map(|node| tree.level(node)).collect::<Vec<_>>(),
        [0, 1, 1, 2, 2, 2, 3, 3, 3, 3]
    );
    assert_eq!(tree.bottom().collect::<Vec<_>>(), [6, 7, 8, 9]);
    assert_eq!((tree.len(), tree.num_bottom(), tree.prefix(0)), (10, 4, None));
    assert_eq!((tree.is_leaf(5), tree.is_leaf(6)), (false, true));
}

#[test]
fn a_path_of_one_part_hangs_from_the_total() {
    for paths in [&["a"][..], &["a", "b"]] {
        let tree = tree(paths, "/").unwrap();
        assert_eq!(tree.level_sizes(), [1, paths.len()]);
        assert_eq!(ids(&tree, paths)[1..], *paths);
    }
}

#[test]
fn a_part_ends_at_its_separator_and_nowhere_else() {
    // Sorted by bytes, `!` and `-` come before `/`, which comes before letters.
    let paths = ["a!/x", "a-b/x", "a/x", "a/y", "ab/x"];
    let by_slash = tree(&paths, "/").unwrap();
    assert_eq!(ids(&by_slash, &paths)[1..5], ["a!", "a-b", "a", "ab"]);
    let paths = ["a :: x", "a :: x:y", "a: :: x"];
    let by_colons = tree(&paths, " :: ").unwrap();
    assert_eq!(ids(&by_colons, &paths), ["total", "a", "a:", paths[0], paths[1], paths[2]]);
    // Of overlapping separators the first counts.
    let paths = ["a---b", "a--c"];
    let by_dashes = tree(&paths, "--").unwrap();
    assert_eq!(by_dashes.level_sizes(), [1, 1, 2]);
    let paths = ["köln→süd", "köln→west"];
    assert_eq!(ids(&tree(&paths, "→").unwrap(), &paths)[1], "köln");
}

#[test]
fn what_is_wrong_with_paths_is_named_with_the_first_five() {
    let many: Vec<String> = (0..9).map(|series| format!("a{series}/")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let cases: [(&[&str], TreeError); 12] = [
        (&[], TreeError::Empty),
        (&[""], TreeError::EmptyPart(offenders(1, &[0]))),
        (&many, TreeError::EmptyPart(offenders(9, &[0, 1, 2, 3, 4]))),
        (&["/a", "a//b", "a/b"], TreeError::EmptyPart(offenders(2, &[0, 1]))),
        (&["a", "b/c", "b/d"], TreeError::UnequalDepth { expected: 2, paths: offenders(1, &[0]) }),
        (&["a/b", "a/b/c", "a/c"], TreeError::UnequalDepth { expected: 2, paths: offenders(1, &[1]) }),
        (&["a", "total"], TreeError::TotalLabelTaken(offenders(1, &[1]))),
        (&["a/b", "total/a", "total/b"], TreeError::TotalLabelTaken(offenders(2, &[1, 2]))),
        (&["a", "a", "a", "b"], TreeError::Duplicate(offenders(2, &[1, 2]))),
        (&["b", "a", "c"], TreeError::NotAscending(offenders(1, &[1]))),
        (&["b", "a", "a"], TreeError::NotAscending(offenders(1, &[1]))),
        (&["a/total", "totals/b"], TreeError::Empty),
    ];
    let (sound, faulty) = cases.split_last().unwrap();
    for (paths, error) in faulty {
        assert_eq!(tree(paths, "/").as_ref(), Err(error));
        assert!(!error.to_string().is_empty());
    }
    assert!(
        tree(sound.0, "/").is_ok(),
        "the label as another part, or as the beginning of one, is none of ours"
    );
    assert_eq!(tree(&["a"], ""), Err(TreeError::EmptySeparator));
    let labelled = Tree::from_paths(["a/b/c"].into_iter(), "/", "a/b");
    assert_eq!(labelled, Err(TreeError::TotalLabelTaken(offenders(1, &[0]))));
}

#[test]
fn a_tree_of_parents_may_have_leaves_at_any_depth() {
    let tree = Tree::from_parents(&[None, Some(0), Some(1), Some(0), Some(2)]).unwrap();
    assert_eq!(tree.bottom().collect::<Vec<_>>(), [3, 4]);
    assert_eq!((tree.level_sizes(), tree.level(4), tree.leaf_count(0)), (&[1, 2, 1, 1][..], 3, 2));
    assert_eq!(tree.prefix(3), None);
    assert_eq!(Tree::from_parents(&[]), Err(TreeError::Empty));
    assert_eq!(Tree::from_parents(&[Some(0)]), Err(TreeError::NoRoot));
    assert_eq!(Tree::from_parents(&[None, None]), Err(TreeError::SecondRoot(1)));
    assert_eq!(Tree::from_parents(&[None, Some(2), Some(0)]), Err(TreeError::ParentNotBefore(1)));
    assert_eq!(Tree::from_parents(&[None, Some(1)]), Err(TreeError::ParentNotBefore(1)));
}

proptest! {
    #[test]
    fn every_prefix_is_one_node_under_its_own_prefix(
        leaves in prop::collection::btree_set(("[a-c!]{1,2}", "[a-c!]{1,2}", "[a-c!]{1,2}"), 1..40),
        separator in prop::sample::select(vec!["/", "::", "~"]),
    ) {
        let paths: BTreeSet<String> =
            leaves.iter().map(|(one, two, three)| [one.as_str(), two, three].join(separator)).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let tree = tree(&paths, separator).unwrap();
        let ids = ids(&tree, &paths);
        for (node, id) in ids.iter().enumerate().skip(1) {
            let parent = tree.parent(node).unwrap();
            prop_assert_eq!(id.rsplit_once(separator).map_or("total", |(prefix, _)| prefix), ids[parent]);
            prop_assert_eq!(id.split(separator).count(), tree.level(node));
        }
        prop_assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        prop_assert_eq!(&ids[tree.len() - paths.len()..], &paths[..]);
        prop_assert_eq!(tree.num_bottom(), paths.len());
    }
}
