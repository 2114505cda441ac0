import { phrase } from '../text/prompt-text.ts'
import type { TimeUnit } from '../time/horizon-wish.ts'
import type { Finding, Rule } from './rule.ts'

const words: [TimeUnit, string][] = [
  ['minute', 'minuten'],
  ['hour', 'stunden|stunde|heures|heure|horas|hora'],
  ['day', 'tage|tagen|tag|jours|jour|dias|dia'],
  ['week', 'wochen|woche|semaines|semaine|semanas|semana'],
  ['month', 'monate|monaten|monat|mois|meses|mes'],
  ['quarter', 'quartale|quartalen|quartal|trimestres|trimestre'],
  ['year', 'jahre|jahren|jahr|ans|an|annees|annee|anos|ano']
]
export const foreignUnits = words.map(([, forms]) => forms).join('|')
/** Words for what is to come. */
export const foreignNext =
  'nachsten?|nachstes|naechsten?|naechstes|kommenden?|kommendes|folgenden?|prochaine?s?|suivante?s?|proxim[oa]s?|siguientes?'
/** Prepositions before it. */
export const foreignFor = 'fur|fuer|uber|ueber|pour|para|por'
const next = `${foreignNext}|next|coming|following`
const past =
  'letzten?|letztes|vergangenen?|vorigen?|bisherigen?|derniere?s?|passee?s?|precedente?s?|ultim[oa]s?|pasad[oa]s?|last|past|previous'
const pattern = phrase(
  `(?:(?:fur|fuer|fuers|in|uber|ueber|pour|sur|dans|para|por|en|for|over) )?(?:(?:die|das|den|der|dem|les|la|le|los|las|el|the|des|de) )?(?:(?<next>${next})|(?<past>${past}))? ?(?<number>\\d+(?:\\.\\d+)?) (?:(?<nextBehind>${next})|(?<pastBehind>${past}))? ?(?:${
    words.map(([unit, forms]) => `(?<${unit}>${forms})`).join('|')
  })(?: (?:${next}|a venir|voraus|im voraus))?`
)
const ofPast = /^ (?:(?:de|des|der|an|von) )?(?:historie|daten|historique|donnees|datos|historia|history|data) /

/** `die naechsten 4 Wochen`, `les 6 prochains mois`, `12 meses`: a number and a unit of another language. */
export const foreignLengthRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(pattern)) {
    const unit = words.find(([unit]) => groups[unit] !== undefined)?.[0]
    const quantity = Number(groups['number'])
    if (unit === undefined || !(quantity > 0)) continue
    const isAhead = groups['next'] !== undefined || groups['nextBehind'] !== undefined
    const isPast = groups['past'] !== undefined || groups['pastBehind'] !== undefined ||
      ofPast.test(text.keys(to, to + 2))
    if (isPast) findings.push({ field: 'none', value: null, from, to, weight: 0.7 })
    else {findings.push({
        field: 'horizon',
        value: { kind: 'duration', quantity, unit },
        from,
        to,
        weight: isAhead ? 1 : 0.8
      })}
  }
  return findings
}
