/** Why something failed, in words for the visitor. */
export class Problem extends Error {
  override name = 'Problem'
  /** The fields that it concerns, each with its message. */
  readonly fields: ReadonlyMap<string, string>

  constructor (message: string, fields: ReadonlyMap<string, string> = new Map()) {
    super(message)
    this.fields = fields
  }
}

interface FieldRefusal {
  loc: Array<string | number>
  msg: string
}

interface Refusal {
  error_code?: string
  detail?: string | { detail?: string, suggestion?: string } | FieldRefusal[]
}

/** Replaces API messages, which address programmers. */
const words: Readonly<Record<string, string>> = {
  sandbox_captcha_failed: 'The check that you are not a program did not work out. Please start again.',
  sandbox_domain_used:
    'Somebody of your company has tried it before: there is one job for each company. Ask us for a key to go on.',
  auth_failed: 'This page is not set up at the moment: its key does not work. Please tell whoever runs it.',
  internal_error: 'Something went wrong on our side. Please try again later.'
}

/** The problem behind a failed response. */
export async function problemOf (response: Response): Promise<Problem> {
  const { error_code: code = '', detail } = await response.json().catch(() => ({})) as Refusal
  if (Array.isArray(detail)) return fieldProblem(detail)
  if (words[code] !== undefined) return new Problem(words[code])
  const again = `Please try again ${inTime(response.headers.get('retry-after'))}.`
  if (response.status === 429) return new Problem(`${tooOften(response.headers.get('ratelimit-policy'))} ${again}`)
  if (response.status === 503) return new Problem(`The service is busy, or a part of it is away. ${again}`)
  if (detail === undefined) return new Problem(`The answer cannot be read (status ${response.status}). ${again}`)
  if (typeof detail === 'string') return new Problem(detail)
  return new Problem([detail.detail, detail.suggestion].filter(Boolean).join(' '))
}

/** No response came. */
export function connectionProblem (): Problem {
  return new Problem('The service cannot be reached. Please look at your connection, and try again.')
}

function fieldProblem (list: readonly FieldRefusal[]): Problem {
  const fields = new Map(list.map(({ loc, msg }) => [String(loc[1] ?? ''), sentence(msg)]))
  return new Problem([...fields.values()].join(' '), fields)
}

function sentence (message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`
}

/** `policy`: the limit that was reached. */
function tooOften (policy: string | null): string {
  const tries = /^"sandbox-post";q=(\d+)/.exec(policy ?? '')?.[1]
  if (tries === undefined) return 'You have asked too often.'
  return `An address has ${tries} tries an hour, those that are refused included, and yours are used up.`
}

function inTime (seconds: string | null): string {
  const minutes = Math.ceil(Number(seconds ?? 60) / 60)
  return !Number.isFinite(minutes) || minutes <= 1 ? 'in a minute' : `in ${minutes} minutes`
}
