import { plainName } from '../metric-names.ts'

interface ClassText {
  label: string
  meaning: string
}

/** Kinds of series, by the engine's names. */
const classes: Record<string, ClassText> = {
  constant: { label: 'Constant', meaning: 'All values are the same: continued.' },
  line: { label: 'Straight line', meaning: 'All values lie on a line: continued.' },
  tiny: { label: 'Two or three values', meaning: 'Too few for any model: continued by a rule.' },
  intermittent: { label: 'Intermittent', meaning: 'Many zeros between values that are not negative.' },
  unseasonal: { label: 'Without a season', meaning: 'Fewer than two cycles of every season.' },
  short_season: { label: 'Short season', meaning: 'Two or more cycles of a season of at most twelve steps.' },
  long_season: { label: 'Long season', meaning: 'Two or more cycles of a season of more than twelve steps.' },
  long_cycle: { label: 'Long cycle', meaning: 'Two or more cycles such as years of weeks.' },
  strong_cycle: { label: 'Strong cycle', meaning: 'The same, and the cycles look alike.' },
  short: { label: 'Short', meaning: 'Too few values to tell a trend from the season.' }
}

export function classLabel (name: string): string {
  return textOf(name)?.label ?? plainName(name)
}

/** Empty for an unknown kind. */
export function classMeaning (name: string): string {
  return textOf(name)?.meaning ?? ''
}

function textOf (name: string): ClassText | undefined {
  return Object.hasOwn(classes, name) ? classes[name] : undefined
}
