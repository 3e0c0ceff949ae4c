// A relay before PostgreSQL that loses the reply to one COMMIT, as a failover does.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import path from 'node:path'

/** `cut`: the connection ends; `silent`: nothing comes any more on any connection, until `restore`. */
export type Loss = 'cut' | 'silent'

export interface LossyRelay {
  /** The address of the same database through the relay. */
  readonly url: string
  /** Replies to COMMIT that were lost. */
  readonly lost: number
  /** Loses the reply to the COMMIT of the next transaction with a statement that has this text. */
  loseCommitOf(statement: string, loss: Loss): void
  restore(): void
  close(): Promise<void>
}

/** @param target the URL of a database, also on a Unix socket (`?host=/folder`) */
export async function openLossyRelay(target: string): Promise<LossyRelay> {
  const url = new URL(target)
  const folder = url.searchParams.get('host')
  const port = url.port || '5432'
  const open = new Set<Socket>()
  let awaited: { readonly statement: string; readonly loss: Loss } | undefined
  let isSilent = false
  let lost = 0
  const server = createServer((client) => {
    const database = folder
      ? connect(path.join(folder, `.s.PGSQL.${port}`))
      : connect(Number(port), url.hostname)
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const it of [client, database]) {
      open.add(it)
      it.on('error', end).on('close', () => {
        open.delete(it)
        end()
      })
    }
    let isMarked = false
    let isCommitting = false
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1').toLowerCase()
      if (awaited && text.includes(awaited.statement)) isMarked = true
      if (isMarked && /\bcommit\b/.test(text)) isCommitting = true
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (awaited && isCommitting && bytes.toString('latin1').includes('COMMIT')) {
        if (awaited.loss === 'silent') isSilent = true
        awaited = undefined
        lost += 1
        if (!isSilent) return end()
      }
      if (!isSilent) client.write(bytes)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const relayed = new URL(url)
  relayed.searchParams.delete('host')
  relayed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: relayed.href,
    get lost() {
      return lost
    },
    loseCommitOf: (statement, loss) => void (awaited = { statement: statement.toLowerCase(), loss }),
    restore: () => void (isSilent = false),
    async close() {
      for (const it of open) it.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
