export interface ChangelogSection {
  name: string
  date: string | undefined
  text: string
  isEmpty: boolean
}
export function changelogSections (text: string): ChangelogSection[]
export function changelogProblems (text: string, version: string, today: string): string[]
