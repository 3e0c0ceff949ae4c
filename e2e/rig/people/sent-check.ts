// Submits an identity check with a person's requests, without a browser.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compositeDigest, DIGEST_LEAF } from '#contract/digest.ts'
import { makePictures } from '#e2e/rig/posting/pictures.ts'
import { defined } from '#contract/testing/defined.ts'
import { LEGAL_NAME } from './identity.ts'
import { type Person, sessionOf } from './people.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function upload(url: string, auth: Record<string, string>, bytes: Buffer) {
  const id = randomUUID()
  const tus = { ...auth, 'tus-resumable': '1.0.0' }
  const metadata = `id ${base64(id)},filename ${base64('file')},purpose ${base64('identity')}`
  const created = await fetch(`${url}/upload-chunking-2`, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
  })
  if (!created.ok) throw new Error(`the upload answered ${created.status}`)
  const sent = await fetch(`${url}/upload-chunking-2/${id}`, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  })
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}`)
  const leaves: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += DIGEST_LEAF)
    leaves.push(
      createHash('sha256')
        .update(bytes.subarray(at, at + DIGEST_LEAF))
        .digest(),
    )
  return { upload_id: id, digest: await compositeDigest(leaves) }
}

/** Submits both sides of a driving licence and a recording. @returns the check's id */
export async function submittedCheck(url: string, person: Person): Promise<string> {
  const { token } = await sessionOf(url, person)
  const auth = { authorization: `Bearer ${token}` }
  await fetch(`${url}/api/auth/legal-name`, {
    method: 'PUT',
    headers: { ...auth, 'content-type': 'application/json' },
    body: JSON.stringify(LEGAL_NAME),
  })
  const prompts = await fetch(`${url}/api/identity/prompts`, { method: 'POST', headers: auth })
  const { id: promptsId } = (await prompts.json()) as { id: string }
  const [front, back] = await makePictures(2)
  const video = readFileSync(join(import.meta.dirname, '../../fixtures/h264.mp4'))
  const body = {
    prompts_id: promptsId,
    document_kind: 'drivers_license',
    front: await upload(url, auth, readFileSync(defined(front).path)),
    back: await upload(url, auth, readFileSync(defined(back).path)),
    live: await upload(url, auth, video),
  }
  const response = await fetch(`${url}/api/identity/checks`, {
    method: 'POST',
    headers: { ...auth, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the check answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: { id: string } }).data.id
}
