//! CBOR building blocks that several parts of a stored model share.

use std::convert::Infallible;

use minicbor::decode::Error as DecodeError;
use minicbor::encode::Error as EncodeError;
use minicbor::{Decoder, Encoder};

/// An encoder into memory, which cannot fail to write.
pub(crate) type Out = Encoder<Vec<u8>>;
pub(crate) type Written = Result<(), EncodeError<Infallible>>;

/// Writes numbers bit for bit.
pub(crate) fn put_numbers(out: &mut Out, numbers: &[f64]) -> Written {
    out.array(numbers.len() as u64)?;
    for &number in numbers {
        out.f64(number)?;
    }
    Ok(())
}

pub(crate) fn put_counts(out: &mut Out, counts: &[usize]) -> Written {
    out.array(counts.len() as u64)?;
    for &count in counts {
        out.u64(count as u64)?;
    }
    Ok(())
}

/// Reads numbers, which must be finite.
pub(crate) fn take_numbers(input: &mut Decoder<'_>) -> Result<Vec<f64>, DecodeError> {
    take_list(input, |input| {
        let number = input.f64()?;
        require(number.is_finite(), "a number that is not finite")?;
        Ok(number)
    })
}

/// Reads counts up to `most`.
pub(crate) fn take_counts(input: &mut Decoder<'_>, most: usize) -> Result<Vec<usize>, DecodeError> {
    take_list(input, |input| take_count(input, 1, most))
}

/// Reads a count between `least` and `most`.
pub(crate) fn take_count(input: &mut Decoder<'_>, least: usize, most: usize) -> Result<usize, DecodeError> {
    let count = input.u64()?;
    require(count >= least as u64 && count <= most as u64, "a count out of its bounds")?;
    Ok(count as usize)
}

/// Reads a list. It grows item by item, so a false length cannot reserve memory.
pub(crate) fn take_list<T>(
    input: &mut Decoder<'_>,
    item: impl Fn(&mut Decoder<'_>) -> Result<T, DecodeError>,
) -> Result<Vec<T>, DecodeError> {
    let count = input.array()?.ok_or_else(|| DecodeError::message("a list without length"))?;
    let mut list = Vec::new();
    for _ in 0..count {
        list.push(item(input)?);
    }
    Ok(list)
}

/// Reads a value or null.
pub(crate) fn take_option<T>(
    input: &mut Decoder<'_>,
    item: impl FnOnce(&mut Decoder<'_>) -> Result<T, DecodeError>,
) -> Result<Option<T>, DecodeError> {
    if input.datatype()? == minicbor::data::Type::Null {
        input.null()?;
        return Ok(None);
    }
    item(input).map(Some)
}

pub(crate) fn require(holds: bool, otherwise: &'static str) -> Result<(), DecodeError> {
    if holds { Ok(()) } else { Err(DecodeError::message(otherwise)) }
}
