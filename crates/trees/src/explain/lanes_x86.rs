//! Lanes in the registers of x86 processors.

#![expect(
    clippy::inline_always,
    reason = "an instruction must stand where the instruction set is known to be there"
)]

use std::arch::x86_64::{
    __m256d, __m512d, _CMP_LE_OQ, _CMP_NGT_UQ, _mm256_add_pd, _mm256_and_pd, _mm256_blendv_pd, _mm256_cmp_pd,
    _mm256_load_pd, _mm256_mul_pd, _mm256_set1_pd, _mm256_store_pd, _mm256_sub_pd, _mm512_add_pd,
    _mm512_cmp_pd_mask, _mm512_load_pd, _mm512_mask_blend_pd, _mm512_maskz_mov_pd, _mm512_mul_pd,
    _mm512_set1_pd, _mm512_store_pd, _mm512_sub_pd,
};

use super::lanes::{Lanes, Pack};

/// Two registers of AVX2. Values are only made where the processor is known to have it.
#[derive(Clone, Copy)]
pub(super) struct Avx2(__m256d, __m256d);

/// One register of AVX-512. Values are only made where the processor is known to have it.
#[derive(Clone, Copy)]
pub(super) struct Avx512(__m512d);

// SAFETY of all blocks: the functions that use these types are only called where the processor has the instructions,
// and lanes are aligned to 64 bytes.
impl Pack for Avx2 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        unsafe { Self(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
    }

    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        unsafe { Self(_mm256_load_pd(lanes.0.as_ptr()), _mm256_load_pd(lanes.0[4..].as_ptr())) }
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        unsafe {
            _mm256_store_pd(lanes.0.as_mut_ptr(), self.0);
            _mm256_store_pd(lanes.0[4..].as_mut_ptr(), self.1);
        }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { Self(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { Self(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { Self(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        unsafe {
            let one = _mm256_set1_pd(1.0);
            Self(
                _mm256_and_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0), one),
                _mm256_and_pd(_mm256_cmp_pd::<_CMP_LE_OQ>(self.1, other.1), one),
            )
        }
    }

    #[inline(always)]
    fn not_above(self, other: Self) -> Self {
        unsafe {
            let one = _mm256_set1_pd(1.0);
            Self(
                _mm256_and_pd(_mm256_cmp_pd::<_CMP_NGT_UQ>(self.0, other.0), one),
                _mm256_and_pd(_mm256_cmp_pd::<_CMP_NGT_UQ>(self.1, other.1), one),
            )
        }
    }

    #[inline(always)]
    fn choose(self, one: Self, zero: Self) -> Self {
        unsafe {
            // The blend tests the sign, which is set if 1/2 is greater than the lane.
            let half = _mm256_set1_pd(0.5);
            Self(
                _mm256_blendv_pd(one.0, zero.0, _mm256_sub_pd(self.0, half)),
                _mm256_blendv_pd(one.1, zero.1, _mm256_sub_pd(self.1, half)),
            )
        }
    }
}

impl Pack for Avx512 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        unsafe { Self(_mm512_set1_pd(value)) }
    }

    #[inline(always)]
    fn load(lanes: &Lanes) -> Self {
        unsafe { Self(_mm512_load_pd(lanes.0.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, lanes: &mut Lanes) {
        unsafe { _mm512_store_pd(lanes.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { Self(_mm512_add_pd(self.0, other.0)) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { Self(_mm512_sub_pd(self.0, other.0)) }
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { Self(_mm512_mul_pd(self.0, other.0)) }
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self {
        unsafe {
            Self(_mm512_maskz_mov_pd(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0), _mm512_set1_pd(1.0)))
        }
    }

    #[inline(always)]
    fn not_above(self, other: Self) -> Self {
        unsafe {
            Self(_mm512_maskz_mov_pd(_mm512_cmp_pd_mask::<_CMP_NGT_UQ>(self.0, other.0), _mm512_set1_pd(1.0)))
        }
    }

    #[inline(always)]
    fn choose(self, one: Self, zero: Self) -> Self {
        unsafe {
            let is_zero = _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, _mm512_set1_pd(0.5));
            Self(_mm512_mask_blend_pd(is_zero, one.0, zero.0))
        }
    }
}
