/** A row of the table, as it stands in the file. */
export interface Customer {
  customer: string
  age: string
  plan: string
  joined: string
  spend: string
  churned: string
}

/**
 * Customers whose spend follows from plan and age, and who leave by spend and some chance: the same ones for the same
 * count. `unlabeled`: so many at the end have neither.
 */
export function customers (count: number, unlabeled = 0): Customer[] {
  return Array.from({ length: count + unlabeled }, (_, at) => {
    const noise = (Math.sin(12.9898 * (at + 1)) * 43_758.5453) % 1
    const age = 18 + (at * 7) % 60
    const plan = ['basic', 'pro', 'team'][(at * 11) % 3] as string
    const spend = 10 + age / 2 + { basic: 0, pro: 20, team: 45 }[plan as 'basic' | 'pro' | 'team'] + 3 * noise
    return {
      // Codes of digits are names: their zeros stay.
      customer: String(at).padStart(5, '0'),
      age: at % 17 === 3 ? '' : String(age),
      plan: at % 23 === 5 ? '' : plan,
      joined: new Date(Date.UTC(2024, 0, 1 + at * 13 % 700)).toISOString().slice(0, 10),
      spend: at < count ? spend.toFixed(2) : '',
      churned: at < count ? (spend + 8 * noise < 45 ? 'ja, sofort' : 'nein') : ''
    }
  })
}

/** The columns in this order, as RFC 4180 text. */
export function customersCsv (rows: readonly Customer[],
  columns: ReadonlyArray<keyof Customer> = ['customer', 'age', 'plan', 'joined', 'churned']): string {
  const cell = (text: string) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  return [columns.join(','), ...rows.map((row) => columns.map((column) => cell(row[column])).join(','))].join('\n') +
    '\n'
}
