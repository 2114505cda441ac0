/** Styles of the page at /try, after the rules that all pages share. */
export const tryStyle = `
fieldset { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; margin: 1.25rem 0; padding: 0.75rem 1rem 1rem; }
fieldset, iframe { border: 1px solid var(--line); }
[hidden] { display: none !important; }
legend, .field label { font-weight: 600; }
.kinds label { display: flex; gap: 0.5rem; min-height: 2.75rem; cursor: pointer; }
.field { flex: 1 1 12rem; margin: 0.5rem 0; min-width: 0; }
.drop { padding: 1rem; border: 2px dashed var(--line); }
.drop.over { border-color: var(--accent); background: var(--panel); }
input, button { font: inherit; color: inherit; }
input:not([type="radio"]) { display: block; width: 100%; max-width: 26rem; padding: 0.4rem 0.6rem; }
input:not([type="radio"]), button { min-height: 2.75rem; }
input:not([type="radio"]) { border: 1px solid var(--soft); border-radius: 0; background: var(--page); }
input[type="radio"] { width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; }
input[aria-invalid="true"]:not([type="radio"]) { border: 2px solid var(--wrong); }
.hint { margin: 0.25rem 0 0; color: var(--soft); font-size: 0.875rem; }
p.wrong { margin: 0.25rem 0 0; color: var(--wrong); font-size: 0.875rem; }
p.wrong:empty, #warnings:empty { display: none; }
button { padding: 0.4rem 1.25rem; cursor: pointer; }
button { border: 1px solid var(--accent); background: var(--page); color: var(--accent); }
#start { background: var(--accent); color: var(--page); font-weight: 600; }
#start:disabled { opacity: 0.6; cursor: default; }
.problem { border-left-color: var(--wrong); }
progress { width: 100%; max-width: 26rem; }
iframe { display: block; width: 100%; margin: 1rem 0; }
#plot { height: 44rem; }
#report { height: 36rem; }
pre { padding: 0.75rem 1rem; background: var(--panel); overflow-x: auto; overflow-wrap: normal; }
`
