import { Type, type Static } from 'typebox'

/** The operator's list: the provider's ids of the macro figures and rates that have a name here. */
export const seriesOfAliases = Type.Record(Type.String({ pattern: '^[a-z][a-z0-9_]{0,59}$' }),
  Type.String({ minLength: 1, maxLength: 160 }), { additionalProperties: false })
export type SeriesOfAliases = Static<typeof seriesOfAliases>

export const fredSeries: SeriesOfAliases = {
  cpi: 'CPIAUCSL',
  unemployment: 'UNRATE',
  gdp: 'GDPC1',
  policy_rate: 'DFF',
  fx_usd_eur: 'DEXUSEU',
  yield_10y: 'DGS10'
}

/**
 * Euro area: HICP (2025 = 100), unemployment and real GDP of the 20 countries of 2023, deposit facility, dollars per
 * euro, yield of AAA bonds. The flow ICP ended with December 2025; HICP has the same index from its beginning.
 */
export const ecbSeries: SeriesOfAliases = {
  cpi: 'HICP/M.U2.N.000000.4D0.INX',
  unemployment: 'LFSI/M.I9.S.UNEHRT.TOTAL0.15_74.T',
  gdp: 'MNA/Q.Y.I9.W2.S1.S1.B.B1GQ._Z._Z._Z.EUR.LR.N',
  policy_rate: 'FM/D.U2.EUR.4F.KR.DFR.LEV',
  fx_usd_eur: 'EXR/D.USD.EUR.SP00.A',
  yield_10y: 'YC/B.U2.EUR.4F.G_N_A.SV_C_YM.SR_10Y'
}
