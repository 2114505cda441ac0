//! The label column: rows with a label, classes, and labels that make a task impossible.

use std::borrow::Cow;
use std::collections::HashMap;

use tabcast_table::{ContentError, Frame, FrameColumn, Kind, TextColumn, Warning, closest, shorten};

use crate::{Config, Failure, ProblemType, Target};

/// Minimum number of labelled rows.
pub(crate) const MIN_LABELLED: usize = 20;
/// Maximum number of classes.
pub(crate) const MAX_CLASSES: usize = 1_000;
/// Numeric labels are not classes if they have more distinct values than this, and more than this share of the rows.
const MANY_VALUES: (usize, f64) = (100, 0.05);
/// Maximum size of a value, so that squares summed over all rows, and the cubes in skewness, do not overflow.
const MAX_VALUE: f64 = 1e100;
/// Minimum share of numbers among the labels of a regression.
const NUMERIC_SHARE: f64 = 0.99;

/// The labels to learn and the rows to predict.
#[derive(Debug)]
pub(crate) struct Labels {
    /// Index of the label column.
    pub(crate) column: usize,
    pub(crate) problem: ProblemType,
    /// The classes, most frequent first; empty for a regression.
    pub(crate) classes: Vec<String>,
    /// Rows with a label, ascending.
    pub(crate) labelled: Vec<u32>,
    /// Rows without one, ascending.
    pub(crate) unlabelled: Vec<u32>,
    /// The labels of `labelled`, in its order.
    pub(crate) target: Target,
    pub(crate) warnings: Vec<Warning>,
}

impl Labels {
    /// Reads the label column.
    pub(crate) fn read(frame: &Frame, config: &Config) -> Result<Self, Failure> {
        let name = &config.label_column;
        let column = find(frame, name, "label_column")?;
        let labels = if config.is_classification {
            classes_of(frame, column, config)?
        } else {
            values_of(frame, column, config)?
        };
        if labels.labelled.len() < MIN_LABELLED {
            let message = format!(
                "Only {} of {} rows have a label in '{}'; {MIN_LABELLED} are needed",
                labels.labelled.len(),
                frame.rows,
                shorten(name)
            );
            return Err(ContentError::new("too_few_labels", Kind::Empty, message)
                .column(shorten(name))
                .count(labels.labelled.len() as u64)
                .suggestion("Send more labelled rows, or name another label_column.")
                .into());
        }
        labels.check_classes(name)?;
        Ok(labels)
    }

    fn check_classes(&self, name: &str) -> Result<(), Failure> {
        let Target::Classes { labels, classes } = &self.target else { return Ok(()) };
        let mut rows = vec![0_u64; *classes];
        for &label in labels {
            rows[label as usize] += 1;
        }
        let error = |code, kind, message: String, suggestion: &str| {
            Err(ContentError::new(code, kind, message).column(shorten(name)).suggestion(suggestion).into())
        };
        if *classes < 2 {
            let message = format!("The label column '{}' has one class only", shorten(name));
            return error(
                "one_class",
                Kind::Empty,
                message,
                "Send rows of two classes at least, or name another label_column.",
            );
        }
        if rows.iter().filter(|&&rows| rows > 1).count() < 2 {
            let message = format!("All classes of '{}' but one have a single row", shorten(name));
            return error("rare_classes", Kind::Content, message, "Send at least two rows of two classes.");
        }
        Ok(())
    }

    /// A warning about classes that occur in the test rows but not in the training rows, if there are any; both parts
    /// are indices into the labelled rows.
    pub(crate) fn unseen(
        &self,
        name: &str,
        (training, test): (&[u32], &[u32]),
        is_ordered: bool,
    ) -> Result<Option<Warning>, Failure> {
        let Target::Classes { labels, classes } = &self.target else { return Ok(None) };
        let mut is_learned = vec![false; *classes];
        for &place in training {
            is_learned[labels[place as usize] as usize] = true;
        }
        if is_learned.iter().filter(|is_learned| **is_learned).count() < 2 {
            let class = is_learned.iter().position(|is_learned| *is_learned).unwrap_or_default();
            let (which, suggestion) = if is_ordered {
                (
                    "The training part of the time-ordered split",
                    "Use another train_split_ratio, or leave time_column out: rows are then drawn from all classes.",
                )
            } else {
                ("The part of the rows that is learned from", "Hold other rows back.")
            };
            let message = format!("{which} has one class only, '{}'", shorten(&self.classes[class]));
            let error = ContentError::new("one_class", Kind::Empty, message).column(shorten(name));
            return Err(error.suggestion(suggestion).into());
        }
        let mut rows = vec![0_usize; *classes];
        for &place in test {
            rows[labels[place as usize] as usize] += 1;
        }
        let unseen: Vec<usize> =
            (0..*classes).filter(|&class| rows[class] > 0 && !is_learned[class]).collect();
        Ok((!unseen.is_empty()).then(|| {
            let shown: Vec<String> =
                unseen.iter().take(5).map(|&class| format!("'{}'", shorten(&self.classes[class]))).collect();
            Warning {
                code: "unseen_classes".into(),
                message: format!(
                    "Classes that only test rows have, {} of these, cannot be predicted: {}",
                    unseen.iter().map(|&class| rows[class]).sum::<usize>(),
                    shown.join(", ")
                ),
                count: unseen.len() as u64,
            }
        }))
    }

