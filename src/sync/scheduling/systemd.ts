import { requireLines, type Scheduled } from './schedule.ts'

/** A run that finds the copy held has nothing to do, and one that systemd stops has lost nothing. */
const NO_FAILURE = '12 130'

/** The unit that runs once. Fails: as {@link requireLines}. Source: systemd.service(5), systemd.exec(5). */
export function serviceUnit(scheduled: Scheduled): string {
  requireLines(scheduled)
  const { description, words, environment, secretsFile, user } = scheduled
  return [
    '[Unit]',
    `Description=${description.replaceAll('%', '%%')}`,
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=oneshot',
    `User=${user}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    ...(secretsFile === null ? [] : [`EnvironmentFile=${secretsFile.replaceAll('%', '%%')}`]),
    `ExecStart=${words.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}`,
    '# 12: another run holds the copy. 130: systemd stopped it. Nothing is lost in either.',
    `SuccessExitStatus=${NO_FAILURE}`,
    '',
  ].join('\n')
}

/** The unit that starts it again and again. Fails: as {@link requireLines}. Source: systemd.timer(5). */
export function timerUnit(scheduled: Scheduled): string {
  requireLines(scheduled)
  const { description, everyMs } = scheduled
  const seconds = Math.round(everyMs / 1000)
  return [
    '[Unit]',
    `Description=${description.replaceAll('%', '%%')}, again and again`,
    '',
    '[Timer]',
    'OnActiveSec=10s',
    `OnUnitInactiveSec=${seconds}s`,
    '# Many hosts that start together must not all ask together.',
    `RandomizedDelaySec=${Math.floor(seconds / 10)}s`,
    'AccuracySec=1s',
    '',
    '[Install]',
    'WantedBy=timers.target',
    '',
  ].join('\n')
}

/** A word as systemd splits and expands its lines. */
function quoted(word: string): string {
  const text = word.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
