// Stable UUIDs for the simulation: the same name gives the same UUID in every run.
import { createHash } from 'node:crypto'

/** The UUID of a name: its hash in the form of a version 7 UUID. */
export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
