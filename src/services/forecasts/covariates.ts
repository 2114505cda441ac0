export const maxCovariates = 50

/** The message says in one sentence what is wrong with the text. */
export class CovariatesError extends Error {
  override name = 'CovariatesError'
}

/** Parses a comma list (`price,campaign`) or a JSON array (for names with a comma); keeps the order. */
export function parseCovariates (text: string): string[] {
  const names = entries(text.trim())
  for (const name of names) {
    if (typeof name !== 'string' || name === '') throw new CovariatesError('each covariate is the name of a column')
    if (name.length > 200) throw new CovariatesError('a column name has at most 200 characters')
  }
  if (new Set(names).size < names.length) throw new CovariatesError('each covariate may be named once')
  if (names.length > maxCovariates) throw new CovariatesError(`at most ${maxCovariates} covariates are taken`)
  return names as string[]
}

function entries (text: string): unknown[] {
  if (!text.startsWith('[')) return text.split(',').map((part) => part.trim())
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    throw new CovariatesError('not a comma list or a JSON array of column names')
  }
}
