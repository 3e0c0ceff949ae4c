// People of a test server, and the requests that they send.
import { createHash, randomBytes } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { compositeDigest, DIGEST_LEAF } from '#contract/digest.ts'
import { newId } from '#contract/ids.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { setIdentified } from '#server/store/identity/identity.ts'
import { addUser } from '#server/store/people/people.ts'
import { addSession } from '#server/store/accounts/sessions.ts'
import { reindexPerson } from '#server/services/search/search-index.ts'
import type { World } from '#server/testing/world.ts'

export type Reply = Response

export interface Member {
  readonly id: string
  readonly email: string
  readonly token: string
  readonly auth: { authorization: string }
}

let count = 0

/** The password of every member of a test server. */
export const PASSWORD = 'todoke-1234'

/** Creates an account and a session without sending an email. */
export async function signUp({ deps, clock }: World, birthDate = '1990-04-01'): Promise<Member> {
  const [id, token] = [newId(), newToken()]
  const email = `member${++count}@example.com`
  const passwordHash = await deps.passwords.hash(PASSWORD)
  const createdAt = new Date(clock.now)
  await addUser(deps.db, { id, email, passwordHash, name: `会員${count}`, birthDate, createdAt })
  await reindexPerson(deps.db, id)
  await addSession(deps.db, { tokenHash: hashToken(token), userId: id }, clock.now)
  return { id, email, token, auth: { authorization: `Bearer ${token}` } }
}

/** Opens another session of a person. */
export async function signInAgain({ deps, clock }: World, person: Member): Promise<Member> {
  const token = newToken()
  await addSession(deps.db, { tokenHash: hashToken(token), userId: person.id }, clock.now)
  return { ...person, token, auth: { authorization: `Bearer ${token}` } }
}

/** Gives a person an approved identity check, which plan and priced posts require. */
export async function identify({ deps, clock }: World, person: Member): Promise<Member> {
  await setIdentified(deps.db, person.id, new Date(clock.now))
  return person
}

/** Calls the API. @param as the caller; null for a visitor */
export function call(
  world: World,
  as: Member | null,
  method: NonNullable<InjectOptions['method']>,
  path: string,
  payload?: InjectOptions['payload'],
  headers: Record<string, string> = {},
): Promise<Response> {
  const options: InjectOptions = { method, url: API_BASE + path, headers: { ...as?.auth, ...headers } }
  return world.app.inject(payload === undefined ? options : { ...options, payload })
}

export type FormValue = string | { readonly name: string; readonly bytes: Buffer }

/** `POST /post/add` as a browser sends it. */
export async function addPost(
  world: World,
  as: Member | null,
  fields: readonly (readonly [string, FormValue])[],
  key?: string,
): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value.bytes)]), value.name)
  }
  const encoded = new globalThis.Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers: Record<string, string> = { 'content-type': encoded.headers.get('content-type') ?? '' }
  if (key !== undefined) headers['idempotency-key'] = key
  return call(world, as, 'POST', '/post/add', body, headers)
}

export const postIdOf = (reply: Response): string => reply.json().data[0].item.id as string

export const errorOf = (reply: Response): { code: string; fields?: Record<string, string> } =>
  reply.json().error

const base64 = (text: string) => Buffer.from(text).toString('base64')

export const tus = { 'tus-resumable': '1.0.0' }

/** Creates an upload and sends all its bytes. */
export async function upload(
  world: World,
  as: Member,
  bytes: Buffer,
  filename: string,
  id = newId(),
): Promise<string> {
  const metadata = `id ${base64(id)},filename ${base64(filename)}`
  await world.app.inject({
    method: 'POST',
    url: TUS_PATH,
    headers: { ...as.auth, ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  })
  await patch(world, as, id, 0, bytes)
  return id
}

export function patch(
  world: World,
  as: Member | null,
  id: string,
  offset: number,
  bytes: Buffer,
): Promise<Response> {
  return world.app.inject({
    method: 'PATCH',
    url: `${TUS_PATH}/${id}`,
    headers: {
      ...as?.auth,
      ...tus,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    payload: bytes,
  })
}

export function head(world: World, as: Member | null, id: string): Promise<Response> {
  return world.app.inject({ method: 'HEAD', url: `${TUS_PATH}/${id}`, headers: { ...as?.auth, ...tus } })
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** The value that a device sends as `upload_digest[]`. */
export async function digestOf(id: string, bytes: Buffer): Promise<string> {
  const leaves: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += DIGEST_LEAF)
    leaves.push(sha256(bytes.subarray(at, at + DIGEST_LEAF)))
  return `${id}:${await compositeDigest(leaves)}`
}

/** Random bytes, different in every test. */
export const noise = (length: number): Buffer => randomBytes(length)
