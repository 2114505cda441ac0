//! Office Open XML workbooks, as small as they can be.

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A cell, whatever stands in it.
#[derive(Debug, Clone)]
pub(crate) enum Cell {
    Empty,
    /// Kept among the texts that cells share.
    Text(String),
    Inline(String),
    Number(f64),
    /// A serial number with a style that shows a date.
    Date(f64),
    Boolean(bool),
    Error(&'static str),
    /// With the result that was saved, if any.
    Formula(Option<f64>),
}

pub(crate) fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

/// Rows of texts.
pub(crate) fn texts(rows: &[&[&str]]) -> Vec<Vec<Cell>> {
    rows.iter().map(|row| row.iter().map(|cell| text(cell)).collect()).collect()
}

/// The entries of the archive: sheets with their names.
pub(crate) fn entries(sheets: &[(&str, Vec<Vec<Cell>>)]) -> Vec<(String, Vec<u8>)> {
    const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const LINKS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    let mut strings = Vec::new();
    let (mut listed, mut linked, mut parts) = (String::new(), String::new(), Vec::new());
    for (index, (name, rows)) in sheets.iter().enumerate() {
        let number = index + 1;
        let (name, cells) = (escaped(name), sheet_data(rows, &mut strings));
        write!(listed, r#"<sheet name="{name}" sheetId="{number}" r:id="rId{number}"/>"#).unwrap();
        write!(
            linked,
            r#"<Relationship Id="rId{number}" Type="{LINKS}/worksheet" Target="worksheets/sheet{number}.xml"/>"#
        )
        .unwrap();
        parts.push((
            format!("xl/worksheets/sheet{number}.xml"),
            format!(
                r#"<worksheet xmlns="{MAIN}"><dimension ref="A1"/><sheetData>{cells}</sheetData></worksheet>"#
            ),
        ));
    }
    let strings = strings.iter().fold(String::new(), |mut xml, text| {
        write!(xml, r#"<si><t xml:space="preserve">{}</t></si>"#, escaped(text)).unwrap();
        xml
    });
    parts.extend([
        (
            "_rels/.rels".to_owned(),
            format!(r#"<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>"#),
        ),
        (
            "xl/workbook.xml".to_owned(),
            format!(r#"<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>{listed}</sheets></workbook>"#),
        ),
        (
            "xl/_rels/workbook.xml.rels".to_owned(),
            format!(r#"<Relationships xmlns="{PACKAGE}">{linked}</Relationships>"#),
        ),
        (
            "xl/styles.xml".to_owned(),
            format!(r#"<styleSheet xmlns="{MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>"#),
        ),
        ("xl/sharedStrings.xml".to_owned(), format!(r#"<sst xmlns="{MAIN}">{strings}</sst>"#)),
    ]);
    parts
        .into_iter()
        .map(|(name, xml)| (name, format!("<?xml version=\"1.0\"?>{xml}").into_bytes()))
        .collect()
}

pub(crate) fn xlsx(sheets: &[(&str, Vec<Vec<Cell>>)]) -> Vec<u8> {
    archive(&entries(sheets))
}

pub(crate) fn archive(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The entry of this name, to be changed.
pub(crate) fn entry<'a>(entries: &'a mut [(String, Vec<u8>)], name: &str) -> &'a mut Vec<u8> {
    &mut entries.iter_mut().find(|(other, _)| other == name).unwrap().1
}

fn sheet_data(rows: &[Vec<Cell>], strings: &mut Vec<String>) -> String {
    let mut xml = String::new();
    for (index, row) in rows.iter().enumerate() {
        write!(xml, r#"<row r="{}">"#, index + 1).unwrap();
        for (column, cell) in row.iter().enumerate() {
            let place = format!("{}{}", char::from(b'A' + u8::try_from(column).unwrap()), index + 1);
            match cell {
                Cell::Empty => Ok(()),
                Cell::Text(text) => {
                    let number = strings.iter().position(|other| other == text).unwrap_or_else(|| {
                        strings.push(text.clone());
                        strings.len() - 1
                    });
                    write!(xml, r#"<c r="{place}" t="s"><v>{number}</v></c>"#)
                }
                Cell::Inline(text) => {
                    write!(xml, r#"<c r="{place}" t="inlineStr"><is><t>{}</t></is></c>"#, escaped(text))
                }
                Cell::Number(value) => write!(xml, r#"<c r="{place}"><v>{value}</v></c>"#),
                Cell::Date(value) => write!(xml, r#"<c r="{place}" s="1"><v>{value}</v></c>"#),
                Cell::Boolean(value) => {
                    write!(xml, r#"<c r="{place}" t="b"><v>{}</v></c>"#, u8::from(*value))
                }
                Cell::Error(text) => write!(xml, r#"<c r="{place}" t="e"><v>{text}</v></c>"#),
                Cell::Formula(Some(value)) => write!(xml, r#"<c r="{place}"><f>1+1</f><v>{value}</v></c>"#),
                Cell::Formula(None) => write!(xml, r#"<c r="{place}"><f>1+1</f></c>"#),
            }
            .unwrap();
        }
        xml.push_str("</row>");
    }
    xml
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
