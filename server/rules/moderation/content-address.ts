// What an address of a page of this site names. Pure.

export type ContentAddress =
  | { readonly kind: 'post' | 'comment' | 'person'; readonly id: string }
  /** A message of the reader's conversation with a person, by its place. */
  | { readonly kind: 'message'; readonly personId: string; readonly seq: number }

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const uuidIn = (text: string | null | undefined): string | undefined => {
  const lower = text?.toLowerCase()
  return lower !== undefined && UUID.test(lower) ? lower : undefined
}

/**
 * The content of an address.
 * @param address as typed
 * @param hosts of this site, with their ports
 * @returns undefined for another site, and for a page without content
 */
export function contentAddress(address: string, hosts: readonly string[]): ContentAddress | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || !hosts.includes(url.host)) return undefined
  const [, page, first] = url.pathname.split('/')
  const id = uuidIn(first)
  if (id === undefined) return undefined
  if (page === 'post') {
    // A reply has the comment above it in `uidc`.
    const comment = uuidIn(url.searchParams.get('uidr')) ?? uuidIn(url.searchParams.get('uidc'))
    return comment === undefined ? { kind: 'post', id } : { kind: 'comment', id: comment }
  }
  if (page === 'profile') return { kind: 'person', id }
  if (page !== 'chat-messages') return undefined
  const seq = Number(url.searchParams.get('seq') ?? 0)
  return Number.isSafeInteger(seq) && seq > 0 && seq < 2 ** 31
    ? { kind: 'message', personId: id, seq }
    : undefined
}

/**
 * The post of an address, also of a comment below it, or of an id alone.
 * @param typed an address or an id
 * @param hosts of this site, with their ports
 */
export function postAddress(typed: string, hosts: readonly string[]): string | undefined {
  const id = uuidIn(typed)
  if (id !== undefined || !URL.canParse(typed)) return id
  const url = new URL(typed)
  url.search = ''
  const found = contentAddress(url.href, hosts)
  return found?.kind === 'post' ? found.id : undefined
}
