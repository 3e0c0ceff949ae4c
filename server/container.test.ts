// The final stage of the image: its files, started by its command without root.
// `container.deep.ts` builds the image and starts it by podman.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Relay, startRelay } from './testing/clients/mail-relay.ts'
import { freePort } from './testing/free-port.ts'
import { makeFirstPost } from './testing/people/first-post.ts'
import { fillDataFolder } from './testing/template.ts'

const root = path.join(import.meta.dirname, '..')

interface FinalStage {
  /** Files and folders of the first stage that are in it. */
  readonly copied: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly check: readonly string[]
}

async function readFinalStage(): Promise<FinalStage> {
  const text = await readFile(path.join(root, 'deploy/container/Containerfile'), 'utf8')
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  const list = (expression: RegExp) => JSON.parse(expression.exec(stage)?.[1] ?? '[]') as string[]
  const assignments = /^ENV (.*)$/m.exec(stage)?.[1]?.split(' ') ?? []
  return {
    copied: [...stage.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, name = '']) => name),
    env: Object.fromEntries(assignments.map((it) => it.split('=') as [string, string])),
    command: list(/^CMD (\[.*\])$/m),
    check: list(/^ +CMD (\[.*\])$/m),
  }
}

/** Folders that `.dockerignore` leaves out of the image, as paths below a copied folder. */
async function leftOut(copied: readonly string[]): Promise<string[]> {
  const lines = (await readFile(path.join(root, '.dockerignore'), 'utf8')).split('\n')
  return lines.filter((it) => copied.some((name) => it.startsWith(`${name}/`)) && !it.includes('*'))
}

/** Where the data folder is. Its lock has the path as its name, and tests at the same time have one network. */
const dataOf = (dataDir: string) => path.join('/data', path.basename(dataDir))

/**
 * Arguments of bubblewrap: a read-only root with these files, `/tmp`, and the data folder. `/proc` is that of this machine, since the sandbox
 * of decoders mounts another one, which the kernel permits only where nothing hides a part of it.
 */
async function rootOf({ copied }: FinalStage, dataDir: string): Promise<string[]> {
  const files = copied.flatMap((it) => ['--ro-bind', path.join(root, it), `/app/${it}`])
  const bind = (...paths: readonly string[]) => paths.flatMap((it) => ['--ro-bind', it, it])
  const links = ['bin', 'lib', 'lib64'].flatMap((it) => ['--symlink', `usr/${it}`, `/${it}`])
  const hidden = (await leftOut(copied)).flatMap((it) => ['--tmpfs', `/app/${it}`])
  const image = ['--ro-bind', process.execPath, '/image/node', ...files, ...hidden]
  const written = ['--tmpfs', '/tmp', '--bind', dataDir, dataOf(dataDir), '--remount-ro', '/']
  const system = [...bind('/usr', '/etc'), ...links, '--bind', '/proc', '/proc', '--dev', '/dev']
  const person = ['--unshare-user', '--uid', '10001', '--gid', '10001', '--cap-drop', 'ALL']
  return [...system, ...image, ...written, ...person, '--new-session', '--die-with-parent', '--chdir', '/app']
}

/** Whether bubblewrap can run here, and the app that the image contains is built. */
const available =
  spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-user', 'true']).status === 0 &&
  existsSync(path.join(root, 'dist/index.html'))

describe.skipIf(!available)('the final stage of the image', () => {
  let stage: FinalStage
  let relay: Relay
  let dataDir: string
  let server: ChildProcess
  let origin: string
  let inside: string[]
  let env: Record<string, string>

  const statusOf = (address: string) =>
    fetch(origin + address)
      .then((it) => it.status)
      .catch(() => 0)
  /** The process of the server, a child of bubblewrap. */
  const ownPid = async () => Number(await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'))
  /** Runs a command in the same root. */
  const run = (command: readonly string[]) =>
    spawnSync('bwrap', [...inside, ...command], { env, encoding: 'utf8' })

  beforeAll(async () => {
    stage = await readFinalStage()
    relay = await startRelay()
    dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-image-'))
    await fillDataFolder(dataDir)
    inside = await rootOf(stage, dataDir)
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    env = {
      ...stage.env,
      DATA_DIR: dataOf(dataDir),
      PATH: '/image:/usr/bin',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: origin,
      OPERATOR_NAME: '株式会社見本',
      OPERATOR_EMAIL: 'contact@todoke.test',
      SMTP_URL: relay.url,
      DRAIN_SECONDS: '2',
      RATE_LIMITS: '0',
    }
    server = spawn('bwrap', [...inside, ...stage.command], { env, stdio: 'ignore' })
    await vi.waitUntil(async () => (await statusOf('/api/health/ready')) === 200, {
      timeout: 100_000,
      interval: 50,
    })
  })
  afterAll(async () => {
    server?.kill('SIGKILL')
    await relay?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('is healthy by the check of the image, and only while the server answers', async () => {
    expect(run(stage.check).status).toBe(0)
    const other = spawnSync('bwrap', [...inside, ...stage.check], { env: { ...env, PORT: '9' } })
    expect(other.status).toBe(1)
  })

  test('lets a person register and add a post with a picture, which a sandbox decodes', async () => {
    const health = await (await fetch(`${origin}/api/health`)).text()
    expect(health).toContain('"media_sandbox":"bubblewrap"')
    const { picture } = await makeFirstPost(origin, relay)
    expect(picture.subarray(8, 12).toString()).toBe('WEBP')
  })

  test('writes only the data folder and temporary files', async () => {
    const status = await readFile(`/proc/${await ownPid()}/status`, 'utf8')
    expect(/^CapEff:\s*(\w+)$/m.exec(status)?.[1]).toBe('0000000000000000')
    for (const folder of ['/', '/app', '/app/dist', '/image', '/usr/local', '/etc'])
      expect([folder, run(['touch', `${folder}/written`]).status]).toEqual([folder, 1])
    expect(await readdir(dataDir)).toContain('media')
  })

  test('serves while it drains after SIGTERM, and ends with success', async () => {
    const exited = once(server, 'exit')
    process.kill(await ownPid(), 'SIGTERM')
    await expect.poll(() => statusOf('/api/health/ready')).toBe(503)
    expect(await statusOf('/api/health/live')).toBe(200)
    expect((await exited)[0]).toBe(0)
  })
})
