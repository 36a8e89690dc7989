"""The style sheet of a difference's page.

Two columns on a screen of 40 rem and on paper. On a narrower one old stands above new, and
unchanged lines stand once. Unseen words before and behind each mark are read out.
"""

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --text: #1c1e21; --page: #fff; --line: #c9ced6; --quiet: #5c636e;
  --head: #f3f4f6; --new: #edf8ef; --new-word: #b7e5bf; --gone: #fdf1f1; --gone-word: #f8cbcb }
@media screen and (prefers-color-scheme: dark) { :root { --text: #e4e6ea; --page: #16181c;
  --line: #40454e; --quiet: #a3aab4; --head: #21252b; --new: #142519; --new-word: #22552d;
  --gone: #2b1819; --gone-word: #6d2b2f } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--page); color: var(--text);
  font: 1rem/1.65 system-ui, sans-serif; word-break: keep-all; overflow-wrap: anywhere }
header { margin-bottom: 1.5rem } header p { margin: .2rem 0 }
h1 { font-size: 1.35rem; line-height: 1.35; margin: 0 0 .4rem }
h2 { font-size: 1.05rem; margin: 0 0 .4rem }
article { margin: 0 0 2rem } .under { margin: 0 0 .1rem }
.quiet, .none, .left-out { color: var(--quiet); font-size: .9rem }
nav { margin-top: .8rem } nav a { color: inherit; display: inline-block; margin-right: .4rem;
  padding: .2rem .3rem }
.pair { width: 100%; border-collapse: collapse; table-layout: fixed }
.pair > thead th { background: var(--head); font-size: .9rem; text-align: left }
.pair > thead th, .pair > tbody > tr > td { border: 1px solid var(--line); padding: .35rem .6rem;
  vertical-align: top }
.left-out { text-align: center }
td p { margin: 0 0 .2rem }
.change > .was, .gone > .was { background: var(--gone) }
.change > .now, .come > .now { background: var(--new) }
ins { background: var(--new-word); text-decoration: underline; text-underline-offset: .2em }
del { background: var(--gone-word); text-decoration: line-through }
.cells { width: 100%; border-collapse: collapse; table-layout: fixed; margin: .2rem 0 }
.cells td { border: 1px solid var(--line); padding: .15rem .3rem; vertical-align: top }
.wide { overflow-x: auto } .wide > .cells { min-width: 36rem }
del::before, del::after, ins::before, ins::after { position: absolute; width: 1px;
  height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
del::before { content: " [삭제 시작] " } del::after { content: " [삭제 끝] " }
ins::before { content: " [추가 시작] " } ins::after { content: " [추가 끝] " }
@media screen and (max-width: 40rem) {
  .pair, .pair > tbody, .pair > tbody > tr, .pair > tbody > tr > td { display: block }
  .pair > thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%) }
  .pair > tbody > tr { border: 1px solid var(--line); border-bottom: 0 }
  .pair > tbody > tr:last-child { border-bottom: 1px solid var(--line) }
  .pair > tbody > tr > td { border: 0 } .pair > tbody > .same > .was,
  .pair > tbody > .come > .was, .pair > tbody > .gone > .now { display: none }
  .change > td::before, .gone > .was::before, .come > .now::before { display: block;
    color: var(--quiet); font-size: .8rem; font-weight: 600 }
  .change > .was::before, .gone > .was::before { content: "구" }
  .change > .now::before, .come > .now::before { content: "신" }
}
@media print { body { max-width: none; padding: 0; font-size: 10pt } nav { display: none }
  tr, h2 { break-inside: avoid } h2, .under { break-after: avoid }
  * { print-color-adjust: exact } .wide { overflow: visible } .wide > .cells { min-width: 0 } }
""".strip()
