//! Workbooks that are made to hurt.

use std::fmt::Write;

use crate::support::biff::{self, compound, record, rows_of, stream};
use crate::support::read_bytes;
use crate::support::workbook::{Cell, archive, entries, entry, text, texts, xlsx};
use tabcast_table::FileFormat;

type Entries = Vec<(String, Vec<u8>)>;

fn table() -> Vec<Vec<Cell>> {
    texts(&[&["item_id", "timestamp", "target"], &["a", "2026", "1"], &["a", "2027", "2"]])
}

fn sound() -> Entries {
    entries(&[("Data", table())])
}

fn refused(bytes: &[u8], format: FileFormat) -> (&'static str, u16) {
    let error = read_bytes(bytes, format).unwrap_err();
    assert!(error.suggestion.is_some(), "{error}");
    (error.code, error.kind.status())
}

fn xlsx_refused(entries: &Entries) -> (&'static str, u16) {
    refused(&archive(entries), FileFormat::Xlsx)
}

/// The workbook with a part changed as text.
fn changed(part: &str, from: &str, to: &str) -> Entries {
    let mut entries = sound();
    let bytes = entry(&mut entries, part);
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(from));
    *bytes = text.replacen(from, to, 1).into_bytes();
    entries
}

const LIMIT: (&str, u16) = ("decompression_limit", 413);
const CORRUPT: (&str, u16) = ("corrupt_file", 415);
const SHEET: &str = "xl/worksheets/sheet1.xml";
const STRINGS: &str = "xl/sharedStrings.xml";

/// Resident memory of this process at its highest, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Writes sizes that are not true over those of every entry of this name.
fn with_size(mut bytes: Vec<u8>, name: &str, size: u32) -> Vec<u8> {
    for (magic, field, length) in [(&b"PK\x03\x04"[..], 22, 30), (b"PK\x01\x02", 24, 46)] {
        let places: Vec<usize> = (0..bytes.len() - length)
            .filter(|at| bytes[*at..].starts_with(magic) && bytes[at + length..].starts_with(name.as_bytes()))
            .collect();
        assert!(!places.is_empty());
        for at in places {
            bytes[at + field..at + field + 4].copy_from_slice(&size.to_le_bytes());
        }
    }
    bytes
}

#[test]
fn a_bomb_is_refused_by_its_directory_or_while_it_is_counted() {
    let mut entries = sound();
    let text = String::from_utf8(entry(&mut entries, SHEET).clone()).unwrap();
    let blanks = " ".repeat(512 << 20);
    *entry(&mut entries, SHEET) = text.replace("</sheetData>", &format!("{blanks}</sheetData>")).into_bytes();
    drop((text, blanks));
    let bomb = archive(&entries);
    drop(entries);
    assert!(bomb.len() < 2 << 20, "{}", bomb.len());
    // The bomb itself was the peak of this process so far, so reading it must not raise it.
    let before = peak();
    assert_eq!(refused(&bomb, FileFormat::Xlsx), LIMIT);
    for size in [0, 1 << 20] {
        let lying = with_size(bomb.clone(), SHEET, size);
        assert!([LIMIT, CORRUPT, ("cell_too_long", 422)].contains(&refused(&lying, FileFormat::Xlsx)));
    }
    assert!(peak() - before < 64 << 10);
}