    /// The class or value of a labelled row as text.
    pub(crate) fn text(&self, at: usize) -> String {
        match &self.target {
            Target::Classes { labels, .. } => self.classes[labels[at] as usize].clone(),
            Target::Values(values) => values[at].to_string(),
        }
    }
}

/// The index of a column named in a request.
pub(crate) fn find(frame: &Frame, name: &str, field: &str) -> Result<usize, Failure> {
    const LISTED: usize = 20;
    // Readers strip the blanks around names.
    frame.position(name).or_else(|| frame.position(name.trim())).ok_or_else(|| {
        let names: Vec<String> =
            frame.names.iter().take(LISTED).map(|name| format!("'{}'", shorten(name))).collect();
        let suggestion = match closest(name, &frame.names) {
            Some(other) => format!("Correct {field}; the closest column is '{}'.", shorten(other)),
            None => format!("Correct {field}."),
        };
        let (shown, all) = (names.len(), frame.names.len());
        let which = if shown < all {
            format!("the first {shown} of {all} are")
        } else {
            "the columns are".to_owned()
        };
        let message = format!("There is no column '{}'; {which} {}", shorten(name), names.join(", "));
        ContentError::new("missing_column", Kind::Content, message)
            .column(shorten(name))
            .suggestion(suggestion)
            .into()
    })
}

