// nginx with the shipped file, if it is installed (Debian: nginx-light).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import { networkInterfaces, tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#server/testing/free-port.ts'
import { programPath } from '#server/testing/programs.ts'
import { untilItListens } from './until-it-listens.ts'

const program = programPath('nginx')
const shipped = path.join(import.meta.dirname, '../../../deploy/nginx/todoke.conf')
const fixtures = path.join(import.meta.dirname, '../fixtures/push-service')

/** Certificate of `localhost` and 127.0.0.1, which signs itself. */
export const certificate = readFileSync(path.join(fixtures, 'certificate.pem'), 'utf8')

/** Whether tests with nginx can run on this machine; otherwise they are skipped. */
export const nginxAvailable = (): boolean => program !== undefined

export interface NginxReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface Nginx {
  /** Such as `https://localhost:8443`. */
  readonly origin: string
  /** Port that redirects to HTTPS. */
  readonly plainPort: number
  /** What it wrote to its logs of accesses and errors. */
  log(): string
  request(
    address: string,
    headers?: Record<string, string>,
    method?: string,
    body?: Buffer,
  ): Promise<NginxReply>
  close(): Promise<void>
}

/** An object store with TLS, which nginx reads by the lines that the shipped file has as comments. */
interface StoreTls {
  /** Path of the certificates that nginx trusts. */
  readonly trusted: string
  /** Port of the address that the server signs, where it is not the one of TLS. */
  readonly signedPort: number
}

/** Ports, paths and certificates of a test; everything else of the shipped file stays. */
interface Places {
  readonly folder: string
  readonly dataDir: string
  readonly servers: readonly [number, number]
  readonly port: number
  readonly plainPort: number
  /** Port of an object store on this machine. */
  readonly storePort: number
  readonly tls: StoreTls | undefined
  readonly logsErrors: boolean
  readonly connections: number
}

/** The host that the shipped file names as an example for a store with TLS. */
export const STORE_NAME = 'storage.example'

const TRUSTED = '/etc/ssl/certs/ca-certificates.crt'

/** Makes the comments of the shipped file for a store with TLS active. @throws when the file does not have them */
function withTls(text: string, trusted: string): string {
  const comments = /^ *# {3}(?=proxy_ssl_)/gm
  const plain = 'proxy_pass http://todoke_store/;'
  for (const it of [`proxy_ssl_name ${STORE_NAME};`, TRUSTED, plain])
    if (!text.includes(it)) throw new Error(`the shipped file has no ${it}`)
  const active = text.replaceAll(comments, '').replace(plain, 'proxy_pass https://todoke_store/;')
  if (/# *proxy_ssl_/.test(active)) throw new Error('a comment for a store with TLS is not in its form')
  return active.replace(TRUSTED, trusted)
}

/** The shipped file with the places of a test. @throws when the file does not have one of them */
function placed(places: Places): string {
  const { folder, dataDir, servers, port, plainPort, storePort, tls, logsErrors, connections } = places
  const hasIpv6 = Object.values(networkInterfaces())
    .flat()
    .some((it) => it?.family === 'IPv6')
  const changes: readonly (readonly [string, string])[] = [
    ['server 127.0.0.1:8787', `server 127.0.0.1:${servers[0]}`],
    ['server 127.0.0.1:8788', `server 127.0.0.1:${servers[1]}`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', hasIpv6 ? `listen [::1]:${plainPort};` : ''],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['listen [::]:443 ssl http2;', hasIpv6 ? `listen [::1]:${port} ssl http2;` : ''],
    ['server_name todoke.example', 'server_name localhost'],
    ['/etc/ssl/todoke/', `${fixtures}/`],
    ['/var/cache/todoke-nginx', `${folder}/cache`],
    ['error.log alert;', `error.log ${logsErrors ? 'error' : 'alert'};`],
    ['/var/log/nginx/', `${folder}/`],
    ['limit_conn todoke_address 500;', `limit_conn todoke_address ${connections};`],
    ['/opt/todoke/deploy/pages', path.join(import.meta.dirname, '../../../deploy/pages')],
    ['/var/lib/todoke/', `${dataDir}/`],
    ['server 127.0.0.1:9000', `server 127.0.0.1:${storePort}`],
    ['Host 127.0.0.1:9000', `Host 127.0.0.1:${tls?.signedPort ?? storePort}`],
  ]
  const file = readFileSync(shipped, 'utf8')
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the shipped file has no ${from}`)
      return text.replaceAll(from, to)
    },
    tls ? withTls(file, tls.trusted) : file,
  )
}

/** The part that belongs to the distribution: the file of a test is included where Debian includes it. */
const main = (folder: string) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log warn;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  sendfile on;
  include ${folder}/todoke.conf;
}
`

/** Connections are used again: opening one costs more than most requests. */
const agent = new https.Agent({ keepAlive: true, maxSockets: 32 })

/** Sends one request to a proxy that has the certificate of this file. */
export function send(
  origin: string,
  options: https.RequestOptions,
  address: string,
  body?: Buffer,
): Promise<NginxReply> {
  return new Promise((resolve, reject) => {
    const request = https.request(origin + address, { ...options, ca: certificate, agent }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes: Buffer.concat(parts) }),
      )
    })
    request.on('error', reject).end(body)
  })
}

interface Options {
  /** Port of an object store on this machine; by default none is there. */
  readonly storePort?: number | undefined
  /** TLS of that store; by default it has none. */
  readonly tls?: StoreTls
  /** Whether errors about requests are logged, as the shipped file says how. */
  readonly logsErrors?: boolean
  /** Connections of one network address; by default as many as the shipped file has. */
  readonly connections?: number
}

/**
 * Starts nginx with the shipped file.
 * @param servers ports of the two servers behind it
 * @param port a free port, which the public address of the servers names
 */
export async function startNginx(
  dataDir: string,
  servers: readonly [number, number],
  port: number,
  { storePort = 9, tls, logsErrors = false, connections = 500 }: Options = {},
): Promise<Nginx> {
  if (program === undefined) throw new Error('nginx is not installed')
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-nginx-'))
  const plainPort = await freePort()
  writeFileSync(
    path.join(folder, 'todoke.conf'),
    placed({ folder, dataDir, servers, port, plainPort, storePort, tls, logsErrors, connections }),
  )
  writeFileSync(path.join(folder, 'nginx.conf'), main(folder))
  const child = spawn(program, ['-p', folder, '-c', path.join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr?.on('data', (text) => (printed += String(text)))
  await untilItListens(port, child, () => `nginx ended: ${printed}`)
  const origin = `https://localhost:${port}`
  return {
    origin,
    plainPort,
    log: () => ['access.log', 'error.log'].map((it) => readFileSync(path.join(folder, it), 'utf8')).join(''),
    request: (address, headers = {}, method = 'GET', body) =>
      send(origin, { method, headers }, address, body),
    async close() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
