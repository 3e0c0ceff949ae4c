// A server killed while it removes plain identity documents continues at its next start.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { openFolder } from './adapters/database/embedded/embedded.ts'
import { createPasswords } from './adapters/passwords.ts'
import { migrationsFolder } from './store/database.ts'
import { addUser } from './store/people/people.ts'
import { type Documents, documents, LEGAL_NAME, named } from './testing/people/identity.ts'
import { type Running, startServer } from './testing/process.ts'
import { fillDataFolder } from './testing/template.ts'

const member = { email: 'a@example.com', password: 'todoke-1234' }
/** Reviews checks of others. */
const admin = { email: 'b@example.com', password: member.password }
const json = { 'content-type': 'application/json' }

const dataDir = await mkdtemp(path.join(tmpdir(), 'todoke-killed-'))
let server: Running | undefined
afterAll(async () => {
  await server?.end('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})
const start = async (as: Record<string, string>) => (server = await startServer(as))
const inFolder = async (name: string, ids: readonly string[]) =>
  (await readdir(path.join(dataDir, name))).filter((it) => ids.some((id) => it.startsWith(id)))

/** Loaded before the server: kills it at the first removal of an upload. */
const killAtRemoval = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const rm = fs.promises.rm
fs.promises.rm = (file, ...more) =>
  String(file).includes('/identity-uploads/') ? process.kill(process.pid, 'SIGKILL') : rm(file, ...more)
syncBuiltinESMExports()`
const env = { DATA_DIR: dataDir, ADMIN_EMAILS: admin.email }
const killedEnv = {
  ...env,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killAtRemoval)}`,
}

async function createAccounts(): Promise<void> {
  await fillDataFolder(dataDir)
  const database = await openFolder(dataDir, migrationsFolder)
  const passwordHash = await createPasswords().hash(member.password)
  const about = { name: '花', birthDate: '1990-01-01', createdAt: new Date() }
  for (const { email } of [member, admin])
    await addUser(database.db, { id: newId(), email, passwordHash, ...about })
  await database.close()
}

type Headers = Record<string, string>

async function signIn(origin: string, as = member): Promise<Headers> {
  const options = { method: 'POST', headers: json, body: JSON.stringify(as) }
  const reply = await fetch(`${origin}/api/auth/sign-in`, options)
  return { authorization: `Bearer ${((await reply.json()) as { token: string }).token}` }
}

async function upload(origin: string, auth: Headers, bytes: Buffer) {
  const id = newId()
  const tus = { ...auth, 'tus-resumable': '1.0.0' }
  const metadata = `id ${btoa(id)},filename ${btoa('a')},purpose ${btoa('identity')}`
  const begin = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata }
  await fetch(`${origin}/upload-chunking-2`, { method: 'POST', headers: begin })
  const chunk = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  const body = new Uint8Array(bytes)
  const reply = await fetch(`${origin}/upload-chunking-2/${id}`, { method: 'PATCH', headers: chunk, body })
  expect(reply.status).toBe(204)
  return named(id, bytes)
}

async function prepare(origin: string, auth: Headers, files: Documents) {
  const name = { method: 'PUT', headers: { ...auth, ...json }, body: JSON.stringify(LEGAL_NAME) }
  await fetch(`${origin}/api/auth/legal-name`, name)
  const reply = await fetch(`${origin}/api/identity/prompts`, { method: 'POST', headers: auth })
  return {
    prompts_id: ((await reply.json()) as { id: string }).id,
    document_kind: 'drivers_license',
    front: await upload(origin, auth, files.front),
    back: await upload(origin, auth, files.back),
    live: await upload(origin, auth, files.live),
  }
}

test('killed after the commit and again at the start, the server removes plain files at the next start and loses nothing', async () => {
  await createAccounts()
  const files = await documents()
  const first = await start(killedEnv)
  const auth = await signIn(first.origin)
  const body = await prepare(first.origin, auth, files)
  const ids = [body.front, body.back, body.live].map((it) => it.upload_id)
  const key = newId()
  const submit = (origin: string) =>
    fetch(`${origin}/api/identity/checks`, {
      method: 'POST',
      headers: { ...auth, ...json, 'idempotency-key': key },
      body: JSON.stringify(body),
    })
  await expect(submit(first.origin)).rejects.toThrow('fetch failed')
  expect(await first.end('SIGTERM')).toBe('SIGKILL')
  // The check is committed and sealed, and every plain file still exists.
  expect([await inFolder('identity-uploads', ids), await inFolder('identity', ids)]).toEqual([
    expect.arrayContaining(ids),
    expect.arrayContaining(ids),
  ])

  // The process may print its address before it is killed, or not.
  const second = await start(killedEnv).catch(() => undefined)
  if (second) await expect.poll(() => second.process.signalCode).toBe('SIGKILL')
  expect(await inFolder('identity-uploads', ids)).toEqual(expect.arrayContaining(ids))

  const third = await start(env)
  const left = async () => inFolder('identity-uploads', ids)
  // Earlier than the queue would retry the job of the killed process.
  await expect.poll(() => left()).toEqual([])
  const repeated = await submit(third.origin)
  const { data } = (await repeated.json()) as { data: { id: string } }
  const get = (to: string) => fetch(`${third.origin}/api${to}`, { headers: auth })
  const { state } = (await (await get('/identity')).json()) as { state: object }
  expect([repeated.status, state]).toEqual([200, { is: 'submitted', check: data }])
  const reviewer = await signIn(third.origin, admin)
  const asAdmin = (to: string, sent?: object) =>
    fetch(`${third.origin}/api${to}`, {
      ...(sent && { method: 'POST', body: JSON.stringify(sent) }),
      headers: { ...reviewer, ...(sent && json) },
    })
  await asAdmin('/auth/validation', { password: admin.password })
  await asAdmin(`/admin/identity/checks/${data.id}/take`, {})
  const { evidence } = (await (await asAdmin(`/admin/identity/checks/${data.id}`)).json()) as {
    evidence: { files: { id: string; part: keyof Documents }[] }
  }
  expect(evidence.files.map((it) => it.id).toSorted()).toEqual(ids.toSorted())
  for (const { id, part } of evidence.files) {
    const decrypted = Buffer.from(await (await asAdmin(`/admin/identity/files/${id}`)).arrayBuffer())
    expect([part, decrypted.equals(files[part])]).toEqual([part, true])
  }
  expect((await inFolder('identity', ids)).toSorted()).toEqual(ids.toSorted())
}, 240_000)
