//! The model file: back and forth, and whatever bytes come.

use tabcast_trees::{Ensemble, Link, Tree, TreesError};

use crate::random::{Kind, Random, ensemble};

fn bytes(ensemble: &Ensemble) -> Vec<u8> {
    let mut bytes = Vec::new();
    ensemble.write(&mut bytes).unwrap();
    bytes
}

fn samples() -> Vec<Ensemble> {
    let mut random = Random(3);
    let wide = Kind { outputs: 3, wide: true, zero_cover: 0.2, ..Kind::plain(4, 3, 4) };
    let mut samples = vec![
        ensemble(Kind::plain(5, 4, 4), &mut random),
        ensemble(wide, &mut random),
        ensemble(Kind::plain(1, 2, 0), &mut random),
        Ensemble { outputs: 1, base: vec![0.5], ..Ensemble::default() },
    ];
    samples[0].link = Link::Exponential;
    samples[0].features[2].zero_is_missing = true;
    samples[1].link = Link::Softmax;
    samples[2].link = Link::Logistic;
    samples
}

#[test]
fn what_is_written_is_read() {
    for sample in samples() {
        assert_eq!(Ensemble::read(&bytes(&sample)).unwrap(), sample);
    }
}

#[test]
fn every_truncation_and_extension_is_an_error() {
    for sample in samples() {
        let mut whole = bytes(&sample);
        for length in 0..whole.len() {
            let error = Ensemble::read(&whole[..length]).unwrap_err();
            assert!(matches!(error, TreesError::File(_)), "{length}: {error}");
            // With a checksum made to agree the lengths themselves must tell.
            let mut cut = whole[..length].to_vec();
            sign(&mut cut);
            assert!(Ensemble::read(&cut).is_err(), "{length} signed");
        }
        whole.push(0);
        sign(&mut whole);
        assert!(Ensemble::read(&whole).unwrap_err().to_string().contains("too long"));
    }
}

#[test]
fn flipped_bytes_are_errors_and_signed_ones_never_panic() {
    let mut random = Random(11);
    for sample in samples() {
        let whole = bytes(&sample);
        for round in 0..4000 {
            let mut damaged = whole.clone();
            for _ in 0..=round % 4 {
                let at = random.below(damaged.len());
                damaged[at] ^= 1 << random.below(8);
            }
            if damaged != whole {
                assert!(Ensemble::read(&damaged).is_err());
            }
            sign(&mut damaged);
            // It may be another valid model; then that is what it must be written as.
            if let Ok(model) = Ensemble::read(&damaged) {
                assert!(model.check().is_ok());
                Ensemble::read(&bytes(&model)).unwrap();
            }
        }
    }
}

/// Replaces the checksum by that of the bytes.
fn sign(bytes: &mut [u8]) {
    if bytes.len() >= 20 {
        let sum = crc32fast::hash(&bytes[20..]);
        bytes[16..20].copy_from_slice(&sum.to_le_bytes());
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let whole = bytes(&samples()[0]);
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        sign(&mut bytes);
        Ensemble::read(&bytes).unwrap_err().to_string()
    };
    assert!(with(&|bytes| bytes[0] = b'x').contains("does not begin as a model file"));
    assert!(with(&|bytes| bytes[8] = 9).contains("version 9; this program knows version 1"));
    assert!(with(&|bytes| bytes[15] = 200).contains("truncated within the header"));
    assert!(with(&|bytes| bytes[20] = 0xff).contains("unreadable header"));
    let mut damaged = whole.clone();
    damaged[40] ^= 1;
    assert!(Ensemble::read(&damaged).unwrap_err().to_string().contains("checksum"));
}

fn fork() -> Ensemble {
    let tree = Tree {
        feature: vec![0, 1],
        threshold: vec![0.5, 0.25],
        missing_left: vec![true, false],
        left: vec![1, Tree::to_leaf(0)],
        right: vec![Tree::to_leaf(2), Tree::to_leaf(1)],
        cover: vec![10.0, 6.0],
        gain: vec![0.0; 2],
        leaf_cover: vec![2.0, 4.0, 4.0],
        leaf_values: vec![1.0, 2.0, 3.0],
        width: 1,
        ..Tree::default()
    };
    let features = ["a", "b"].map(tabcast_trees::Feature::numeric).to_vec();
    Ensemble { features, outputs: 1, base: vec![0.0], trees: vec![tree], link: Link::Identity }
}

/// What an error says, and what makes it.
type Fault = (&'static str, fn(&mut Ensemble));

#[test]
fn trees_that_contradict_themselves_are_refused() {
    assert_eq!(fork().check(), Ok(()));
    let faults: [Fault; 14] = [
        ("2 base values for 1 outputs", |e| e.base.push(0.0)),
        ("the base of output 0 is not finite", |e| e.base[0] = f64::NAN),
        ("node 1 splits on feature 2 of 2", |e| e.trees[0].feature[1] = 2),
        ("the threshold of node 0 is not a number", |e| e.trees[0].threshold[0] = f64::NAN),
        ("a value of leaf 1 is not finite", |e| e.trees[0].leaf_values[1] = f64::INFINITY),
        ("node 1 has node 0 as a child", |e| e.trees[0].left[1] = 0),
        ("child 1 of node 0 has another parent too", |e| e.trees[0].right[0] = 1),
        ("child 7 of node 0 does not exist", |e| e.trees[0].left[0] = 7),
        ("the cover of leaf 0 is -2", |e| e.trees[0].leaf_cover[0] = -2.0),
        ("node 0 has a cover of 11, its children 10", |e| e.trees[0].cover[0] = 11.0),
        ("1 values of cover for 2 nodes", |e| e.trees[0].cover.truncate(1)),
        ("2 nodes with 4 leaves", |e| e.trees[0].leaf_cover.push(0.0)),
        ("width 1 at output 1 of 1", |e| e.trees[0].output = 1),
        ("the starts of its category sets do not fit", |e| e.trees[0].set_start = vec![0, 1, 0]),
    ];
    for (text, fault) in faults {
        let mut ensemble = fork();
        fault(&mut ensemble);
        let error = ensemble.check().unwrap_err().to_string();
        assert!(error.contains(text), "{error} does not say: {text}");
        assert!(ensemble.write(&mut Vec::new()).is_err());
    }
}
