// Planted faults of the upload queue.
import type { Fault } from '../fault.ts'

export const queueFaults: readonly Fault[] = [
  {
    name: 'the progress of a preupload is dropped once it is submitted',
    file: 'sw/queue/runner.ts',
    find: 'recordFile: (event) => recordEvent(queue, job.id, event),',
    replace:
      'recordFile: async (event) => void (await changeJob(queue, job.id, (it) => (it.kind === job.kind ? queue.kinds.reduce((next, kind) => kind.apply(next, event), it) : it))),',
    tests: ['sw/queue/kinds/preupload.test.ts'],
    caughtBy: 'its progress is recorded',
  },
  {
    name: 'offsets are written strictly and everything else relaxed',
    file: 'sw/queue/runner.ts',
    find: "event.type === 'accepted' ? 'relaxed' : 'strict'",
    replace: "event.type === 'accepted' ? 'strict' : 'relaxed'",
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'written with relaxed durability',
  },
  {
    name: 'the stage `requested` of a post is stored after the request',
    file: 'sw/queue/kinds/post.ts',
    find: `  const current = await record({ type: 'requested' })
  if (current?.stage.is !== 'requested') return
  const end = await api.addPost(job, signal)
`,
    replace: `  const end = await api.addPost(job, signal)
  const current = await record({ type: 'requested' })
  if (current?.stage.is !== 'requested') return
`,
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'a post is stored as requested',
  },
  {
    name: 'the stage `requested` of a mutation is stored after the request',
    file: 'sw/queue/kinds/request.ts',
    find: `  const current = await record({ type: 'requested' })
  if (current?.stage.is !== 'requested') return
  const end = await send()
`,
    replace: `  const end = await send()
  const current = await record({ type: 'requested' })
  if (current?.stage.is !== 'requested') return
`,
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'a mutation is stored as requested',
  },
  {
    name: 'a job withdrawn before its request is sent nevertheless',
    file: 'sw/queue/kinds/post.ts',
    find: `  if (current?.stage.is !== 'requested') return
`,
    replace: `  if (!current) return
`,
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'cancelled just before the request',
  },
  {
    name: 'a post that another runner added in the meantime is added again',
    file: 'sw/queue/kinds/post.ts',
    find: "if (current?.stage.is !== 'requested') return",
    replace: "if (!current || current.stage.is === 'cancelled') return",
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'another runner added it',
  },
  {
    name: 'the queue continues before it has stored the release of a post',
    file: 'sw/queue/kinds/post.ts',
    find: `if (end.is === 'ok') await record({ type: 'released', at: services.clock.now() })`,
    replace: `if (end.is === 'ok') void record({ type: 'released', at: services.clock.now() })`,
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'a post is stored as requested',
  },
  {
    name: 'a running step continues after its person signed out',
    file: 'sw/queue/runner.ts',
    find: `  if (session?.user.id !== ownerId) return stop.abort()
`,
    replace: '',
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'a sign-out aborts the current step',
  },
  {
    name: 'a page with an outdated database continues its step',
    file: 'sw/queue/runner.ts',
    find: `    if (isOutdated(error)) current.stop.abort()
`,
    replace: `    isOutdated(error)
`,
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'stops its step, since it cannot notice a sign-out',
  },
  {
    name: 'a refused release counts as the refusal of the withdrawal that follows it',
    file: 'sw/queue/machines/post.ts',
    find: `    case 'withdrawRefused':
      return { ...job,`,
    replace: `    case 'withdrawRefused':
    case 'refused':
      return { ...job,`,
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'a release is not aborted by a cancellation',
  },
  {
    name: 'a failed job is logged at every return of the network',
    file: 'sw/queue/failures.ts',
    find: 'codes.length > failuresOf(before).length ? codes : []',
    replace: 'codes',
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'logged and shown once',
  },
  {
    name: 'a failed job is announced at every return of the network',
    file: 'sw/queue/failures.ts',
    find: `before.stage.is !== 'failed' && after.stage.is === 'failed'`,
    replace: `after.stage.is === 'failed'`,
    tests: ['sw/queue/records.test.ts'],
    caughtBy: 'logged and shown once',
  },
  {
    name: 'a job is withdrawn while its post is requested',
    file: 'sw/queue/machines/post.ts',
    find: `stage.is === 'open' || stage.is === 'added' || stage.is === 'failed'`,
    replace: `stage.is !== 'cancelled' && stage.is !== 'released'`,
    tests: ['sw/queue/machines/post.test.ts'],
    caughtBy: 'while the post is requested',
  },
  {
    name: 'a post that the server lost counts as released',
    file: 'sw/queue/kinds/post.ts',
    find: `else if (end.is === 'gone') await record({ type: 'postGone' })`,
    replace: `else if (end.is === 'gone') await record({ type: 'released', at: services.clock.now() })`,
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'server lost before its release',
  },
  {
    name: 'a lost post is added again for ever',
    file: 'sw/queue/machines/post.ts',
    find: 'readds: job.readds + 1',
    replace: 'readds: job.readds',
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'receives three requests in all',
  },
  {
    name: 'an upload is done before its last byte',
    file: 'sw/queue/machines/files.ts',
    find: 'if (offset === size)',
    replace: 'if (offset >= size - 1)',
    tests: ['sw/queue/machines/post.test.ts'],
    caughtBy: 'sent with its last byte',
  },
  {
    name: 'wrong bytes are not removed before they are sent again',
    file: 'sw/queue/machines/files.ts',
    find: `if (why === 'digest')`,
    replace: 'if (false)',
    tests: ['sw/queue/machines/post.test.ts'],
    caughtBy: 'bytes that differ are removed',
  },
  {
    name: 'the queue runs without its lock',
    file: 'sw/queue/runner.ts',
    find: `run ??= ports
        .lock(() => loop(queue, state))
`,
    replace: `run ??= loop(queue, state)
`,
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'while the lock is held',
  },
  {
    name: 'two callers make two runs',
    file: 'sw/queue/runner.ts',
    find: 'run ??= ports',
    replace: 'run = ports',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'callers share one run',
  },
  {
    name: 'a halt does not stop the running step',
    file: 'sw/queue/runner.ts',
    find: `      state.current?.stop.abort()
`,
    replace: '',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'a halt aborts',
  },
  {
    name: 'a step begins after the halt',
    file: 'sw/queue/runner.ts',
    find: `    if (state.isHalting) return
    await performStep`,
    replace: '    await performStep',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'while the next step is being chosen',
  },
  {
    name: 'a step continues although its job was deleted',
    file: 'sw/queue/runner.ts',
    find: `  if (!job) return stop.abort()
`,
    replace: `  if (!job) return
`,
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'whose job was deleted',
  },
  {
    name: 'a stored wait stops the running upload',
    file: 'sw/queue/runner.ts',
    find: '{ ...job, wait: noWait }',
    replace: 'job',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'is being sent continues',
  },
  {
    name: 'wrong bytes that the server does not remove are ignored',
    file: 'sw/queue/kinds/files.ts',
    find: 'isRefusal(end) && file !== undefined && isRemovedFile(file)',
    replace: 'isRefusal(end) && file !== undefined',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'wrong bytes are not posted',
  },
  {
    name: 'a mutation in memory that another page has sent is sent again',
    file: 'sw/queue/memory-runner.ts',
    find: "if (!rows.all().some((row) => row.id === job.id)) return { is: 'stopped' }",
    replace: '',
    tests: ['sw/queue/memory-runner.test.ts'],
    caughtBy: 'is not sent by the page',
  },
  {
    name: 'a mutation in memory is sent although the device has stored it',
    file: 'sw/queue/memory-runner.ts',
    find: "if (await store(job)) return { is: 'ok', value: null }",
    replace: 'await store(job)',
    tests: ['sw/queue/memory-runner.test.ts'],
    caughtBy: 'the page sends none',
  },
]
