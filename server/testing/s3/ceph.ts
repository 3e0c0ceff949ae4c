// A Ceph node with its S3 gateway for a test run (Debian: radosgw, ceph-mon, ceph-osd).
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { CLUSTER, createMark } from '#server/testing/cluster.ts'
import { freePort } from '#server/testing/free-port.ts'
import { until } from '#server/testing/until.ts'

const execute = promisify(execFile)

/** Address and keys of a store. */
export interface S3Access {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const keys = { accessKeyId: 'testing-key', secretAccessKey: 'testing-secret' } as const

/** Longest start of a process, ms. */
const START_MS = 120_000

/** Whether tests on Ceph can run on this machine; otherwise they are skipped. */
export const cephAvailable = (): boolean => process.env[CLUSTER] !== undefined && cephInstalled()

export function cephInstalled(): boolean {
  const programs = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool']
  return programs.every((it) => spawnSync(it, ['--version']).status === 0)
}

/** The run's node, started by the first caller. It ends with the folder of the run's databases. */
export async function cephOfRun(): Promise<S3Access> {
  const parent = process.env[CLUSTER]
  if (parent === undefined) throw new Error('the test run has no folder for a Ceph node')
  const folder = path.join(parent, 'ceph')
  const ready = path.join(folder, 'ready')
  if (createMark(folder)) {
    const ports = { monitor: await freePort(), gateway: await freePort() }
    await start(folder, ports)
    writeFileSync(`${ready}.new`, String(ports.gateway))
    renameSync(`${ready}.new`, ready)
  }
  await until(() => existsSync(ready), 'the Ceph node of this run', START_MS)
  return { endpoint: `http://127.0.0.1:${readFileSync(ready, 'utf8')}`, ...keys }
}

interface Ports {
  readonly monitor: number
  readonly gateway: number
}

/** Settings of one node without authentication between its parts, in one folder. */
const settingsOf = (folder: string, id: string, { monitor, gateway }: Ports) => `[global]
fsid = ${id}
mon_host = v1:127.0.0.1:${monitor}
ms_bind_msgr2 = false
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = ${folder}
admin_socket = ${folder}/$name.asok
pid_file = ${folder}/$name.pid
log_file = ${folder}/$name.log
crash_dir = ${folder}
keyring = ${folder}/keyring
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data = ${folder}/mon
mon_data_avail_crit = 1
mon_data_avail_warn = 2
osd_data = ${folder}/osd
osd_objectstore = bluestore
bluestore_block_size = 8589934592
bluestore_block_create = true
bluestore_block_wal_path =
bluestore_block_db_path =
osd_memory_target = 939524096
rgw_thread_pool_size = 16
rgw_frontends = beast endpoint=127.0.0.1:${gateway}
`

async function start(folder: string, ports: Ports): Promise<void> {
  const id = randomUUID()
  for (const it of ['mon', 'osd']) mkdirSync(path.join(folder, it))
  const settings = path.join(folder, 'ceph.conf')
  writeFileSync(settings, settingsOf(folder, id, ports))
  const run = (program: string, ...args: string[]) => execute(program, ['-c', settings, ...args])
  const keyring = path.join(folder, 'keyring')
  const all = ['--gen-key', '--cap', 'mon', 'allow *']
  await execute('ceph-authtool', ['--create-keyring', keyring, '-n', 'mon.', ...all])
  await execute('ceph-authtool', [keyring, '-n', 'client.admin', ...all, '--cap', 'osd', 'allow *'])
  const map = path.join(folder, 'monmap')
  const monitor = ['--addv', 'a', `v1:127.0.0.1:${ports.monitor}`]
  await run('monmaptool', '--create', '--clobber', ...monitor, '--fsid', id, map)
  await run('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
  inBackground(folder, settings, 'ceph-mon', ['-i', 'a', '-f'])
  const disk = randomUUID()
  // A command that gives the same result again: a monitor that has just started refuses some.
  await until(() => run('ceph', '--connect-timeout', '100', 'osd', 'new', disk), 'the monitor', START_MS)
  await run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', disk)
  await startDisk(folder, settings)
  const user = ['user', 'create', '--uid=test', '--display-name=test']
  const access = [`--access-key=${keys.accessKeyId}`, `--secret-key=${keys.secretAccessKey}`]
  await run('radosgw-admin', ...user, ...access)
  inBackground(folder, settings, 'radosgw', ['-n', 'client.rgw.a', '-f'])
  await until(() => fetch(`http://127.0.0.1:${ports.gateway}/`), 'the gateway of the Ceph node', START_MS)
}

/** Starts the daemon of the disk. One that asks before the monitor knows it ends at once, and is started again. */
async function startDisk(folder: string, settings: string): Promise<void> {
  const log = path.join(folder, 'osd.0.log')
  let child: ChildProcess | undefined
  await until(
    () => {
      if (child === undefined || child.exitCode !== null)
        child = inBackground(folder, settings, 'ceph-osd', ['-i', '0', '-f'])
      return existsSync(log) && readFileSync(log, 'utf8').includes('booting -> active')
    },
    'the disk of the Ceph node',
    START_MS,
  )
}

/** Starts a daemon that continues after the test file that started it. */
function inBackground(folder: string, settings: string, program: string, args: string[]): ChildProcess {
  const child = spawn(program, ['-c', settings, ...args], { cwd: folder, stdio: 'ignore' })
  child.unref()
  writeFileSync(path.join(folder, `${program}.process`), String(child.pid))
  return child
}
