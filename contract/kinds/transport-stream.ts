// Recognises MPEG transport streams: packets of one size, with a program association table.
import type { Bytes } from './bytes.ts'
import type { FileBytes } from './file-bytes.ts'
import type { Mime } from './kind.ts'

const SYNC = 0x47
/** Packet size and offset of the sync byte: plain, with a time code in front, with error correction behind. */
const layouts = [
  { size: 188, sync: 0 },
  { size: 192, sync: 4 },
  { size: 204, sync: 0 },
] as const
/** Packets that a file must have, for a comparison of their sync bytes. */
const MIN_PACKETS = 4

/** Requires the sync byte of every packet in the first 64 KiB, and the begin of a program association table. */
export function transportStreamKind({ head }: FileBytes): Mime | undefined {
  return layouts.some((it) => isPackets(head, it)) ? 'video/mp2t' : undefined
}

function isPackets(head: Bytes, { size, sync }: (typeof layouts)[number]): boolean {
  const count = Math.floor(head.length / size)
  if (count < MIN_PACKETS) return false
  let tables = 0
  for (let i = 0; i < count; i++) {
    const at = i * size + sync
    if (head.byte(at) !== SYNC) return false
    if (beginsTable(head.part(at, at + 188))) tables += 1
  }
  return tables > 0
}

/** Packet identifier 0, start of a unit, payload with table identifier 0 and the section syntax bit. */
function beginsTable(packet: Bytes): boolean {
  const second = packet.byte(1) ?? 0
  const identifier = ((second & 0x1f) << 8) | (packet.byte(2) ?? 0)
  const begins = (second & 0x40) !== 0 && (second & 0x80) === 0
  const control = ((packet.byte(3) ?? 0) >> 4) & 3
  if (identifier !== 0 || !begins || (control & 1) === 0) return false
  const payload = control === 3 ? 5 + (packet.byte(4) ?? 0) : 4
  const section = payload + 1 + (packet.byte(payload) ?? 0)
  return packet.byte(section) === 0 && ((packet.byte(section + 1) ?? 0) & 0xf0) === 0xb0
}
