// Activates a waiting version while the old one delivers and serves pictures.
import type { ToWorker } from '#sw/messages.ts'

/** The old version says that it let go within this, ms, or is busy starting. */
const LET_GO_MS = 1000
/** What the press itself made the page ask for is answered by then, ms. */
const QUIET_MS = 250
/** Longest activation of the new version, ms; after it, the old one was woken at the moment it stopped. */
const STANDS_MS = 2000
const MAX_TRIES = 8

/** @returns whether the new version is the active one; false when the old one could not be brought to let go */
export async function takeOver(registration: ServiceWorkerRegistration): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES && registration.waiting; tries++) {
    await stepAside(registration.active)
    await pause(QUIET_MS)
    registration.waiting?.postMessage({ type: 'take-over' } satisfies ToWorker)
    if (tries > 0) await open('/robots.txt')
    for (let waited = 0; waited < STANDS_MS && registration.waiting; waited += 100) await pause(100)
  }
  return registration.waiting === null
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

async function stepAside(active: ServiceWorker | null): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const letGo = new Promise<void>((done) => port1.addEventListener('message', () => done()))
  port1.start()
  active?.postMessage({ type: 'step-aside' } satisfies ToWorker, [port2])
  await Promise.race([letGo, pause(LET_GO_MS)])
  port1.close()
}

/**
 * Chromium asks the old version to stop only once, however often skipWaiting is called. If an event woke it at that
 * moment, the waiting one is checked again when a page in the worker's scope is opened: here a script that does not
 * exist.
 */
async function open(path: string): Promise<void> {
  const worker = new Worker(path)
  const answered = new Promise<void>((done) => worker.addEventListener('error', () => done()))
  await Promise.race([answered, pause(LET_GO_MS)])
  worker.terminate()
}
