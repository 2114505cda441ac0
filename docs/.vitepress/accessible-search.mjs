/**
 * The theme's search has links within options of a list box within a button, and names that are not the texts on show:
 * screen readers cannot tell them apart. Here it is a dialog with a list of links. A release of the theme in which a
 * part is not found fails the build.
 */
const parts = {
  'VPLocalSearchBox.vue': [
    ['role="button"', 'role="dialog"'],
    [`:aria-owns="results?.length ? 'localsearch-list' : undefined"`, ''],
    ['aria-expanded="true"', ''],
    ['aria-haspopup="listbox"', 'aria-modal="true"'],
    [`:aria-activedescendant="selectedIndex > -1 ? ('localsearch-item-' + selectedIndex) : undefined"`, ''],
    ['aria-autocomplete="both"', ''],
    [`:role="results?.length ? 'listbox' : undefined"`, ''],
    [`:aria-selected="selectedIndex === index ? 'true' : 'false'"`, ''],
    ['role="option"', ''],
    [`:aria-label="[...p.titles, p.title].join(' > ')"`, ''],
    ['<kbd :aria-label', '<kbd role="img" :aria-label']
  ],
  'VPNavBarSearchButton.vue': [['<span class="DocSearch-Button-Keys">', '<span class="DocSearch-Button-Keys" hidden>']]
}

export function accessibleSearch () {
  return {
    name: 'accessible-search',
    enforce: 'pre',
    transform (code, id) {
      const [, name] = /\/theme-default\/components\/(\w+\.vue)$/.exec(id) ?? []
      let text = code
      for (const [part, other] of parts[name] ?? []) {
        if (!text.includes(part)) throw new Error(`${name} of the theme has no ${part}: accessible-search.mjs`)
        text = text.replaceAll(part, other)
      }
      return text
    }
  }
}
