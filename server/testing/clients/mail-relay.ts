// A real mail relay for tests: accepts emails by SMTP, and refuses configured ones.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export interface Relay {
  readonly port: number
  readonly url: string
  readonly received: Email[]
  stop(): Promise<void>
}

export interface RelayOptions {
  readonly port?: number
  /** The status with which it refuses an address; undefined for an accepted one. */
  readonly refuses?: (address: string) => number | undefined
  /** Accepted credentials; without them no authentication is needed. */
  readonly user?: { readonly name: string; readonly password: string }
  /** What it waits for before it replies to an email that it has received. */
  readonly waits?: () => Promise<void>
}

export async function startRelay({ port = 0, refuses, user, waits }: RelayOptions = {}): Promise<Relay> {
  const received: Email[] = []
  const server = new SMTPServer({
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // The mailer's pool keeps connections open; stopping closes them.
    closeTimeout: 50,
    onAuth({ username, password }, _, done) {
      if (user && username === user.name && password === user.password) return done(null, { user: username })
      done(new Error('wrong credentials'))
    },
    onRcptTo({ address }, _, done) {
      const status = refuses?.(address)
      if (status === undefined) return done()
      done(Object.assign(new Error(`<${address}> is not accepted`), { responseCode: status }))
    },
    onData(stream, _, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then(async (mail) => {
          received.push(mail)
          await waits?.()
          done()
        })
      })
    },
  })
  server.on('error', () => undefined)
  const inner = server.listen(port, '127.0.0.1')
  await once(inner, 'listening')
  const boundPort = (inner.address() as AddressInfo).port
  const login = user ? `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@` : ''
  return {
    port: boundPort,
    url: `smtp://${login}127.0.0.1:${boundPort}`,
    received,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
