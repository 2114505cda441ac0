//! The header of a model file, a CBOR array.

use minicbor::decode::Error as DecodeError;
use minicbor::encode::Error as EncodeError;
use minicbor::{Decoder, Encoder};

use crate::{Ensemble, Feature, FeatureKind, Link};

/// Everything except the arrays of numbers.
pub(super) struct Header {
    pub(super) features: Vec<Feature>,
    pub(super) outputs: u32,
    pub(super) trees: u32,
    pub(super) link: Link,
}

const LINKS: [(&str, Link); 5] = [
    ("identity", Link::Identity),
    ("logistic", Link::Logistic),
    ("softmax", Link::Softmax),
    ("exponential", Link::Exponential),
    ("ascending", Link::Ascending),
];

/// `[outputs, trees, link, [[name, zero is missing, levels or null], ...]]`.
pub(super) fn encode(ensemble: &Ensemble) -> Result<Vec<u8>, EncodeError<std::convert::Infallible>> {
    let mut out = Encoder::new(Vec::new());
    let link = LINKS.iter().find(|(_, link)| *link == ensemble.link).map_or("", |(name, _)| name);
    out.array(4)?.u32(ensemble.outputs as u32)?.u32(ensemble.trees.len() as u32)?.str(link)?;
    out.array(ensemble.features.len() as u64)?;
    for feature in &ensemble.features {
        out.array(3)?.str(&feature.name)?.bool(feature.zero_is_missing)?;
        match &feature.kind {
            FeatureKind::Numeric => {
                out.null()?;
            }
            FeatureKind::Categorical { levels } => {
                out.array(levels.len() as u64)?;
                for level in levels {
                    out.str(level)?;
                }
            }
        }
    }
    Ok(out.into_writer())
}

/// Reads the result of [`encode`]. Lists grow item by item, so a false length cannot reserve memory.
pub(super) fn decode(bytes: &[u8]) -> Result<Header, DecodeError> {
    let mut input = Decoder::new(bytes);
    expect(&mut input, 4)?;
    let (outputs, trees) = (input.u32()?, input.u32()?);
    let name = input.str()?;
    let link = LINKS.iter().find(|(known, _)| *known == name).map(|(_, link)| *link);
    let link = link.ok_or_else(|| DecodeError::message("unknown link"))?;
    let count = length(&mut input)?;
    let mut features = Vec::new();
    for _ in 0..count {
        features.push(decode_feature(&mut input)?);
    }
    if input.position() != bytes.len() {
        return Err(DecodeError::message("more bytes than the header has"));
    }
    Ok(Header { features, outputs, trees, link })
}

fn decode_feature(input: &mut Decoder<'_>) -> Result<Feature, DecodeError> {
    expect(input, 3)?;
    let (name, zero_is_missing) = (input.str()?.to_owned(), input.bool()?);
    if input.datatype()? == minicbor::data::Type::Null {
        input.null()?;
        return Ok(Feature { name, kind: FeatureKind::Numeric, zero_is_missing });
    }
    let mut levels = Vec::new();
    for _ in 0..length(input)? {
        levels.push(input.str()?.to_owned());
    }
    Ok(Feature { name, kind: FeatureKind::Categorical { levels }, zero_is_missing })
}

fn length(input: &mut Decoder<'_>) -> Result<u64, DecodeError> {
    input.array()?.ok_or_else(|| DecodeError::message("a list without length"))
}

fn expect(input: &mut Decoder<'_>, count: u64) -> Result<(), DecodeError> {
    if length(input)? == count { Ok(()) } else { Err(DecodeError::message("a list of another length")) }
}
