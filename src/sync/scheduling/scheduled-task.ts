import { usageFailure } from '../../base/failure/failure.ts'
import { refuseControlCharacters, type Scheduled } from './units.ts'

export interface TaskParts extends Omit<Scheduled, 'secretsFile' | 'user'> {
  /** The task name. It consists of ASCII letters, digits and single hyphens. */
  readonly name: string
  /** The Windows account that runs the task, such as `TILL\anna`, or `null` for the account that installs it. */
  readonly user: string | null
  /**
   * The environment variable that contains the API key, or `null` if none is needed. It must be set for the account
   * that runs the task.
   */
  readonly keyVariable: string | null
  /** When the first interval starts. */
  readonly startMs: number
}

/** A task for the Windows Task Scheduler. */
export interface Task {
  readonly name: string
  /** The XML definition. It is pure ASCII without an encoding declaration, so a shell can re-encode it. */
  readonly text: string
  /** The command that installs the task. */
  readonly install: string
}

const LONGEST_COMMAND = 260

/**
 * Returns a task that runs a command at an interval. Throws USAGE if a value contains a control character, or if Task
 * Scheduler would change the program path. Source: "Task Scheduler Schema" and "Task Actions" in Microsoft's
 * documentation.
 */
export function taskOf(parts: TaskParts): Task {
  const { name, description, words, environment, user, everyMs, startMs } = parts
  refuseControlCharacters(environment, [...words, description, ...(user === null ? [] : [user])])
  const { command, args } = actionOf(words, Object.entries(environment))
  const install = `schtasks /create /tn ${name} /xml ${name}.xml`
  const text = `<?xml version="1.0"?>
${instructions(parts, install)}
<Task version="1.3" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${xmlText(description)}</Description>
  </RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <StartBoundary>${new Date(startMs).toISOString().slice(0, 19)}Z</StartBoundary>
      <Repetition>
        <Interval>${isoDuration(everyMs)}</Interval>
      </Repetition>
      <RandomDelay>${isoDuration(everyMs / 10)}</RandomDelay>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">${user === null ? '' : `\n      <UserId>${xmlText(user)}</UserId>`}
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <StartWhenAvailable>true</StartWhenAvailable>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <!-- Ends a run that hangs. No data is lost: the next run continues where it stopped. -->
    <ExecutionTimeLimit>P1D</ExecutionTimeLimit>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(command)}</Command>
      <Arguments>${xmlText(args)}</Arguments>
    </Exec>
  </Actions>
</Task>
`
  return { name, text, install }
}

/** Returns a comment that says how to install the task. */
function instructions({ name, keyVariable }: TaskParts, install: string): string {
  const key =
    keyVariable === null
      ? ''
      : `
  The profile reads its key from ${keyVariable}: add it to the environment variables of the account that runs the task.
`
  return `<!--
  Save this file as ${name}.xml, and install the task:

    ${install}
${key}
  The task runs while you are logged on, and each run briefly opens a console window. To run it without a window, even
  while you are logged off, install it in a PowerShell window that runs as administrator instead:

    Register-ScheduledTask -TaskName ${name} -Xml ((Get-Content ${name}.xml -Raw) -replace '>InteractiveToken<', '>S4U<')
-->`
}

/**
 * Returns the task's program and arguments. A task cannot set environment variables, so if any are given, cmd.exe sets
 * them and runs the program.
 */
function actionOf(words: readonly string[], environment: readonly (readonly [name: string, value: string])[]) {
  const [program = '', ...rest] = words
  // Both Task Scheduler and cmd.exe replace %NAME% in the path, and neither supports escaping it there.
  if (/%.+%|"/.test(program) || program.length > LONGEST_COMMAND)
    throw usageFailure(
      [
        `Task Scheduler cannot start ${JSON.stringify(program)}: the path contains percent signs or a quote, or is too long`,
      ],
      'move the program to a path of at most 260 characters, without percent signs or quotes',
    )
  const args = rest.map(programArgument).join(' ')
  if (environment.length === 0) return { command: program, args }
  const sets = environment.map(([name, value]) => `set ${name}=${shellText(value)}&& `).join('')
  return {
    command: '%SystemRoot%\\System32\\cmd.exe',
    args: `/d /v:off /s /c "${sets}"${program}" ${shellText(args)}"`,
  }
}

/**
 * Quotes an argument so that a Windows program receives it unchanged (`CommandLineToArgvW`). Task Scheduler replaces
 * `%NAME%` and `$(Arg0)` in arguments, so each `%` and `$` is written between quoted parts.
 */
function programArgument(word: string): string {
  if (/^[\w\\:./=@+,-]+$/.test(word)) return word
  if (word === '') return '""'
  return word.replace(
    /[^%$]+/g,
    (part) => `"${part.replace(/(\\*)("|$)/g, (_, slashes, quote) => slashes + slashes + (quote && '\\"'))}"`,
  )
}

/**
 * Escapes text for cmd.exe, outside of quotes. The character after a `%` is escaped too: `%^NAME:a=b%` is not a
 * variable, unlike `%NAME:a=b^%`. This also prevents Task Scheduler from replacing variables.
 */
function shellText(text: string): string {
  return text.replace(/(?<=%).|[&|<>()^"%!]/gu, '^$&')
}

/** Returns an XML Schema duration, such as `PT5M`. Rounds down to whole seconds. */
function isoDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts = [
    [Math.floor(seconds / 86_400), 'D'],
    [Math.floor(seconds / 3600) % 24, 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const
  const [days = '', ...times] = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`))
  const time = times.join('')
  return `P${days}${time === '' ? '' : `T${time}`}`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text for XML and writes it in ASCII. */
function xmlText(text: string): string {
  return text.replace(
    /[&<>]|[^\u0020-\u007e]/gu,
    (character) => ENTITIES[character] ?? `&#${character.codePointAt(0)};`,
  )
}
