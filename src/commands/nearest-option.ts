import { editDistance } from '../platform/text/edit-distance.ts'
import { UsageError } from './usage-error.ts'

/** A longer distance makes another word. */
const mostEdits = 3

/** The error of `parseArgs` about an unknown option, with the option that was meant; other errors as they are. */
export function nearestOption (error: unknown, options: readonly string[]): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const [, name] = /^Unknown option '--?([^']+)'/.exec(message) ?? []
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || name === undefined) return error
  const [nearest] = options.map((option) => ({ option, edits: editDistance(name, option, mostEdits) })).filter((
    { edits }
  ) => edits <= mostEdits).sort((left, right) => left.edits - right.edits)
  return new UsageError(
    nearest === undefined
      ? `there is no option --${name}; --help lists the options`
      : `there is no option --${name}; --${nearest.option} is the nearest, and --help lists all`
  )
}
