import type { CardView, ListView } from '../../terminal/render/view.ts'

/** The script of a shell: `{shell, script}`. */
export const completionScriptList: ListView = {
  columns: [
    { path: 'shell', header: 'SHELL', rank: 1 },
    { path: 'script', header: 'SCRIPT', flex: 24, rank: 2 },
  ],
  csvPaths: ['shell', 'script'],
  empty: 'No script.',
  one: 'script',
  many: 'scripts',
}

/** What was put in place, or taken away: `{shell, file, changedFile, startupFile, changedStartup, lines}`. */
export const completionDoneList: ListView = {
  columns: [
    { path: 'shell', header: 'SHELL', rank: 1 },
    { path: 'file', header: 'FILE', flex: 24, rank: 2 },
    { path: 'startupFile', header: 'STARTUP FILE', flex: 16, rank: 3, optional: true },
  ],
  csvPaths: ['shell', 'file', 'changedFile', 'startupFile', 'changedStartup', 'lines'],
  empty: 'Nothing.',
  one: 'file',
  many: 'files',
}

/** Either, as a card. */
export const completionCard: CardView = {
  title: () => ['Completion'],
  sections: [
    {
      heading: null,
      fields: [
        { label: 'Shell', paths: ['shell'] },
        { label: 'Script', paths: ['script'] },
        { label: 'File', paths: ['file', 'changedFile'] },
        { label: 'Startup file', paths: ['startupFile', 'changedStartup', 'lines'] },
      ],
    },
  ],
}
