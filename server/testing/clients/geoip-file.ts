// Writes a GeoIP database (MaxMind DB, format 2.0) with a few networks.
import { isIPv4 } from 'node:net'

export type Place = { readonly [key: string]: string | number | Place | readonly string[] }

/** Child nodes, the offset of a place in the data section, or none. */
type Branch = Node | { readonly offset: number } | undefined
type Node = [Branch, Branch]

const RECORD_BYTES = 3
/** Bytes between tree and data. */
const GAP = 16
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/** Encodes the file. @param places by network, such as `192.0.2.0/24` */
export function placeFile(places: Readonly<Record<string, Place>>): Buffer {
  const root: Node = [undefined, undefined]
  const data: Buffer[] = []
  let offset = 0
  for (const [network, place] of Object.entries(places)) {
    const bytes = encode(place)
    insertPlace(root, bitsOf(network), { offset })
    data.push(bytes)
    offset += bytes.length
  }
  const nodes = numberNodes(root)
  const tree = Buffer.concat(
    [...nodes.keys()].flatMap(([zero, one]) => [record(nodes, zero), record(nodes, one)]),
  )
  const about = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000,
    database_type: 'Test-City',
    description: { en: 'made for a test' },
    ip_version: 6,
    languages: ['en', 'ja'],
    node_count: nodes.size,
    record_size: RECORD_BYTES * 8,
  }
  return Buffer.concat([tree, Buffer.alloc(GAP), ...data, MARKER, encode(about)])
}

/** A network's bits, IPv4 as the last 32 of IPv6. */
function bitsOf(network: string): string {
  const [address = '', length = ''] = network.split('/')
  if (isIPv4(address))
    return '0'.repeat(96) + bits(address.split('.').map(Number), 8).slice(0, Number(length))
  const [before = [], after = []] = address.split('::').map((it) => it.split(':').filter(Boolean))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return bits(
    groups.map((it) => Number.parseInt(it, 16)),
    16,
  ).slice(0, Number(length))
}

const bits = (numbers: readonly number[], width: number) =>
  numbers.map((it) => it.toString(2).padStart(width, '0')).join('')

function insertPlace(root: Node, path: string, place: { readonly offset: number }): void {
  let node = root
  for (const bit of path.slice(0, -1)) {
    const next = node[Number(bit)]
    const child: Node = Array.isArray(next) ? next : [undefined, undefined]
    node[Number(bit)] = child
    node = child
  }
  node[Number(path.at(-1))] = place
}

function numberNodes(root: Node): Map<Node, number> {
  const nodes = new Map<Node, number>()
  const visit = (branch: Branch): void => {
    if (!Array.isArray(branch)) return
    nodes.set(branch, nodes.size)
    branch.forEach(visit)
  }
  visit(root)
  return nodes
}

function record(nodes: ReadonlyMap<Node, number>, branch: Branch): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES)
  const value = Array.isArray(branch) ? nodes.get(branch) : branch && nodes.size + GAP + branch.offset
  bytes.writeUIntBE(value ?? nodes.size, 0, RECORD_BYTES)
  return bytes
}

function encode(value: Place[string]): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([head(2, bytes.length), bytes])
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encode)])
  const pairs = Object.entries(value)
  return Buffer.concat([head(7, pairs.length), ...pairs.flatMap(([name, it]) => [encode(name), encode(it)])])
}

/** Type and size; types above 7 have a separate byte, sizes from 29 to 284 too. */
function head(type: number, size: number): Buffer {
  const short = Math.min(size, 29)
  const first = type > 7 ? [short, type - 7] : [(type << 5) | short]
  return Buffer.from(size < 29 ? first : [...first, size - 29])
}
