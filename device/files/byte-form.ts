// How this engine stores bytes: as Blobs where its worker reads them, else as ArrayBuffers.
// WebKit stores the whole parent file for every slice, and its worker reads the wrong bytes of large ones.
import * as v from 'valibot'
import { readSetting, writeSetting } from '#device/session/settings.ts'

/**
 * `blob`: the slice of the picked file itself. `copy`: a new Blob of the slice's bytes. `buffer`: an
 * ArrayBuffer, which costs memory everywhere and, in WebKit, 0.7 s a chunk where a Blob costs 0.03 s.
 */
export type ByteForm = 'blob' | 'copy' | 'buffer'

const FORM_KEY = 'byte-form'
const PROBE = 'byte-probe'
const PROBE_TEXT = 'todoke'

/** Lets the worker read the probe back. The app sets it at its start; undefined where there is no worker. */
let probeWorker: ((key: string) => Promise<string | undefined>) | undefined
let pending: Promise<ByteForm> | undefined

/** Sets how this page lets the worker read the probe. */
export function setProbe(probe: (key: string) => Promise<string | undefined>): void {
  probeWorker = probe
}

/** Reads the probe in the worker, for `setProbe`: the text it finds under the key. */
export async function readProbe(key: string): Promise<string | undefined> {
  const blob = await readSetting(key, v.instance(Blob))
  return blob?.text()
}

/** The form that this engine stores correctly, found once per device and saved. Any doubt means ArrayBuffers. */
export function byteForm(): Promise<ByteForm> {
  return (pending ??= find().catch(() => {
    pending = undefined
    return 'buffer' as const
  }))
}

/**
 * HTML's `navigator.vendor` distinguishes three engines, under any browser name. A probe would not work: WebKit
 * reads a small slice back correctly, and a large one too until the page has released the picked file.
 */
function isWebKit(): boolean {
  return 'vendor' in navigator && navigator.vendor === 'Apple Computer, Inc.'
}

async function find(): Promise<ByteForm> {
  const best = isWebKit() ? 'copy' : 'blob'
  const saved = await readSetting(FORM_KEY, v.picklist([best, 'buffer']))
  if (saved) return saved
  if (!probeWorker) return 'buffer'
  const parent = new Blob(['x'.repeat(4096), PROBE_TEXT, 'y'.repeat(4096)])
  const slice = parent.slice(4096, 4096 + PROBE_TEXT.length)
  // Private windows of WebKit refuse every Blob.
  await writeSetting(PROBE, best === 'copy' ? new Blob([await slice.arrayBuffer()]) : slice)
  const text = await probeWorker(PROBE)
  if (text === undefined) {
    pending = undefined
    return 'buffer'
  }
  const form = text === PROBE_TEXT ? best : 'buffer'
  await writeSetting(FORM_KEY, form)
  return form
}
