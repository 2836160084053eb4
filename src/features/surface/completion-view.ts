import type { CardView, ListView } from '../../terminal/render/view.ts'
import { listOf } from '../shared/views/paths.ts'

/** The script of a shell: `{shell, script}`. */
export const completionScriptList = listOf({ one: 'script', many: 'scripts', empty: 'No script.' }, [
  { path: 'shell', header: 'SHELL', rank: 1 },
  { path: 'script', header: 'SCRIPT', flex: 24, rank: 2 },
])

/** What was put in place, or taken away: `{shell, file, changedFile, startupFile, changedStartup, lines}`. */
export const completionDoneList: ListView = {
  ...listOf({ one: 'file', many: 'files', empty: 'Nothing.' }, [
    { path: 'shell', header: 'SHELL', rank: 1 },
    { path: 'file', header: 'FILE', flex: 24, rank: 2 },
    { path: 'startupFile', header: 'STARTUP FILE', flex: 16, rank: 3, optional: true },
  ]),
  csvPaths: ['shell', 'file', 'changedFile', 'startupFile', 'changedStartup', 'lines'],
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