#[test]
fn archives_that_no_workbook_is_are_refused() {
    let mut many = sound();
    many.extend((0..2_000).map(|index| (format!("x/{index}.bin"), Vec::new())));
    assert_eq!(xlsx_refused(&many), LIMIT);
    let mut nested = sound();
    nested.push(("xl/embeddings/book.xlsx".to_owned(), archive(&sound())));
    assert_eq!(xlsx_refused(&nested), CORRUPT);
    let sound = archive(&sound());
    for size in [1, 1 << 20] {
        assert_eq!(refused(&with_size(sound.clone(), STRINGS, size), FileFormat::Xlsx), CORRUPT);
    }
    assert_eq!(refused(&with_size(sound.clone(), STRINGS, u32::MAX - 1), FileFormat::Xlsx), LIMIT);
    // The flag of an encrypted entry, in the directory and before the entry.
    let mut locked = sound.clone();
    for (magic, field) in [(&b"PK\x03\x04"[..], 6), (b"PK\x01\x02", 8)] {
        let at = locked.windows(4).position(|bytes| bytes == magic).unwrap();
        locked[at + field] |= 1;
    }
    assert_eq!(refused(&locked, FileFormat::Xlsx), ("encrypted_file", 415));
    // The count of entries in the end of the directory.
    let end = sound.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").unwrap();
    let mut claiming = sound.clone();
    claiming[end + 8..end + 12].copy_from_slice(&[0x10, 0x27, 0x10, 0x27]);
    assert_eq!(refused(&claiming, FileFormat::Xlsx), LIMIT);
    for length in (1..sound.len()).step_by(97) {
        assert_eq!(refused(&sound[..length], FileFormat::Xlsx).1, 415, "{length}");
    }
}

#[test]
fn document_types_and_entities_are_refused_in_every_part() {
    let types = [
        r#"<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>"#,
        r#"<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">"#,
        r#"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>"#,
    ];
    for (name, _) in sound() {
        for document_type in types {
            let error = xlsx_refused(&changed(&name, "?>", &format!("?>{document_type}")));
            assert_eq!(error, CORRUPT, "{name}");
        }
    }
    // Where one stretch of what is inflated ends and the next begins.
    for length in 65_400..65_540 {
        let entries = changed(SHEET, "?>", &format!("?>{}<!DOCTYPE x>", " ".repeat(length)));
        assert_eq!(xlsx_refused(&entries), CORRUPT, "{length}");
    }
    assert_eq!(xlsx_refused(&changed(STRINGS, "<t", "<![CDATA[x]]><t")), CORRUPT);
    let wide: Vec<u8> = "<!DOCTYPE x>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut entries = sound();
    *entry(&mut entries, STRINGS) = wide;
    assert_eq!(xlsx_refused(&entries), CORRUPT);
    assert!(
        read_bytes(&archive(&changed(SHEET, "?>", "?><!-- written by hand -->")), FileFormat::Xlsx).is_ok()
    );
}

