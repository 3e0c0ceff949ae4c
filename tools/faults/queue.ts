// Planted faults of the upload queue.
import type { Fault } from './fault.ts'

export const queueFaults: readonly Fault[] = [
  {
    name: 'offsets are written strictly and everything else relaxed',
    file: 'sw/queue/drain.ts',
    find: "event.type === 'accepted' ? 'relaxed' : 'strict'",
    replace: "event.type === 'accepted' ? 'strict' : 'relaxed'",
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'offsets are written relaxed',
  },
  {
    name: 'that a post is asked for is stored after the request',
    file: 'sw/queue/drain.ts',
    find: `      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await ports.api.addPost(postOf(job), signal)
`,
    replace: `      const end = await ports.api.addPost(postOf(job), signal)
      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
`,
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'that a post is asked for is stored',
  },
  {
    name: 'that an act is asked for is stored after the request',
    file: 'sw/queue/drain.ts',
    find: `      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await sendWhole(ports.api, job, signal)
`,
    replace: `      const end = await sendWhole(ports.api, job, signal)
      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
`,
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'that an act or a check is asked for',
  },
  {
    name: 'a job taken back before its request is sent all the same',
    file: 'sw/queue/drain.ts',
    find: `      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await ports.api.addPost(postOf(job), signal)
`,
    replace: `      const end = await ports.api.addPost(postOf(job), signal)
`,
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'taken back in the moment before',
  },
  {
    name: 'the queue goes on before it has stored that the post was added',
    file: 'sw/queue/drain.ts',
    find: "if (end.is === 'ok') await tell({ type: 'postAdded', ...end.value })",
    replace: "if (end.is === 'ok') void tell({ type: 'postAdded', ...end.value })",
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'that a post is asked for is stored',
  },
  {
    name: 'the queue goes on before it has stored that the post was released',
    file: 'sw/queue/drain.ts',
    find: "if (end.is === 'ok') await tell({ type: 'released', at: ports.clock.now() })",
    replace: "if (end.is === 'ok') void tell({ type: 'released', at: ports.clock.now() })",
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'that a post is asked for is stored',
  },
  {
    name: 'a running step goes on after its person signed out',
    file: 'sw/queue/drain.ts',
    find: `  if (session?.user.id !== step.ownerId) return step.stop.abort()
`,
    replace: '',
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'what a sign-out finds under way',
  },
  {
    name: 'a failed job is logged at every return of the network',
    file: 'sw/queue/failures.ts',
    find: 'codes.length > failuresOf(before).length ? codes : []',
    replace: 'codes',
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'logged and said once',
  },
  {
    name: 'a failed job is announced at every return of the network',
    file: 'sw/queue/failures.ts',
    find: "before.ending.is !== 'failed' && after.ending.is === 'failed'",
    replace: "after.ending.is === 'failed'",
    tests: ['sw/queue/drain.test.ts'],
    caughtBy: 'logged and said once',
  },
  {
    name: 'a job is taken back while its post is being asked for',
    file: 'sw/queue/machine.ts',
    find: 'return !asking && (facts',
    replace: 'return (facts',
    tests: ['sw/queue/machine.test.ts'],
    caughtBy: 'while the post is being asked for',
  },
  {
    name: 'a post that the server lost counts as released',
    file: 'sw/queue/drain.ts',
    find: "else if (end.is === 'gone') await tell({ type: 'postGone' })",
    replace: "else if (end.is === 'gone') await tell({ type: 'released', at: ports.clock.now() })",
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'server forgot before its release',
  },
  {
    name: 'a lost post is added again for ever',
    file: 'sw/queue/machine.ts',
    find: 'return askAgain({ ...facts, media, post: null, readds: readds + 1 })',
    replace: 'return askAgain({ ...facts, media, post: null })',
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'asked three times in all',
  },
  {
    name: 'an upload is done before its last byte',
    file: 'sw/queue/job-files.ts',
    find: 'const done = offset === before.size',
    replace: 'const done = offset >= before.size - 1',
    tests: ['sw/queue/machine.test.ts'],
    caughtBy: 'done with its last byte',
  },
  {
    name: 'wrong bytes are not removed before they are sent again',
    file: 'sw/queue/machine.ts',
    find: "discard: why === 'digest' && !facts.addFirst",
    replace: 'discard: false',
    tests: ['sw/queue/machine.test.ts'],
    caughtBy: 'bytes that differ are removed',
  },
  {
    name: 'the queue runs without its lock',
    file: 'sw/queue/drain.ts',
    find: 'run ??= ports.lock(loop).finally',
    replace: 'run ??= loop().finally',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'while the lock is held',
  },
  {
    name: 'two callers make two runs',
    file: 'sw/queue/drain.ts',
    find: 'run ??= ports.lock',
    replace: 'run = ports.lock',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'callers share one run',
  },
  {
    name: 'a halt does not break off the step in hand',
    file: 'sw/queue/drain.ts',
    find: `      step?.stop.abort()
`,
    replace: '',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'a halt breaks off',
  },
  {
    name: 'a step begins after the halt',
    file: 'sw/queue/drain.ts',
    find: `      if (halting) return
      const stop`,
    replace: '      const stop',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'while the next step is being chosen',
  },
  {
    name: 'a step goes on though its job is gone',
    file: 'sw/queue/drain.ts',
    find: `  if (!job) return step.stop.abort()
`,
    replace: `  if (!job) return
`,
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'whose job is gone',
  },
  {
    name: 'a wait that is noted stops the upload that runs',
    file: 'sw/queue/drain.ts',
    find: '{ ...job.facts, wait: { until: 0, told: false } }',
    replace: 'job.facts',
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'is being sent goes on',
  },
  {
    name: 'wrong bytes that the server does not remove are forgotten',
    file: 'sw/queue/drain.ts',
    find: "(end.is === 'refused' && dropped)",
    replace: "end.is === 'refused'",
    tests: ['sw/queue/runner.test.ts'],
    caughtBy: 'wrong bytes are not posted',
  },
]
