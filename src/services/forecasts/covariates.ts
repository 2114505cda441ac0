export const maxCovariates = 50

/** What is wrong with the text, as a sentence. */
export class CovariatesError extends Error {
  override name = 'CovariatesError'
}

/** A comma list (`price,campaign`) or a JSON array of column names (for names with a comma), in the given order. */
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
