/** Marks of generated parts, which would be shown where HTML is not taken. */
export function dropComments (md) {
  md.core.ruler.before('normalize', 'comments', (state) => {
    state.src = state.src.replaceAll(/^<!-- [a-z-]+:(?:begin|end) -->$/gm, '')
  })
}
