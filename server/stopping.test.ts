// The server as a process that is killed, restarted and stopped.
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Upload } from 'tus-js-client'
import { newId } from '#contract/ids.ts'
import { beginPatch } from './testing/media/begun-patch.ts'
import { digestOf, noise } from './testing/people/members.ts'
import { signInAt } from './testing/processes/process-member.ts'
import { fixture } from './testing/pictures.ts'
import { processSetup } from './testing/processes/process-setup.ts'

const setup = processSetup()

/** Uploads the bytes. @param onSent called with the number of bytes sent so far */
function send(
  bytes: Buffer,
  id: string,
  headers: Record<string, string>,
  target: { origin: string; resume: boolean },
  onSent?: (sent: number) => void,
) {
  return new Promise<void>((resolve, reject) => {
    const url = `${target.origin}/upload-chunking-2`
    const upload = new Upload(bytes, {
      ...(target.resume ? { endpoint: null, uploadUrl: `${url}/${id}` } : { endpoint: url }),
      chunkSize: 5 * 1024 * 1024,
      retryDelays: null,
      headers,
      metadata: { id, filename: 'video.mp4' },
      onProgress: (sent) => onSent?.(sent),
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
}

async function add(origin: string, headers: Record<string, string>, id: string, bytes: Buffer, key: string) {
  const form = new FormData()
  form.append('content', '動画です')
  form.append('type', '1')
  form.append('has_video_file', id)
  form.append('upload_digest[]', await digestOf(id, bytes))
  const reply = await fetch(`${origin}/api/post/add`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': key },
    body: form,
  })
  return { status: reply.status, text: await reply.text() }
}

test('an upload continues after a kill and restart; after a kill the same key returns the same post', async () => {
  const bytes = Buffer.concat([fixture('h264.mp4'), noise(18_000_000)])
  const [id, key] = [newId(), newId()]
  const first = await setup.start()
  const headers = await signInAt(first.origin)
  const cut = send(bytes, id, headers, { origin: first.origin, resume: false }, (sent) => {
    if (sent > 8_000_000) first.process.kill('SIGKILL')
  })
  await expect(cut).rejects.toThrow('failed to upload chunk')
  const second = await setup.start()
  const received = (await stat(path.join(setup.dataDir, 'uploads', id))).size
  expect(received).toBeGreaterThanOrEqual(5 * 1024 * 1024)
  expect(received).toBeLessThan(bytes.length)
  await send(bytes, id, headers, { origin: second.origin, resume: true })
  const added = await add(second.origin, headers, id, bytes, key)
  expect(added.status).toBe(200)
  await second.end('SIGKILL')
  const third = await setup.start()
  expect(await add(third.origin, headers, id, bytes, key)).toEqual(added)
  const postId = (JSON.parse(added.text) as { data: [{ item: { id: string } }] }).data[0].item.id
  await fetch(`${third.origin}/api/post/release-uploaded/${postId}`, { method: 'POST', headers })
  const ready = async () => {
    const reply = await fetch(`${third.origin}/api/posts`, { headers })
    return ((await reply.json()) as { posts: { access: { media: { state: string }[] } }[] }).posts.map(
      (it) => it.access.media[0]?.state,
    )
  }
  await expect.poll(() => ready()).toEqual(['ready'])
}, 90_000)

/** Creates an upload of 1000 bytes. @returns its id */
async function createUpload(origin: string, headers: Record<string, string>): Promise<string> {
  const id = newId()
  await fetch(`${origin}/upload-chunking-2`, {
    method: 'POST',
    headers: {
      ...headers,
      'tus-resumable': '1.0.0',
      'upload-length': '1000',
      'upload-metadata': `id ${btoa(id)}`,
    },
  })
  return id
}

test('a stopping server finishes a chunk in progress, accepts no new request, and ends', async () => {
  const { origin, end, process: child } = await setup.start()
  const headers = await signInAt(origin)
  const id = await createUpload(origin, headers)
  const socket = beginPatch(origin, id, headers)
  socket.write(noise(400))
  const file = path.join(setup.dataDir, 'uploads', id)
  await expect.poll(async () => (await stat(file)).size).toBe(400)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const health = () => fetch(`${origin}/api/health`).then(String, (error: Error) => error.message)
  await expect.poll(health).toBe('fetch failed')
  const replied = once(socket, 'data')
  socket.write(noise(600))
  expect(String((await replied)[0])).toMatch(/^HTTP\/1.1 204[\s\S]*upload-offset: 1000/i)
  expect((await exited)[0]).toBe(0)
  expect(await end('SIGTERM')).toBe(0)
  expect((await stat(file)).size).toBe(1000)
}, 60_000)

test('a stopping server cuts an endless chunk, stores its received bytes, and ends', async () => {
  const { origin, end } = await setup.start()
  const headers = await signInAt(origin)
  const id = await createUpload(origin, headers)
  const stalled = new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(noise(400))) })
  const patch = fetch(`${origin}/upload-chunking-2/${id}`, {
    method: 'PATCH',
    headers: {
      ...headers,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body: stalled,
    duplex: 'half',
  }).catch(() => 'cut')
  const file = path.join(setup.dataDir, 'uploads', id)
  await expect.poll(async () => (await stat(file)).size).toBe(400)
  expect(await end('SIGTERM')).toBe(0)
  await patch
  expect((await stat(file)).size).toBe(400)
}, 60_000)
