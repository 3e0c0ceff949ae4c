// A bare Debian 12 in a folder, in which commands run.
// Needs root, and mmdebstrap of Debian.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const root = path.join(import.meta.dirname, '../../..')
const trusted = '/etc/ssl/certs/ca-certificates.crt'

/** Whether this machine has the programs, and the user that may use them; otherwise tests are skipped. */
export const bareDebianAvailable = (): boolean =>
  process.getuid?.() === 0 &&
  ['mmdebstrap', 'nsenter', 'unshare'].every((it) => spawnSync(it, ['--version']).status === 0) &&
  spawnSync('ip', ['-Version']).status === 0

/**
 * A `systemctl` for a machine without systemd. It starts the units of this project by their own lines, and services of Debian by
 * their init scripts.
 */
const systemctl = `#!/bin/bash
set -eu
start() {
  unit=$1 instance=; file=/etc/systemd/system/$unit.service
  case $unit in *@*) instance=\${unit#*@}; file=/etc/systemd/system/\${unit%@*}@.service ;; esac
  [ -f "$file" ] || { service "$unit" restart; return; }
  value() { sed -n "s/^$1=//p" "$file" | sed "s/%i/$instance/g"; }
  user=$(value User) folder=/var/lib/$(value StateDirectory)
  install -d -m "$(value StateDirectoryMode)" -o "$user" -g "$(value Group)" "$folder"
  cd "$(value WorkingDirectory)"
  mapfile -t lines < <(grep -v -e '^#' -e '^$' "$(value EnvironmentFile)")
  read -r -a own <<< "$(value Environment)"
  umask "$(value UMask)"
  setsid env -i PATH=/usr/bin:/bin "\${own[@]}" "\${lines[@]}" setpriv --reuid "$user" --regid "$(value Group)" --clear-groups --no-new-privs \\
    --bounding-set=-all --inh-caps=-all $(value ExecStart) > "/var/log/$unit.log" 2>&1 < /dev/null &
}
action=$1; shift
[ "$action" = daemon-reload ] && exit 0
for name in "$@"; do case $name in --*) ;; *) start "\${name%.service}" ;; esac; done
`

export interface BareDebian {
  /** Path of its root folder on this machine. */
  readonly folder: string
  /**
   * Runs a script in the shell that all scripts share. Those of services have a network of their own; those that download use this machine's.
   * @returns what it printed, and how long it took, seconds
   */
  run(script: string): Promise<{ readonly output: string; readonly seconds: number }>
  close(): Promise<void>
}

/** What it has beside Debian's minimum. */
interface Contents {
  /** Packages of Debian. */
  readonly packages?: readonly string[]
  /** Version of Node and npm, from npm's registry, since Debian's own are older. */
  readonly node?: string
}

/** Variables of `docs/operate/install.md`, which one block sets for the next ones. */
const shared = 'SITE REPOSITORY PASSWORD OPERATOR_NAME OPERATOR_EMAIL ADMIN_EMAIL SMTP_URL'

/** What needs the network of this machine. */
const downloads = /apt-get|npm (?:ci|install|test)|git clone/

/** A process in the namespaces in which all scripts run; they end with it. */
async function openNamespaces(folder: string): Promise<{ pid: string; holder: ChildProcess }> {
  // Memory of its own as /dev/shm: test runs remove folders there whose process, by the number in their name, is gone.
  const mounts = `mount --bind "$0" "$0"; mount --rbind /dev "$0/dev"; mount -t tmpfs tmpfs "$0/dev/shm"; mount -t proc proc "$0/proc"; mount -t sysfs -o ro sysfs "$0/sys"`
  // A new root instead of chroot, in which the kernel permits no user namespaces, which the sandbox of decoders needs.
  const enter = 'cd "$0"; pivot_root . mnt; cd /; umount -l /mnt'
  const script = `set -e; ${mounts}; ip link set lo up; ${enter}; echo ready; exec sleep infinity`
  const options = ['--mount', '--pid', '--net', '--fork', '--kill-child', '--mount-proc']
  const holder = spawn('unshare', [...options, 'sh', '-c', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  const pid = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8')
  return { pid: pid.trim(), holder }
}

/** Installs the programs of Node without Node in the folder. */
async function putNode(folder: string, version: string): Promise<void> {
  const program = `node-${process.platform}-${process.arch}@${version}`
  const to = ['--global', '--prefix', path.join(folder, 'usr/local')]
  await execute('npm', ['install', ...to, '--no-audit', '--no-fund', program, 'npm@11'])
}

export async function openBareDebian({ packages = [], node }: Contents = {}): Promise<BareDebian> {
  const folder = await mkdtemp(path.join(tmpdir(), 'todoke-debian-'))
  await chmod(folder, 0o755)
  const include = packages.length > 0 ? [`--include=${packages.join(',')}`] : []
  await execute('mmdebstrap', ['--variant=minbase', ...include, 'bookworm', folder])
  if (node !== undefined) await putNode(folder, node)
  await execute('git', [
    'clone',
    '--quiet',
    '--bare',
    '--depth',
    '1',
    `file://${root}`,
    path.join(folder, 'srv/todoke.git'),
  ])
  await writeFile(path.join(folder, 'usr/local/sbin/systemctl'), systemctl, { mode: 0o755 })
  await cp('/etc/resolv.conf', path.join(folder, 'etc/resolv.conf'), { dereference: true })
  const env = [
    'HOME=/root',
    'LANG=C.UTF-8',
    'DEBIAN_FRONTEND=noninteractive',
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ]
  if (existsSync(trusted)) {
    // The way of this machine to the registry may have a certificate of its own.
    await cp(trusted, path.join(folder, 'etc/trusted.pem'), { dereference: true })
    env.push('NODE_EXTRA_CA_CERTS=/etc/trusted.pem', 'npm_config_cafile=/etc/trusted.pem')
  }
  const { pid, holder } = await openNamespaces(folder)
  let variables = ''
  return {
    folder,
    async run(script) {
      const began = performance.now()
      const network = downloads.test(script) ? [] : ['--net']
      const enter = ['--target', pid, '--mount', '--pid', ...network, 'env', '-i', ...env]
      // Variables and the folder of the shell go from one script to the next.
      const whole = `${variables}\nset -eu\n${script}\n{ declare -p ${shared} 2> /dev/null || true; echo "cd $PWD"; } > /run/shell`
      try {
        const { stdout } = await execute('nsenter', [...enter, 'bash', '-c', whole], {
          maxBuffer: 64 * 1024 * 1024,
        })
        variables = await readFile(path.join(folder, 'run/shell'), 'utf8')
        // oxlint-disable-next-line house/no-sleep-in-tests -- printed for the documents, and compared with nothing
        return { output: stdout, seconds: (performance.now() - began) / 1000 }
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
        throw new Error(`${script}\n${stdout.slice(-2000)}\n${stderr.slice(-3000)}`, { cause: error })
      }
    },
    async close() {
      const ended = once(holder, 'exit')
      holder.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
