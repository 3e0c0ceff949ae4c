// Programs that the tests need beside Node, and their installation.

/** Properties and commands of this machine. */
export interface Machine {
  /**
   * Whether one of these programs is on PATH or at an absolute path. `*` matches any folder; `chromium` is any
   * Chromium for tests.
   */
  readonly has: (...programs: readonly string[]) => boolean
  /** Whether this process can install Debian packages: as root, with apt-get. */
  readonly apt: boolean
  /** Runs a command and shows what it prints. @returns its exit code */
  readonly run: (...command: readonly string[]) => Promise<number>
  readonly log: (sentence: string) => void
}

export interface Program {
  readonly name: string
  readonly isInstalled: (machine: Machine) => boolean
  /** Debian packages that contain it. */
  readonly packages: readonly string[]
  /** Whether no test runs without it; without another program, only its tests are skipped. */
  readonly needed?: true
  /** Its commands, where unit tests use it; `*` matches the rest of a name. */
  readonly commands?: readonly string[]
  /** How a unit test asks for it. */
  readonly asked?: RegExp
}

const chromium: Program = {
  name: 'Chromium',
  isInstalled: ({ has }) => has('chromium'),
  packages: ['chromium'],
  needed: true,
}

/** All programs, in the order in which they are installed. */
export const programs: readonly Program[] = [
  chromium,
  {
    name: 'PostgreSQL',
    isInstalled: ({ has }) => has('/usr/lib/postgresql/*/bin/initdb', 'initdb'),
    packages: ['postgresql'],
    commands: ['initdb', 'postgres', 'psql', 'pg_*'],
    asked: /postgresAvailable\(|bothDatabases/,
  },
  {
    name: 'ffmpeg',
    isInstalled: ({ has }) => has('ffmpeg'),
    packages: ['ffmpeg'],
    commands: ['ffmpeg', 'ffprobe'],
    asked: /isInstalled\('ffmpeg'\)/,
  },
  {
    name: 'Redis',
    isInstalled: ({ has }) => has('redis-server'),
    packages: ['redis-server'],
    commands: ['redis-*'],
    asked: /redisAvailable\(/,
  },
  {
    name: 'PgBouncer',
    isInstalled: ({ has }) => has('pgbouncer', '/usr/sbin/pgbouncer'),
    packages: ['pgbouncer'],
    commands: ['pgbouncer'],
    asked: /pgbouncerAvailable\(/,
  },
  {
    name: 'nginx',
    isInstalled: ({ has }) => has('nginx', '/usr/sbin/nginx'),
    packages: ['nginx-light'],
    commands: ['nginx'],
    asked: /nginxAvailable\(/,
  },
  {
    name: 'HAProxy',
    isInstalled: ({ has }) => has('haproxy', '/usr/sbin/haproxy'),
    packages: ['haproxy'],
    commands: ['haproxy'],
    asked: /haproxyAvailable\(|has\('haproxy'/,
  },
  {
    name: 'bubblewrap',
    isInstalled: ({ has }) => has('bwrap'),
    packages: ['bubblewrap'],
    commands: ['bwrap'],
    asked: /isInstalled\('bwrap'\)|spawnSync\('bwrap'/,
  },
  {
    name: 'Japanese fonts',
    isInstalled: ({ has }) => has('/usr/share/fonts/*/noto/NotoSansCJK-Regular.ttc'),
    packages: ['fontconfig', 'fonts-noto-cjk'],
  },
  { name: 'Firefox', isInstalled: ({ has }) => has('firefox-esr', 'firefox'), packages: ['firefox-esr'] },
  {
    name: 'WebKitGTK',
    isInstalled: ({ has }) => has('WebKitWebDriver') && has('gjs') && has('Xvfb'),
    packages: ['webkit2gtk-driver', 'gjs', 'gir1.2-webkit2-4.1', 'xvfb'],
  },
  {
    name: 'Ceph',
    isInstalled: ({ has }) => has('radosgw') && has('ceph-mon') && has('ceph-osd'),
    packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
    commands: ['ceph*', 'rados*', 'monmaptool'],
    asked: /ceph(?:Available|Installed)\(/,
  },
  { name: 'D-Bus', isInstalled: ({ has }) => has('dbus-daemon'), packages: ['dbus-daemon'] },
]

/**
 * Installs missing programs, and logs what it does and what is still missing.
 * @param all also programs without which tests are skipped
 * @returns false when the tests cannot run
 */
export async function prepare(machine: Machine, all: boolean): Promise<boolean> {
  const missing = programs.filter((it) => (all || it.needed) && !it.isInstalled(machine))
  if (missing.length === 0) return true
  if (machine.apt) await installByApt(machine, missing)
  if (!chromium.isInstalled(machine)) await downloadChromium(machine)
  for (const it of missing.filter((one) => !one.isInstalled(machine) && !one.needed))
    machine.log(
      `${it.name} is missing: its tests are skipped (Debian: apt-get install ${it.packages.join(' ')}).`,
    )
  if (chromium.isInstalled(machine)) return true
  machine.log('No Chromium could be installed: run "npx playwright install chromium" or set CHROMIUM_PATH.')
  return false
}

/** Runs one command for each program, since a missing package fails its whole command. */
async function installByApt({ run, log }: Machine, missing: readonly Program[]): Promise<void> {
  log(`Installing by apt-get: ${missing.map((it) => it.name).join(', ')}.`)
  await run('apt-get', 'update', '-q')
  for (const { packages } of missing)
    await run('apt-get', 'install', '-q', '-y', '--no-install-recommends', ...packages)
}

async function downloadChromium({ run, log }: Machine): Promise<void> {
  log('Downloading Chromium: npx playwright install chromium.')
  await run('npx', 'playwright', 'install', 'chromium')
}
