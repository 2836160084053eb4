const LIGHT =
  '--paper:#fff;--ink:#1c2127;--soft:#59626d;--line:#d8dde3;--tile:#f5f7f9;--fill:#0f766e;--mark:#b45309;--warn:#8a3f06;--warn-tile:#fff6e5'
const DARK =
  '--paper:#14181d;--ink:#e8ebee;--soft:#a3adb8;--line:#333b45;--tile:#1d232a;--fill:#2bb8a6;--mark:#f0a93b;--warn:#fbc66b;--warn-tile:#2f2614'

/** CSS for desktop screens, phones and A4 paper. */
export const STYLE = `
:root{color-scheme:light dark;${LIGHT}}
@media screen and (prefers-color-scheme:dark){:root{${DARK}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif;overflow-wrap:break-word}
main,.top,.foot{max-width:1080px;margin:0 auto;padding:0 24px}
.top{padding-top:28px}
h1{font-size:26px;line-height:1.2;margin:0 0 4px}
h2{font-size:23px;line-height:1.25;margin:0}
h3{font-size:15px;margin:0 0 6px}
.note code{font:11px/1.4 ui-monospace,"SF Mono",Menlo,Consolas,monospace;color:var(--soft);font-weight:400}
.when,.note,.foot{color:var(--soft)}
p{margin:0}
nav{margin-top:12px}
nav ul{display:flex;flex-wrap:wrap;gap:6px 18px;list-style:none;margin:0;padding:0}
a{color:var(--fill)}
.page{padding:26px 0 30px;border-top:1px solid var(--line);margin-top:22px}
.page>header{margin-bottom:14px}
.tiles{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:10px;margin:0 0 20px;padding:0}
.tile{background:var(--tile);border-inline-start:4px solid var(--line);border-radius:4px;padding:9px 12px 8px;display:flex;flex-direction:column}
.tile.look{border-color:var(--mark);background:var(--warn-tile)}
.tile dt{font-size:13px;color:var(--soft)}
.tile dd{margin:0}
.tile .value{font-size:25px;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums}
.tile.look .value{color:var(--warn)}
.tile.absent .value,.tile .value.long{font-size:16px;line-height:1.4;padding:4px 0}
.tile.absent .value{font-weight:400;color:var(--soft)}
.tile .sub{font-size:13px;color:var(--soft)}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 32px;align-items:start}
.block{margin:0 0 20px;min-width:0;break-inside:avoid}
table{border-collapse:collapse;width:100%;font-size:14px}
th,td{padding:4px 0;padding-inline-end:18px;text-align:start;vertical-align:baseline;border-bottom:1px solid var(--line)}
thead th{font-size:12px;font-weight:500;color:var(--soft);border-bottom-width:2px}
tbody th{font-weight:600}
th:last-child,td:last-child{padding-inline-end:0}
.number{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
thead .number{white-space:normal}
.own{white-space:nowrap;font-variant-numeric:tabular-nums}
th.text,td.text{overflow-wrap:anywhere;min-width:84px}
.chart{width:30%}
.pair th,.pair td{padding-inline-end:10px}
.pair th:last-child,.pair td:last-child{padding-inline-end:0}
td.warn,td .warn{color:var(--warn);font-weight:600}
td .soft{color:var(--soft)}
svg{display:block}
svg.bar{width:100%;min-width:70px;height:13px}
.columns{overflow:visible}
.columns text{font-size:11px;fill:var(--soft);text-anchor:middle;font-variant-numeric:tabular-nums}
.columns .count{fill:var(--ink)}
.columns line{stroke:var(--line)}
.fill{fill:var(--fill)}
.mark{fill:var(--mark)}
.key{font-size:12px;color:var(--soft);margin-top:6px}
.key svg{display:inline-block;width:10px;height:10px;margin-inline-end:5px}
.gone{display:none}
.lacks{margin:0;padding-inline-start:18px;font-size:14px}
.facts{display:flex;flex-wrap:wrap;gap:2px 22px;list-style:none;margin:5px 0 0;padding:0;font-size:14px}
.facts strong{font-weight:600}
.facts .warn{color:var(--warn);font-weight:600}
.note{font-size:13px;margin-top:5px}
.foot{padding-top:16px;padding-bottom:32px;font-size:13px;border-top:1px solid var(--line)}
@media screen and (max-width:900px){.tiles{grid-template-columns:repeat(4,minmax(0,1fr))}}
@media screen and (max-width:640px){
body{font-size:14px}
main,.top,.foot{padding-left:16px;padding-right:16px}
.pair{grid-template-columns:minmax(0,1fr)}
.tiles{grid-template-columns:repeat(2,minmax(0,1fr))}
.blocks,.blocks tbody,.blocks tr,.blocks tbody th,.blocks tbody td{display:block}
.blocks thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.blocks tr{padding:7px 0;border-bottom:1px solid var(--line)}
.blocks tbody th,.blocks tbody td{border:0;padding:1px 0}
.blocks .own{white-space:normal}
.blocks .text{min-width:0}
.blocks .chart{width:auto}
.blocks tbody td{display:flex;justify-content:space-between;gap:14px;text-align:end}
.blocks tbody td::before{content:attr(data-label);color:var(--soft);flex:none}
.blocks tbody td.chart{display:block}
.blocks tbody td.chart::before{content:none}
.blocks tbody td.blank{display:none}
.small .chart{width:24%}
.small th,.small td{padding-inline-end:8px}
.small th:last-child,.small td:last-child{padding-inline-end:0}
}
@page{size:A4;margin:11mm 13mm 13mm;@bottom-right{content:counter(page) " / " counter(pages);font:8pt system-ui,sans-serif;color:#59626d}}
@media print{
html{color-scheme:light}
body{font-size:9.5pt;line-height:1.35;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main,.top,.foot{max-width:none;padding:0}
nav{display:none}
a{color:inherit;text-decoration:none}
h1{font-size:11pt;margin:0}
h2{font-size:15pt}
h3{font-size:10pt;break-after:avoid}
.page{border:0;margin:0;padding:0;break-after:page}
.page:last-child{break-after:auto}
.top+main .page:first-child{padding-top:6px}
.page>header{margin-bottom:8px}
.tiles{grid-template-columns:repeat(7,minmax(0,1fr));gap:5px;margin-bottom:10px}
.tile{padding:4px 6px 3px;border-inline-start-width:3px}
.tile .value{font-size:14pt}
.tile.absent .value,.tile .value.long{font-size:9.5pt;line-height:1.3;padding:2px 0}
.tile .sub,.tile dt{font-size:7.8pt;line-height:1.25}
.note,.foot,.when{font-size:8.5pt}
.block{margin-bottom:10px}
h3{margin-bottom:2px}
table,.facts{font-size:8.5pt;line-height:1.3}
thead th{font-size:7.5pt}
th,td{padding-top:2px;padding-bottom:2px}
tr{break-inside:avoid}
.foot{padding:8px 0 0;break-before:avoid}
}
`
