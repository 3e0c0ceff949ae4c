// Planted faults in traces: what they tell, whose they are, and what they cost.
import type { Fault } from '../fault.ts'

const server = ['server/traces.test.ts']
const environment = ['server/env/traces.test.ts']
const texts = ['server/adapters/traces/statement-text.test.ts']
const telemetry = 'server/adapters/traces/opentelemetry.ts'
const requests = 'server/adapters/traces/requests.ts'

export const traceFaults: readonly Fault[] = [
  {
    name: 'spans are named by paths, which have ids',
    file: requests,
    find: 'span.name(routeOptions.url === undefined ? method : `${method} ${routeOptions.url}`)',
    replace: 'span.name(`${method} ${request.url}`)',
    tests: server,
    caughtBy: 'no span has an id, a path',
  },
  {
    name: 'statements keep the texts in them',
    file: 'server/adapters/traces/statements.ts',
    find: "'db.query.text': statementText(statement)",
    replace: "'db.query.text': statement",
    tests: server,
    caughtBy: 'no span has an id, a path',
  },
  {
    name: 'a text whose quotes are doubled ends at the first of them',
    file: 'server/adapters/traces/statement-text.ts',
    find: "(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*",
    replace: "(?:[bBxXnN]|[uU]&)?'(?:[^'])*",
    tests: texts,
    caughtBy: 'update a set b',
  },
  {
    name: 'texts of errors are sent',
    file: telemetry,
    find: "span.setAttribute('error.type', kindOf(error))",
    replace: "span.setAttribute('error.type', String(error))",
    tests: server,
    caughtBy: 'no span has an id, a path',
  },
  {
    name: 'every client may name the trace of its requests',
    file: requests,
    find: "trusts(raw.socket.remoteAddress ?? '') ? raw.headers['traceparent'] : undefined",
    replace: "raw.headers['traceparent']",
    tests: server,
    caughtBy: 'is not taken over',
  },
  {
    name: 'jobs of jobs are in one endless trace',
    file: telemetry,
    find: 'now.isJob ? { tracelink: traceparentOf(span) } : { traceparent: traceparentOf(span) }',
    replace: '{ traceparent: traceparentOf(span) }',
    tests: server,
    caughtBy: 'has a trace of its own, with a link',
  },
  {
    name: 'the data of a job have the trace in them',
    file: 'server/store/job-traces.ts',
    find: 'const given = own as unknown as JobData[N]',
    replace: 'const given = data as JobData[N]',
    tests: server,
    caughtBy: 'has a trace of its own, with a link',
  },
  {
    name: 'who waits for a connection works for the one that returns it',
    file: 'server/adapters/traces/statements.ts',
    find: 'connect(AsyncResource.bind(taken))',
    replace: 'connect(taken)',
    tests: server,
    caughtBy: 'also while the pool is full',
  },
  {
    name: 'the lines of a request do not name its trace',
    file: requests,
    find: 'logger.child({ ...bindings, ...traced }, options)',
    replace: 'logger.child({ ...bindings, ...(traced && {}) }, options)',
    tests: server,
    caughtBy: 'each line of a request has its trace',
  },
  {
    name: 'the stop waits for a collector that does not reply',
    file: telemetry,
    find: 'const CLOSE_MS = 1000',
    replace: 'const CLOSE_MS = 100_000_000',
    tests: server,
    caughtBy: 'holds up neither requests nor the stop',
  },
  {
    name: 'a stopped server loses its last spans',
    file: 'server/deps.ts',
    find: '      await parts.traces?.close()\n',
    replace: '',
    tests: server,
    caughtBy: 'a server that is stopped sends what it has',
  },
  {
    name: 'the libraries of traces are loaded at every start',
    file: 'server/env/traces.ts',
    find: "import type { Traces } from '#server/adapters/traces/traces.ts'",
    replace:
      "import '#server/adapters/traces/opentelemetry.ts'\nimport type { Traces } from '#server/adapters/traces/traces.ts'",
    tests: environment,
    caughtBy: 'no library of traces is loaded',
  },
]
