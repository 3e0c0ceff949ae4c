// Publishes by the API without a browser, also files that the editor would refuse.
import { randomUUID } from 'node:crypto'
import { TUS_PATH } from '#contract/paths.ts'
import { creator, sessionOf } from '#e2e/rig/people/people.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function checked(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return response
}

interface Sent {
  readonly name: string
  readonly bytes: Buffer<ArrayBuffer>
}

/** Uploads the bytes with one request. @returns the upload's id */
async function upload(url: string, authorization: string, { name, bytes }: Sent): Promise<string> {
  const tus = { authorization, 'tus-resumable': '1.0.0' }
  const id = randomUUID()
  const metadata = `id ${base64(id)},filename ${base64(name)}`
  const length = String(bytes.length)
  const made = { ...tus, 'upload-length': length, 'upload-metadata': metadata }
  await checked(await fetch(url + TUS_PATH, { method: 'POST', headers: made }))
  const sent = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  await checked(await fetch(`${url}${TUS_PATH}/${id}`, { method: 'PATCH', headers: sent, body: bytes }))
  return id
}

interface Writing {
  readonly content: string
  /** Name of the form field of its files. */
  readonly field?: string
  readonly files?: readonly Sent[]
  /** Further form fields, such as visibility and price; public by default. */
  readonly more?: Readonly<Record<string, string>>
}

/** Uploads the files and publishes them in one post. @returns the post's id */
async function publish(url: string, { content, field = '', files = [], more }: Writing): Promise<string> {
  const { token } = await sessionOf(url, creator)
  const authorization = `Bearer ${token}`
  const body = new FormData()
  for (const [name, value] of Object.entries({ content, type: '1', ...more })) body.append(name, value)
  for (const it of files) body.append(field, await upload(url, authorization, it))
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const added = await checked(await fetch(`${url}/api/post/add`, { method: 'POST', headers, body }))
  const { data } = (await added.json()) as { data: { item: { id: string } }[] }
  const post = data[0]?.item.id ?? ''
  await checked(
    await fetch(`${url}/api/post/release-uploaded/${post}`, { method: 'POST', headers: { authorization } }),
  )
  return post
}

/** Publishes a video in a post whose text is the video's name. */
export const publishVideo = (url: string, bytes: Buffer<ArrayBuffer>, name: string): Promise<string> =>
  publish(url, { content: name, field: 'has_video_file', files: [{ name, bytes }] })

/** Publishes a post of images. @param more further form fields */
export const publishImages = (
  url: string,
  content: string,
  images: readonly Sent[],
  more: Record<string, string> = {},
): Promise<string> => publish(url, { content, field: 'has_image_file[]', files: images, more })

/** Publishes a post of text alone. @param more further form fields */
export const publishWords = (url: string, content: string, more: Record<string, string>): Promise<string> =>
  publish(url, { content, more })
