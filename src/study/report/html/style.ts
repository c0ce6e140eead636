/** The look of the report: one sheet for light and dark, screen and paper. Nothing is fetched. */
export const STYLE = `
:root{color-scheme:light dark;
--paper:#fdfdfc;--panel:#f6f6f3;--ink:#1d2025;--soft:#5c6370;--line:#e2e2dc;--strong:#c9c9c1;--accent:#146c74;--tint:#e6f1f0;
--pass:#2a7f86;--f2p:#c4412f;--p2p:#d9951f;--both:#7a1f3d;--idle:#8a8f99;--track:#ecece7;
--c0:#1f6f76;--c1:#a85b12;--c2:#4b7f6f;--c3:#74203a;--c4:#b83a28;--c5:#a8604c}
@media (prefers-color-scheme:dark){:root{
--paper:#15171b;--panel:#1c1f25;--ink:#e7e8ea;--soft:#a2a9b5;--line:#2d323a;--strong:#474e59;--accent:#6cc5c9;--tint:#1d3236;
--pass:#4fb0b3;--f2p:#ef7361;--p2p:#e9b44c;--both:#e0709b;--idle:#7d8592;--track:#282c34;
--c0:#4fb0b3;--c1:#e59a55;--c2:#9bd0bd;--c3:#d0728f;--c4:#ef7361;--c5:#f2b0a3}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
main,header.top,footer{max-width:1320px;margin:0 auto;padding:0 32px}
header.top{padding-top:44px}
.eyebrow{margin:0;color:var(--accent);font-size:12px;font-weight:650;letter-spacing:.09em;text-transform:uppercase}
h1{margin:6px 0 8px;font-size:32px;line-height:1.2;font-weight:680;letter-spacing:-.015em;overflow-wrap:anywhere}
h2{margin:0 0 4px;font-size:21px;line-height:1.3;font-weight:660;letter-spacing:-.01em}
h2.alone{font-size:16px;font-weight:600;letter-spacing:0}
h3{margin:0 0 2px;font-size:15.5px;font-weight:650}
p{margin:0 0 10px}
.lead{color:var(--soft);font-size:16.5px;max-width:76ch;overflow-wrap:anywhere}
.hint{color:var(--soft);font-size:13.5px;max-width:92ch}
section{margin:44px 0 0}
section.condition{margin-top:28px}
section.condition+section.condition{border-top:2px solid var(--strong);padding-top:36px;margin-top:64px}
nav.conditions{margin-top:16px}
nav.conditions ul{display:flex;flex-wrap:wrap;gap:8px;margin:0;padding:0;list-style:none}
nav.conditions a{display:block;padding:5px 12px;border:1px solid var(--line);border-radius:999px;color:var(--ink);text-decoration:none;font-size:13.5px}
nav.conditions a:hover{border-color:var(--accent)}
a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.notice{margin:18px 0 0;padding:10px 14px;border-left:3px solid var(--p2p);background:var(--panel);font-size:14px;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:minmax(340px,1.7fr) repeat(3,minmax(170px,1fr));gap:14px;margin:24px 0 0}
.fact{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:15px 18px 13px;min-width:0}
.fact dt{color:var(--soft);font-size:12.5px;font-weight:600}
.fact dd+dd{margin-top:0}
.fact dd{margin:3px 0 0;font-size:25px;line-height:1.25;font-weight:660;letter-spacing:-.01em;overflow-wrap:anywhere}
.fact dd small{display:block;margin-top:4px;color:var(--soft);font-size:13px;font-weight:400;letter-spacing:0;line-height:1.45}
.fact .fall{display:flex;align-items:baseline;gap:12px;flex-wrap:wrap}
.fact .fall i{font-style:normal;color:var(--soft);font-weight:400}
.fact .fall b{font-size:34px;font-weight:690}
.fact svg{display:block;width:100%;margin-top:8px}
.scroll{overflow-x:auto;margin-top:14px;border:1px solid var(--line);border-radius:10px}
table{border-collapse:separate;border-spacing:0;width:100%;font-size:14px}
caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
th,td{padding:9px 14px;text-align:right;vertical-align:top;border-bottom:1px solid var(--line);white-space:nowrap}
tbody tr:last-child>*{border-bottom:0}
thead th{position:sticky;top:0;z-index:2;background:var(--panel);color:var(--soft);font-size:12.5px;font-weight:620;vertical-align:bottom}
th[scope=row],thead th:first-child{text-align:left}
th[scope=row]{font-weight:600;min-width:120px;max-width:270px;white-space:normal;overflow-wrap:anywhere}
th[scope=row] small{display:block;color:var(--soft);font-weight:400;font-size:12px}
thead th abbr{text-decoration:none;color:var(--ink);font-size:13.5px}
thead th small{display:block;font-weight:400}
tr.pooled>*{background:var(--panel);border-top:1px solid var(--strong)}
td.best{background:var(--tint)}
td.best b{font-weight:720;color:var(--accent)}
td b{font-weight:500;font-size:16px}
tr.pooled td b{font-weight:620}
td small{display:block;color:var(--soft);font-size:12px;line-height:1.45}
td small i{font-style:normal;margin-left:5px;padding-left:6px;border-left:1px solid var(--strong)}
td svg.whisker{display:block;width:112px;height:9px;margin:3px 0 2px auto}
sup{font-size:.72em;line-height:0;color:var(--soft);font-weight:500}
.legend{display:flex;flex-wrap:wrap;gap:7px 20px;margin:12px 0 0;padding:0;list-style:none;color:var(--soft);font-size:13px}
.legend li{display:flex;align-items:center;gap:7px}
.legend svg{flex:none}
table.grid{width:auto;min-width:100%}
table.grid th,table.grid td{padding:4px 8px;border-bottom-color:var(--line);vertical-align:middle;text-align:left}
table.grid thead th{max-width:150px;white-space:normal;overflow-wrap:anywhere;font-size:12.5px;color:var(--ink);padding-top:8px;padding-bottom:8px}
table.grid tbody th[scope=row]{position:sticky;left:0;z-index:1;background:var(--paper);font-size:13px;font-weight:500;white-space:nowrap;max-width:205px;overflow:hidden;text-overflow:ellipsis}
table.grid th[scope=row] small{display:inline;margin-left:4px}
table.grid thead th:first-child{left:0;z-index:3;color:var(--soft)}
table.grid tbody th.group{position:static;background:var(--panel);color:var(--soft);font-size:12.5px;font-weight:600;padding:5px 12px}
table.grid td svg{display:block}
table.grid td svg+svg{margin-top:3px}
.gridbox{max-height:1080px;overflow:auto}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,540px),1fr));gap:20px;margin-top:16px}
figure{margin:0;padding:18px 20px 14px;border:1px solid var(--line);border-radius:10px;min-width:0}
figure svg{display:block;width:100%;height:auto;margin-top:10px;overflow:visible}
figcaption p{margin:0;color:var(--soft);font-size:13.5px}
table.words th,table.words td{text-align:left}
details+.hint{margin-top:14px}
table.plain,table.bars{margin-top:8px;font-size:13.5px}
table.plain th,table.plain td{padding:5px 8px}table.plain thead th{background:none;position:static}
table.bars th,table.bars td{padding:3px 8px 3px 0;border:0}table.bars th[scope=row]{font-weight:500;width:1%;white-space:nowrap}table.bars td:last-child{width:1%;padding-left:10px}table.bars svg{width:100%;height:12px;margin:4px 0 0}
details{margin-top:10px;font-size:13.5px}
summary{cursor:pointer;color:var(--accent);width:max-content;max-width:100%}
details .scroll{margin-top:8px}
details table{font-size:13px}
details th,details td{padding:6px 10px}
details td b{font-size:13.5px}
dl.words{display:grid;grid-template-columns:max-content 1fr;gap:3px 16px;margin:10px 0 0}
dl.words dt{font-weight:620}
dl.words dd{margin:0;color:var(--soft)}
ul.validity{margin:12px 0 0;padding-left:20px;max-width:96ch}
ul.validity li{margin:0 0 7px;overflow-wrap:anywhere}
footer{margin-top:56px;padding-top:16px;padding-bottom:40px;color:var(--soft);font-size:13px}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
svg .t-soft{fill:var(--soft)}svg .t-small{font-size:11px}svg .t-bold{font-weight:650}svg .t-halo{paint-order:stroke;stroke:var(--paper);stroke-width:3.5px;stroke-linejoin:round}svg .t-in{fill:var(--paper);font-size:11px;font-weight:600}
.axis{stroke:var(--line);stroke-width:1}.axis-strong{stroke:var(--strong);stroke-width:1}
.track{fill:var(--track)}.bar{fill:var(--accent)}.reach{stroke:var(--accent);stroke-width:2;opacity:.45}
.dot{fill:var(--accent)}.ring{fill:var(--paper);stroke:var(--accent);stroke-width:2}
.dot-bad{fill:var(--f2p)}.ring-bad{fill:var(--paper);stroke:var(--f2p);stroke-width:2}.reach-bad{stroke:var(--f2p);stroke-width:2;opacity:.4}
.link{stroke:var(--strong);stroke-width:3}
.curve{fill:none;stroke:var(--accent);stroke-width:2.5}.curve-few{fill:none;stroke:var(--accent);stroke-width:1.6;stroke-dasharray:3 4}.cap{stroke:var(--ink);stroke-width:1.4;opacity:.75}.curve-thin{fill:none;stroke:var(--idle);stroke-width:1.1;opacity:.55}.band{fill:var(--accent);opacity:.14}
.c0{fill:var(--c0)}.c1{fill:var(--c1)}.c2{fill:var(--c2)}.c3{fill:var(--c3)}.c4{fill:var(--c4)}.c5{fill:var(--c5)}
.g-pass{fill:var(--pass)}.g-f2p{fill:var(--f2p)}.g-p2p{fill:var(--p2p)}.g-both{fill:var(--both)}
.g-cut{fill:none;stroke:var(--idle);stroke-width:1.4;stroke-dasharray:2.2 1.8}.g-none{fill:var(--strong)}.g-unknown{fill:var(--track);stroke:var(--strong)}
.g-sign{fill:none;stroke:var(--paper);stroke-width:1.8;stroke-linecap:round}.g-mark{fill:var(--ink);stroke:var(--paper);stroke-width:1}.g-early{fill:var(--paper)}
@media (max-width:980px){.facts{grid-template-columns:1fr 1fr}.fact:first-child{grid-column:1/-1}main,header.top,footer{padding-left:18px;padding-right:18px}}
@media (max-width:520px){.facts{grid-template-columns:1fr}.figures{grid-template-columns:1fr}}
@media print{body{font-size:11px}.scroll,.gridbox{overflow:visible;max-height:none}thead th{position:static}section,figure{break-inside:avoid-page}}
`;
