// Names a browser from its User-Agent, as its owner would call it.
import Bowser from 'bowser'
import type { DeviceKind } from '#contract/accounts/sessions.ts'

export interface Device {
  /** Such as `iPhone の Safari`; empty when the User-Agent names neither machine nor browser. */
  readonly name: string
  readonly kind: DeviceKind
}

/** Longest stored User-Agent, characters. */
const MAX_LENGTH = 400

/** A User-Agent header as it is stored. */
export function deviceText(userAgent: string | undefined): string {
  return (userAgent ?? '').slice(0, MAX_LENGTH)
}

const systems: Record<string, string> = { macOS: 'Mac', 'Chrome OS': 'Chromebook' }
const browsers: Record<string, string> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
}
const kinds: Record<string, DeviceKind> = { mobile: 'phone', tablet: 'tablet', desktop: 'desktop' }

/** Name of an unknown device in emails. */
const UNNAMED = '不明な端末'

/** The name of a device for emails; never empty. */
export function deviceNamed(userAgent: string): string {
  return deviceOf(userAgent).name || UNNAMED
}

/** The common name of the machine: the model of an iPhone or iPad, else the system. */
function machineOf(system: string | undefined, model: string | undefined): string | undefined {
  if (model === 'iPhone' || model === 'iPad') return model
  return system && (systems[system] ?? system)
}

/** Names a device by its User-Agent. */
export function deviceOf(userAgent: string): Device {
  if (userAgent === '') return { name: '', kind: 'other' }
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_LENGTH))
  const machine = machineOf(os.name, platform.model)
  const name = [machine, browser.name && (browsers[browser.name] ?? browser.name)]
    .filter((it) => it !== undefined && it !== '')
    .join(' の ')
  return { name, kind: kinds[platform.type ?? ''] ?? 'other' }
}
