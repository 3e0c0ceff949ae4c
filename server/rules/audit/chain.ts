// The chain of the audit log: the text that each hash covers, and its verification.

/** An entry with its place in the chain. */
export interface ChainedEntry {
  /** Its number: 1, 2, 3, … */
  readonly seq: number
  readonly id: string
  readonly actorId: string
  readonly act: string
  readonly subjectKind: string
  readonly subjectId: string
  readonly detail: unknown
  readonly ip: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** HMAC-SHA-256 of `textOf`, base64url. */
  readonly hash: string
}

/** The first entry is hashed with this text in place of the hash of an earlier entry. */
export const NO_HASH = ''

/** The form of the text, so that a later form cannot be confused with it. */
const FORM = 'todoke-audit-1'

/**
 * The text whose HMAC is the hash of an entry: a JSON array without spaces, with the hash of the entry before it. Keys of the
 * detail are in the order of their UTF-16 units, since databases store them in an order of their own.
 */
export function textOf(previous: string, entry: Omit<ChainedEntry, 'hash'>): string {
  const { seq, id, at, actorId, act, subjectKind, subjectId, ip, detail } = entry
  const time = new Date(at).toISOString()
  return JSON.stringify([
    FORM,
    previous,
    seq,
    id,
    time,
    actorId,
    act,
    subjectKind,
    subjectId,
    ip,
    sorted(detail),
  ])
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, it]) => [key, sorted(it)]))
}

/** Keyed by the server's key, so that the database alone is not enough to compute a hash. */
export type Mac = (text: string) => string

/** The hashes by each key that the server has had, the earliest key's first; always the same number of them. */
export type Macs = (text: string) => readonly string[]

/** Gives entries their numbers and hashes, after the last one. */
export function chained<Entry extends Omit<ChainedEntry, 'seq' | 'hash'>>(
  last: Head,
  entries: readonly Entry[],
  mac: Mac,
): (Entry & Head)[] {
  let { seq, hash } = last
  return entries.map((entry) => {
    seq += 1
    hash = mac(textOf(hash, { ...entry, seq }))
    return { ...entry, seq, hash }
  })
}

/** The number and the hash of an entry; of the newest one, everything before it is fixed by the two. */
export interface Head {
  readonly seq: number
  readonly hash: string
}

/** The head of a log without entries. */
export const emptyHead: Head = { seq: 0, hash: NO_HASH }

/**
 * `changed`: the entry, its number or the entry before it is not what was hashed. `removed`: entries are missing here.
 * `inserted`: an entry without a number, or with one that another entry has. `cut`: the end is missing. `replaced`: the entry of
 * the anchor has another hash, so that the log was written again.
 */
export type BreakKind = 'changed' | 'removed' | 'inserted' | 'cut' | 'replaced'

export interface Break {
  readonly is: BreakKind
  /** The number at which the chain breaks; null for an entry without a number. */
  readonly seq: number | null
  /** The entry there; null where it is missing. */
  readonly id: string | null
}

export interface Verifier {
  /** @returns the break at this entry, after which the verifier is not used any more */
  next(entry: ChainedEntry): Break | undefined
  /** @returns a break at the end, which only an anchor shows */
  end(): Break | undefined
  /** The last entry so far. */
  head(): Head
}

/**
 * Creates a verifier, which is given all entries in the order of their numbers. An entry may be hashed by an earlier key only
 * where no entry before it is hashed by a later one, so that a known earlier key is of no use for new entries.
 * @param anchor the head of an earlier verification, which the operator stored elsewhere
 */
export function createVerifier(macs: Macs, anchor?: Head): Verifier {
  let last: Head = emptyHead
  let usedKey = 0
  return {
    next(entry) {
      const { seq, id, hash } = entry
      if (seq > last.seq + 1) return { is: 'removed', seq: last.seq + 1, id: null }
      if (seq <= last.seq) return { is: 'inserted', seq, id }
      const key = macs(textOf(last.hash, entry)).indexOf(hash, usedKey)
      if (key === -1) return { is: 'changed', seq, id }
      if (seq === anchor?.seq && hash !== anchor.hash) return { is: 'replaced', seq, id }
      last = { seq, hash }
      usedKey = key
      return undefined
    },
    end: () => (anchor && anchor.seq > last.seq ? { is: 'cut', seq: last.seq + 1, id: null } : undefined),
    head: () => last,
  }
}

/** A head as the operator stores it: `<seq>:<hash>`. */
export const anchorOf = ({ seq, hash }: Head): string => `${seq}:${hash}`

/** @returns undefined for a text that `anchorOf` cannot have made */
export function readAnchor(text: string): Head | undefined {
  const [, seq = '', hash = ''] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? []
  return hash === '' ? undefined : { seq: Number(seq), hash }
}
