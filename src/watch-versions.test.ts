// Versions of the service worker are noticed, however their installation began.
import { expect, test, vi } from 'vitest'
import { watchVersions } from './watch-versions.ts'

class Registration extends EventTarget {
  installing: EventTarget | null = null
  waiting: unknown = null

  /** Begins an installation. */
  install(): void {
    this.installing = new EventTarget()
  }

  /** Ends the installation: the version waits. */
  installed(): void {
    const worker = this.installing
    this.waiting = worker
    this.installing = null
    worker?.dispatchEvent(new Event('statechange'))
  }
}

const watched = (registration: Registration) => {
  const onWaiting = vi.fn<() => void>()
  watchVersions(registration, onWaiting)
  return onWaiting
}
const found = (it: Registration) => it.dispatchEvent(new Event('updatefound'))

test('a version is noticed when it waits, not while it is installed', () => {
  const it = new Registration()
  const onWaiting = watched(it)
  it.install()
  found(it)
  expect(onWaiting).not.toHaveBeenCalled()
  it.installed()
  expect(onWaiting).toHaveBeenCalled()
})

test('a version that waited before the page listened is noticed', () => {
  const it = new Registration()
  it.install()
  it.installed()
  expect(watched(it)).toHaveBeenCalled()
})

test('a version whose installation another tab began before the page listened is noticed', () => {
  const it = new Registration()
  it.install()
  const onWaiting = watched(it)
  expect(onWaiting).not.toHaveBeenCalled()
  it.installed()
  expect(onWaiting).toHaveBeenCalled()
})

test('a version that waits already when the event of its installation arrives is noticed', () => {
  const it = new Registration()
  const onWaiting = watched(it)
  it.install()
  it.installed()
  found(it)
  expect(onWaiting).toHaveBeenCalled()
})
