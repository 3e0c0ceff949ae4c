// A PostgreSQL server and its replica. Their address moves to the replica when it is promoted.
import { openTcpProxy, type TcpProxy } from '#server/testing/clients/tcp-proxy.ts'
import type { PostgresServer } from '#server/testing/replication/postgres-server.ts'
import { type ReplicaServer, startPrimary, startReplica } from '#server/testing/replication/replica.ts'

const setting = async (server: PostgresServer, assignment: string): Promise<void> => {
  await server.sql(`alter system set ${assignment}`)
  await server.sql('select pg_reload_conf()')
}

/** How a primary ends: `vanished` closes no connection, and replies on none. */
export type PrimaryEnd = 'killed' | 'vanished'

export class PostgresPair {
  readonly #primary: PostgresServer
  readonly #replica: ReplicaServer
  readonly #address: TcpProxy
  #isPromoted = false

  private constructor(primary: PostgresServer, replica: ReplicaServer, address: TcpProxy) {
    this.#primary = primary
    this.#replica = replica
    this.#address = address
  }

  /** Every commit of the first server is on the disks of both before its reply. */
  static async start(): Promise<PostgresPair> {
    const primary = await startPrimary()
    const replica = await startReplica(primary)
    await setting(primary, `synchronous_standby_names = '*'`)
    return new PostgresPair(primary, replica, await openTcpProxy(primary.port))
  }

  /** The address of the server that accepts changes. */
  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.#address.port}/postgres`
  }

  get replicaUrl(): string {
    return this.#replica.url
  }

  /** Runs a statement on the server that accepts changes. */
  sql(text: string): Promise<Record<string, unknown>[]> {
    return (this.#isPromoted ? this.#replica : this.#primary).sql(text)
  }

  /** Runs a statement that only reads on the replica. */
  onReplica(text: string): Promise<Record<string, unknown>[]> {
    return this.#replica.sql(text)
  }

  /** From now on the replica shows each change this much later, though it has it at once. */
  delay(seconds: number): Promise<void> {
    return setting(this.#replica, `recovery_min_apply_delay = '${seconds}s'`)
  }

  /** Ends the first server, promotes the replica, and moves the address to it. */
  async failOver(end: PrimaryEnd): Promise<void> {
    if (end === 'killed') {
      await this.#primary.kill()
      this.#address.cut()
    } else this.#primary.freeze()
    await this.#replica.promote()
    this.#address.leadNewTo(this.#replica.port)
    this.#isPromoted = true
  }

  async stop(): Promise<void> {
    await this.#address.close()
    await this.#replica.remove()
    await this.#primary.remove()
  }
}
