// Activates a waiting version while the old one delivers and serves pictures.
import type { ToWorker } from '#sw/messages.ts'

/** Longest wait for the old version to release its lock, ms. */
const RELEASE_MS = 1000
/** Wait for the requests that the press itself caused, ms. */
const QUIET_MS = 250
/** Longest activation of the new version, ms; later the old one was woken by an event. */
const ACTIVATION_MS = 2000
const MAX_TRIES = 8

/** @returns whether the new version is active; false when the old one could not be stopped */
export async function takeOver(registration: ServiceWorkerRegistration): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES && registration.waiting; tries++) {
    await stopOldVersion(registration.active)
    await pause(QUIET_MS)
    registration.waiting?.postMessage({ type: 'take-over' } satisfies ToWorker)
    if (tries > 0) await open('/robots.txt')
    for (let waited = 0; waited < ACTIVATION_MS && registration.waiting; waited += 100) await pause(100)
  }
  return registration.waiting === null
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

async function stopOldVersion(active: ServiceWorker | null): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const released = new Promise<void>((done) => port1.addEventListener('message', () => done()))
  port1.start()
  active?.postMessage({ type: 'step-aside' } satisfies ToWorker, [port2])
  await Promise.race([released, pause(RELEASE_MS)])
  port1.close()
}

/**
 * Opens a URL in the worker's scope. Chromium stops the old version only once per skipWaiting; if an event woke it
 * then, the next opened URL repeats the attempt. Here that is a worker script that does not exist.
 */
async function open(path: string): Promise<void> {
  const worker = new Worker(path)
  const answered = new Promise<void>((done) => worker.addEventListener('error', () => done()))
  await Promise.race([answered, pause(RELEASE_MS)])
  worker.terminate()
}
