// Requests to addresses that users name: HTTPS only, never into a private network.
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Agent } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const nowhere = new BlockList()
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
  nowhere.addSubnet(network, bits, 'ipv4')
// Only 2000::/3 is public, and parts of it map to IPv4 (6to4, Teredo) or are unassigned.
const openNetwork = new BlockList()
openNetwork.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  nowhere.addSubnet(network, bits, 'ipv6')

/** Whether an address is one of the open network. */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !nowhere.check(address, 'ipv4')
  return kind === 6 && openNetwork.check(address, 'ipv6') && !nowhere.check(address, 'ipv6')
}

/** An address behind a name is not one of the open network. */
export class PrivateAddress extends Error {
  constructor() {
    super('the address of a push service is not public')
    this.name = 'PrivateAddress'
  }
}

/**
 * As the system's lookup, but refuses a name with any private address; run at every connection, so that the address
 * cannot change.
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

export interface Line {
  /** Whether requests may go there at all; names are looked up only when it comes to one. */
  mayCall(url: string): boolean
  /** As `mayCall`, and its name leads to the open network now. */
  reaches(url: string): Promise<boolean>
  /** Its agent, which resolves the name at every connection. */
  agentFor(url: string): Agent
  close(): void
}

const agentBy = (lookup: LookupFunction) =>
  new Agent({ lookup, keepAlive: true, maxSockets: 20, timeout: 30_000 })

/**
 * @param trusted one origin that is called at any address: the push service's double in tests and development
 */
export function openLine(trusted?: string): Line {
  const [usual, toTrusted] = [agentBy(publicLookup), agentBy(systemLookup)]
  const isTrusted = (url: string) => trusted !== undefined && new URL(url).origin === trusted
  const mayCall = (text: string) => {
    if (!URL.canParse(text)) return false
    const { protocol, username, password, port, hostname } = new URL(text)
    if (protocol !== 'https:' || username !== '' || password !== '') return false
    // A number says nothing about whose it is; push services have names.
    return isTrusted(text) || (port === '' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0)
  }
  return {
    mayCall,
    reaches(text) {
      if (!mayCall(text)) return Promise.resolve(false)
      if (isTrusted(text)) return Promise.resolve(true)
      const { hostname } = new URL(text)
      return new Promise((tell) => publicLookup(hostname, { all: true }, (error) => tell(error === null)))
    },
    agentFor: (url) => (isTrusted(url) ? toTrusted : usual),
    close() {
      usual.destroy()
      toTrusted.destroy()
    },
  }
}
