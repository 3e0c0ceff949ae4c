// The secret of a link: taken from the address, and kept by this tab.
import * as v from 'valibot'
import { createPersistedValue, type PersistedValue } from '#src/lib/persisted-value.ts'

interface Address {
  readonly pathname: string
  readonly searchStr: string
  /** Without its `#`. */
  readonly hash: string
}

type Secret = Readonly<Record<string, string>>

/**
 * Parameters with a secret, which the root route names too. They are in the fragment, and in the query of links from earlier versions
 * and of the payment provider.
 */
const NAMES = ['token', 'stop', 'invite', 'session_id']

function split({ searchStr, hash }: Address): { secret: Secret; rest: string } {
  const [query, fragment] = [new URLSearchParams(searchStr), new URLSearchParams(hash)]
  const secret: Record<string, string> = {}
  for (const part of [query, fragment])
    for (const name of NAMES) {
      const value = part.get(name)
      if (value === null) continue
      secret[name] = value
      part.delete(name)
    }
  return { secret, rest: (query.size > 0 ? `?${query}` : '') + (fragment.size > 0 ? `#${fragment}` : '') }
}

const kept = new Map<string, PersistedValue<Secret>>()

/**
 * The secret by which this tab opened a page: a reload keeps it, another tab does not have it.
 * @param page name of the page's secrets in the storage
 * @param address of the page, where it says more than its path: the secrets of two inquiries are two
 */
export function linkSecret(page: string, address?: Address): PersistedValue<Secret> {
  const name = page + (address ? split(address).rest : '')
  const found = kept.get(name)
  if (found) return found
  const secret = createPersistedValue(() => sessionStorage, name, v.record(v.string(), v.string()))
  kept.set(name, secret)
  return secret
}

/**
 * Keeps the secret of an address.
 * @returns the address without the secret
 */
export function takeSecret(page: string, address: Address): string {
  const { secret, rest } = split(address)
  const keep = () => linkSecret(page, address).save(secret)
  keep()
  // A prerendered page gets the storage of its tab when it is shown, and what it stored before is gone.
  document.addEventListener('prerenderingchange', keep, { once: true })
  return address.pathname + rest
}
