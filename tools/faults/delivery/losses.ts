// Planted faults: losses and double publications that earlier versions had (docs/losses.md).
import type { Fault } from '../fault.ts'

const foreign = 'sw/queue/foreign-answers.test.ts'
const editor = 'src/features/publish/editor/draft-editor.page.test.ts'

export const lossFaults: readonly Fault[] = [
  {
    name: 'a draft without its files leaves the screen as if it were submitted',
    file: 'src/features/publish/editor/submission.ts',
    find: `  if (ports.hasProblems()) return problems(ports)
  if (ports.isConverting()) {`,
    replace: `  if (ports.hasProblems()) {
    ports.restart()
    return { is: 'submitted' }
  }
  if (ports.isConverting()) {`,
    tests: [editor],
    caughtBy: 'is not submitted, and remains on screen with its text',
  },
  {
    name: 'an evicted draft is submitted as it is stored: not at all',
    file: 'src/features/publish/editor/draft-editor.ts',
    find: 'void this.#sync.restore()',
    replace: 'this.#restart()',
    tests: [editor],
    caughtBy: 'evicted under the editor is submitted as it is shown',
  },
  {
    name: 'a draft that another tab discards leaves the screen',
    file: 'src/features/publish/editor/draft-editor.ts',
    find: "if (change.store === 'drafts' && change.discarded) this.#show({ discarded: true })",
    replace: "if (change.store === 'drafts' && change.discarded) this.#restart()",
    tests: [editor],
    caughtBy: 'that another tab discarded stays on screen with a notice',
  },
  {
    name: 'a full device submits nothing and shows an empty editor',
    file: 'src/features/publish/editor/draft-editor.ts',
    find: `      this.#show({ unsent: why })
`,
    replace: `      this.#restart()
`,
    tests: [editor],
    caughtBy: 'a full device does not submit remains on screen',
  },
  {
    name: 'a success of another server is a success',
    file: 'contract/response.ts',
    find: "return isOwn ? { is: 'unreadable', json } : foreign",
    replace: "return { is: 'unreadable', json }",
    tests: [foreign],
    caughtBy: 'counts as no answer',
  },
  {
    name: 'a page with a success is a success of the resumable protocol',
    file: 'contract/response.ts',
    find: 'if (!isSuccess(response.status) || isPage(response)) return false',
    replace: 'if (isSuccess(response.status)) return true',
    tests: [foreign],
    caughtBy: 'counts as no answer',
  },
  {
    name: 'a refusal of another server is believed',
    file: 'contract/response.ts',
    find: "if (isOwn || (server === 'specification' && !isPage(response))) return refusalOf(status, {})",
    replace: 'if (status >= 400) return refusalOf(status, {})',
    tests: [foreign],
    caughtBy: 'counts as no answer',
  },
  {
    name: 'an answer of another server ends the job',
    file: 'sw/queue/requests/outcome.ts',
    find: 'if (!refusal) return unanswered',
    replace: "if (!refusal) return { is: 'refused', code: 'bad_request' }",
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'a page of a captive portal does not end the job',
  },
  {
    name: 'a post whose request brought no answer counts as not requested',
    file: 'sw/queue/machines/post.ts',
    find: `    case 'lost':
    case 'tokenRefused':
    case 'nudged':
    case 'hurried':
      return applyRetry(job, event)
    case 'paused':`,
    replace: `    case 'lost':
      return applyRetry({ ...job, stage: stage.is === 'requested' ? { is: 'open' } : stage }, event)
    case 'tokenRefused':
    case 'nudged':
    case 'hurried':
      return applyRetry(job, event)
    case 'paused':`,
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'a page of a captive portal does not end the job',
  },
  {
    name: 'a wait of a day that the server requests is followed',
    file: 'sw/queue/requests/outcome.ts',
    find: '{ retryAfter: Math.min(ms, MAX_RETRY_AFTER_MS) }',
    replace: '{ retryAfter: ms }',
    tests: [foreign],
    caughtBy: 'a Retry-After of our server is followed up to ten minutes',
  },
  {
    name: 'a wait that another server requests is followed',
    file: 'sw/queue/requests/outcome.ts',
    find: 'if (!refusal) return unanswered',
    replace: 'if (!refusal) return { ...unanswered, ...waitOf(header, now) }',
    tests: [foreign],
    caughtBy: 'a Retry-After of another server is ignored',
  },
  {
    name: 'the person cannot end a wait that the server requested',
    file: 'sw/queue/waits.ts',
    find: `    case 'hurried':
      return job.wait.until === 0 ? job : { ...job, wait: noWait }`,
    replace: `    case 'hurried':
      return job.wait.told || job.wait.until === 0 ? job : { ...job, wait: noWait }`,
    tests: ['sw/queue/machines/post-waits.test.ts'],
    caughtBy: 'the person can end every wait',
  },
  {
    name: 'an upload may be at a page of a portal',
    file: 'sw/queue/requests/tus-replies.ts',
    find: 'return at.origin === root.origin && /^[^/]+$/.test(id)',
    replace: 'return at.origin === root.origin && id !== undefined',
    tests: ['sw/queue/requests/upload-answers.test.ts'],
    caughtBy: 'impossible address is requested at its default address',
  },
  {
    name: 'the server may have more bytes than the file',
    file: 'sw/queue/requests/tus-replies.ts',
    find: `    case 'HEAD':
      return isWithin(offset, 0, upload.size)`,
    replace: `    case 'HEAD':
      return isWithin(offset, 0, Infinity)`,
    tests: ['sw/queue/requests/upload-answers.test.ts'],
    caughtBy: 'in 10 bytes, in reply to HEAD, is no answer',
  },
  {
    name: 'a token that only one request refuses is sent again at once',
    file: 'sw/queue/waits.ts',
    find: 'return { ...next, wait: { ...next.wait, refused: true } }',
    replace: 'return { ...next, attempts: 0, wait: { until: 0, told: false } }',
    tests: ['sw/queue/loop.test.ts'],
    caughtBy: 'retried after growing waits',
  },
  {
    name: 'rows of another version are not counted',
    file: 'device/database/unreadable.ts',
    find: `      return raws.filter((raw) => parseRow(store, raw) === undefined)`,
    replace: `      return raws.filter((raw) => parseRow(store, raw) === null)`,
    tests: ['device/mutations/mutations.test.ts', 'device/jobs/device.test.ts'],
    caughtBy: 'of another build is left unchanged and never',
  },
  {
    name: 'a second tab begins a comment with an empty field',
    file: 'src/domain/drafts/typed-note.ts',
    find: 'createStore(this.#persisted().read() ?? kind.empty,',
    replace: 'createStore(kind.empty,',
    tests: ['src/domain/drafts/typed-note.page.test.ts'],
    caughtBy: 'shows the text of the first and deletes nothing',
  },
  {
    name: 'an older text of another tab replaces a newer one',
    file: 'src/domain/drafts/typed-note.ts',
    find: 'if (next.at >= this.#value.at) this.#shown.set(next)',
    replace: 'this.#shown.set(next)',
    tests: ['src/domain/drafts/typed-note.page.test.ts'],
    caughtBy: 'unless its own text is newer',
  },
  {
    name: 'a killed browser loses what only the database has',
    file: 'src/domain/drafts/typed-note.ts',
    find: 'if (stored.at > this.#value.at) {',
    replace: 'if (this.#value.at === 0) {',
    tests: ['src/domain/drafts/typed-note.page.test.ts'],
    caughtBy: 'the newer copy of the database is shown',
  },
  {
    name: 'undoing a like is done whatever the answer is',
    file: 'sw/queue/requests/mutations.ts',
    find: "if (end.is === 'gone' && isUndoing(job.form.mutation))",
    replace: "if (end.is !== 'ok' && isUndoing(job.form.mutation))",
    tests: [foreign],
    caughtBy: 'counts as no answer',
  },
  {
    name: 'a restored phone believes that its like was executed',
    file: 'sw/queue/requests/mutations.ts',
    find: 'if (deps.renumber && job.number && end.is ===',
    replace: 'if (false && deps.renumber && job.number && end.is ===',
    tests: ['sw/queue/requests/mutations.test.ts'],
    caughtBy: 'causes one repeat with a number of a new source',
  },
  {
    name: 'a sign-out does not count waiting comments',
    file: 'device/session/purge.ts',
    find: "const acts = await tx.objectStore('acts').index('owner').count(ownerId)",
    replace: "const acts = 0 * (await tx.objectStore('acts').index('owner').count(ownerId))",
    tests: ['device/session/purge.test.ts'],
    caughtBy: 'counts beforehand what is deleted and what stays',
  },
  {
    name: 'closing the page while a file is copied shows no warning',
    file: 'src/lib/leave-guard.ts',
    find: "if (++copying === 1) window.addEventListener('beforeunload', warn)",
    replace: 'copying++',
    tests: ['src/lib/leave-guard.test.ts'],
    caughtBy: 'the browser warns until the last of several copies has ended',
  },
  {
    name: 'a page that a newer version has made outdated does not notice it',
    file: 'device/database/database.ts',
    find: "if (isOutdated(error)) setDatabaseState('outdated')",
    replace: 'void isOutdated',
    tests: ['device/database/database-versions.test.ts'],
    caughtBy: 'makes a page that opens later outdated',
  },
  {
    name: 'the last text of a page that ends is not stored',
    file: 'src/features/publish/editor/draft-sync.ts',
    find: `    this.#note()
    this.#onEvent('changed')`,
    replace: `    this.#onEvent('changed')`,
    tests: ['src/features/publish/editor/draft-sync.test.ts'],
    caughtBy: 'text is a note when the key press ends',
  },
  {
    name: 'of 25 lost posts only the first are counted',
    file: 'src/domain/drafts/unsent-note.ts',
    find: 'return { ids: lost, count: lost.length + more }',
    replace: 'return { ids: lost, count: Math.min(20, lost.length) }',
    tests: ['src/domain/drafts/unsent-note.test.ts'],
    caughtBy: 'all of 25 unsent posts are counted after an eviction',
  },
  {
    name: 'an upgrade that another tab blocks is not shown',
    file: 'device/database/database.ts',
    find: "        setDatabaseState('blocked')\n",
    replace: '',
    tests: ['device/database/database.test.ts'],
    caughtBy: 'an upgrade blocked by a tab of an older version rejects after three seconds',
  },
  {
    name: 'files that another tab added to a message are sent unseen',
    file: 'device/jobs/message.ts',
    find: "  if (mediaIds.join() !== shown.map((it) => it.id).join()) return { is: 'changed' }\n",
    replace: '',
    tests: ['device/jobs/message.test.ts'],
    caughtBy: 'files that are not on screen are not sent',
  },
  {
    name: 'files of a message that the browser has cleared count as sent',
    file: 'device/jobs/message.ts',
    find: "=== undefined ? 'missing' : 'already' }",
    replace: "=== undefined ? 'already' : 'already' }",
    tests: ['device/jobs/message.test.ts'],
    caughtBy: 'files that the browser has cleared are missing',
  },
  {
    name: 'a message waits for ever for a file whose row is gone',
    file: 'device/jobs/message.ts',
    find: `  if (media.length < draft.mediaIds.length) await tx.objectStore('messageDrafts').put({ ...draft, mediaIds })
`,
    replace: `  if (media.length < draft.mediaIds.length) return { is: 'incomplete' }
`,
    tests: ['device/jobs/message.test.ts'],
    caughtBy: 'not submitted without a file that was on screen; the others can be sent',
  },
  {
    name: 'a page does not store again what it has picked for a message',
    file: 'src/features/messages/files/intake.ts',
    find: "const why = file ? await addFile(between, file) : 'evicted'",
    replace: "const why = file && !file ? await addFile(between, file) : 'evicted'",
    tests: ['src/features/messages/files/intake.page.test.ts'],
    caughtBy: 'files of this page are stored again in their order',
  },
  {
    name: 'a connection that is lost while room is made loses the write',
    file: 'device/database/database.ts',
    find: "await transact([name], 'readwrite', work, 'copy')",
    replace: "await complete((await (opened ??= open())).transaction([name], 'readwrite') as Tx, work)",
    tests: ['device/cache/responses.test.ts'],
    caughtBy: 'a connection that is lost while room is made is opened again',
  },
]
