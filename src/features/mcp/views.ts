import type { CardView } from '../../terminal/render/view.ts'
import { listOf } from '../shared/views/list.ts'
import { textAt } from '../shared/views/wording.ts'

export const setupCard: CardView = {
  title: (setup) => [{ text: textAt(setup, 'client'), tone: 'strong' }],
  sections: [
    {
      heading: 'Configuration',
      fields: [
        { label: 'File', paths: ['file'] },
        { label: 'Command', paths: ['command'] },
        { label: 'Arguments', paths: ['args'] },
        { label: 'Add with', paths: ['add'] },
      ],
    },
  ],
}

export const setupList = listOf('configuration', 'configurations', 'No configurations.', {
  columns: [
    { path: 'client', header: 'CLIENT', rank: 1 },
    { path: 'file', header: 'FILE', rank: 2, flex: 20 },
    { path: 'command', header: 'COMMAND', rank: 3, flex: 20 },
  ],
  csvPaths: ['client', 'file', 'command', 'args', 'config', 'add'],
})
