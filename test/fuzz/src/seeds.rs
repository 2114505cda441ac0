//! The seeds that are no texts, from what the tests make such files with; texts are written by hand.

#[path = "../../../crates/table/tests/table/support/biff.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod biff;
#[path = "../../../crates/table/tests/table/support/parquet.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod parquet_files;
#[path = "../../../crates/table/tests/table/support/workbook.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod workbook;

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::write::GzEncoder;
use parquet::file::properties::WriterProperties;
use tabcast_forecast::{Control, Options, TuneConfig, TuneOptions, fine_tune};
use tabcast_trees::Ensemble;

use crate::scratch;
use parquet_files::{Values, text};
use workbook::Cell;

/// Trees of an imported model that a seed keeps.
const TREES: usize = 3;

/// Writes all of them below `folder`.
pub(crate) fn write(folder: &Path) {
    let put = |target: &str, name: &str, bytes: &[u8]| {
        let folder = folder.join(target);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(name), bytes).expect("a seed");
    };
    spreadsheets(&put);
    parquet(&put);
    packed(&put);
    models(&put);
}

type Put<'a> = &'a dyn Fn(&str, &str, &[u8]);

fn spreadsheets(put: Put<'_>) {
    let header = ["item_id", "timestamp", "target", "price"].map(workbook::text).to_vec();
    let row = |day: f64, target: Cell, price: Cell| vec![workbook::text("a"), Cell::Date(day), target, price];
    let rows = vec![
        header,
        row(45_292.0, Cell::Number(1.5), Cell::Inline("low".to_owned())),
        row(45_293.0, Cell::Formula(Some(2.0)), Cell::Boolean(true)),
        row(45_294.25, Cell::Empty, Cell::Error("#N/A")),
    ];
    let sheets = [("data", rows)];
    put("xlsx", "dates.xlsx", &workbook::xlsx(&sheets));
    put("xls", "dates.xls", &biff::xls(&sheets));
    let parts = workbook::entries(&sheets).into_iter();
    let parts = parts.map(|(name, xml)| [b"--- ", name.as_bytes(), b"\n", &xml].concat());
    put("xlsx_parts", "dates", &parts.collect::<Vec<_>>().concat());
}

fn parquet(put: Put<'_>) {
    let items = || text(&["a", "a", "b", "b"]);
    let targets = || Values::Double(vec![1.0, 2.5, 3.0, f64::NAN]);
    let days = || (0..4).map(|row| 19_700 + row % 2);
    let text_stamps = text(&["2024-01-01", "2024-01-02", "2024-01-01", "2024-01-02"]);
    let files = [
        ("texts", "binary timestamp (UTF8)", text_stamps),
        ("dates", "int32 timestamp (DATE)", Values::Int32(days().collect())),
        (
            "nanoseconds",
            "int64 timestamp (TIMESTAMP(NANOS,true))",
            Values::Int64(days().map(|day| i64::from(day) * 86_400_000_000_000).collect()),
        ),
        ("int96", "int96 timestamp", Values::Int96(days().map(|day| (7, 2_440_588 + day as u32)).collect())),
    ];
    for (name, timestamp, stamps) in files {
        let types = ["binary item_id (UTF8)", timestamp, "double target"];
        put("parquet", name, &parquet_files::table(types, [items(), stamps, targets()]));
    }
    let schema = "message m { optional binary item_id (UTF8); required int64 timestamp; \
        optional int32 target (DECIMAL(9,2)); required boolean price; }";
    let group = vec![
        (text(&["a", "a", "b"]), Some(vec![1, 1, 1, 0])),
        (Values::Int64(vec![20_240_101, 20_240_102, 20_240_101, 20_240_102]), None),
        (Values::Int32(vec![150, 250]), Some(vec![1, 0, 1, 0])),
        (Values::Boolean(vec![true, false, true, false]), None),
    ];
    put("parquet", "nulls", &parquet_files::file(schema, vec![group], WriterProperties::builder().build()));
}

fn packed(put: Put<'_>) {
    let table = b"item_id,timestamp,target\na,2024-01-01,1\na,2024-01-02,2\na,2024-01-03,3\n";
    let mut gzip = GzEncoder::new(vec![0], flate2::Compression::default());
    gzip.write_all(table).expect("memory");
    put("packed", "gzip", &gzip.finish().expect("memory"));
    let zstd = zstd::encode_all(&table[..], 3).expect("memory");
    put("packed", "zstd", &[&[1], &zstd[..]].concat());
}

fn models(put: Put<'_>) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/trees/tests/fixtures");
    let fixture = |name: &str| fs::read_to_string(fixtures.join(name)).expect("a fixture");
    let put_trees = |name: &str, mut ensemble: Ensemble| {
        ensemble.trees.truncate(TREES);
        let mut bytes = Vec::new();
        ensemble.write(&mut bytes).expect("memory");
        put("trees_file", name, &bytes);
    };
    for name in ["lightgbm_dart_zero.txt", "lightgbm_forest.txt", "lightgbm_multiclass.txt"] {
        let text = fixture(name);
        put("lightgbm", name, text.as_bytes());
        put_trees(name.trim_end_matches(".txt"), Ensemble::from_lightgbm(&text).expect("a model"));
    }
    for name in ["xgboost_logistic_dart.json", "xgboost_multiclass.json"] {
        let text = fixture(name);
        put("xgboost", name, text.as_bytes());
        put_trees(name.trim_end_matches(".json"), Ensemble::from_xgboost(&text).expect("a model"));
    }
    let input = scratch::file("series.csv", include_bytes!("series.csv"));
    let tuning = TuneOptions {
        forecast: Options { preset: "fast".to_owned(), ..Options::new(input, 3) },
        model_path: scratch::path("model"),
        loss: "mae".to_owned(),
        validation_windows: 1,
    };
    let config = TuneConfig::resolve(tuning).expect("sound options");
    fine_tune(&config, &Control::new()).expect("a model");
    put("tuned_file", "days", &fs::read(scratch::path("model")).expect("a model"));
}
