// Names a browser from its User-Agent, as its owner would call it.
import Bowser from 'bowser'
import type { DeviceKind } from '#contract/accounts/sessions.ts'

export interface Device {
  /** `iPhone の Safari`; empty when nothing is known. */
  readonly name: string
  readonly kind: DeviceKind
}

/** Longest stored User-Agent, characters. */
const MOST = 400

/** A User-Agent header as it is stored. */
export function deviceText(userAgent: string | undefined): string {
  return (userAgent ?? '').slice(0, MOST)
}

const systems: Record<string, string> = { macOS: 'Mac', 'Chrome OS': 'Chromebook' }
const browsers: Record<string, string> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
}
const kinds: Record<string, DeviceKind> = { mobile: 'phone', tablet: 'tablet', desktop: 'desktop' }

/** Name of an unknown device in emails. */
const UNNAMED = '不明な端末'

/** The name of a device for emails, also where its User-Agent says nothing. */
export function deviceNamed(userAgent: string): string {
  return deviceOf(userAgent).name || UNNAMED
}

/** The machine by the name people use: the model where it says something, else the system. */
function machineOf(system: string | undefined, model: string | undefined): string | undefined {
  if (model === 'iPhone' || model === 'iPad') return model
  return system && (systems[system] ?? system)
}

/** Names a device by its User-Agent. */
export function deviceOf(userAgent: string): Device {
  if (userAgent === '') return { name: '', kind: 'other' }
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MOST))
  const machine = machineOf(os.name, platform.model)
  const name = [machine, browser.name && (browsers[browser.name] ?? browser.name)]
    .filter((it) => it !== undefined && it !== '')
    .join(' の ')
  return { name, kind: kinds[platform.type ?? ''] ?? 'other' }
}
