// A PostgreSQL server and its replica. Their address moves to the replica when it is promoted.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { temporaryFolder, freePort, until } from '#e2e/rig/network/ports.ts'
import { postgresPrograms, postgresUser } from '#server/testing/postgres-programs.ts'
import { Relay } from './relay.ts'

const NAME = 'todoke'
const urlOf = (port: number, name = NAME) => `postgresql://postgres@127.0.0.1:${port}/${name}`

/** Runs a statement on a connection of its own. @returns its rows */
async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<readonly T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

export class PostgresPair {
  readonly #folder = temporaryFolder('postgres-pair')
  readonly #bin = postgresPrograms() ?? ''
  readonly #user = postgresUser()
  readonly #running = new Map<'primary' | 'replica', ChildProcess>()
  readonly #ports: { readonly primary: number; readonly replica: number }
  readonly #address: Relay

  private constructor(ports: { primary: number; replica: number }, address: Relay) {
    this.#ports = ports
    this.#address = address
  }

  /** Every commit of the first server is on the disks of both before its reply. */
  static async start(): Promise<PostgresPair> {
    const ports = { primary: await freePort(), replica: await freePort() }
    const pair = new PostgresPair(ports, await Relay.open(ports.primary))
    const { uid, gid } = pair.#user ?? {}
    if (uid !== undefined && gid !== undefined) chownSync(pair.#folder, uid, gid)
    pair.#do('initdb', [
      '-D',
      'primary',
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ])
    await pair.#launch('primary', [])
    await query(urlOf(ports.primary, 'postgres'), `create database ${NAME}`)
    const from = ['-h', '127.0.0.1', '-p', String(ports.primary), '-U', 'postgres']
    pair.#do('pg_basebackup', ['-D', 'replica', ...from, '-X', 'stream', '-c', 'fast', '-R', '--no-sync'])
    await pair.#launch('replica', [])
    await query(pair.#url('primary'), `alter system set synchronous_standby_names = '*'`)
    await query(pair.#url('primary'), 'select pg_reload_conf()')
    return pair
  }

  /** The address of the server that accepts changes. */
  get url(): string {
    return urlOf(this.#address.port)
  }

  get replicaUrl(): string {
    return this.#url('replica')
  }

  query<T extends pg.QueryResultRow>(sql: string): Promise<readonly T[]> {
    return query<T>(this.url, sql)
  }

  /** From now on the replica shows each change this much later, though it has it at once. */
  async delay(ms: number): Promise<void> {
    await query(this.replicaUrl, `alter system set recovery_min_apply_delay = ${ms}`)
    await query(this.replicaUrl, 'select pg_reload_conf()')
  }

  /** Kills the first server, promotes the replica, and moves the address to it. */
  async failOver(): Promise<void> {
    await this.#kill('primary')
    this.#address.cut()
    await query(this.replicaUrl, 'select pg_promote(true, 60)')
    this.#address.moveTo(this.#ports.replica)
  }

  async stop(): Promise<void> {
    await this.#address.close()
    for (const it of this.#running.keys()) await this.#kill(it)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #url = (which: 'primary' | 'replica') => urlOf(this.#ports[which])

  #do(program: string, args: readonly string[]): void {
    execFileSync(join(this.#bin, program), args, { ...this.#user, cwd: this.#folder, stdio: 'ignore' })
  }

  async #launch(which: 'primary' | 'replica', more: readonly string[]): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', `port=${this.#ports[which]}`, 'fsync=off', ...more]
    const args = ['-D', which, '-k', this.#folder, ...settings.flatMap((it) => ['-c', it])]
    const options = { ...this.#user, cwd: this.#folder, stdio: 'ignore' as const }
    this.#running.set(which, spawn(join(this.#bin, 'postgres'), args, options))
    const url = urlOf(this.#ports[which], 'postgres')
    await until(() => query(url, 'select 1').catch(() => undefined), `the ${which} of PostgreSQL`)
  }

  async #kill(which: 'primary' | 'replica'): Promise<void> {
    const child = this.#running.get(which)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // The processes of connections end by themselves once this one is gone.
    child.kill('SIGKILL')
    await exited
  }
}
