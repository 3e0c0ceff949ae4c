// Reads the processes of this machine from /proc (Linux).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Environment variable with the id of the run, which the processes of the run inherit. */
export const RUN = 'TODOKE_RUN'

export interface Process {
  readonly pid: number
  /** Ticks from the start of the machine to its own: a later process with the same number has another value. */
  readonly started: string
  readonly parent: number
  /** The first process of a session of a terminal, such as a person's shell. */
  readonly leadsTerminal: boolean
  /** The run that its environment names. */
  readonly run: string | undefined
  /** Whether npm started it. */
  readonly ofNpm: boolean
  readonly folder: string
  readonly command: string
}

type Stat = Pick<Process, 'pid' | 'started' | 'parent' | 'leadsTerminal'>

/**
 * Parses /proc/<pid>/stat. Its second field is the name of the program, which may have spaces and brackets.
 * @returns undefined for a process that has ended, whose parent has not read its result yet
 */
export function parseStat(text: string): Stat | undefined {
  const pid = Number.parseInt(text, 10)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent = '', , session = '', terminal = ''] = fields
  if (state === 'Z' || state === 'X') return undefined
  const leadsTerminal = Number(session) === pid && terminal !== '0'
  return { pid, started: fields[19] ?? '', parent: Number(parent), leadsTerminal }
}

/** @param text NAME=value entries, with a zero byte after each */
export function valueOf(text: string, name: string): string | undefined {
  const entry = text.split('\0').find((it) => it.startsWith(`${name}=`))
  return entry?.slice(name.length + 1)
}

/** @returns an empty text for a process of another user, or one that has ended */
function readOr(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Reads one process. @returns undefined when it has ended */
export function readProcess(pid: number): Process | undefined {
  const entry = `/proc/${pid}`
  const stat = parseStat(readOr(() => readFileSync(`${entry}/stat`, 'utf8')))
  if (!stat || Number.isNaN(stat.pid)) return undefined
  const environment = readOr(() => readFileSync(`${entry}/environ`, 'utf8'))
  return {
    ...stat,
    run: valueOf(environment, RUN),
    ofNpm: valueOf(environment, 'npm_lifecycle_event') !== undefined,
    folder: readOr(() => readlinkSync(`${entry}/cwd`)),
    command: readOr(() => readFileSync(`${entry}/cmdline`, 'utf8')),
  }
}

export function readProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((it) => /^\d+$/.test(it))
    .flatMap((it) => readProcess(Number(it)) ?? [])
}
