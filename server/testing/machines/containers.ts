// Builds and runs images without a daemon (Debian: buildah, podman, crun, mmdebstrap), as root.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const root = path.join(import.meta.dirname, '../../..')
const trusted = '/etc/ssl/certs/ca-certificates.crt'

/** Whether this machine has the programs, and the user that may use them; otherwise tests are skipped. */
export const containersAvailable = (): boolean =>
  process.getuid?.() === 0 &&
  ['buildah', 'podman', 'crun', 'mmdebstrap'].every((it) => spawnSync(it, ['--version']).status === 0)

export interface Containers {
  /** Builds the image of the server on a base of Debian's packages. @returns bytes of its files */
  buildImage(): Promise<number>
  /** Runs podman to its end. @returns what it printed */
  podman(...args: readonly string[]): Promise<string>
  /** Starts podman, such as `run`. */
  start(...args: readonly string[]): ChildProcess
  close(): Promise<void>
}

/** Where buildah and podman store images and containers. No other program uses the folder. */
const storageIn = (folder: string) => [
  '--root',
  path.join(folder, 'storage'),
  '--runroot',
  path.join(folder, 'run'),
  '--storage-driver',
  'vfs',
]

/**
 * Makes an image of a minimal Debian with the Node of this machine and npm, as `node:24-bookworm-slim` has them. The
 * machine's trusted certificates are in it, since its way to the registry may have one of its own.
 */
async function makeBase(folder: string, buildah: (...args: string[]) => Promise<string>): Promise<void> {
  const [files, archive] = [path.join(folder, 'base'), path.join(folder, 'base.tar')]
  await execute('mmdebstrap', ['--variant=minbase', 'bookworm', archive])
  await mkdir(files)
  await execute('tar', ['-xf', archive, '-C', files])
  await rm(archive)
  const npm = path.dirname((await execute('sh', ['-c', 'readlink -f "$(command -v npm)"'])).stdout.trim())
  const local = path.join(files, 'usr/local')
  await cp(process.execPath, path.join(local, 'bin/node'))
  await mkdir(path.join(local, 'lib/node_modules'), { recursive: true })
  await cp(path.dirname(npm), path.join(local, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', path.join(local, 'bin/npm'))
  const settings = ['--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
  if (existsSync(trusted)) {
    await mkdir(path.join(files, path.dirname(trusted)), { recursive: true })
    await cp(trusted, path.join(files, trusted), { dereference: true })
    await mkdir(path.join(local, 'etc'), { recursive: true })
    await writeFile(path.join(local, 'etc/npmrc'), `cafile=${trusted}\n`)
    settings.push('--env', `NODE_EXTRA_CA_CERTS=${trusted}`)
  }
  const container = (await buildah('from', 'scratch')).trim()
  await buildah('copy', container, files, '/')
  await buildah('config', ...settings, container)
  await buildah('commit', '--rm', container, 'todoke-base')
  await rm(files, { recursive: true })
}

export async function openContainers(): Promise<Containers> {
  // Not in the folder of the run: podman accepts paths of at most 50 characters.
  const folder = await mkdtemp('/tmp/tdk-')
  const run = async (program: string, args: readonly string[]) =>
    (await execute(program, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout
  const buildah = (...args: string[]) => run('buildah', [...storageIn(folder), ...args])
  // In a namespace without control groups: crun refuses machines with both versions of them, which it would not use.
  const inNamespace = [
    '-m',
    'sh',
    '-c',
    'umount -R /sys/fs/cgroup; mount -t tmpfs none /sys/fs/cgroup; exec "$@"',
    'sh',
    'podman',
    ...storageIn(folder),
    '--cgroup-manager',
    'cgroupfs',
  ]
  const podman = (...args: readonly string[]) => run('unshare', [...inNamespace, ...args])
  return {
    async buildImage() {
      await makeBase(folder, buildah)
      const how = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', 'BASE=localhost/todoke-base']
      await buildah('bud', ...how, '-f', 'deploy/container/Containerfile', '-t', 'todoke', '.')
      return Number(await podman('image', 'inspect', '--format', '{{.Size}}', 'localhost/todoke'))
    },
    podman,
    start: (...args) => spawn('unshare', [...inNamespace, ...args], { stdio: ['ignore', 'pipe', 'pipe'] }),
    async close() {
      await podman('rm', '--all', '--force')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
