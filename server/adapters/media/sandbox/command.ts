// The command that starts a media process: in bubblewrap where possible, with kernel limits.
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { coversOf, isInside, packageFolders, realOf, withRealPaths } from './visible.ts'

export type MediaSandbox = 'bubblewrap' | 'none'

export interface MediaCommand {
  readonly sandbox: MediaSandbox
  /** The folder whose `in` is read and whose `out` is written. */
  readonly job: string
  /** PATH of the process. */
  readonly path: string
  /** Memory of one process without ffmpeg, bytes. */
  readonly memory: number
  /** CPU time of one process, seconds. */
  readonly cpu: number
  /** Folders that stay invisible, also inside a visible one. */
  readonly hidden: readonly string[]
}

/** The path of the job's folder inside the sandbox. */
const CONFINED_JOB = '/job'
/** Memory of one ffmpeg, KiB; the media process itself has less. */
export const MAX_MEMORY = 4 * 1024 * 1024
/** Largest file a media process may write, in blocks of 512 bytes: 4 GiB. */
const MAX_FILE = 8 * 1024 * 1024
/** Processes and threads of one sandbox. */
const MAX_PROCESSES = 512
/** MiB of JavaScript objects. */
const HEAP = 512

const project = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '')
const program = fileURLToPath(new URL('../child.ts', import.meta.url))
const ofProject = ['node_modules', 'server/adapters', 'contract', 'package.json'].map((it) =>
  path.join(project, it),
)
const ofSystem = ['/bin', '/sbin', '/lib', '/lib64', '/nix/store', '/etc/ld.so.cache', '/etc/alternatives']
const ofFonts = ['/etc/fonts', '/var/cache/fontconfig']

/** Options: no network, no other processes, ended with this process, without capabilities. */
const base = [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--proc',
  '/proc',
  '--dev',
  '/dev',
]

/** The path of the job's folder as the process sees it. */
export const jobOf = ({ sandbox, job }: Pick<MediaCommand, 'sandbox' | 'job'>): string =>
  sandbox === 'bubblewrap' ? CONFINED_JOB : job

/** Program and arguments of a media process. */
export function commandOf(it: MediaCommand): { readonly file: string; readonly args: readonly string[] } {
  const memory = Math.min(Math.ceil(it.memory / 1024), MAX_MEMORY)
  // Errors are ignored, since not every shell has all of them.
  const limits = [
    'ulimit -c 0',
    `ulimit -t ${it.cpu}`,
    `ulimit -f ${MAX_FILE}`,
    `ulimit -d ${MAX_MEMORY}`,
    `ulimit -S -d ${memory}`,
    // Only inside a sandbox: outside, the kernel counts all processes of the user.
    ...(it.sandbox === 'bubblewrap' ? [`{ ulimit -u ${MAX_PROCESSES} || ulimit -p ${MAX_PROCESSES}; }`] : []),
  ]
  const script = `{ ${limits.join('; ')}; } 2>/dev/null; exec "$@"`
  const node = [realOf(process.execPath), `--max-old-space-size=${HEAP}`, program]
  const inner = ['-c', script, 'media', ...node]
  return it.sandbox === 'none'
    ? { file: '/bin/sh', args: inner }
    : { file: bubblewrap(), args: [...confinement(it), '--', '/bin/sh', ...inner] }
}

/** Path of bubblewrap on the server's own PATH, since the process's PATH may have no programs. */
function bubblewrap(): string {
  return path.join(folderOf('bwrap', process.env['PATH'] ?? '') ?? '', 'bwrap')
}

/** Options that show programs and libraries read-only, and of all other files only the job's folder. */
function confinement({ job, path: folders, hidden }: MediaCommand): string[] {
  const visible = visibleFiles(folders)
  const shown = visible.flatMap((it) => ['--ro-bind', it, it])
  const shownIfPresent = [...ofSystem, ...ofFonts].flatMap((it) => ['--ro-bind-try', it, it])
  const ownFolder = [
    '--ro-bind',
    `${job}/in`,
    `${CONFINED_JOB}/in`,
    '--bind',
    `${job}/out`,
    `${CONFINED_JOB}/out`,
  ]
  const rest = ['--remount-ro', '/', '--chdir', '/']
  return [
    ...base,
    ...shown,
    ...shownIfPresent,
    ...coversOf(hidden, visible).flatMap((it) => ['--tmpfs', it]),
    ...ownFolder,
    ...rest,
  ]
}

let packages: readonly string[] | undefined

/** Programs, libraries and code. What is a link is also shown by its real path, which Node and the kernel use. */
function visibleFiles(folders: string): string[] {
  const ffmpeg = folderOf('ffmpeg', folders)
  const ofFfmpeg = ffmpeg === undefined ? [] : [ffmpeg, path.dirname(realOf(path.join(ffmpeg, 'ffmpeg')))]
  packages ??= packageFolders(project)
  const visible = withRealPaths(['/usr', ...ofProject, ...packages, ...ofFfmpeg])
  return isInside(realOf(process.execPath), visible) ? visible : [...visible, realOf(process.execPath)]
}

/** The first folder of a PATH that has the program. */
function folderOf(name: string, folders: string): string | undefined {
  return folders.split(path.delimiter).find((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK)
      return path.isAbsolute(folder)
    } catch {
      return false
    }
  })
}
