"""Learns the shipped weights of crates/forecast/src/combination/prior; usage: OUT.rs ROWS.jsonl [ROWS.jsonl ...].

Each line of ROWS is a backtest window written by the example `training_rows` of crates/forecast from a training part; the parts that
results are reported on are never read. For each class of series a linear gate is learned: the weights of the members are the softmax of
a linear function of twelve features, and minimise the mean absolute scaled error of the weighted mean (a linear form of FFORMA,
Montero-Manso and others, International Journal of Forecasting 36, 2020), each file counting the same. Prints, by two-fold cross-validation, the
error relative to even weights. Deterministic: full-batch Adam from zero.
"""

import json
import sys

import numpy as np

STEPS, RATE, PENALTY, CLIP = 800, 0.05, 2e-3, 4.0


def read(paths):
    """By class: names, features, signed scaled errors (window, member, step; 0 beyond the end), presence, lengths, group weights."""
    rows = {}
    for path in paths:
        with open(path) as lines:
            parsed = [json.loads(line) for line in lines]
        for row in parsed:
            rows.setdefault(row["class"], []).append((path, row))
    classes = {}
    for name, found in rows.items():
        found = [(path, row) for path, row in found if sum(member is not None for member in row["members"]) > 1]
        longest = max(len(row["actual"]) for _, row in found)
        names = found[0][1]["names"]
        errors = np.zeros((len(found), len(names), longest))
        present = np.zeros((len(found), len(names)), dtype=bool)
        shares = np.zeros((len(found), longest))
        for index, (_, row) in enumerate(found):
            steps = len(row["actual"])
            shares[index, :steps] = 1 / steps
            for place, member in enumerate(row["members"]):
                if member is not None:
                    present[index, place] = True
                    errors[index, place, :steps] = (np.array(member) - np.array(row["actual"])) / row["scale"]
        errors = np.clip(errors, -50, 50)
        paths_of = np.array([path for path, _ in found])
        even = np.abs((errors * (present / present.sum(1, keepdims=True))[:, :, None]).sum(1))
        even = (even * shares).sum(1)
        importance = np.zeros(len(found))
        for path in set(paths_of):
            chosen = paths_of == path
            importance[chosen] = 1 / even[chosen].sum()
        features = np.array([row["features"] for _, row in found])
        classes[name] = (names, features, errors, present, shares, importance / importance.sum())
    return classes


def gate(features, mean, deviation, weights, present):
    scaled = np.clip((features - mean) / deviation, -CLIP, CLIP)
    scores = np.c_[np.ones(len(scaled)), scaled] @ weights
    scores = np.where(present, scores, -np.inf)
    scores -= scores.max(1, keepdims=True)
    odds = np.exp(scores)
    return odds / odds.sum(1, keepdims=True)


def learn(features, errors, present, shares, importance):
    mean, deviation = features.mean(0), features.std(0)
    # A feature that is the same everywhere says nothing.
    deviation[deviation < 1e-3] = 1.0
    inputs = np.c_[np.ones(len(features)), np.clip((features - mean) / deviation, -CLIP, CLIP)]
    weights = np.zeros((inputs.shape[1], errors.shape[1]))
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    scale = (importance / importance.sum())[:, None] * shares
    for step in range(1, STEPS + 1):
        chosen = gate(features, mean, deviation, weights, present)
        combined = np.einsum("nk,nkh->nh", chosen, errors)
        pull = np.einsum("nh,nkh->nk", np.sign(combined) * scale, errors)
        slope = chosen * (pull - (chosen * pull).sum(1, keepdims=True))
        gradient = inputs.T @ slope + PENALTY * weights
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        weights -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return mean, deviation, weights


def loss(chosen, errors, shares, importance):
    combined = np.einsum("nk,nkh->nh", chosen, errors)
    return float(((np.abs(combined) * shares).sum(1) * importance).sum() / importance.sum())


def validate(features, errors, present, shares, importance):
    fold = np.arange(len(features)) % 2
    ratios = []
    for held in (0, 1):
        inside, outside = fold != held, fold == held
        model = learn(features[inside], errors[inside], present[inside], shares[inside], importance[inside])
        part = (errors[outside], shares[outside], importance[outside])
        even = present[outside] / present[outside].sum(1, keepdims=True)
        ratios.append(loss(gate(features[outside], *model, present[outside]), *part) / loss(even, *part))
    return float(np.mean(ratios))


def rust(table, name):
    rows = ",\n".join("    [" + ", ".join(f"{value:.4f}" for value in row) + "]" for row in table)
    return f"pub(super) const {name}: [[f64; {len(table[0])}]; {len(table)}] = [\n{rows},\n];\n"


def main(out, *paths):
    parts = ["//! Generated by bench/prior/train.py from backtests of training parts; do not edit.\n"]
    for name, (names, features, errors, present, shares, importance) in sorted(read(paths).items()):
        # Yearly histories end in the same few years; what is learned from those years does not hold for the next.
        if len(features) < 2_000 or name == "unseasonal":
            continue
        ratio = validate(features, errors, present, shares, importance)
        print(f"{name}: {len(features)} windows, held-out error {ratio:.4f} of even weights")
        mean, deviation, weights = learn(features, errors, present, shares, importance)
        upper = name.upper()
        listed = "".join(f'    "{member}",\n' for member in names)
        parts.append(f"/// Members of the columns of `{upper}_GATE`.\npub(super) const {upper}_NAMES: [&str; {len(names)}] = [\n{listed}];\n")
        parts.append("/// Mean and deviation of each feature.\n" + rust(np.c_[mean, deviation].tolist(), f"{upper}_FEATURES"))
        parts.append("/// One row for the constant and for each scaled feature, one column a member.\n" + rust(weights.tolist(), f"{upper}_GATE"))
    with open(out, "w") as file:
        file.write("\n".join(parts))


if __name__ == "__main__":
    main(*sys.argv[1:])
