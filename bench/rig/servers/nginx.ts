// Starts nginx with the shipped file in front of a server, without TLS.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOf } from '#bench/rig/memory.ts'
import { freePort } from '#server/testing/free-port.ts'

const shipped = join(import.meta.dirname, '../../../deploy/nginx/todoke.conf')

export interface BenchNginx {
  readonly url: string
  /** Processor time of its processes so far, ms. */
  cpu(): number
  close(): Promise<void>
}

interface Places {
  readonly folder: string
  readonly dataDir: string
  readonly serverPort: string
  readonly port: number
  /** Host and port of an object store. */
  readonly storeHost: string
}

/** The shipped file with these places; TLS would be measured more than the way of sending. */
function placed({ folder, dataDir, serverPort, port, storeHost }: Places): string {
  const text = readFileSync(shipped, 'utf8')
  const redirecting = text.indexOf('\nserver {')
  const withoutRedirect = text.slice(0, redirecting) + text.slice(text.indexOf('\nserver {', redirecting + 1))
  return withoutRedirect
    .replaceAll(/^ *(?:listen|ssl_\w+) .*$/gm, '')
    .replace('server_tokens off;', `listen 127.0.0.1:${port} default_server; server_tokens off;`)
    .replace('server 127.0.0.1:8787', `server 127.0.0.1:${serverPort}`)
    .replace(/^ *server 127\.0\.0\.1:8788.*$/m, '')
    .replace('/var/cache/todoke-nginx', `${folder}/cache`)
    .replaceAll('127.0.0.1:9000', storeHost)
    .replaceAll('/var/lib/todoke/', `${dataDir}/`)
}

const main = (folder: string) => `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`).join(' ')}
  include ${folder}/todoke.conf;
}
`

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const reply = await fetch(`${url}/api/health/live`).catch(() => undefined)
    if (reply?.ok) return
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('nginx did not start')
}

/**
 * @param folder for its temporary files
 * @param dataDir the data folder of the server
 * @param server address of the server
 * @param storeHost host and port of an object store; by default none is there
 */
export async function openNginx(
  folder: string,
  dataDir: string,
  server: string,
  storeHost = '127.0.0.1:9',
): Promise<BenchNginx> {
  const port = await freePort()
  const serverPort = new URL(server).port
  writeFileSync(join(folder, 'todoke.conf'), placed({ folder, dataDir, serverPort, port, storeHost }))
  writeFileSync(join(folder, 'nginx.conf'), main(folder))
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  await untilItAnswers(url, child)
  return {
    url,
    cpu: () => cpuOf(child.pid ?? 0),
    async close() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
