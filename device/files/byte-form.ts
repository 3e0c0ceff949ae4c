// How this engine keeps bytes: Blobs where the worker reads back what the page stored, ArrayBuffers elsewhere.
// WebKit stores the whole parent file for every slice, and its worker reads the wrong bytes of large ones.
import * as v from 'valibot'
import { readSetting, writeSetting } from '#device/session/settings.ts'

/**
 * `blob`: the slice of the picked file itself. `copy`: a new Blob of the slice's bytes. `buffer`: an
 * ArrayBuffer, which costs memory everywhere and, in WebKit, 0.7 s a chunk where a Blob costs 0.03 s.
 */
export type ByteForm = 'blob' | 'copy' | 'buffer'

const ANSWER = 'byte-form'
const PROBE = 'byte-probe'
const PROBE_TEXT = 'todoke'

/** Asks the worker to read the probe back; the app sets it at its start, absent where there is no worker. */
let askWorker: ((key: string) => Promise<string | undefined>) | undefined
let asking: Promise<ByteForm> | undefined

/** Gives this page its way to the worker that answers the probe. */
export function setProbe(ask: (key: string) => Promise<string | undefined>): void {
  askWorker = ask
}

/** What the worker sees under a probe key: the text it read, for `setProbe`'s asker. */
export async function readProbe(key: string): Promise<string | undefined> {
  const blob = await readSetting(key, v.instance(Blob))
  return blob?.text()
}

/** The form this engine keeps rightly, found once per device and remembered. Doubt means ArrayBuffers. */
export function byteForm(): Promise<ByteForm> {
  return (asking ??= find().catch(() => {
    asking = undefined
    return 'buffer' as const
  }))
}

/**
 * HTML's `navigator.vendor` distinguishes three engines, under any browser name. A probe would not work: WebKit
 * reads a small slice back rightly, and a large one until the page has let go of the picked file.
 */
function isWebKit(): boolean {
  return 'vendor' in navigator && navigator.vendor === 'Apple Computer, Inc.'
}

async function find(): Promise<ByteForm> {
  const best = isWebKit() ? 'copy' : 'blob'
  const known = await readSetting(ANSWER, v.picklist([best, 'buffer']))
  if (known) return known
  if (!askWorker) return 'buffer'
  const parent = new Blob(['x'.repeat(4096), PROBE_TEXT, 'y'.repeat(4096)])
  const slice = parent.slice(4096, 4096 + PROBE_TEXT.length)
  // Private windows of WebKit refuse every Blob.
  await writeSetting(PROBE, best === 'copy' ? new Blob([await slice.arrayBuffer()]) : slice)
  const seen = await askWorker(PROBE)
  if (seen === undefined) {
    asking = undefined
    return 'buffer'
  }
  const form = seen === PROBE_TEXT ? best : 'buffer'
  await writeSetting(ANSWER, form)
  return form
}
