import { listOf } from '../shared/views/list.ts'

export const commandList = listOf('command', 'commands', 'No commands.', {
  columns: [
    { path: 'topic', header: 'TOPIC', rank: 4 },
    { path: 'id', header: 'COMMAND', rank: 1 },
    { path: 'summary', header: 'SUMMARY', flex: 30, rank: 3 },
    { path: 'writes', header: 'WRITES', rank: 2 },
  ],
  csvPaths: ['topic', 'id', 'summary', 'writes', 'exitCodes', 'output'],
})
