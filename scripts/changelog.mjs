/** The sections of a changelog (https://keepachangelog.com), newest first: `date` is undefined where there is none. */
export function changelogSections (text) {
  return text.split(/^## /m).slice(1).map((section) => {
    const [heading, ...lines] = section.split('\n')
    const [, name, date] = /^\[([^\]]+)\](?: - (.+))?$/.exec(heading.trim()) ?? [undefined, heading.trim()]
    const entries = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))
    return { name, date, text: lines.join('\n').trim(), isEmpty: entries.length === 0 }
  })
}

/** Why a changelog cannot be released as this version on this day, and what to do. */
export function changelogProblems (text, version, today) {
  const [unreleased, newest] = changelogSections(text)
  if (unreleased?.name !== 'Unreleased') {
    return ['CHANGELOG.md does not begin with `## [Unreleased]`: write that heading above the releases']
  }
  const heading = `\`## [${version}] - ${today}\``
  if (newest?.name !== version) {
    return [
      `CHANGELOG.md has ${newest === undefined ? 'no release' : newest.name} below Unreleased, and not ${version}: ` +
      `write ${heading} there, and what a user can do now`
    ]
  }
  const problems = []
  if (!unreleased.isEmpty) {
    problems.push(`CHANGELOG.md has lines under Unreleased: move them to the section ${version}`)
  }
  if (newest.isEmpty) problems.push(`CHANGELOG.md says nothing of ${version}: write what a user can do now`)
  if (!isDay(newest.date) || newest.date > today) {
    problems.push(`CHANGELOG.md has no day of today or before for ${version}: write ${heading}`)
  }
  return problems
}

function isDay (text) {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}
