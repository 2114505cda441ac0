/** Intentional breaks of the interface since its last release. The next release empties this list. */
export interface MeantBreak {
  /** Matches sentences of `openApiBreaks`. */
  breaks: RegExp
  why: string
}

export const meantBreaks: readonly MeantBreak[] = [
  {
    breaks: / path \S+: maxLength none became \d+$/,
    why: 'a longer name was a 404, a longer address a 431, and they still are'
  },
  {
    breaks: / body\S*\.metadata: maxProperties none became \d+$/,
    why: 'more keys do not fit into the 2 KiB that metadata always had'
  },
  { breaks: / body\.prompt: maxLength none became \d+$/, why: 'a longer prompt was a 413' },
  {
    breaks: / body\S*\.explainability\.\w+: maximum none became \d+$/,
    why: 'no number of a request is without a bound; more was read as this many'
  },
  {
    breaks: / body\.(?:expected_)?file_size: maximum none became \d+$/,
    why: 'no number of a request is without a bound; above the size that a deployment takes it is a 413'
  },
  {
    breaks: / query created_after: maxLength none became \d+$/,
    why: 'no text of a request is without a bound; no time is written in as many characters'
  },
  {
    breaks: /^POST \/agent\/\w+ body\.(?:intent|profile)\.\S+: (?:minimum|maximum) none became \S+$/,
    why: 'no number of a request is without a bound'
  },
  {
    breaks: /^POST \/estimate\/\w+ body\.\w+: maximum 1000000000000 became \d+$/,
    why: 'an estimate of more than the deployment takes means nothing, and counts beyond it could end the api'
  }
]
