//! The beginning of a table, from bytes of any kind.

use proptest::prelude::*;
use tabcast_table::{ContentError, Encoding, Preview, PreviewCell, PreviewOptions, ReadError, preview};

use crate::support::Folder;

fn preview_of(bytes: &[u8], cut: bool, max_rows: usize) -> Result<Preview, Box<ContentError>> {
    let folder = Folder::new();
    let path = folder.path("start");
    std::fs::write(&path, bytes).unwrap();
    match preview(&PreviewOptions { path, cut, max_rows, max_columns: 20 }) {
        Ok(preview) => Ok(preview),
        Err(ReadError::Content(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn whole(text: &str) -> Preview {
    preview_of(text.as_bytes(), false, 100).unwrap()
}

fn text(text: &str) -> PreviewCell {
    PreviewCell::Text(text.into())
}

const SALES: &str =
    "store,date,sales\nBonn,2026-01-01,1.5\nBonn,2026-01-02,2\nKöln,2026-01-01,\nKöln,2026-01-02,-3\n";

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

#[test]
fn cells_have_the_type_that_their_text_says() {
    let found = whole(
        "a,b\n1,true\n-1.5e3,FALSE\n,NA\n007,+49\n12345678901234567890,1e999\n0.5,yes\n0,\" quoted, \"\n",
    );
    let number = PreviewCell::Number;
    let rows = [
        [number(1.0), PreviewCell::Boolean(true)],
        [number(-1500.0), PreviewCell::Boolean(false)],
        [PreviewCell::Empty, text("NA")],
        [text("007"), text("+49")],
        [text("12345678901234567890"), text("1e999")],
        [number(0.5), text("yes")],
        [number(0.0), text(" quoted, ")],
    ];
    assert_eq!(found.rows, rows.map(Vec::from));
    assert_eq!((found.quote, found.truncated), (Some('"'), false));
}

#[test]
fn every_encoding_gives_the_same_table() {
    let plain = whole(SALES);
    assert_eq!((plain.encoding, plain.quote, plain.delimiter), (Encoding::Utf8, None, ','));
    assert_eq!(plain.columns, ["store", "date", "sales"]);
    assert_eq!(plain.rows.len(), 4);
    assert_eq!(plain.rows[2], [text("Köln"), text("2026-01-01"), PreviewCell::Empty]);
    let marked = format!("\u{feff}{SALES}");
    let windows: Vec<u8> =
        SALES.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect();
    for (bytes, encoding, name) in [
        (marked.as_bytes().to_vec(), Encoding::Utf8Signed, "utf-8-sig"),
        (utf16(&marked, u16::to_le_bytes), Encoding::Utf16Le, "utf-16le"),
        (utf16(&marked, u16::to_be_bytes), Encoding::Utf16Be, "utf-16be"),
        (utf16(SALES, u16::to_le_bytes), Encoding::Utf16Le, "utf-16le"),
        (utf16(SALES, u16::to_be_bytes), Encoding::Utf16Be, "utf-16be"),
        (windows, Encoding::Windows1252, "windows-1252"),
    ] {
        let found = preview_of(&bytes, false, 100).unwrap();
        assert_eq!(found, Preview { encoding, ..plain.clone() }, "{name}");
        assert_eq!(serde_json::to_value(found.encoding).unwrap(), name);
    }
    let quotes = preview_of(b"price,note\n5,\x80 \x93fair\x94\n", false, 1).unwrap();
    assert_eq!(quotes.rows, [[PreviewCell::Number(5.0), text("€ “fair”")]]);
}

#[test]
fn what_is_cut_leaves_out_the_last_record_and_no_other() {
    for encode in [
        (|text: &str| text.as_bytes().to_vec()) as fn(&str) -> Vec<u8>,
        |text| utf16(&format!("\u{feff}{text}"), u16::to_le_bytes),
        |text| utf16(text, u16::to_be_bytes),
    ] {
        let bytes = encode(SALES);
        let header = encode("store,date,sales\n").len();
        for end in header..bytes.len() {
            let found = preview_of(&bytes[..end], true, 100).unwrap();
            assert_eq!(found.rows, whole(SALES).rows[..found.rows.len()], "{end}");
            assert_eq!(found.columns, ["store", "date", "sales"]);
            assert!(found.truncated);
        }
        assert_eq!(preview_of(&bytes, true, 100).unwrap().rows.len(), 4);
    }
    // Without its line end the last record may be complete, but a cut file does not tell.
    let cells = b"a,b\n1,2\n3,4";
    assert_eq!(preview_of(cells, true, 100).unwrap().rows.len(), 1);
    assert_eq!(preview_of(cells, false, 100).unwrap().rows.len(), 2);
    // A quote that is open at the cut may hold any number of lines.
    let open = preview_of(b"a,b\n1,2\n3,\"x\ny,z\n", true, 100).unwrap();
    assert_eq!((open.rows.len(), open.truncated), (1, true));
    let limited = preview_of(SALES.as_bytes(), false, 3).unwrap();
    assert_eq!((limited.rows.len(), limited.truncated), (3, true));
    assert_eq!(preview_of(b"a,b,c", true, 100).unwrap_err().code, "cell_too_long");
}

#[test]
fn the_delimiter_is_the_one_that_fits_most_rows() {
    for (table, delimiter, columns) in [
        ("a;b\n1,5;2\n3,5;4\n", ';', 2),
        ("a\tb c\n1\t2\n", '\t', 2),
        ("a|b|c\n1|2|3\n", '|', 3),
        ("name, first;y\nDoe, Jane;1\nRoe;2\n", ';', 2),
        ("only\n1\n2\n", ',', 1),
        ("a;\"b,c,d\"\n1;\"2,3,4\"\n", ';', 2),
    ] {
        let found = whole(table);
        assert_eq!((found.delimiter, found.columns.len()), (delimiter, columns), "{table}");
        assert!(found.rows.iter().all(|row| row.len() == columns));
    }
    // Rows are as wide as the header, whatever they hold.
    let ragged = whole("a,b\n1\n2,3,4\n5,6\n7,8\n");
    assert_eq!(ragged.rows[0], [PreviewCell::Number(1.0), PreviewCell::Empty]);
    assert_eq!(ragged.rows[1], [PreviewCell::Number(2.0), PreviewCell::Number(3.0)]);
}

#[test]
fn columns_are_told_by_their_names_and_then_by_their_cells() {
    let detected = |table: &str| {
        let found = whole(table).detected;
        [found.timestamp, found.target, found.item_id, found.frequency].map(Option::unwrap_or_default)
    };
    assert_eq!(detected(SALES), ["date", "sales", "store", "D"]);
    assert_eq!(
        detected("Unique_ID,DS,Y,price\na,2026-01-31,1,5\na,2026-02-28,2,5\nb,2026-01-31,3,5\n"),
        ["DS", "Y", "Unique_ID", "ME"]
    );
    // By their cells: the text that repeats, the times, the number that varies.
    assert_eq!(
        detected("w,when,k,v\nx,2026-01-01 00:00,5,1\nx,2026-01-01 01:00,5,2\nz,2026-01-01 00:00,5,2\n"),
        ["when", "v", "w", "h"]
    );
    // A name that the cells belie, and plain numbers that might be years.
    assert_eq!(detected("date,n,at\nsoon,2001,2026-01-01\nlater,2002,2026-01-02\n"), ["at", "n", "", "D"]);
    assert_eq!(detected("date,target\n2001,5\n2002,6\n2003,6\n"), ["date", "target", "", "YS"]);
    // Two days of three stamps say nothing certain; unordered rows and repeated stamps do no harm.
    assert_eq!(detected("ds,y\n2026-01-03,1\n2026-01-01,2\n2026-01-02,3\n2026-01-02,3\n")[3], "D");
    assert_eq!(detected("ds,y\n2026-01-01,1\n2026-01-02,2\n2026-03-09,3\n")[3], "");
    assert_eq!(detected("a,b\nx,1\ny,1\n"), ["", "", "", ""]);
}

#[test]
fn a_header_alone_has_columns_and_no_rows() {
    for table in ["item_id,timestamp,target", "item_id,timestamp,target\r\n\r\n"] {
        let found = whole(table);
        assert_eq!((found.columns.len(), found.rows.len(), found.truncated), (3, 0, false));
        assert_eq!(found.detected.timestamp.as_deref(), Some("timestamp"));
        assert_eq!(found.detected.frequency, None);
    }
}

#[test]
fn what_is_no_table_is_refused_with_its_kind() {
    for (bytes, code, status) in [
        (&b""[..], "empty_file", 400),
        (b"\xef\xbb\xbf \n\n", "empty_file", 400),
        (b"PAR1....PAR1", "format_mismatch", 415),
        (b"PK\x03\x04....", "format_mismatch", 415),
        (b"\x1f\x8b\x08...", "format_mismatch", 415),
        (b"a,b\n1,\x00\n", "unsupported_encoding", 415),
        (b"\xff\xfea\0,\0b\0\n\0\0\0", "nul_bytes", 415),
        (b"\xff\xfe\0\0a\0\0\0", "unsupported_encoding", 415),
        (b"\xff\xfea\0,", "unsupported_encoding", 415),
        (b"\xfe\xff\xd8\0\0a", "unsupported_encoding", 415),
        (b"\xef\xbb\xbfa,\xff\n", "unsupported_encoding", 415),
        (b"\x89PNG\r\n\x1a\n\0\0", "unsupported_encoding", 415),
        (b"a,\x81\n", "unsupported_encoding", 415),
        (b"a,b\r1,2\r", "unsupported_encoding", 415),
        (b"a,\"b\n1,2\n", "ragged_row", 422),
        (b"\"a\"b,c\n1,2\n", "ragged_row", 422),
        (b",,,,,,,,,,,,,,,,,,,,,,,,,\n", "too_many_columns", 413),
    ] {
        let error = preview_of(bytes, false, 10).unwrap_err();
        assert_eq!((error.code, error.kind.status()), (code, status), "{bytes:?}");
        assert!(error.suggestion.is_some());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_a_table_or_an_error(
        mark in proptest::sample::select(vec![&b""[..], b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"a,b\n"]),
        bytes in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..80),
            proptest::collection::vec(proptest::sample::select(&b"a1\",;\n\r\0\xe9 "[..]), 0..40),
        ],
        cut in any::<bool>(),
        max_rows in 0_usize..4,
    ) {
        if let Ok(found) = preview_of(&[mark, &bytes].concat(), cut, max_rows) {
            prop_assert!(!found.columns.is_empty() && found.rows.len() <= max_rows);
            prop_assert!(found.rows.iter().all(|row| row.len() == found.columns.len()));
            prop_assert!(found.truncated || !cut);
        }
    }
}
