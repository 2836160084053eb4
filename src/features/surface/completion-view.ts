import type { CardView } from '../../terminal/render/view.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'

export const completionScriptList = listOf('script', 'scripts', 'No script.', {
  columns: [
    { path: 'shell', header: 'SHELL', rank: 1 },
    { path: 'script', header: 'SCRIPT', flex: 24, rank: 2 },
  ],
})

export const completionDoneList = listOf('file', 'files', 'No files.', {
  columns: [
    { path: 'shell', header: 'SHELL', rank: 1 },
    { path: 'file', header: 'FILE', flex: 24, rank: 2 },
    { path: 'startupFile', header: 'STARTUP FILE', flex: 16, rank: 3, optional: true },
  ],
  csvPaths: ['shell', 'file', 'changedFile', 'startupFile', 'changedStartup', 'lines'],
})

export const completionCard: CardView = {
  title: () => ['Completion'],
  sections: onlyFields([
    { label: 'Shell', paths: ['shell'] },
    { label: 'Script', paths: ['script'] },
    { label: 'File', paths: ['file', 'changedFile'] },
    { label: 'Startup file', paths: ['startupFile', 'changedStartup', 'lines'] },
  ]),
}
