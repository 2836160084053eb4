import type { CardView } from '../../terminal/render/view.ts'
import { listOf } from '../shared/views/list.ts'

/** The script of a shell: `{shell, script}`. */
export const completionScriptList = listOf('script', 'scripts', 'No script.', {
  columns: [
    { path: 'shell', header: 'SHELL', rank: 1 },
    { path: 'script', header: 'SCRIPT', flex: 24, rank: 2 },
  ],
})

/** What was put in place, or taken away: `{shell, file, changedFile, startupFile, changedStartup, lines}`. */
export const completionDoneList = listOf('file', 'files', 'Nothing.', {
  columns: [
    { path: 'shell', header: 'SHELL', rank: 1 },
    { path: 'file', header: 'FILE', flex: 24, rank: 2 },
    { path: 'startupFile', header: 'STARTUP FILE', flex: 16, rank: 3, optional: true },
  ],
  csvPaths: ['shell', 'file', 'changedFile', 'startupFile', 'changedStartup', 'lines'],
})

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
