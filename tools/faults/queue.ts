// Planted faults of the upload queue.
import type { Fault } from './fault.ts'

export const queueFaults: readonly Fault[] = [
  {
    name: 'offsets are written strictly and everything else relaxed',
    file: 'sw/upload/drain.ts',
    find: "event.type === 'accepted' ? 'relaxed' : 'strict'",
    replace: "event.type === 'accepted' ? 'strict' : 'relaxed'",
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'offsets are written relaxed',
  },
  {
    name: 'that a post is asked for is stored after the request',
    file: 'sw/upload/drain.ts',
    find: `      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await ports.api.addPost(postOf(job), signal)
`,
    replace: `      const end = await ports.api.addPost(postOf(job), signal)
      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
`,
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'that a post is asked for is stored',
  },
  {
    name: 'that an act is asked for is stored after the request',
    file: 'sw/upload/drain.ts',
    find: `      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await sendWhole(ports.api, job, signal)
`,
    replace: `      const end = await sendWhole(ports.api, job, signal)
      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
`,
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'that an act or a check is asked for',
  },
  {
    name: 'a job taken back before its request is sent all the same',
    file: 'sw/upload/drain.ts',
    find: `      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await ports.api.addPost(postOf(job), signal)
`,
    replace: `      const end = await ports.api.addPost(postOf(job), signal)
`,
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'taken back in the moment before',
  },
  {
    name: 'the queue goes on before it has stored that the post was added',
    file: 'sw/upload/drain.ts',
    find: "if (end.is === 'ok') await tell({ type: 'postAdded', ...end.value })",
    replace: "if (end.is === 'ok') void tell({ type: 'postAdded', ...end.value })",
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'that a post is asked for is stored',
  },
  {
    name: 'the queue goes on before it has stored that the post was released',
    file: 'sw/upload/drain.ts',
    find: "if (end.is === 'ok') await tell({ type: 'released', at: ports.clock.now() })",
    replace: "if (end.is === 'ok') void tell({ type: 'released', at: ports.clock.now() })",
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'that a post is asked for is stored',
  },
  {
    name: 'a running step goes on after its person signed out',
    file: 'sw/upload/drain.ts',
    find: `  if (session?.user.id !== step.ownerId) return step.stop.abort()
`,
    replace: '',
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'what a sign-out finds under way',
  },
  {
    name: 'a failed job is logged at every return of the network',
    file: 'sw/upload/failures.ts',
    find: 'codes.length > failuresOf(before).length ? codes : []',
    replace: 'codes',
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'logged and said once',
  },
  {
    name: 'a failed job is announced at every return of the network',
    file: 'sw/upload/failures.ts',
    find: "before.ending.is !== 'failed' && after.ending.is === 'failed'",
    replace: "after.ending.is === 'failed'",
    tests: ['sw/upload/drain.test.ts'],
    caughtBy: 'logged and said once',
  },
  {
    name: 'a stopped step ends before its last request',
    file: 'sw/upload/tus.ts',
    find: "void stack.quiet().then(() => resolve({ is: 'stopped' }))",
    replace: "resolve({ is: 'stopped' })",
    tests: ['sw/upload/tus.test.ts'],
    caughtBy: 'ends after its last request',
  },
  {
    name: 'requests under way are not counted',
    file: 'sw/upload/http-stack.ts',
    find: `sending.add(exchanged)
`,
    replace: `
`,
    tests: ['sw/upload/tus.test.ts'],
    caughtBy: 'ends after its last request',
  },
  {
    name: 'a job is taken back while its post is being asked for',
    file: 'sw/upload/machine.ts',
    find: 'return !asking && (facts',
    replace: 'return (facts',
    tests: ['sw/upload/machine.test.ts'],
    caughtBy: 'while the post is being asked for',
  },
  {
    name: 'each request to add a post has a key of its own',
    file: 'sw/upload/publish.ts',
    find: "'Idempotency-Key': job.key ?? job.id",
    replace: "'Idempotency-Key': crypto.randomUUID()",
    tests: ['sw/upload/publish.test.ts'],
    caughtBy: 'carries its key',
  },
  {
    name: 'an answer may come from the browser’s cache',
    file: 'sw/upload/request.ts',
    find: "cache: 'no-store', ",
    replace: '',
    tests: ['sw/upload/publish.test.ts'],
    caughtBy: 'carries its key',
  },
  {
    name: 'a post is sent with the token of another person',
    file: 'sw/upload/request.ts',
    find: 'if (session?.user.id !== ownerId) throw',
    replace: 'if (!session) throw',
    tests: ['sw/upload/publish.test.ts'],
    caughtBy: 'while somebody else is signed in',
  },
  {
    name: 'acts are sent without their numbers',
    file: 'sw/upload/acts.ts',
    find: '...(job.number && {',
    replace: '...(false && {',
    tests: ['sw/upload/acts.test.ts'],
    caughtBy: 'numbered request',
  },
  {
    name: 'a post that the server lost counts as released',
    file: 'sw/upload/drain.ts',
    find: "else if (end.is === 'gone') await tell({ type: 'postGone' })",
    replace: "else if (end.is === 'gone') await tell({ type: 'released', at: ports.clock.now() })",
    tests: ['sw/upload/loop.test.ts'],
    caughtBy: 'server forgot before its release',
  },
  {
    name: 'a lost post is added again for ever',
    file: 'sw/upload/machine.ts',
    find: 'return askAgain({ ...facts, media, post: null, readds: readds + 1 })',
    replace: 'return askAgain({ ...facts, media, post: null })',
    tests: ['sw/upload/loop.test.ts'],
    caughtBy: 'asked three times in all',
  },
  {
    name: 'a release answered with another post counts',
    file: 'sw/upload/publish.ts',
    find: 'return parsed.success && parsed.output.data.id === postId',
    replace: 'return parsed.success',
    tests: ['sw/upload/foreign-answers.test.ts'],
    caughtBy: 'whose success names another post',
  },
  {
    name: 'bytes and token go to another host',
    file: 'sw/upload/tus-answers.ts',
    find: 'return at.origin === root.origin && /^[^/]+$/.test(id)',
    replace: 'return /^[^/]+$/.test(id)',
    tests: ['sw/upload/foreign-answers.test.ts'],
    caughtBy: 'portal.example/upload-chunking-2/',
  },
  {
    name: 'an offset that lies before the sent bytes is accepted',
    file: 'sw/upload/tus-answers.ts',
    find: '      return isWithin(offset, request.from, request.from + request.bytes)',
    replace: '      return isWithin(offset, 0, upload.size)',
    tests: ['sw/upload/foreign-answers.test.ts'],
    caughtBy: 'after bytes 4 to 10 were sent',
  },
  {
    name: 'redirects are followed',
    file: 'sw/upload/request.ts',
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
    tests: ['sw/upload/foreign-answers.test.ts'],
    caughtBy: 'no redirect is followed',
  },
  {
    name: 'a token refused for an upload is kept',
    file: 'sw/upload/tus.ts',
    find: `  if (status === 401) await deps.store.refused(token)
`,
    replace: '',
    tests: ['sw/upload/foreign-answers.test.ts'],
    caughtBy: 'refused token is known',
  },
  {
    name: 'an error inside the server is final',
    file: 'sw/upload/outcome.ts',
    find: 'later.has(status) || status >= 500',
    replace: 'later.has(status) || status > 500',
    tests: ['sw/upload/outcome.test.ts'],
    caughtBy: '500',
  },
  {
    name: 'a file that is too large is sent again and again',
    file: 'sw/upload/outcome.ts',
    find: 'new Set([408, 409, 423, 425, 429])',
    replace: 'new Set([408, 409, 413, 423, 425, 429])',
    tests: ['sw/upload/outcome.test.ts'],
    caughtBy: '413',
  },
  {
    name: 'an upload is done before its last byte',
    file: 'sw/upload/job-files.ts',
    find: 'const done = offset === before.size',
    replace: 'const done = offset >= before.size - 1',
    tests: ['sw/upload/machine.test.ts'],
    caughtBy: 'done with its last byte',
  },
  {
    name: 'wrong bytes are not removed before they are sent again',
    file: 'sw/upload/machine.ts',
    find: "discard: why === 'digest' && !facts.addFirst",
    replace: 'discard: false',
    tests: ['sw/upload/machine.test.ts'],
    caughtBy: 'bytes that differ are removed',
  },
  {
    name: 'a post is asked for without the digest of a file',
    file: 'sw/upload/publish.ts',
    find: `    if (!digest) throw new Ended({ is: 'refused', code: 'bytes_missing' })
    if (media.inside)`,
    replace: '    if (media.inside)',
    tests: ['sw/upload/publish.test.ts'],
    caughtBy: 'without the digest of one of its files',
  },
  {
    name: 'a post names a file that was taken out',
    file: 'sw/upload/publish.ts',
    find: 'for (const media of facts.media.filter((it) => !it.dropped)) {',
    replace: 'for (const media of facts.media) {',
    tests: ['sw/upload/publish.test.ts'],
    caughtBy: 'taken out is not named',
  },
  {
    name: 'a part of a chunk counts as the whole',
    file: 'sw/upload/chunked.ts',
    find: 'let index = Math.floor(facts.acked / LEGACY_CHUNK)',
    replace: 'let index = Math.ceil(facts.acked / LEGACY_CHUNK)',
    tests: ['sw/upload/chunked.test.ts'],
    caughtBy: 'a part of a chunk',
  },
  {
    name: 'chunks that the server has not are skipped',
    file: 'sw/upload/chunked.ts',
    find: `          await told({ offset: 0 })
`,
    replace: '',
    tests: ['sw/upload/chunked.test.ts'],
    caughtBy: 'asked from the first on',
  },
  {
    name: 'a lost upload is created again without being counted',
    file: 'sw/upload/tus.ts',
    find: "if (resumed.is !== 'gone' || facts.begun) return resumed",
    replace: "if (resumed.is !== 'gone') return resumed",
    tests: ['sw/upload/tus.test.ts'],
    caughtBy: 'is not any more is said to be gone',
  },
  {
    name: 'the last offset is not noted',
    file: 'sw/upload/tus.ts',
    find: `      if (held) await told(held)
`,
    replace: '',
    tests: ['sw/upload/tus.test.ts'],
    caughtBy: 'every offset on a slow line',
  },
  {
    name: 'the queue runs without its lock',
    file: 'sw/upload/drain.ts',
    find: 'run ??= ports.lock(loop).finally',
    replace: 'run ??= loop().finally',
    tests: ['sw/upload/runner.test.ts'],
    caughtBy: 'while the lock is held',
  },
  {
    name: 'two callers make two runs',
    file: 'sw/upload/drain.ts',
    find: 'run ??= ports.lock',
    replace: 'run = ports.lock',
    tests: ['sw/upload/runner.test.ts'],
    caughtBy: 'callers share one run',
  },
  {
    name: 'a halt does not break off the step in hand',
    file: 'sw/upload/drain.ts',
    find: `      step?.stop.abort()
`,
    replace: '',
    tests: ['sw/upload/runner.test.ts'],
    caughtBy: 'a halt breaks off',
  },
  {
    name: 'a step begins after the halt',
    file: 'sw/upload/drain.ts',
    find: `      if (halting) return
      const stop`,
    replace: '      const stop',
    tests: ['sw/upload/runner.test.ts'],
    caughtBy: 'while the next step is being chosen',
  },
  {
    name: 'a step goes on though its job is gone',
    file: 'sw/upload/drain.ts',
    find: `  if (!job) return step.stop.abort()
`,
    replace: `  if (!job) return
`,
    tests: ['sw/upload/runner.test.ts'],
    caughtBy: 'whose job is gone',
  },
  {
    name: 'a wait that is noted stops the upload that runs',
    file: 'sw/upload/drain.ts',
    find: '{ ...job.facts, wait: { until: 0, told: false } }',
    replace: 'job.facts',
    tests: ['sw/upload/runner.test.ts'],
    caughtBy: 'is being sent goes on',
  },
  {
    name: 'wrong bytes that the server does not remove are forgotten',
    file: 'sw/upload/drain.ts',
    find: "(end.is === 'refused' && dropped)",
    replace: "end.is === 'refused'",
    tests: ['sw/upload/runner.test.ts'],
    caughtBy: 'wrong bytes are not posted',
  },
  {
    name: 'a file gets its digest before its last chunk',
    file: 'sw/upload/device-store.ts',
    find: `  if (media.bytes.stored < chunksOf(media.size)) return undefined
`,
    replace: '',
    tests: ['sw/upload/device-store.test.ts'],
    caughtBy: 'one with a chunk less has none',
  },
  {
    name: 'a range across chunks begins at the wrong byte',
    file: 'sw/upload/device-store.ts',
    find: 'parts.push(whole.slice(at - start, until - start))',
    replace: 'parts.push(whole.slice(0, until - start))',
    tests: ['sw/upload/device-store.test.ts'],
    caughtBy: 'range across two chunks',
  },
]
