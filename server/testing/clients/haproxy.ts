// HAProxy with the shipped file, if it is installed (Debian: haproxy).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#server/testing/free-port.ts'
import { programPath } from '#server/testing/programs.ts'
import { type Nginx, send } from './nginx.ts'
import { untilItListens } from './until-it-listens.ts'

const program = programPath('haproxy')
const shipped = path.join(import.meta.dirname, '../../../deploy/haproxy/haproxy.cfg')
const fixtures = path.join(import.meta.dirname, '../fixtures/push-service')

/** Whether tests with HAProxy can run on this machine; otherwise they are skipped. */
export const haproxyAvailable = (): boolean => program !== undefined

export interface Haproxy {
  /** Such as `https://localhost:8443`. */
  readonly origin: string
  /** Port that redirects to HTTPS. */
  readonly plainPort: number
  /** What it wrote to its log. */
  log(): string
  readonly request: Nginx['request']
  close(): Promise<void>
}

/** The shipped file with the places of a test. @throws when the file does not have one of them */
const placed = (changes: readonly (readonly [string, string])[]): string =>
  changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the shipped file has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(shipped, 'utf8'),
  )

/**
 * Starts HAProxy with the shipped file.
 * @param servers ports of the two servers behind it
 * @param port a free port, which the public address of the servers names
 * @param connections of one network address
 */
export async function startHaproxy(
  servers: readonly [number, number],
  port: number,
  connections = 500,
): Promise<Haproxy> {
  if (program === undefined) throw new Error('HAProxy is not installed')
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-haproxy-'))
  const plainPort = await freePort()
  const pem = path.join(folder, 'todoke.pem')
  const parts = ['certificate.pem', 'key.pem'].map((it) => readFileSync(path.join(fixtures, it), 'utf8'))
  writeFileSync(pem, parts.join(''), { mode: 0o600 })
  const file = path.join(folder, 'haproxy.cfg')
  const text = placed([
    // Each needs two open files, of which a test may not have so many.
    ['maxconn 20000', 'maxconn 1000'],
    ['conn_cur gt 500', `conn_cur gt ${connections}`],
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
    ['bind :443 ssl crt /etc/haproxy/todoke.pem', `bind 127.0.0.1:${port} ssl crt ${pem}`],
    ['/etc/haproxy/pages', path.join(import.meta.dirname, '../../../deploy/pages')],
    ['server a 10.0.0.11:8787', `server a 127.0.0.1:${servers[0]}`],
    ['server b 10.0.0.12:8787', `server b 127.0.0.1:${servers[1]}`],
  ])
  writeFileSync(file, text)
  const child = spawn(program, ['-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const it of [child.stdout, child.stderr]) it.on('data', (bytes) => (printed += String(bytes)))
  await untilItListens(port, child, () => `HAProxy ended: ${printed}`)
  return {
    origin: `https://localhost:${port}`,
    plainPort,
    log: () => printed,
    request: (address, headers = {}, method = 'GET', body) =>
      send(`https://localhost:${port}`, { method, headers }, address, body),
    async close() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
