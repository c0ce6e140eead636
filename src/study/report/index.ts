/** Findings as text for people: terminal, Markdown, CSV, LaTeX and one self-contained HTML file. */
export { renderHtml } from './html/render-html.js';
export { renderCsv, renderGridCsv } from './render-csv.js';
export { renderLatex } from './render-latex.js';
export { renderMarkdown } from './render-markdown.js';
export { renderTerminalTable } from './render-terminal-table.js';
