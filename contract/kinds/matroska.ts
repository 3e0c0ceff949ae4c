// Recognises Matroska and WebM: an EBML header with a document type, then a segment.
import type { Bytes } from './bytes.ts'
import type { FileBytes } from './file-bytes.ts'
import type { Mime } from './kind.ts'

const EBML = 0x1a45dfa3
const SEGMENT = 0x18538067
const DOC_TYPE = 0x4282
/** Void and CRC-32 may be anywhere. */
const fillers = new Set([0xec, 0xbf])
/** Bytes of the largest header that is read. */
const MAX_HEADER = 4096

interface Element {
  readonly id: number
  readonly body: number
  /** Bytes; Infinity where it is unknown. */
  readonly size: number
}

/** The element at an offset; undefined when it is invalid. Ids include their length bits, sizes do not. */
function elementAt(head: Bytes, at: number): Element | undefined {
  const idLength = Math.clz32(head.byte(at) ?? 0) - 23
  if (idLength > 4 || at + idLength >= head.length) return undefined
  const id = head.number(at, idLength)
  const sizeAt = at + idLength
  const first = head.byte(sizeAt) ?? 0
  const sizeLength = Math.clz32(first) - 23
  if (sizeLength > 8 || sizeAt + sizeLength > head.length) return undefined
  let size = first & (0xff >> sizeLength)
  let unknown = size === 0xff >> sizeLength
  for (let i = 1; i < sizeLength; i++) {
    const byte = head.byte(sizeAt + i) ?? 0
    size = size * 256 + byte
    unknown &&= byte === 0xff
  }
  return { id, body: sizeAt + sizeLength, size: unknown ? Number.POSITIVE_INFINITY : size }
}

export function matroskaKind({ head }: FileBytes): Mime | undefined {
  const header = elementAt(head, 0)
  if (header?.id !== EBML || header.size > MAX_HEADER) return undefined
  const end = header.body + header.size
  const type = docTypeOf(head, header.body, end)
  if (type !== 'matroska' && type !== 'webm') return undefined
  for (let at = end; at < head.length;) {
    const element = elementAt(head, at)
    if (element?.id === SEGMENT) return type === 'webm' ? 'video/webm' : 'video/matroska'
    if (!element || !fillers.has(element.id)) return undefined
    at = element.body + element.size
  }
  return undefined
}

function docTypeOf(head: Bytes, from: number, end: number): string | undefined {
  for (let at = from; at < end;) {
    const element = elementAt(head, at)
    if (!element || element.body + element.size > end) return undefined
    if (element.id === DOC_TYPE) return head.text(element.body, element.body + element.size).split('\0')[0]
    at = element.body + element.size
  }
  return undefined
}
