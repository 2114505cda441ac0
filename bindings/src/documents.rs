//! The TypeScript types of all documents, compared with the committed file.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use serde::Serialize;
use serde::de::DeserializeOwned;
use ts_rs::{Config, TS, TypeVisitor};

use crate::calls::{Handles, Visitor, visit};
use crate::failure::EngineFailure;
use crate::read_columns::TableColumns;
use crate::reply::Reply;
use crate::requests::ReadColumnsOptions;

/// Maximum number of characters in a line.
const LONGEST: usize = 120;
const HEAD: &str = "\
/* eslint max-lines: off -- written by `make documents` */
/* What goes to the engine and what comes back, written from the types of `crates`: change those. */
";

struct Types {
    config: Config,
    declarations: BTreeMap<String, String>,
    calls: Vec<String>,
}

impl Types {
    fn add<T: TS + 'static + ?Sized>(&mut self) -> String {
        self.visit::<T>();
        T::visit_generics(self);
        T::name(&self.config)
    }

    fn text(&self) -> String {
        let calls =
            format!("/** The calls by name. */\nexport interface Calls {{\n{}}}\n", self.calls.concat());
        let declarations: Vec<&str> = self.declarations.values().map(String::as_str).collect();
        [HEAD, &calls, &declarations.join("\n")].join("\n")
    }
}

/// Formats like our own sources: one line per comment, one line per field, no semicolons.
fn tidy(declaration: &str) -> String {
    let mut tidied = String::new();
    let (mut comment, mut indent) = (None::<Vec<&str>>, "");
    for line in declaration.lines() {
        let line = line.trim_end_matches([' ', ',', ';']);
        match (line, &mut comment) {
            ("/**", _) => comment = Some(Vec::new()),
            (" */", Some(lines)) => {
                let words = lines.join(" ");
                tidied += &wrapped(&words, indent);
                comment = None;
            }
            (_, Some(lines)) => lines.push(line.trim_start_matches([' ', '*'])),
            ("}", None) => tidied += "}\n",
            (_, None) => tidied += &code(&requoted(line), indent),
        }
        if line.ends_with('{') {
            indent = "  ";
        }
    }
    tidied
}

/// Removes quotation marks from names, and puts texts in single ones.
fn requoted(line: &str) -> String {
    let parts: Vec<&str> = line.split('"').collect();
    let is_name = |at: usize| parts.get(at + 1).is_some_and(|next| next.starts_with(':'));
    let requoted = parts.iter().enumerate().map(|(at, part)| match at % 2 {
        1 if !is_name(at) => format!("'{part}'"),
        _ => (*part).to_owned(),
    });
    requoted.collect()
}

/// A line, or one line per alternative if it is too long.
fn code(line: &str, indent: &str) -> String {
    if indent.len() + line.chars().count() <= LONGEST {
        return format!("{indent}{line}\n");
    }
    let alternatives =
        line.replace(" | ", &format!("\n{indent}  | ")).replacen(" = ", &format!(" =\n{indent}  | "), 1);
    format!("{indent}{alternatives}\n")
}

/// A comment on one line, or wrapped if it is too long.
fn wrapped(words: &str, indent: &str) -> String {
    let line = format!("{indent}/** {words} */\n");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let mut comment = format!("{indent}/**");
    let mut length = LONGEST;
    for word in words.split(' ') {
        length += word.chars().count() + 1;
        if length > LONGEST {
            comment += "\n";
            comment += indent;
            comment += " *";
            length = indent.len() + 2 + word.chars().count() + 1;
        }
        comment.push(' ');
        comment += word;
    }
    comment + &format!("\n{indent} */\n")
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() {
            return;
        }
        let declaration = T::decl(&self.config);
        // A declaration without comments stays on one line.
        let end = if declaration.contains('\n') { "\n}" } else { " }" };
        let docs = T::docs().unwrap_or_default();
        let text = tidy(&format!("{docs}export {}", declaration.replace(", }", end)));
        let known = self.declarations.insert(T::ident(&self.config), text.clone());
        match known {
            None => T::visit_dependencies(self),
            Some(other) => assert_eq!(other, text, "two types have one name"),
        }
    }
}

impl Visitor for Types {
    fn call<Q, R, F>(&mut self, name: &str, _work: fn(Q, &Handles) -> Result<R, F>)
    where
        Q: DeserializeOwned + TS + 'static,
        R: Serialize + TS + 'static,
        F: Into<EngineFailure>,
    {
        let (request, reply) = (self.add::<Q>(), self.add::<R>());
        self.calls.push(format!("  {name}: {{ request: {request}, reply: {reply} }}\n"));
    }
}

/// Writes the file if `TABCAST_WRITE_DOCUMENTS` is set.
#[test]
fn the_committed_types_are_those_of_the_documents() {
    let config = Config::new().with_large_int("number");
    let mut types = Types { config, declarations: BTreeMap::new(), calls: Vec::new() };
    visit(&mut types);
    types.add::<Reply<()>>();
    types.add::<ReadColumnsOptions>();
    types.add::<TableColumns>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/domain/engine-documents.ts");
    if env::var_os("TABCAST_WRITE_DOCUMENTS").is_some() {
        fs::write(&path, types.text()).expect("the file is written");
    }
    let committed = fs::read_to_string(&path).expect("the committed file");
    assert!(
        committed == types.text(),
        "src/domain/engine-documents.ts is old: run `make documents` and commit it"
    );
}
