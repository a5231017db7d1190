/** The style sheet of the reference page: light or dark as the reader's system says, one column on narrow screens. */

export const STYLE = `
:root { --bg: #fff; --side: #f6f7f9; --text: #1c2430; --soft: #5b6675; --line: #e2e6eb; --code: #f1f3f6; --link: #0b5cad;
  --get: #0b6e99; --post: #1a7f4b; --patch: #996300; --delete: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #12161c; --side: #181d25; --text: #e4e9f0; --soft: #9aa6b5; --line: #2a323d; --code: #1f2630; --link: #7ab7f5;
    --get: #5cc3ee; --post: #5fd09a; --patch: #e6b450; --delete: #ff8a80; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); background: var(--bg); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
code { background: var(--code); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1.1rem; overflow-x: auto; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--bg); padding: .5rem; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; background: var(--side); border-right: 1px solid var(--line);
  padding: 1.25rem 1rem 3rem; font-size: .875rem; line-height: 1.35; }
nav .brand { margin: 0 0 1rem; padding: 0 .5rem; font-size: 1.15rem; font-weight: 700; }
nav .brand a { color: inherit; }
nav .brand small { color: var(--soft); font-weight: 400; }
nav h2 { margin: 1.25rem 0 .3rem; padding: 0 .5rem; font-size: .72rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .28rem .5rem; border-radius: 6px; color: inherit; }
nav li a:hover { background: var(--line); text-decoration: none; }
nav .method { flex: 0 0 3.1rem; }
main { width: 100%; max-width: 62rem; padding: 2.5rem 3rem 6rem; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; letter-spacing: -.015em; }
main h2 { margin: 3rem 0 .5rem; font-size: 1.5rem; letter-spacing: -.01em; }
.group > h2 { border-top: 1px solid var(--line); padding-top: 2rem; }
h3 { margin: 0 0 .4rem; font-size: 1.15rem; }
h4 { margin: 1.4rem 0 .5rem; font-size: .78rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); }
.lead { font-size: 1.15rem; color: var(--soft); margin: .5rem 0; }
article { border: 1px solid var(--line); border-radius: 10px; padding: 1.3rem 1.5rem; margin: 1.25rem 0; }
article:target { border-color: var(--link); }
.anchor { color: var(--soft); font-weight: 400; opacity: 0; }
h3:hover .anchor, .anchor:focus { opacity: 1; }
.address { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; margin: .2rem 0 .6rem; }
.address code { font-size: .92rem; }
.method { font: 700 .68rem/1.5 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: .02em; }
.address .method { border: 1px solid currentColor; border-radius: 5px; padding: .1rem .45rem; font-size: .75rem; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.public { font-size: .75rem; color: var(--soft); border: 1px solid var(--line); border-radius: 99px; padding: 0 .6rem; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.45; }
th { text-align: left; font-weight: 600; font-size: .8rem; color: var(--soft); }
th, td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
td:first-child { width: 33%; }
td.type { width: 23%; color: var(--soft); }
p.type { margin: .25rem 0; color: var(--soft); }
.optional { font-size: .75rem; color: var(--soft); }
small { color: var(--soft); }
.values { display: flex; flex-wrap: wrap; gap: .3rem; padding-top: .25rem; }
summary { cursor: pointer; padding: .25rem 0; }
.answer { margin: .35rem 0; font-size: .93rem; }
.answer > p { margin: .25rem 0; }
.status { display: inline-block; min-width: 2.6rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.s2 { color: var(--post); } .s4 { color: var(--patch); } .s5 { color: var(--delete); }
@media (max-width: 56rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1.1rem 4rem; }
  article { padding: 1rem; }
}
@media print { nav { display: none; } body { display: block; } article { break-inside: avoid; } }
`;
