// The image of the server, built and started as an operator does.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Relay, startRelay } from './testing/clients/mail-relay.ts'
import { type Containers, containersAvailable, openContainers } from './testing/machines/containers.ts'
import { freePort } from './testing/free-port.ts'
import { makeFirstPost } from './testing/people/first-post.ts'

const name = 'todoke-server'
/** Bytes of the image above which a package for development, or a cache, has come into it. */
const LARGEST = 1_400_000_000

let containers: Containers
let relay: Relay
let server: ChildProcess
let origin: string
let output = ''

/** A command in the running container. @returns its output; its errors are in the rejection */
const inside = (command: string) => containers.podman('exec', name, 'sh', '-c', command)

const statusOf = (path: string) =>
  fetch(origin + path)
    .then((it) => it.status)
    .catch(() => 0)

/** Options of `podman run` for the server on the volume of its data. */
function optionsOf(address: string): string[] {
  const env = {
    HOST: '127.0.0.1',
    PORT: new URL(address).port,
    PUBLIC_URL: address,
    OPERATOR_NAME: '株式会社見本',
    OPERATOR_EMAIL: 'contact@todoke.test',
    SMTP_URL: relay.url,
    DRAIN_SECONDS: '3',
    RATE_LIMITS: '0',
  }
  // As in compose.yaml. This machine has no control groups for podman, and no right to raise limits.
  const confined = [
    '--read-only',
    '--read-only-tmpfs=false',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'all',
    '--security-opt',
    'no-new-privileges',
  ]
  const sandbox = ['--security-opt', 'seccomp=unconfined', '--security-opt', 'unmask=ALL']
  const machine = ['--cgroups=disabled', '--ulimit', 'nofile=4096:4096', '--ulimit', 'nproc=4096:4096']
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  return [...confined, ...sandbox, ...machine, ...variables, '--volume', 'todoke-data:/data']
}

async function startServer(): Promise<void> {
  origin = `http://127.0.0.1:${await freePort()}`
  const options = optionsOf(origin)
  server = containers.start('run', '--name', name, '--network', 'host', ...options, 'localhost/todoke')
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (it) => (output += String(it)))
}

describe.skipIf(!containersAvailable())('the image', () => {
  beforeAll(async () => {
    containers = await openContainers()
    relay = await startRelay()
  })
  afterAll(async () => {
    await containers?.close()
    await relay?.stop()
  })

  test('is built by its file, without packages for development', async () => {
    const size = await containers.buildImage()
    console.log(`the image has ${Math.round(size / 1e6)} MB`)
    expect(size).toBeLessThan(LARGEST)
    await startServer()
    await expect.poll(() => statusOf('/api/health/ready'), { timeout: 120_000 }).toBe(200)
    const present = await inside(
      'cd /app && ls -d node_modules/vitest node_modules/vite node_modules/oxlint server/testing src .git; true',
    )
    expect(present).toBe('')
  })

  test('is healthy by its own check', async () => {
    await containers.podman('healthcheck', 'run', name)
    const health = (await (await fetch(`${origin}/api/health`)).json()) as Record<string, unknown>
    expect(JSON.stringify(health)).toContain('"media_sandbox":"bubblewrap"')
  })

  test('lets a person register and add a post with a picture', async () => {
    const { picture } = await makeFirstPost(origin, relay)
    expect(picture.subarray(8, 12).toString()).toBe('WEBP')
    expect((await fetch(origin)).headers.get('content-type')).toContain('text/html')
  })

  test('runs without root and capabilities, and writes only /data and /tmp', async () => {
    expect(
      (await inside('id -u; grep -E "^Cap(Eff|Prm|Bnd)" /proc/1/status | cut -f 2')).split('\n'),
    ).toEqual(['10001', ...Array.from({ length: 3 }, () => '0000000000000000'), ''])
    for (const folder of ['/', '/app', '/etc', '/usr/local/bin', '/var/tmp', '/home'])
      await expect(inside(`touch ${folder}/written`)).rejects.toThrow(/Read-only|Permission/)
    await inside('touch /data/written /tmp/written')
  })

  test('a second container on its volume, with namespaces of its own, is refused', async () => {
    const second = containers.start(
      'run',
      '--rm',
      '--network',
      'none',
      ...optionsOf(origin),
      'localhost/todoke',
    )
    let said = ''
    for (const stream of [second.stdout, second.stderr]) stream?.on('data', (it) => (said += String(it)))
    expect((await once(second, 'exit'))[0]).toBe(1)
    expect(said).toContain('データフォルダー /data はすでに別のプロセスが使っています')
    expect(await statusOf('/api/health/ready')).toBe(200)
  })

  test('serves while it drains, and ends with success', async () => {
    const ended = once(server, 'exit')
    const stopped = containers.podman('stop', '--time', '30', name)
    await expect.poll(() => statusOf('/api/health/ready'), { timeout: 10_000, interval: 20 }).toBe(503)
    expect(await statusOf('/api/health/live')).toBe(200)
    await stopped
    expect((await ended)[0]).toBe(0)
    expect(output).not.toContain('SIGKILL')
  })

  test('continues with its data, and a start that is stopped ends at once', async () => {
    await containers.podman('rm', name)
    await startServer()
    await expect
      .poll(() => containers.podman('ps', '--format', '{{.Names}}'), { timeout: 120_000, interval: 500 })
      .toContain(name)
    const ended = once(server, 'exit')
    await containers.podman('stop', '--time', '30', name)
    const [code] = await ended
    expect([0, 143]).toContain(code)
  })
})
