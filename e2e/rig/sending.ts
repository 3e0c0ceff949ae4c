// Publishing without a browser: any bytes as a video, past what an editor would let through.
import { randomUUID } from 'node:crypto'
import { TUS_PATH } from '#contract/paths.ts'
import { creator, sessionOf } from './people.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function answered(response: Response): Promise<Response> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return response
}

/** Uploads the bytes and publishes them for everyone; the post's id. */
export async function publishVideo(url: string, bytes: Buffer<ArrayBuffer>, name: string): Promise<string> {
  const { token } = await sessionOf(url, creator)
  const authorization = `Bearer ${token}`
  const tus = { authorization, 'tus-resumable': '1.0.0' }
  const id = randomUUID()
  const metadata = `id ${base64(id)},filename ${base64(name)}`
  const length = String(bytes.length)
  const made = { ...tus, 'upload-length': length, 'upload-metadata': metadata }
  await answered(await fetch(url + TUS_PATH, { method: 'POST', headers: made }))
  const sent = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
  await answered(await fetch(`${url}${TUS_PATH}/${id}`, { method: 'PATCH', headers: sent, body: bytes }))
  const body = new FormData()
  body.append('content', name)
  body.append('type', '1')
  body.append('has_video_file', id)
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const added = await answered(await fetch(`${url}/api/post/add`, { method: 'POST', headers, body }))
  const { data } = (await added.json()) as { data: { item: { id: string } }[] }
  const post = data[0]?.item.id ?? ''
  await answered(
    await fetch(`${url}/api/post/release-uploaded/${post}`, { method: 'POST', headers: { authorization } }),
  )
  return post
}
