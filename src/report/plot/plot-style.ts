/** Style rules of the forecast plot, in addition to those of all pages. */
export const plotStyle = `
@media (forced-colors: active) {
  :root { --page: Canvas; --text: CanvasText; --soft: CanvasText; --line: GrayText; --panel: Canvas; }
  :root { --accent: LinkText; --warm: VisitedText; }
}
main, header, footer { max-width: 76rem; }
header p { margin: 0.25rem 0 0; color: var(--soft); }
.controls { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem 1rem; margin: 1rem 0 0.75rem; }
.picker { position: relative; flex: 1 1 16rem; max-width: 28rem; }
.picker label { display: block; color: var(--soft); font-size: 0.875rem; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.35rem; margin: 0; padding: 0; border: 0; list-style: none; }
button, input { min-height: 2.25rem; padding: 0.25rem 0.65rem; border: 1px solid var(--soft); border-radius: 6px; }
button, input { background: var(--page); color: var(--text); font: inherit; font-size: 0.9rem; }
button { cursor: pointer; }
button:hover:enabled { background: var(--panel); }
button:disabled { border-color: var(--line); color: var(--soft); cursor: default; }
input { width: 100%; text-overflow: ellipsis; }
.matches { position: absolute; z-index: 2; top: 100%; left: 0; right: 0; margin: 2px 0 0; }
.matches { border: 1px solid var(--soft); border-radius: 6px; background: var(--page); }
.matches { box-shadow: 0 6px 18px rgb(0 0 0 / 0.25); }
.matches ul { max-height: 18rem; margin: 0; padding: 0.25rem; overflow-y: auto; list-style: none; }
.matches li { padding: 0.3rem 0.5rem; border-radius: 4px; cursor: pointer; unicode-bidi: isolate; }
.matches li:hover { background: var(--panel); }
.matches li[aria-selected="true"] { background: var(--accent); color: var(--page); }
.matches p { margin: 0; padding: 0.3rem 0.75rem; border-top: 1px solid var(--line); }
.matches p { color: var(--soft); font-size: 0.85rem; }
.figure { margin: 0; }
.figure figcaption { margin: 0; font-size: 1.05rem; }
.figure p { max-width: none; }
.drawing { height: clamp(17rem, 52vh, 30rem); margin: 0.5rem 0; }
.drawing svg { height: 100%; }
.plot { height: 100%; overflow: hidden; touch-action: pan-y; cursor: crosshair; }
ul.buttons { max-width: none; }
.legend li { display: flex; }
.zoom button { min-width: 2.25rem; }
.legend button { display: inline-flex; align-items: center; gap: 0.4rem; }
.legend button[aria-pressed="false"] { border-style: dashed; color: var(--soft); text-decoration: line-through; }
.legend svg { width: 28px; height: 14px; }
.readout { display: flex; flex-wrap: wrap; gap: 0 1.1rem; min-height: 3.2em; margin: 0.25rem 0 0.5rem; }
.readout { font-size: 0.9rem; font-variant-numeric: tabular-nums; }
.readout b { color: var(--soft); font-weight: 400; }
.notes { color: var(--soft); font-size: 0.875rem; }
.pages { display: flex; flex-wrap: wrap; align-items: center; gap: 0.35rem 0.75rem; margin: 0.75rem 0; }
.pages p { margin: 0; }
#numbers th, #numbers td { min-width: 0; white-space: nowrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
kbd { padding: 0 0.3rem; border: 1px solid var(--line); border-radius: 4px; }
kbd { background: var(--panel); font-size: 0.85em; }
`