#[test]
fn claims_make_no_room() {
    // A sheet that says it is as large as can be, and texts that say they are very many.
    let claims = changed(SHEET, r#"ref="A1""#, r#"ref="A1:XFD1048576""#);
    assert!(read_bytes(&archive(&claims), FileFormat::Xlsx).is_ok());
    for count in ["9999999999", "4611686018427387904", "99999999999999999999999"] {
        for claim in [format!("uniqueCount=\"{count}\""), format!("uniqueCount = '{count}'")] {
            assert_eq!(xlsx_refused(&changed(STRINGS, "<sst", &format!("<sst {claim}"))), LIMIT);
        }
    }
    assert!(
        read_bytes(&archive(&changed(STRINGS, "<sst", "<sst uniqueCount=\"5\"")), FileFormat::Xlsx).is_ok()
    );
    for place in ["XFE1", "A1048577", "ZZZZZZZZ1", "A99999999999", "1", "A"] {
        assert_eq!(
            xlsx_refused(&changed(SHEET, r#"<c r="A1""#, &format!("<c r=\"{place}\""))),
            CORRUPT,
            "{place}"
        );
    }
    assert_eq!(xlsx_refused(&changed(SHEET, r#"<c r="A3""#, r#"<c r="A1""#)), CORRUPT, "rows out of order");
    assert_eq!(xlsx_refused(&changed(SHEET, "<v>0</v>", "<v>77</v>")), CORRUPT, "no such text");
    let mut long = sound();
    let value = format!("<t>{}</t>", "x".repeat(5 << 20));
    let strings = String::from_utf8(entry(&mut long, STRINGS).clone()).unwrap();
    *entry(&mut long, STRINGS) = strings.replacen("</si>", &format!("{value}</si>"), 1).into_bytes();
    assert_eq!(xlsx_refused(&long), ("cell_too_long", 422));
}

#[test]
fn a_workbook_with_a_password_says_so() {
    for format in [FileFormat::Xlsx, FileFormat::Xls] {
        let error = read_bytes(&compound("/EncryptedPackage", &[7; 9_000]), format).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("encrypted_file", 415));
        assert!(error.suggestion.is_some_and(|text| text.contains("Remove the password")));
    }
    let sheets = [("Data", rows_of(&table()))];
    let locked = stream(&sheets, &record(0x002F, &[1, 0, 1, 0, 1, 0]));
    assert_eq!(refused(&compound("/Workbook", &locked), FileFormat::Xls), ("encrypted_file", 415));
}

#[test]
fn old_workbooks_are_not_taken_at_their_word() {
    let of = |cells: Vec<u8>| compound("/Workbook", &stream(&[("Data", cells)], &[]));
    let cells = rows_of(&table());
    // Dimensions: rows 0 to 2^32 - 1, columns 0 to 65,535.
    let mut claim = vec![0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0];
    assert!(read_bytes(&of([record(0x0200, &claim), cells.clone()].concat()), FileFormat::Xls).is_ok());
    claim.rotate_left(4);
    assert!(read_bytes(&of([record(0x0200, &claim), cells.clone()].concat()), FileFormat::Xls).is_ok());
    let far = biff::cell_record(65_535, 65_535, &Cell::Number(1.0));
    assert_eq!(refused(&of([cells.clone(), far].concat()), FileFormat::Xls), LIMIT);
    let last =
        [record(0x00BD, &[&[0, 0, 0, 0][..], &[0; 6], &[0xFF, 0xFF]].concat()), cells.clone()].concat();
    assert_eq!(refused(&of(last), FileFormat::Xls).1, 415);
    assert_eq!(refused(&of(record(0x0203, &[1, 2])), FileFormat::Xls), CORRUPT);
    assert_eq!(refused(&of([cells.clone(), vec![3, 2, 0xFF, 0xFF, 0]].concat()), FileFormat::Xls).1, 415);
    assert_eq!(refused(&compound("/Other", &[0; 5_000]), FileFormat::Xls), ("format_mismatch", 415));
    // Every sheet may point at the same cells: each would take their room again.
    let mut shared = stream(&[("Data", [cells, biff::cell_record(60_000, 60, &text("x"))].concat())], &[]);
    let place = shared.windows(4).position(|bytes| bytes == [0x85, 0, 12, 0]).unwrap();
    let sheet = shared[place..place + 16].to_vec();
    let insert = sheet.repeat(200);
    let moved = u32::try_from(insert.len()).unwrap();
    let body = u32::from_le_bytes(sheet[4..8].try_into().unwrap()) + moved;
    shared.splice(place..place, insert);
    for copy in 0..201 {
        shared[place + copy * 16 + 4..place + copy * 16 + 8].copy_from_slice(&body.to_le_bytes());
    }
    assert_eq!(refused(&compound("/Workbook", &shared), FileFormat::Xls), LIMIT);
}

#[test]
fn changed_bytes_give_a_panel_or_an_error() {
    let mut seed = 9_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let old = biff::xls(&[("Data", table())]);
    let new = xlsx(&[("Data", table())]);
    let mut outcomes = String::new();
    for round in 0..600 {
        let (bytes, format) = if round % 2 == 0 { (&old, FileFormat::Xls) } else { (&new, FileFormat::Xlsx) };
        let mut bytes = bytes.clone();
        for _ in 0..=next(3) {
            let at = next(bytes.len());
            bytes[at] = [0, 1, 0x7F, 0xFE, 0xFF][next(5)];
        }
        // Neither a crash of this process nor memory without end: the outcome itself may be any.
        match read_bytes(&bytes, format) {
            Ok(_) => outcomes.push('.'),
            Err(error) => write!(outcomes, "{} ", error.code).unwrap(),
        }
    }
    assert!(outcomes.contains('.') && outcomes.contains("corrupt_file"), "{outcomes}");
}
