// A server process that drains: it serves until its time or a second signal.
import { once } from 'node:events'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { openFolder } from './adapters/database/embedded/embedded.ts'
import { migrationsFolder } from './store/database.ts'
import { noise } from './testing/people/members.ts'
import { addProcessMember, signInAt } from './testing/processes/process-member.ts'
import { type Running, startServer } from './testing/process.ts'
import { fillDataFolder } from './testing/template.ts'

let template: string
let dataDir: string
let server: Running | undefined
beforeAll(async () => {
  template = await mkdtemp(path.join(tmpdir(), 'todoke-made-'))
  await fillDataFolder(template)
  const database = await openFolder(template, migrationsFolder)
  await addProcessMember(database.db)
  await database.close()
}, 60_000)
afterAll(() => rm(template, { recursive: true, force: true }))
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-drain-'))
  await cp(template, dataDir, { recursive: true })
})
afterEach(async () => {
  await server?.end('SIGKILL')
  server = undefined
  await rm(dataDir, { recursive: true, force: true })
})

const start = async (seconds: number) =>
  (server = await startServer({ DATA_DIR: dataDir, DRAIN_SECONDS: String(seconds), LOG_LEVEL: 'info' }))

async function unready(origin: string): Promise<void> {
  const ready = async () => (await fetch(`${origin}/api/health/ready`)).status
  await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 5000, interval: 20 })
}

test('after a signal the server is not ready and serves requests and uploads; a second signal stops it', async () => {
  const { origin, process: child } = await start(300)
  const headers = await signInAt(origin)
  expect((await fetch(`${origin}/api/health/ready`)).status).toBe(200)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await unready(origin)
  expect((await fetch(`${origin}/api/health/live`)).status).toBe(200)
  const feed = await fetch(`${origin}/api/posts`, { headers })
  expect([feed.status, feed.headers.get('connection')]).toEqual([200, 'close'])
  const id = newId()
  const upload = `${origin}/upload-chunking-2`
  const tus = { ...headers, 'tus-resumable': '1.0.0' }
  const created = await fetch(upload, {
    method: 'POST',
    headers: { ...tus, 'upload-length': '1000', 'upload-metadata': `id ${btoa(id)}` },
  })
  const sent = await fetch(`${upload}/${id}`, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(noise(1000)),
  })
  expect([created.status, sent.status, sent.headers.get('connection')]).toEqual([201, 204, 'close'])
  child.kill('SIGTERM')
  expect((await exited)[0]).toBe(0)
  expect((await stat(path.join(dataDir, 'uploads', id))).size).toBe(1000)
}, 60_000)

/** Sends a request on an open connection. @returns status line and headers of its reply */
async function headOn(socket: Socket): Promise<string> {
  let text = ''
  const add = (bytes: Buffer) => (text += String(bytes))
  socket.on('data', add)
  socket.write('GET /api/health/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await vi.waitFor(() => expect(text).toContain('\r\n\r\n'), { timeout: 5000, interval: 5 })
  socket.off('data', add)
  return text.toLowerCase()
}

test('a connection that a proxy has not used since the signal is answered after the port has closed', async () => {
  const { origin, process: child } = await start(1)
  const port = Number(new URL(origin).port)
  const open = () => connect(port, '127.0.0.1')
  const socket = open()
  expect(await headOn(socket)).toContain('connection: keep-alive')
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const isRefused = async () => {
    const other = open()
    const refused = await once(other, 'connect').then(
      () => false,
      () => true,
    )
    other.destroy()
    return refused
  }
  await vi.waitFor(async () => expect(await isRefused()).toBe(true), { timeout: 10_000, interval: 5 })
  expect(await headOn(socket)).toMatch(/^http\/1.1 200[^]*connection: close/)
  expect((await exited)[0]).toBe(0)
}, 60_000)

test('the server stops by itself when the time of the drain is over', async () => {
  const { end, output } = await start(1)
  expect(await end('SIGTERM')).toBe(0)
  expect(output()).toContain('the server is not ready any more')
}, 60_000)
