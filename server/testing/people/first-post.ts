// A person on a running server: registration by email, and a post with a picture.
import { newId } from '#contract/ids.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import { defined } from '#contract/testing/defined.ts'
import type { Relay } from '#server/testing/clients/mail-relay.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { until } from '#server/testing/until.ts'
import { tus } from './members.ts'

type Headers = Record<string, string>

export interface FirstPost {
  /** Headers of requests of the person. */
  readonly auth: Headers
  /** Bytes of the picture as the server made it. */
  readonly picture: Buffer
}

async function send(url: string, init: RequestInit): Promise<Response> {
  const reply = await fetch(url, init)
  if (!reply.ok) throw new Error(`${init.method ?? 'GET'} ${url}: ${reply.status} ${await reply.text()}`)
  return reply
}

const json = async (url: string, body: unknown, headers: Headers = {}) =>
  (
    await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  ).json() as Promise<Record<string, string>>

/** @returns headers of the requests of a person who has registered by the link in the email */
async function register(api: string, relay: Relay): Promise<Headers> {
  const email = `${newId()}@example.com`
  const given = { email, password: 'todoke-1234', name: '花', birth_date: '1990-04-01', terms: true }
  const { claim } = await json(`${api}/auth/sign-up`, given)
  const token = await until(async () => {
    const mail = relay.received.find((it) => it.to?.some(({ address }) => address === email))
    return mail && /confirmed#token=([\w-]+)/.exec(defined(mail.text))?.[1]
  }, 'the email of the registration')
  const session = await json(`${api}/auth/sign-up/confirm`, { token, claim })
  return { authorization: `Bearer ${session['token']}` }
}

/** Uploads a picture in one piece. @returns its id */
async function uploadPicture(origin: string, auth: Headers): Promise<string> {
  const [id, bytes] = [newId(), await jpeg()]
  const headers = { ...auth, ...tus }
  const metadata = `id ${btoa(id)},filename ${btoa('a.jpg')}`
  await send(origin + TUS_PATH, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  })
  await send(`${origin}${TUS_PATH}/${id}`, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  })
  return id
}

/**
 * Registers, adds an open post with a picture, and waits until the picture is there.
 * @param relay the mail relay of the server
 */
export async function makeFirstPost(origin: string, relay: Relay): Promise<FirstPost> {
  const api = origin + API_BASE
  const auth = await register(api, relay)
  const id = await uploadPicture(origin, auth)
  const form = new FormData()
  for (const [name, value] of [
    ['content', '写真です'],
    ['type', '1'],
    ['has_image_file[]', id],
  ] as const)
    form.append(name, value)
  const headers = { ...auth, 'idempotency-key': newId() }
  const added = await send(`${api}/post/add`, { method: 'POST', headers, body: form })
  const { data } = (await added.json()) as { data: { item: { id: string } }[] }
  await send(`${api}/post/release-uploaded/${data[0]?.item.id}`, { method: 'POST', headers: auth })
  const picture = await until(async () => {
    const reply = await fetch(`${api}/media/${id}/w480`, { headers: auth })
    const bytes = Buffer.from(await reply.arrayBuffer())
    return reply.ok ? bytes : undefined
  }, 'the picture of the post')
  return { auth, picture }
}
