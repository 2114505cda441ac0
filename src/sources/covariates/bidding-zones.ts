/**
 * Energy Identification Codes of the bidding zones, from ENTSO-E's list of areas. Names are spelled as energy-charts
 * spells them.
 */
const zones: Readonly<Record<string, string>> = {
  AT: '10YAT-APG------L',
  BE: '10YBE----------2',
  BG: '10YCA-BULGARIA-R',
  CH: '10YCH-SWISSGRIDZ',
  CZ: '10YCZ-CEPS-----N',
  'DE-AT-LU': '10Y1001A1001A63L',
  'DE-LU': '10Y1001A1001A82H',
  DK1: '10YDK-1--------W',
  DK2: '10YDK-2--------M',
  EE: '10Y1001A1001A39I',
  ES: '10YES-REE------0',
  FI: '10YFI-1--------U',
  FR: '10YFR-RTE------C',
  GB: '10YGB----------A',
  GR: '10YGR-HTSO-----Y',
  HR: '10YHR-HEP------M',
  HU: '10YHU-MAVIR----U',
  'IE-SEM': '10Y1001A1001A59C',
  'IT-Calabria': '10Y1001C--00096J',
  'IT-Centre-North': '10Y1001A1001A70O',
  'IT-Centre-South': '10Y1001A1001A71M',
  'IT-North': '10Y1001A1001A73I',
  'IT-Sardinia': '10Y1001A1001A74G',
  'IT-Sicily': '10Y1001A1001A75E',
  'IT-South': '10Y1001A1001A788',
  LT: '10YLT-1001A0008Q',
  LV: '10YLV-1001A00074',
  NL: '10YNL----------L',
  NO1: '10YNO-1--------2',
  NO2: '10YNO-2--------T',
  NO3: '10YNO-3--------J',
  NO4: '10YNO-4--------9',
  NO5: '10Y1001A1001A48H',
  PL: '10YPL-AREA-----S',
  PT: '10YPT-REN------W',
  RO: '10YRO-TEL------P',
  RS: '10YCS-SERBIATSOV',
  SE1: '10Y1001A1001A44P',
  SE2: '10Y1001A1001A45N',
  SE3: '10Y1001A1001A46L',
  SE4: '10Y1001A1001A47J',
  SI: '10YSI-ELES-----O',
  SK: '10YSK-SEPS-----K'
}

/** The names that `eicOf` knows. */
export const biddingZones: readonly string[] = Object.keys(zones)

/**
 * The code of a bidding zone, given by name (in upper or lower case, with - or _) or by its code; undefined if unknown.
 */
export function eicOf (zone: string): string | undefined {
  const upper = zone.toUpperCase()
  if (/^10Y[A-Z0-9-]{13}$/.test(upper)) return upper
  const name = biddingZones.find((one) => one.toUpperCase() === upper.replaceAll('_', '-'))
  return name === undefined ? undefined : zones[name]
}
