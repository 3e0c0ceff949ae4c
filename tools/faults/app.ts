// Planted faults of the page and the service worker.
import type { Fault } from './fault.ts'

export const appFaults: readonly Fault[] = [
  {
    name: 'a session that is being stored exists again after the sign-out',
    file: 'src/domain/session/device-session.ts',
    find: `      if (begun !== endings) {
        await unlessRefused(device.clear(next.token))
        return
      }
`,
    replace: '',
    tests: ['src/domain/session/viewer.test.ts'],
    caughtBy: 'that the device is storing',
  },
  {
    name: 'a stored photo is converted that the server would refuse',
    file: 'src/domain/media/prepare/convert.ts',
    find: "if (isUnhashed(media) && (await examineStored(file, examined))) return 'unconvertible'",
    replace: 'if (isUnhashed(media)) await examineStored(file, examined)',
    tests: ['src/domain/media/prepare/examined.page.test.ts'],
    caughtBy: 'is not converted, also after a kill',
  },
  {
    name: 'a file prepared for one draft is put into the next',
    file: 'src/features/publish/files/intake.ts',
    find: `    if (!this.#isCurrent(draftId)) return
    const sentence`,
    replace: '    const sentence',
    tests: ['src/features/publish/files/photo-intake.page.test.ts'],
    caughtBy: 'not put into the next one',
  },
  {
    name: 'a file that waits for its preparation is put into the draft of that time',
    file: 'src/features/publish/files/intake.ts',
    find: 'this.#add(draftId, pick, role)',
    replace: "this.#add(draftId === '' ? '' : this.#ports.draft().id, pick, role)",
    tests: ['src/features/publish/files/intake.test.ts'],
    caughtBy: 'not put into the next one',
  },
  {
    name: 'a sync event ends after 25 s as if everything were sent',
    file: 'sw/queue/lifetime.ts',
    find: 'if (aside === undefined) await Promise.race([run(), released])',
    replace: `if (aside === undefined)
        await Promise.race([run(), released, new Promise((done) => setTimeout(done, HOLD_MS))])`,
    tests: ['sw/queue/lifetime.test.ts'],
    caughtBy: 'a sync event ends only with the run',
  },
  {
    name: 'an event is extended for the whole run',
    file: 'sw/queue/lifetime.ts',
    find: 'const HOLD_MS = 25_000',
    replace: 'const HOLD_MS = 2_500_000',
    tests: ['sw/queue/lifetime.test.ts'],
    caughtBy: 'at the latest after 25 s',
  },
  {
    name: 'a worker that yielded its lock starts again at the next event',
    file: 'sw/queue/lifetime.ts',
    find: '      if (aside !== undefined) return\n',
    replace: '',
    tests: ['sw/queue/lifetime.test.ts'],
    caughtBy: 'no run starts for 10 s',
  },
  {
    name: 'the event of a changed push subscription ends before its request',
    file: 'sw/subscription.ts',
    find: 'else await callApi(dropPushSubscription',
    replace: 'else void callApi(dropPushSubscription',
    tests: ['sw/read.test.ts'],
    caughtBy: 'the event lasts until the server has answered',
  },
  {
    name: 'a comment is sent again under a new id',
    file: 'src/domain/drafts/waiting-note.ts',
    find: 'void send(it).then(',
    replace: 'void send({ ...it, id: crypto.randomUUID() }).then(',
    tests: ['src/features/comments/comment-note.page.test.ts'],
    caughtBy: 'sent under the id it has',
  },
  {
    name: 'addresses of the server show the app',
    file: 'sw/not-shell.ts',
    find: '  /^\\/api(\\/|$)/,\n',
    replace: '',
    tests: ['sw/not-shell.test.ts'],
    caughtBy: 'is the server’s: the worker leaves its pages to the network',
  },
]