fn classes_of(frame: &Frame, column: usize, config: &Config) -> Result<Labels, Failure> {
    let (codes, texts) = codes_of(&frame.columns[column]);
    let mut rows = vec![0_usize; texts.len()];
    codes.iter().flatten().for_each(|&code| rows[code as usize] += 1);
    let labelled = rows.iter().sum::<usize>();
    let mut order: Vec<usize> = (0..texts.len()).filter(|&class| rows[class] > 0).collect();
    order.sort_by_key(|&class| std::cmp::Reverse(rows[class]));
    check_class_count(order.len(), labelled, &frame.columns[column], config)?;
    let problem = config.problem_type.unwrap_or(if order.len() <= 2 {
        ProblemType::Binary
    } else {
        ProblemType::Multiclass
    });
    let mut place = vec![0_u32; texts.len()];
    order.iter().enumerate().for_each(|(at, &class)| place[class] = at as u32);
    let (mut with, mut without, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    for (row, code) in codes.iter().enumerate() {
        match code {
            Some(code) => {
                with.push(row as u32);
                labels.push(place[*code as usize]);
            }
            None => without.push(row as u32),
        }
    }
    let alone = order.iter().filter(|&&class| rows[class] == 1).count() as u64;
    let warnings = (alone > 0).then(|| Warning {
        code: "rare_classes".into(),
        message: "Classes with a single row can be learned from, but not be evaluated".to_owned(),
        count: alone,
    });
    Ok(Labels {
        column,
        problem,
        classes: order.iter().map(|&class| texts[class].clone()).collect(),
        labelled: with,
        unlabelled: without,
        target: Target::Classes { labels, classes: order.len() },
        warnings: warnings.into_iter().collect(),
    })
}

/// The class of each row, and the text of each class. Among equally frequent classes, the first row of each decides the
/// order.
fn codes_of(column: &FrameColumn) -> (Vec<Option<u32>>, Vec<String>) {
    match column {
        FrameColumn::Texts(TextColumn { codes, texts }) => (
            codes.iter().map(|&code| (code != TextColumn::MISSING).then_some(code)).collect(),
            texts.iter().map(std::string::ToString::to_string).collect(),
        ),
        FrameColumn::Numbers(values) => {
            let mut numbers: HashMap<u64, u32> = HashMap::new();
            let mut texts = Vec::new();
            let codes = values.iter().map(|&value| {
                (!value.is_nan()).then(|| {
                    *numbers.entry((value + 0.0).to_bits()).or_insert_with(|| {
                        texts.push(shortest(value + 0.0));
                        texts.len() as u32 - 1
                    })
                })
            });
            (codes.collect(), texts)
        }
    }
}

fn check_class_count(
    classes: usize,
    labelled: usize,
    column: &FrameColumn,
    config: &Config,
) -> Result<(), Failure> {
    let name = shorten(&config.label_column);
    if let FrameColumn::Numbers(values) = column {
        let are_whole = values.iter().all(|value| value.is_nan() || value.fract() == 0.0);
        let is_many =
            classes > MANY_VALUES.0 && (!are_whole || classes as f64 > MANY_VALUES.1 * labelled as f64);
        if is_many {
            let message = format!("The label column '{name}' holds numbers with {classes} different values");
            return Err(ContentError::new("numeric_label", Kind::Content, message)
                .column(name)
                .count(classes as u64)
                .suggestion("Predict a number with /v2/regress, or put the values into classes.")
                .into());
        }
    }
    if classes > MAX_CLASSES {
        let message = format!("The label column '{name}' has {classes} classes, more than {MAX_CLASSES}");
        return Err(ContentError::new("too_many_classes", Kind::Content, message)
            .column(name)
            .count(classes as u64)
            .suggestion("Name another label_column, or put rare classes together.")
            .into());
    }
    if config.problem_type == Some(ProblemType::Binary) && classes > 2 {
        let message = format!("problem_type is binary, and the label column '{name}' has {classes} classes");
        return Err(ContentError::new("not_binary", Kind::Content, message)
            .column(name)
            .count(classes as u64)
            .suggestion("Use problem_type multiclass or auto.")
            .into());
    }
    Ok(())
}

fn values_of(frame: &Frame, column: usize, config: &Config) -> Result<Labels, Failure> {
    let name = shorten(&config.label_column);
    let (cells, warning) = match &frame.columns[column] {
        FrameColumn::Numbers(cells) => (Cow::Borrowed(cells), None),
        FrameColumn::Texts(texts) => {
            let (cells, warning) = numbers_in(texts, &name)?;
            (Cow::Owned(cells), warning)
        }
    };
    let (mut with, mut without, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for (row, &value) in cells.iter().enumerate() {
        if value.is_nan() {
            without.push(row as u32);
        } else {
            with.push(row as u32);
            values.push(value);
        }
    }
    check_range(&name, &with, &values)?;
    Ok(Labels {
        column,
        problem: config.problem_type.unwrap_or(ProblemType::Regression),
        classes: Vec::new(),
        labelled: with,
        unlabelled: without,
        target: Target::Values(values),
        warnings: warning.into_iter().collect(),
    })
}

/// The number of each row, NaN where there is none.
fn numbers_in(texts: &TextColumn, name: &str) -> Result<(Vec<f64>, Option<Warning>), Failure> {
    let parsed: Vec<Option<f64>> = texts.texts.iter().map(|text| number(text)).collect();
    let (mut numbers, mut wrong, mut faults) = (0_u64, None, 0_u64);
    let mut values = Vec::with_capacity(texts.codes.len());
    for (row, &code) in texts.codes.iter().enumerate() {
        let value = parsed.get(code as usize).copied();
        match value {
            Some(Some(_)) => numbers += 1,
            Some(None) => {
                faults += 1;
                wrong.get_or_insert(row);
            }
            None => {}
        }
        values.push(value.flatten().unwrap_or(f64::NAN));
    }
    let given = numbers + faults;
    if (numbers as f64) < NUMERIC_SHARE * given as f64 {
        let row = wrong.unwrap_or_default();
        let message = format!(
            "{faults} of {given} labels in '{name}' are no numbers, first '{}'",
            shorten(texts.get(row).unwrap_or_default())
        );
        return Err(ContentError::new("non_numeric_label", Kind::Content, message)
            .column(name)
            .row(row as u64 + 1)
            .count(faults)
            .suggestion("Predict classes with /v2/classify, or name a label_column of numbers.")
            .into());
    }
    let warning = (faults > 0).then(|| Warning {
        code: "non_numeric_label".into(),
        message: format!("Rows of '{name}' whose label is no number are treated as having none"),
        count: faults,
    });
    Ok((values, warning))
}

/// A number as it appears in the table of predictions.
fn shortest(value: f64) -> String {
    let text = zmij::Buffer::new().format_finite(value).to_owned();
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Checks that sums of squares can be computed for the values of these rows.
fn check_range(name: &str, rows: &[u32], values: &[f64]) -> Result<(), Failure> {
    let beyond = || rows.iter().zip(values).filter(|(_, value)| value.abs() > MAX_VALUE);
    let Some((&row, value)) = beyond().next() else { return Ok(()) };
    let message = format!("The label {value:e} in '{name}' is larger than {MAX_VALUE:e}");
    Err(ContentError::new("label_out_of_range", Kind::Content, message)
        .column(name)
        .row(u64::from(row) + 1)
        .count(beyond().count() as u64)
        .suggestion("Send the labels in a larger unit, or leave a label empty that is wrong.")
        .into())
}

/// The number for a text, if it is one.
fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}
