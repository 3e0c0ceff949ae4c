// Maps an outcome of a request to the event of its job.
import type { EndEvent } from './events.ts'
import type { Clock, Outcome } from './ports.ts'

/** @returns undefined for an outcome that changes nothing about the job */
export function eventOf(end: Outcome<unknown>, clock: Pick<Clock, 'now' | 'random'>): EndEvent | undefined {
  switch (end.is) {
    case 'ok':
    case 'stopped':
      return undefined
    case 'signedOut':
      // Another server of the group may accept the session again at once: each refusal then waits longer.
      return end.refused && { type: 'tokenRefused', at: clock.now(), jitter: clock.random() }
    case 'lost': {
      const { is: _, ...details } = end
      return { type: 'lost', at: clock.now(), jitter: clock.random(), ...details }
    }
    case 'gone':
      return { type: 'refused', code: 'not_found' }
    case 'refused':
      return { type: 'refused', code: end.code, ...(end.fields ? { fields: end.fields } : {}) }
    case 'digestDiffers':
      return { type: 'digestDiffered', fileIds: end.mediaIds }
    case 'uploadsDenied':
      return { type: 'uploadsDenied' }
    default:
      return end satisfies never
  }
}
