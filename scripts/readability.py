"""Measures how easily the documentation reads: `make readability` prints a table and fails below the bars.

Prose alone counts: no code, tables, headings or targets of links. A name in code is a word of one syllable, because
nobody reads it letter by letter. `--long` also prints each sentence of more than 30 words.
"""

import json
import re
import sys
from pathlib import Path
from statistics import median

import textstat
from markdown_it import MarkdownIt

LONG_WORDS = 30
LEAST_EASE = 55
MOST_LONG = 0.03

# The markers of a text that ends its sentences: not the dots of 0.9, report.json or `...`.
SENTENCE_END = re.compile(r"(?<=[.?!])[)\"'”]?\s+(?=\S)")
LITERAL = r"""(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)"""
LITERALS = rf"({LITERAL}(?:\s*\+\s*{LITERAL})*)"
IN_TYPESCRIPT = re.compile(rf"(?:\bsuggestion:\s*|\bnew TabcastError\(\s*'\w+',\s*){LITERALS}")
IN_ERROR_TABLE = re.compile(rf"\btext:\s*{LITERALS}")
IN_RUST = re.compile(r"""\.suggestion\(\s*("(?:[^"\\]|\\.)*")""", re.DOTALL)


def blocks_of(markdown):
    """The paragraphs of a page, those of lists and quotes among them, without tables, headings and code blocks."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    for before, token in zip(tokens, tokens[1:]):
        if token.type == "inline" and before.type == "paragraph_open":
            yield "".join(text_of(child) for child in token.children)


def text_of(token):
    if token.type == "code_inline":
        return "code"
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return token.content if token.type == "text" else ""


def sentences_of(blocks):
    """Sentences without inner full stops, so that textstat counts the same sentences as we do."""
    found = []
    for block in blocks:
        for sentence in SENTENCE_END.split(" ".join(block.split())):
            plain = re.sub(r"[.!?]", "", sentence).strip()
            if re.search(r"\w", plain):
                found.append(plain)
    return found


def words_in(sentence):
    return len(re.findall(r"\S*\w\S*", sentence))


def pages():
    for path in sorted(Path("docs").rglob("*.md")):
        if not any(part.startswith(".") for part in path.parts):
            yield str(path), sentences_of(blocks_of(path.read_text(encoding="utf-8")))


def descriptions(node):
    """Each description and summary of the interface; a name in backticks is code here too."""
    if isinstance(node, list):
        for value in node:
            yield from descriptions(value)
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("description", "summary") and isinstance(value, str):
                yield re.sub(r"`[^`]*`|\$\{[^}]*\}", "code", value)
            else:
                yield from descriptions(value)


def messages():
    """The texts of errors and their suggestions that stand in the sources as they are, their variables as one word."""
    for path in sorted(Path("src").rglob("*.ts")):
        source = path.read_text(encoding="utf-8")
        pattern = IN_ERROR_TABLE if path.name == "error-codes.ts" else IN_TYPESCRIPT
        for match in pattern.findall(source):
            yield "".join(literal[1:-1] for literal in re.findall(LITERAL, match))
    for path in sorted(Path("crates").rglob("*.rs")):
        for match in IN_RUST.findall(path.read_text(encoding="utf-8")):
            yield re.sub(r"\\\n\s*", "", match[1:-1])


def rows():
    """Name and sentences of each page, then of all descriptions, then of all messages."""
    yield from pages()
    interface = json.loads(Path("src/api/openapi.json").read_text(encoding="utf-8"))
    yield "descriptions of the API", sentences_of(dict.fromkeys(descriptions(interface)))
    texts = (re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}|\\?`[^`]*`", "code", text) for text in messages())
    yield "error messages", sentences_of(dict.fromkeys(texts))


def main():
    eases, all_sentences, all_long, failed = [], 0, 0, False
    print(f"{'page':44} {'ease':>6} {'sentences':>9} {'over ' + str(LONG_WORDS):>8}")
    for name, sentences in rows():
        is_page = name.startswith("docs/")
        if not sentences:
            continue
        ease = textstat.flesch_reading_ease(". ".join(sentences) + ".")
        long = [sentence for sentence in sentences if words_in(sentence) > LONG_WORDS]
        print(f"{name:44} {ease:6.1f} {len(sentences):9} {len(long) / len(sentences):8.1%}")
        if "--long" in sys.argv:
            for sentence in long:
                print(f"    {words_in(sentence)}: {sentence}")
        if is_page:
            eases.append(ease)
            all_sentences += len(sentences)
            all_long += len(long)
        else:
            failed |= not within_bars(name, ease, len(long) / len(sentences))
    failed |= not within_bars("median of the pages", median(eases), all_long / all_sentences)
    return 1 if failed else 0


def within_bars(name, ease, share):
    is_within = ease >= LEAST_EASE and share <= MOST_LONG
    print(f"{name}: ease {ease:.1f} (at least {LEAST_EASE}), over {LONG_WORDS} words {share:.1%} (at most "
          f"{MOST_LONG:.0%}): {'met' if is_within else 'missed'}")
    return is_within


if __name__ == "__main__":
    sys.exit(main())
