// Guards requests to addresses that browsers send: HTTPS only, never into a private network.
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Agent } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv4')
// Only 2000::/3 is public, and parts of it map to IPv4 (6to4, Teredo) or are unassigned.
const publicNetwork = new BlockList()
publicNetwork.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  privateNetworks.addSubnet(network, bits, 'ipv6')

/** Whether an address is in the public network. */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !privateNetworks.check(address, 'ipv4')
  return kind === 6 && publicNetwork.check(address, 'ipv6') && !privateNetworks.check(address, 'ipv6')
}

/** A name has an address outside the public network. */
export class PrivateAddress extends Error {
  constructor() {
    super('the address of a push service is not public')
    this.name = 'PrivateAddress'
  }
}

/**
 * Looks up a name as the system does, but refuses one with any private address. It runs at every connection, so that a
 * changed address is refused too.
 */
const publicLookup: LookupFunction = (host, options, done) => {
  systemLookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const first = found?.[0]
    if (error ?? !first) return done(error ?? new PrivateAddress(), [])
    if (!found.every((it) => isPublicAddress(it.address))) return done(new PrivateAddress(), [])
    if (options.all) return done(null, found)
    return done(null, first.address, first.family)
  })
}

export interface AddressGuard {
  /** Whether requests may go to a URL, without looking up its name. */
  mayCall(url: string): boolean
  /** Whether requests may go to a URL, and its name has a public address now. */
  isReachable(url: string): Promise<boolean>
  /** The agent for a URL, which resolves the name at every connection. */
  agentFor(url: string): Agent
  close(): void
}

const agentBy = (lookup: LookupFunction) =>
  new Agent({ lookup, keepAlive: true, maxSockets: 20, timeout: 30_000 })

/**
 * @param trusted one origin that may have any address: the test double of a push service
 */
export function openAddressGuard(trusted?: string): AddressGuard {
  const [guarded, unguarded] = [agentBy(publicLookup), agentBy(systemLookup)]
  const isTrusted = (url: string) => trusted !== undefined && new URL(url).origin === trusted
  const mayCall = (text: string) => {
    if (!URL.canParse(text)) return false
    const { protocol, username, password, port, hostname } = new URL(text)
    if (protocol !== 'https:' || username !== '' || password !== '') return false
    // Push services have names; a bare address is refused.
    return isTrusted(text) || (port === '' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0)
  }
  return {
    mayCall,
    isReachable(text) {
      if (!mayCall(text)) return Promise.resolve(false)
      if (isTrusted(text)) return Promise.resolve(true)
      const { hostname } = new URL(text)
      return new Promise((resolve) =>
        publicLookup(hostname, { all: true }, (error) => resolve(error === null)),
      )
    },
    agentFor: (url) => (isTrusted(url) ? unguarded : guarded),
    close() {
      guarded.destroy()
      unguarded.destroy()
    },
  }
}
